#include "wormcast/algorithms/registry.hpp"

#include "wormcast/algorithms/collective/butterfly.hpp"
#include "wormcast/algorithms/collective/chain_halving.hpp"
#include "wormcast/algorithms/collective/dissemination.hpp"
#include "wormcast/algorithms/collective/pairwise_exchange.hpp"
#include "wormcast/algorithms/collective/pruning.hpp"
#include "wormcast/algorithms/collective/reversal.hpp"
#include "wormcast/algorithms/collective/ring.hpp"
#include "wormcast/algorithms/collective/through_root.hpp"
#include "wormcast/algorithms/graph/bfs_tree.hpp"
#include "wormcast/algorithms/graph/flooding.hpp"
#include "wormcast/algorithms/grid/dimension_halving.hpp"
#include "wormcast/algorithms/grid/dimension_ring.hpp"
#include "wormcast/algorithms/grid/intercom.hpp"
#include "wormcast/algorithms/grid/line_pipeline.hpp"
#include "wormcast/algorithms/grid/network_partitioning.hpp"
#include "wormcast/algorithms/grid/recursion_based.hpp"
#include "wormcast/algorithms/grid/recursive_doubling.hpp"
#include "wormcast/algorithms/grid/scatter_collect.hpp"
#include "wormcast/algorithms/grid/truncated_recursion.hpp"
#include "wormcast/algorithms/grid_all_port/dominating_nodes.hpp"
#include "wormcast/algorithms/grid_trees/edge_disjoint_trees.hpp"
#include "wormcast/algorithms/grid_trees/two_combs.hpp"
#include "wormcast/algorithms/grid_trees/two_trees.hpp"
#include "wormcast/algorithms/hypercube/msbt.hpp"
#include "wormcast/algorithms/hypercube/multinode_broadcast.hpp"
#include "wormcast/algorithms/hypercube/single_node_broadcast.hpp"
#include "wormcast/algorithms/hypercube/single_node_scatter.hpp"
#include "wormcast/algorithms/hypercube/total_exchange.hpp"
#include "wormcast/algorithms/petersen/all_to_all.hpp"
#include "wormcast/algorithms/petersen/broadcast.hpp"
#include "wormcast/algorithms/petersen/torus_all_to_all.hpp"
#include "wormcast/algorithms/petersen/torus_broadcast.hpp"
#include "wormcast/algorithms/rank_order/bine_tree.hpp"
#include "wormcast/algorithms/rank_order/binomial_scatter.hpp"
#include "wormcast/algorithms/rank_order/binomial_tree.hpp"
#include "wormcast/algorithms/rank_order/random_binomial_tree.hpp"
#include "wormcast/algorithms/rank_order/round_optimal.hpp"
#include "wormcast/algorithms/rank_order/scatter_all_gather.hpp"
#include "wormcast/algorithms/rank_order/segmented_chain.hpp"
#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/algorithms/tcd/minimum_tcd.hpp"
#include "wormcast/algorithms/tcd/recursive_halving_tcd.hpp"
#include "wormcast/algorithms/torus_all_reduce/bucket.hpp"
#include "wormcast/algorithms/torus_all_reduce/double_binary_tree.hpp"
#include "wormcast/algorithms/torus_all_reduce/hamiltonian_rings.hpp"
#include "wormcast/algorithms/torus_all_reduce/share_scatters.hpp"
#include "wormcast/algorithms/torus_all_reduce/share_trees.hpp"
#include "wormcast/algorithms/torus_all_reduce/swing.hpp"
#include "wormcast/algorithms/torus_all_reduce/torus_doubling.hpp"
#include "wormcast/algorithms/torus_all_reduce/trivance.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/registration.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace wormcast {

