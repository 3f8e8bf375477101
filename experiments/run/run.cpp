#include "wormcast/experiments/run/run.hpp"

#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/run_quantities.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/simgrid/fluid_simulation.hpp"
#include "wormcast/simulator/sources/completions.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;
__extension__ using Wide = unsigned __int128;

FairLinks fair_links(const Experiment& experiment, const RunOutcome& outcome)
{
  const ScheduleCosts& costs = outcome.costs;
  const NetworkParameters& network = experiment.network;
  Wide time = Wide{costs.alpha} * static_cast<std::uint64_t>(network.message_overhead().picoseconds) +
              Wide{costs.step_hops} * static_cast<std::uint64_t>(network.per_hop.picoseconds);
  Wide load = 0;
  for (const std::uint64_t load_of_step : costs.load_by_step) {
    load += load_of_step;
  }
  const auto divisor = static_cast<std::uint64_t>(network.per_byte.bytes());
  time += (load * static_cast<std::uint64_t>(network.per_byte.picoseconds()) + divisor - 1) / divisor;
  FairLinks fair{costs.fair_beta, congestion_deficiency(*outcome.bounds, costs), std::nullopt};
  if (has_equal_channels(network) && time <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    fair.latency = Time{static_cast<std::int64_t>(time)};
  }
  return fair;
}

void add_bounds(const Experiment& experiment, const Schedule& schedule, RunOutcome& outcome)
{
  // Bounds are for operations of all nodes.
  if (!has_fixed_routes(experiment) || outcome.completeness.complete != true || experiment.placement != nullptr) {
    return;
  }
  outcome.bounds = schedule_bounds(*experiment.topology, schedule, outcome.costs);
  if (outcome.bounds && has_reduction_bounds(schedule.operation)) {
    outcome.fair = fair_links(experiment, outcome);
  }
  if (!has_broadcast_bounds(schedule, outcome.costs)) {
    return;
  }
  // It is argued for steps that do not overlap, each of which takes T_s + L*T_c at least.
  if (experiment.run.mode == Mode::lockstep && !experiment.run.fluid && experiment.network.router->bounded_by_formula) {
    outcome.bound =
        broadcast_time_bound(*experiment.topology, schedule.source, schedule.ports, schedule.message_bytes,
                             experiment.network.startup, with_fastest_channels(experiment.network).per_byte);
  }
}

Json deadlock_json(const ResourceNames& names, const Deadlock& deadlock)
{
  Json cycle = Json::array();
  for (const WaitingLink& link : deadlock.cycle) {
    const auto channel = names.channel(link.resource);
    cycle.push_back({{"waiting", index(link.waiting)},
                     {"channel", names.name(link.resource)},
                     {"channel_id", channel ? Json(index(*channel)) : Json(nullptr)},
                     {"node", index(link.resource.node)},
                     {"holding", index(link.holding)}});
  }
  return {{"cycle", cycle}, {"undelivered", deadlock.undelivered}};
}

} // namespace

Json contention_json(const ContentionTotals& totals, std::span<const ContentionKind> kinds)
{
  Json json;
  for (const auto& [quantity, value] : contention_quantities(kinds)) {
    put_quantity(json, quantity, value(totals));
  }
  return json;
}

RunOutcome run_experiment(const Experiment& experiment, const RecordSinks& sinks)
{
  return run_experiment(experiment, *simulated_schedule(experiment), sinks);
}

namespace {

// The paths that messages took.
class ChosenPaths {
public:
  explicit ChosenPaths(const Topology& topology) : loads_(topology.channel_count()) {}

  void add(std::span<const ChannelId> path)
  {
    ++messages_;
    hops_ += path.size();
    for (const ChannelId channel : path) {
      greatest_ = std::max(greatest_, ++loads_[index(channel)]);
    }
  }

