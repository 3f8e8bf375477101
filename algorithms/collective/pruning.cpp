#include "wormcast/algorithms/collective/pruning.hpp"

#include "wormcast/algorithms/collective/reversal.hpp"
#include "wormcast/algorithms/verifier/possession.hpp"
#include "wormcast/topologies/node_names.hpp"
#include "wormcast/topologies/surviving_topology.hpp"
#include "wormcast/values/input_error.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace wormcast {

namespace {

const std::string destinations_name = "destinations";

/// Numbers the steps that have messages 0, 1, ...; messages are in the order of their steps.
void close_ranks(std::vector<Message>& messages)
{
  std::uint32_t step = 0;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const std::uint32_t was = messages[i].step;
    messages[i].step = step;
    step += i + 1 < messages.size() && messages[i + 1].step != was ? 1 : 0;
  }
}

} // namespace

Parameter destinations_parameter()
{
  return {.name = destinations_name,
          .type = ParameterType::nodes,
          .text = "the nodes that receive a multicast, by id or by name",
          .optional = true,
          .minimum = 0,
          .maximum = (std::int64_t{1} << 32) - 1};
}

std::vector<NodeId> requested_destinations(const ScheduleRequest& request, const Topology& topology)
{
  if (!request.parameters.has(destinations_name)) {
    throw InputError("algorithm.destinations: missing, expected the ids of the nodes that receive the multicast");
  }
  std::vector<std::int64_t> wanted;
  try {
    wanted = node_ids(whole_of(topology), request.parameters.value(destinations_name));
    check_destinations(wanted, node_in_whole(topology, request.source), whole_of(topology).host_count());
    std::vector<NodeId> destinations;
    std::ranges::transform(wanted, std::back_inserter(destinations),
                           [&](std::int64_t node) { return resolve_whole_node(topology, node); });
    return destinations;
  } catch (const InputError& error) {
    throw InputError(std::string("algorithm.destinations: ") + error.what());
  }
}

bool multicasts_by_pruning(const Algorithm& algorithm, Operation operation)
{
  return operation == Operation::multicast && algorithm.operation != Operation::multicast;
}

ScheduleRequest broadcast_to_prune(const ScheduleRequest& request)
{
  ScheduleRequest broadcast = request;
  broadcast.parameters = {};
  for (const auto& [name, value] : request.parameters.all()) {
    if (name != destinations_name) {
      broadcast.parameters.set(name, value);
    }
  }
  broadcast.parameters.set("operation", std::string(operation_names.text(Operation::broadcast)));
  return broadcast;
}

Schedule pruned_to(const Schedule& broadcast, std::vector<NodeId> destinations, std::uint32_t node_count)
{
  const Schedule first = without_repeats(broadcast, node_count);
  Schedule result = same_operation(broadcast);
  result.operation = Operation::multicast;
  result.destinations = std::move(destinations);
  Possession awaited(result, node_count); // by destinations, or by those that they receive from
  const std::vector<BlockRange> all = {{0, static_cast<std::uint32_t>(broadcast.blocks)}};
  for (const NodeId node : result.destinations) {
    awaited.add(node, all);
  }
  for (std::size_t i = first.messages.size(); i-- > 0;) {
    const Message& message = first.messages[i];
    const std::span<const std::uint64_t> wanted = std::as_const(awaited).bits(message.destination);
    const std::vector<BlockRange> sent =
        blocks_where(first.block_sets, message.blocks, [&](std::uint32_t word) { return wanted[word]; });
    if (!sent.empty()) {
      awaited.add(message.source, sent);
      result.messages.push_back(message);
      result.messages.back().blocks = result.block_sets.intern(sent);
    }
  }
  std::ranges::reverse(result.messages);
  close_ranks(result.messages);
  return result;
}

} // namespace wormcast