namespace {

bool is_in(std::span<const Operation> operations, Operation operation)
{
  return std::ranges::find(operations, operation) != operations.end();
}

// The choice among several operations; without it the algorithm does its own.
Parameter operation_parameter(const Algorithm& algorithm)
{
  Parameter parameter{.name = "operation",
                      .type = ParameterType::choice,
                      .text = fmt::format("what it does; without it {}", operation_names.text(algorithm.operation)),
                      .optional = true};
  for (const Operation operation : served_operations(algorithm)) {
    parameter.choices.emplace_back(operation_names.text(operation));
    if (const std::string_view other = other_operation_name(operation); !other.empty()) {
      parameter.choices.emplace_back(other);
    }
  }
  return parameter;
}

/// Of every broadcast a multicast is made.
void add_multicast(Algorithm& algorithm)
{
  if (!is_in(served_operations(algorithm), Operation::broadcast)) {
    return;
  }
  algorithm.parameters.push_back(destinations_parameter());
  const auto chosen = std::ranges::find(algorithm.parameters, "operation", &Parameter::name);
  if (chosen != algorithm.parameters.end()) {
    chosen->choices.emplace_back(operation_names.text(Operation::multicast));
  }
}

void add_operation(Algorithm& algorithm)
{
  if (std::ranges::find(algorithm.parameters, "operation", &Parameter::name) == algorithm.parameters.end()) {
    algorithm.parameters.push_back(operation_parameter(algorithm));
  }
}

/// The paper's form of the Petersen-torus' all-to-all lacks messages on some sizes (docs/papers/kim_2014.md).
constexpr std::string_view incomplete_on_some_sizes = "petersen_torus_all_to_all";

std::vector<Algorithm> complete_but_one(std::vector<Algorithm> all)
{
  std::ranges::for_each(all, add_multicast);
  std::ranges::for_each(all, add_operation);
  for (Algorithm& algorithm : all) {
    algorithm.always_complete = algorithm.name != incomplete_on_some_sizes;
  }
  return all;
}

std::vector<Algorithm>& all_algorithms()
{
  static std::vector<Algorithm> all = complete_but_one({
      recursive_doubling_algorithm(),
      scatter_collect_algorithm(),
      network_partitioning_algorithm(),
      recursion_based_algorithm(),
      truncated_recursion_algorithm(),
      intercom_algorithm(),
      dominating_nodes_algorithm(),
      line_pipeline_algorithm(),
      two_combs_algorithm(),
      two_trees_algorithm(),
      edge_disjoint_trees_algorithm(),
      minimum_tcd_algorithm(),
      recursive_halving_tcd_algorithm(),
      random_binomial_tree_algorithm(),
      single_node_broadcast_algorithm(),
      msbt_algorithm(),
      multinode_broadcast_algorithm(),
      single_node_scatter_algorithm(),
      total_exchange_algorithm(),
      petersen_broadcast_algorithm(),
      petersen_all_to_all_algorithm(),
      petersen_torus_broadcast_algorithm(),
      petersen_torus_all_to_all_algorithm(),
      binomial_tree_algorithm(),
      binomial_scatter_algorithm(),
      scatter_all_gather_algorithm(),
      segmented_chain_algorithm(),
      bine_tree_algorithm(),
      round_optimal_algorithm(),
      bfs_tree_algorithm(),
      flooding_algorithm(),
      ring_algorithm(),
      dimension_ring_algorithm(),
      recursive_halving_algorithm(),
      bine_butterfly_algorithm(),
      pairwise_exchange_algorithm(),
      dimension_halving_algorithm(),
      dissemination_algorithm(),
      chain_halving_algorithm(),
      bucket_algorithm(),
      hamiltonian_rings_algorithm(),
      swing_algorithm(),
      torus_doubling_algorithm(),
      trivance_algorithm(),
      torus_bine_tree_algorithm(),
      torus_binomial_tree_algorithm(),
      torus_bine_scatter_algorithm(),
      torus_binomial_scatter_algorithm(),
      double_binary_tree_algorithm(),
  });
  return all;
}

/// Throws InputError unless all that `schedule` names is there, so that verifier and simulator can look at it.
void check_made(const std::string& name, const Topology& topology, const Schedule& schedule)
{
  const auto refuse = [&](std::size_t message, const std::string& problem) {
    throw InputError(fmt::format("algorithm \"{}\": message {}: {}", name, message, problem));
  };
  if (schedule.blocks < 1) {
    throw InputError(fmt::format("algorithm \"{}\": a schedule of 0 blocks, expected at least 1", name));
  }
  if (schedule.blocks_per_node < 1 || schedule.blocks % schedule.blocks_per_node != 0) {
    throw InputError(fmt::format("algorithm \"{}\": {} blocks for each node of {} blocks, expected a divisor", name,
                                 schedule.blocks_per_node, schedule.blocks));
  }
  for (std::size_t id = 0; id < schedule.messages.size(); ++id) {
    const Message& message = schedule.messages[id];
    for (const NodeId node : {message.source, message.destination}) {
      try {
        resolve_node(topology, std::int64_t{index(node)});
      } catch (const InputError& error) {
        refuse(id, error.what());
      }
    }
    if (message.source == message.destination) {
      refuse(id, fmt::format("node {} sends to itself", index(message.source)));
    }
    if (schedule.operation == Operation::none) {
      continue;
    }
    if (static_cast<std::uint32_t>(message.blocks) >= schedule.block_sets.count()) {
      refuse(id, "its blocks are no set of the schedule's block_sets");
    }
    if (schedule.block_sets.end(message.blocks) > schedule.blocks) {
      refuse(id, fmt::format("block {} of a schedule of {} blocks", schedule.block_sets.end(message.blocks) - 1,
                             schedule.blocks));
    }
  }
  if (schedule.operation == Operation::none && schedule.plain.size() != schedule.messages.size()) {
    throw InputError(fmt::format("algorithm \"{}\": {} messages of operation none, but {} lengths", name,
                                 schedule.messages.size(), schedule.plain.size()));
  }
}

} // namespace