  std::uint64_t messages() const { return messages_; }
  std::uint64_t hops() const { return hops_; }
  std::uint64_t greatest_load() const { return greatest_; }

private:
  std::vector<std::uint32_t> loads_; // by channel: the messages that crossed it
  std::uint64_t messages_ = 0;
  std::uint64_t hops_ = 0;
  std::uint32_t greatest_ = 0;
};

// What is known of a run beforehand.
RunOutcome outcome_beforehand(const Experiment& experiment, const Schedule& schedule)
{
  RunOutcome outcome;
  outcome.completeness = require_completeness(experiment, schedule);
  const auto draw = [&](MessageId id) { return route_draw(experiment.network, index(id)); };
  const Topology& topology = *experiment.topology;
  outcome.costs = schedule_costs(topology, schedule, topology.headers_choose() ? RouteDraw() : RouteDraw(draw));
  outcome.has_steps = schedule.operation != Operation::none;
  outcome.chosen = schedule.chosen;
  outcome.without_blocks = count_without_blocks(schedule);
  outcome.prediction = predict(experiment, schedule, outcome.costs);
  if (outcome.has_steps) {
    add_bounds(experiment, schedule, outcome);
  }
  return outcome;
}

void add_round_trips(const Experiment& experiment, const Schedule& schedule, RunOutcome& outcome)
{
  if (!experiment.requests) {
    return;
  }
  std::vector<std::int64_t> starts = start_delays(*experiment.topology, experiment.network, experiment.run);
  const Time before = work_before_start(*experiment.topology, schedule, experiment.network, experiment.run);
  for (std::int64_t& start : starts) {
    start += before.picoseconds;
  }
  outcome.round_trips = round_trips(*experiment.requests, schedule, outcome.simulation, starts);
}

} // namespace

RunOutcome run_experiment(const Experiment& experiment, const Schedule& schedule, const RecordSinks& sinks,
                          RunClock clock)
{
  RunOutcome outcome =
      outcome_beforehand(experiment, sends_pieces(experiment) ? *uncut_schedule(experiment) : schedule);
  outcome.pieces = schedule.messages.size();
  if (!experiment.run.fluid) {
    const auto simulation = clock == RunClock::simgrid ? simulate : simulate_core;
    if (paths_are_chosen(experiment.network, *experiment.topology)) {
      ChosenPaths paths(*experiment.topology);
      RecordSinks all_sinks = sinks;
      all_sinks.path = [&](MessageId, std::span<const ChannelId> path) { paths.add(path); };
      outcome.simulation = simulation(*experiment.topology, schedule, experiment.network, experiment.run, all_sinks);
      outcome.paths_known = !sends_pieces(experiment) && paths.messages() == schedule.messages.size();
      outcome.costs.tcd = paths.hops();
      outcome.costs.max_channel_load = paths.greatest_load();
    } else {
      outcome.simulation = simulation(*experiment.topology, schedule, experiment.network, experiment.run, sinks);
    }
    add_round_trips(experiment, schedule, outcome);
    if (experiment.run.paired) {
      outcome.free = simulate_contention_free(*experiment.topology, schedule, experiment.network, experiment.run);
    }
    return outcome;
  }
  if (clock == RunClock::engine) {
    throw InputError("run.model: fluid models are SimGrid's, which runs once in a process; expected \"wormhole\" here, "
                     "or a sweep, in which each point has a process of its own");
  }
  if (sinks.contention || sinks.occupancy) {
    throw InputError(
        "run.model: messages of a fluid model hold no channels, so that there is nothing to trace or explain; "
        "expected \"wormhole\"");
  }
  outcome.simulation =
      simulate_fluid(*experiment.topology, schedule, experiment.network, experiment.run, *experiment.run.fluid);
  add_round_trips(experiment, schedule, outcome);
  return outcome;
}

Json result_json(const Experiment& experiment, const RunOutcome& outcome)
{
  const SimulationResult& simulation = outcome.simulation;
  Json json;
  json["format"] = "wormcast-result/1";
  json["config"] = experiment.effective;
  if (!outcome.chosen.all().empty()) {
    json["chosen"] = chosen_json(outcome.chosen);
  }
  for (const auto& [quantity, value] : run_quantities()) {
    const std::string_view object = object_of(quantity);
    if (object == "bounds" && !outcome.bounds) {
      json["bounds"] = nullptr;
    } else if ((object != "paired" || outcome.free) && (object != "round_trips" || experiment.requests)) {
      put_quantity(json, quantity, value({experiment, outcome}));
    }
  }
  if (simulation.deadlock) {
    const ResourceNames names(*experiment.topology, experiment.network.ports);
    json["deadlock"] = deadlock_json(names, *simulation.deadlock);
  }
  if (!outcome.critical_path.is_null()) {
    json["critical_path"] = outcome.critical_path;
  }
  json["version"] = program_version();
  return json;
}

