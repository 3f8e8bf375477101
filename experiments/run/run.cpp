#include "wormcast/experiments/run/run.hpp"

#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/run_quantities.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/simgrid/fluid_simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;
__extension__ using Wide = unsigned __int128;

FairLinks fair_links(const Experiment& experiment, const RunOutcome& outcome)
{
  const ScheduleCosts& costs = outcome.costs;
  const NetworkParameters& network = experiment.network;
  Wide time = Wide{costs.alpha} * static_cast<std::uint64_t>(network.startup.picoseconds) +
              Wide{costs.step_hops} * static_cast<std::uint64_t>(network.per_hop.picoseconds);
  for (const std::uint64_t load : costs.load_by_step) {
    time += Wide{load} * static_cast<std::uint64_t>(network.per_byte.picoseconds);
  }
  FairLinks fair{costs.fair_beta, congestion_deficiency(*outcome.bounds, costs), std::nullopt};
  if (time <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    fair.latency = Time{static_cast<std::int64_t>(time)};
  }
  return fair;
}

void add_bounds(const Experiment& experiment, const Schedule& schedule, RunOutcome& outcome)
{
  if (!has_fixed_routes(experiment) || outcome.completeness.complete != true) {
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
    outcome.bound = broadcast_time_bound(*experiment.topology, schedule.source, schedule.ports, schedule.message_bytes,
                                         experiment.network.startup, experiment.network.per_byte);
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

void append_contention(const ContentionTotals& totals, std::vector<std::pair<std::string, std::string>>& rows)
{
  if (totals.none()) {
    rows.emplace_back("contention", "none");
    return;
  }
  for (const ContentionKind kind : own_contention_kinds) {
    rows.emplace_back(kind == ContentionKind::sharing ? "channel sharing"
                                                      : fmt::format("{} contention", contention_kind_names.text(kind)),
                      fmt::format("{} waits, {} us", totals[kind].count, format_microseconds(totals[kind].wait)));
  }
}

/// "12 us = 3 startups + 2 of the message", with what it is of the latency where it is not exact; "-" and why.
std::string prediction_text(const RunOutcome& outcome)
{
  const Prediction& prediction = outcome.prediction;
  if (!prediction.time) {
    return fmt::format("- ({})", prediction.why_none);
  }
  std::string formula = fmt::format("{} us = {} startups + {} of the message", format_microseconds(*prediction.time),
                                    outcome.costs.alpha, format_fraction(outcome.costs.beta));
  switch (prediction.kind) {
  case PredictionKind::exact:
    return formula;
  case PredictionKind::lower_bound:
    return fmt::format("at least {} ({} left out)", formula, prediction.left_out);
  case PredictionKind::estimate:
    break;
  }
  return fmt::format("about {} ({})", formula, prediction.left_out);
}

std::string algorithm_title(const Experiment& experiment)
{
  if (experiment.given != nullptr) {
    return fmt::format("schedule {} ({})", schedule_name(experiment),
                       experiment.given->operation == Operation::none
                           ? name_without_steps(*experiment.given)
                           : operation_names.text(experiment.given->operation));
  }
  const std::string node = experiment.topology->node_name(experiment.request.source);
  const Algorithm& algorithm = find_algorithm(experiment.algorithm);
  const Operation operation = requested_operation(algorithm, experiment.request.parameters);
  if (operation == algorithm.operation) {
    return fmt::format("{} from {}", experiment.algorithm, node);
  }
  return has_source(operation) ? fmt::format("{}, {} {} {}", experiment.algorithm, operation_names.text(operation),
                                             starts_at_source(operation) ? "from" : "to", node)
                               : fmt::format("{}, {}", experiment.algorithm, operation_names.text(operation));
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
  return run_experiment(experiment, experiment_schedule(experiment), sinks);
}

RunOutcome run_experiment(const Experiment& experiment, const Schedule& schedule, const RecordSinks& sinks,
                          RunClock clock)
{
  RunOutcome outcome;
  outcome.completeness = require_completeness(experiment, schedule);
  outcome.costs = schedule_costs(*experiment.topology, schedule,
                                 [&](MessageId id) { return route_draw(experiment.network, index(id)); });
  outcome.has_steps = schedule.operation != Operation::none;
  outcome.chosen = schedule.chosen;
  outcome.prediction = predict(experiment, schedule, outcome.costs);
  if (outcome.has_steps) {
    add_bounds(experiment, schedule, outcome);
  }
  if (!experiment.run.fluid) {
    const auto simulation = clock == RunClock::simgrid ? simulate : simulate_core;
    outcome.simulation = simulation(*experiment.topology, schedule, experiment.network, experiment.run, sinks);
    if (experiment.run.paired) {
      outcome.free = simulate_free_channels(*experiment.topology, schedule, experiment.network, experiment.run);
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
    } else if (object != "paired" || outcome.free) {
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

std::vector<std::pair<std::string, std::string>> run_rows(const Experiment& experiment, const RunOutcome& outcome)
{
  const SimulationResult& simulation = outcome.simulation;
  const ScheduleCosts& costs = outcome.costs;
  std::vector<std::pair<std::string, std::string>> rows;
  const auto row = [&](std::string_view name, std::string value) { rows.emplace_back(name, std::move(value)); };
  row("topology", experiment.topology->title());
  row("algorithm", algorithm_title(experiment));
  if (outcome.has_steps) {
    row("message", format_bytes(experiment.request.message_bytes));
  }
  if (!outcome.chosen.all().empty()) {
    row("chosen as best", chosen_text(outcome.chosen));
  }
  if (!outcome.completeness.undone.empty()) {
    row("INCOMPLETE", outcome.completeness.undone);
  }
  row("engine", simulation.engine_reason.empty() ? simulation.engine
                                                 : fmt::format("{} ({})", simulation.engine, simulation.engine_reason));
  if (experiment.network.automatic_buffers &&
      experiment.network.buffer_flits > experiment.network.router->fewest_buffer_flits) {
    row("buffers", fmt::format("{} flits, which a channel needs for its full rate with hops of {}",
                               experiment.network.buffer_flits, format_time(experiment.network.per_hop)));
  }
  row("latency", simulation.latency ? fmt::format("{} us", format_microseconds(*simulation.latency)) : "none");
  if (simulation.latency && experiment.run.start_jitter != Time{}) {
    row("latency from source",
        fmt::format("{} us: the source started at {} us", format_microseconds(*simulation.latency_from_source()),
                    format_microseconds(simulation.source_start)));
  }
  if (const std::optional<Time> cost = contention_cost(outcome)) {
    row("channels free", fmt::format("{} us: contention for channels costs {} us",
                                     format_microseconds(*outcome.free->latency), format_microseconds(*cost)));
  }
  if (simulation.deadlock) {
    row("deadlock",
        fmt::format("at {} us, {} of {} messages never arrived", format_microseconds(simulation.deadlock->at),
                    simulation.deadlock->undelivered, costs.messages));
  }
  if (outcome.has_steps) {
    row("predicted", prediction_text(outcome));
    if (simulation.latency && outcome.prediction.time) {
      const bool late = experiment.run.start_jitter != Time{};
      row("difference",
          fmt::format("{} us{}", format_microseconds(*simulation.latency_from_source() - *outcome.prediction.time),
                      late ? ": latency from source minus predicted" : ""));
    }
    row("alpha", fmt::to_string(costs.alpha));
    row("beta", format_fraction(costs.beta));
  }
  if (outcome.bounds) {
    const std::string together =
        outcome.bound
            ? fmt::format("at least {} us, with alpha {} and beta {}; ", format_microseconds(outcome.bound->latency),
                          outcome.bound->steps, format_fraction(outcome.bound->bytes))
            : "";
    row("best possible",
        fmt::format("{}alpha {}, beta {}", together, outcome.bounds->steps, format_fraction(outcome.bounds->bytes)));
  }
  if (outcome.fair) {
    row("fair links",
        fmt::format("{}beta {}, {} of the best possible",
                    outcome.fair->latency ? fmt::format("{} us, ", format_microseconds(*outcome.fair->latency)) : "",
                    format_fraction(outcome.fair->beta), format_fraction(outcome.fair->deficiency)));
  }
  row("messages", fmt::to_string(costs.messages));
  if (outcome.has_steps) {
    row("largest message", fmt::format("{} of the message", format_fraction(costs.largest_message)));
  }
  row("bytes sent", format_bytes(costs.bytes_sent));
  row("TCD", fmt::format("{} hops", costs.tcd));
  row("max channel load", has_fixed_routes(experiment) ? fmt::format("{} messages", costs.max_channel_load)
                                                       : "not known: the routing has no fixed ways");
  append_contention(simulation.contention, rows);
  return rows;
}

std::string run_table(const Experiment& experiment, const RunOutcome& outcome)
{
  fmt::memory_buffer text;
  const auto rows = run_rows(experiment, outcome);
  std::size_t width = 16;
  for (const auto& [name, value] : rows) {
    width = std::max(width, name.size());
  }
  for (const auto& [name, value] : rows) {
    fmt::format_to(std::back_inserter(text), "{:<{}}{}\n", name, width + 2, value);
  }
  return fmt::to_string(text);
}

std::string_view name_without_steps(const Schedule& schedule)
{
  return schedule.program ? "program in GOAL" : "plain message list";
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