void register_algorithm(Algorithm algorithm)
{
  const bool taken = algorithm.name == "schedule" || algorithm.name == "requests" ||
                     std::ranges::find(all_algorithms(), algorithm.name, &Algorithm::name) != all_algorithms().end();
  check_new_name("an", "algorithm", algorithm.name, taken);
  if (!algorithm.make) {
    throw InputError(fmt::format("the algorithm \"{}\" cannot be registered, expected a function that makes a schedule",
                                 algorithm.name));
  }
  add_operation(algorithm);
  algorithm.always_complete = false;
  algorithm.make = [name = algorithm.name, make = std::move(algorithm.make)](const Topology& topology,
                                                                             const ScheduleRequest& request) {
    Schedule schedule = make(topology, request);
    check_made(name, topology, schedule);
    return schedule;
  };
  all_algorithms().push_back(std::move(algorithm));
}

std::span<const Algorithm> algorithms()
{
  return all_algorithms();
}

const Algorithm& find_algorithm(std::string_view name)
{
  const auto found = std::ranges::find(algorithms(), name, &Algorithm::name);
  if (found != algorithms().end()) {
    return *found;
  }
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) {
    names.push_back(algorithm.name);
  }
  throw_unknown("algorithm", name, names);
}

std::function<std::vector<ParameterValues>(const Topology& topology)> every_choice(const Parameter& parameter)
{
  std::vector<ParameterValues> family;
  for (const std::string& choice : parameter.choices) {
    family.emplace_back().set(parameter.name, choice);
  }
  return [family](const Topology&) { return family; };
}

std::vector<Operation> served_operations(const Algorithm& algorithm)
{
  std::vector<Operation> served = {algorithm.operation};
  for (const std::vector<Operation>* more : {&algorithm.further, &algorithm.by_reversal}) {
    std::ranges::copy(*more, std::back_inserter(served));
  }
  const auto parameter = [&](std::string_view name) {
    return std::ranges::find(algorithm.parameters, name, &Parameter::name);
  };
  if (const auto chosen = parameter("operation"); chosen != algorithm.parameters.end()) {
    for (const std::string& choice : chosen->choices) {
      if (const auto operation = find_operation(choice); operation && !is_in(served, *operation)) {
        served.push_back(*operation);
      }
    }
  }
  if (parameter("destinations") != algorithm.parameters.end() && !is_in(served, Operation::multicast)) {
    served.push_back(Operation::multicast);
  }
  return served;
}