std::string result_text(const Experiment& experiment, const RunOutcome& outcome)
{
  return json_text(result_json(experiment, outcome), JsonLayout::indented) + "\n";
}

std::string deliveries_text(const SimulationResult& simulation)
{
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const auto times = [&](std::string_view name, auto&& time_of) {
    fmt::format_to(out, "\"{}\": [", name);
    for (std::size_t i = 0; i < simulation.delivered.size(); ++i) {
      fmt::format_to(out, "{}{}", i == 0 ? "" : ", ",
                     simulation.delivered[i] ? format_microseconds(time_of(i)) : "null");
    }
    fmt::format_to(out, "]");
  };
  fmt::format_to(out, "{{");
  times("delivered_us", [&](std::size_t i) { return *simulation.delivered[i]; });
  if (!simulation.flits.empty()) {
    fmt::format_to(out, ",\n ");
    times("head_injected_us", [&](std::size_t i) { return simulation.flits[i].head_injected; });
    fmt::format_to(out, ",\n ");
    times("tail_injected_us", [&](std::size_t i) { return simulation.flits[i].tail_injected; });
    fmt::format_to(out, ",\n ");
    times("head_ejected_us", [&](std::size_t i) { return simulation.flits[i].head_ejected; });
  }
  fmt::format_to(out, "}}\n");
  return fmt::to_string(text);
}

std::string_view name_without_steps(const Schedule& schedule)
{
  return schedule.program ? schedule.program->title : "plain message list";
}

std::string deadlock_summary(const Topology& topology, const Schedule& schedule, const Deadlock& deadlock)
{
  const auto named = [&](MessageId id) {
    const Message& message = schedule.messages[index(id)];
    return fmt::format("message {} from {} to {}", index(id), topology.node_name(message.source),
                       topology.node_name(message.destination));
  };
  std::string text =
      fmt::format("deadlock: {} of {} messages cannot be delivered; ", deadlock.undelivered, schedule.messages.size());
  if (!deadlock.cycle.empty()) {
    return text + fmt::format("{} wait for each other, {} is one of them", deadlock.cycle.size(),
                              named(deadlock.cycle.front().waiting));
  }
  text += "what others have to wait for never happens"; // nothing in the network waits
  return deadlock.first_never_ready ? fmt::format("{}: {} is never sent", text, named(*deadlock.first_never_ready))
                                    : text;
}

std::string explain_deadlock(const Topology& topology, const Schedule& schedule, const Deadlock& deadlock)
{
  if (deadlock.cycle.empty()) {
    return deadlock_summary(topology, schedule, deadlock);
  }
  const ResourceNames names(topology, schedule.ports);
  std::string text =
      fmt::format("deadlock: {} of {} messages cannot be delivered; these wait for each other:", deadlock.undelivered,
                  schedule.messages.size());
  for (const WaitingLink& link : deadlock.cycle) {
    const Message& message = schedule.messages[index(link.waiting)];
    text += fmt::format("\n  message {} from {} to {} waits for {}, held by message {}", index(link.waiting),
                        topology.node_name(message.source), topology.node_name(message.destination),
                        names.name(link.resource), index(link.holding));
  }
  return text;
}

std::string explain_deadlock(const ResourceNames& names, const Deadlock& deadlock,
                             const std::function<std::string(MessageId)>& name_of)
{
  const auto name = [&](MessageId message) { return name_of ? name_of(message) : fmt::to_string(index(message)); };
  std::string text = fmt::format("deadlock: {} messages cannot be delivered{}", deadlock.undelivered,
                                 deadlock.cycle.empty() ? "" : "; these wait for each other:");
  for (const WaitingLink& link : deadlock.cycle) {
    text += fmt::format("\n  message {} waits for {}, held by message {}", name(link.waiting),
                        names.name(link.resource), name(link.holding));
  }
  return text;
}

} // namespace wormcast