Operation requested_operation(const Algorithm& algorithm, const ParameterValues& parameters)
{
  if (!parameters.has("operation")) {
    return algorithm.operation;
  }
  const std::string& name = parameters.text("operation");
  const std::vector<Operation> served = served_operations(algorithm);
  const auto operation = find_operation(name);
  if (!operation || !is_in(served, *operation)) {
    std::vector<std::string_view> names;
    std::ranges::transform(served, std::back_inserter(names), [](Operation one) { return operation_names.text(one); });
    throw InputError(
        fmt::format("{} does not serve the operation \"{}\", only {}", algorithm.name, name, fmt::join(names, ", ")));
  }
  return *operation;
}

namespace {

/// The declaration of the number of segments where it is optional, which means that broadcasts alone have segments;
/// null for all other algorithms.
const Parameter* segments_of_broadcasts(const Algorithm& algorithm)
{
  const auto segments = std::ranges::find(algorithm.parameters, algorithm.segments, &Parameter::name);
  return segments != algorithm.parameters.end() && segments->optional ? &*segments : nullptr;
}

/// Returns `given` with the defaults of missing parameters; broadcasts that alone have segments have the best number.
/// Throws InputError where another operation of such an algorithm has segments.
ParameterValues with_fallbacks(const Algorithm& algorithm, ParameterValues given)
{
  if (const Parameter* const segments = segments_of_broadcasts(algorithm)) {
    const Operation operation = requested_operation(algorithm, given);
    if (operation == Operation::broadcast && !given.has(segments->name)) {
      given.set(segments->name, std::string(best_value));
    } else if (operation != Operation::broadcast && given.has(segments->name)) {
      throw InputError(fmt::format("{}: found {} for {}, which sends a block for each node, expected them for a "
                                   "broadcast alone",
                                   algorithm.name, segments->name, operation_names.text(operation)));
    }
  }
  for (const Parameter& parameter : algorithm.parameters) {
    if (parameter.fallback && !given.has(parameter.name)) {
      given.set(parameter.name, *parameter.fallback);
    }
  }
  return given;
}

/// Names of the parameters that are "best".
std::vector<std::string> to_be_chosen(const ParameterValues& parameters)
{
  std::vector<std::string> names;
  for (const auto& [name, value] : parameters.all()) {
    if (const auto* text = std::get_if<std::string>(&value); text != nullptr && *text == best_value) {
      names.push_back(name);
    }
  }
  return names;
}

/// The parameters of a request with the best values of those that are "best", `names`. Of an all_reduce through a root
/// the request has that root as source.
ParameterValues tuned_parameters(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request,
                                 const std::vector<std::string>& names)
{
  const Operation operation = requested_operation(algorithm, request.parameters);
  if (multicasts_by_pruning(algorithm, operation)) {
    ParameterValues values = request.parameters;
    const ParameterValues best = chosen_parameters(algorithm, topology, broadcast_to_prune(request));
    for (const std::string& name : names) {
      values.set(name, best.value(name));
    }
    return values;
  }
  if (!is_in(algorithm.by_reversal, operation)) {
    return algorithm.tune(topology, request);
  }
  if (all_reduces_through_root(algorithm, operation)) {
    return best_through_root(algorithm, topology, request);
  }
  if (operation != Operation::reduce) {
    throw InputError(fmt::format("{}: found {} = \"{}\" for {}, expected a value: the best one is known for {} and {}",
                                 algorithm.name, names.front(), best_value, operation_names.text(operation),
                                 operation_names.text(algorithm.operation), operation_names.text(Operation::reduce)));
  }
  const BroadcastToReverse broadcast = broadcast_to_reverse(topology, request);
  return algorithm.tune(broadcast.on(topology), broadcast.request);
}

/// The request with all parameters, and of an all_reduce through a root with that root as source.
ScheduleRequest chosen_request(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request)
{
  ScheduleRequest complete = request;
  complete.parameters = with_fallbacks(algorithm, request.parameters);
  if (all_reduces_through_root(algorithm, requested_operation(algorithm, complete.parameters))) {
    complete = through_root(algorithm, topology, std::move(complete));
  }
  const std::vector<std::string> names = to_be_chosen(complete.parameters);
  if (names.empty() || !algorithm.tune) {
    return complete;
  }
  if (!request.costs) {
    throw InputError(fmt::format("{}: {} = \"{}\" needs to know what a message costs on the network", algorithm.name,
                                 names.front(), best_value));
  }
  complete.parameters = tuned_parameters(algorithm, topology, complete, names);
  return complete;
}

} // namespace

ParameterValues chosen_parameters(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request)
{
  ParameterValues complete = with_fallbacks(algorithm, request.parameters);
  return to_be_chosen(complete).empty() || !algorithm.tune ? complete
                                                           : chosen_request(algorithm, topology, request).parameters;
}

std::function<SegmentCosts(std::uint64_t segments)>
segment_costs_of(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request)
{
  const Operation operation = requested_operation(algorithm, request.parameters);
  if (!is_in(algorithm.by_reversal, operation)) {
    return algorithm.segment_costs(topology, request);
  }
  return all_reduces_through_root(algorithm, operation)
             ? costs_through_root(algorithm, topology, through_root(algorithm, topology, request))
             : costs_of_reduce(algorithm, topology, request);
}

namespace {

void bind_shares_to_ports(const Algorithm& algorithm, const ParameterValues& parameters, Schedule& schedule)
{
  constexpr std::string_view shares_name = "shares";
  if (algorithm.share_blocks == ShareBlocks::none || !parameters.has(shares_name) ||
      parameters.integer(shares_name) == 1) {
    return;
  }
  const auto shares = static_cast<std::uint64_t>(parameters.integer(shares_name));
  schedule.ports_of_messages.reserve(schedule.messages.size());
  for (const Message& message : schedule.messages) {
    const BlockRanges ranges = schedule.block_sets.ranges(message.blocks);
    const std::uint64_t first = ranges.size() == 0 ? 0 : ranges.front().begin;
    schedule.ports_of_messages.push_back(static_cast<std::uint8_t>(
        algorithm.share_blocks == ShareBlocks::in_turn ? first % shares : first * shares / schedule.blocks));
  }
}

} // namespace

Schedule make_schedule(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request)
{
  claim_messages(algorithm.name, topology.host_count() - 1); // at least one to every node but one
  ScheduleRequest complete = chosen_request(algorithm, topology, request);
  const Operation operation = requested_operation(algorithm, complete.parameters);
  if (complete.parameters.has("destinations") && operation != Operation::multicast) {
    throw InputError(fmt::format("algorithm.destinations: found destinations of a {}, expected algorithm.operation = "
                                 "\"multicast\" or no such key",
                                 operation_names.text(operation)));
  }
  Schedule schedule;
  if (multicasts_by_pruning(algorithm, operation)) {
    schedule = pruned_to(make_schedule(algorithm, topology, broadcast_to_prune(complete)),
                         requested_destinations(complete, topology), topology.host_count());
  } else if (is_in(algorithm.by_reversal, operation)) {
    complete.parameters.set("operation", std::string(operation_names.text(algorithm.operation)));
    schedule = make_by_reversal(algorithm, operation, topology, complete);
  } else {
    schedule = algorithm.make(topology, complete);
  }
  schedule.topology = topology.description();
  schedule.routing = topology.routing();
  schedule.ports = request.ports;
  schedule.duplex = request.duplex;
  schedule.source = request.source;
  schedule.message_bytes = request.message_bytes;
  bind_shares_to_ports(algorithm, complete.parameters, schedule);
  for (const std::string& name : to_be_chosen(with_fallbacks(algorithm, request.parameters))) {
    schedule.chosen.set(name, complete.parameters.value(name));
  }
  return schedule;
}

} // namespace wormcast
