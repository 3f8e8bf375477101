#include "wormcast/experiments/run/run_rows.hpp"

#include "wormcast/algorithms/schedule/placement.hpp"
#include "wormcast/experiments/config/parameter_json.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

std::string algorithm_title(const Experiment& experiment)
{
  if (experiment.requests) {
    const RequestParameters& requests = *experiment.requests;
    return fmt::format("{}: {}, {} of each node, {} outstanding", experiment.algorithm, requests.destinations.pattern,
                       requests.requests, requests.outstanding);
  }
  if (experiment.given != nullptr) {
    return fmt::format("schedule {} ({})", schedule_name(experiment),
                       experiment.given->operation == Operation::none
                           ? name_without_steps(*experiment.given)
                           : operation_names.text(experiment.given->operation));
  }
  const Topology& ranks = experiment.placement != nullptr ? *experiment.placement->logical : *experiment.topology;
  const std::string node = ranks.node_name(experiment.request.source);
  const Algorithm& algorithm = find_algorithm(experiment.algorithm);
  const ParameterValues& parameters = experiment.request.parameters;
  const Operation operation = requested_operation(algorithm, parameters);
  const std::string name =
      parameters.has("label") ? fmt::format("{} {}", algorithm.name, parameters.text("label")) : algorithm.name;
  if (operation == algorithm.operation) {
    return fmt::format("{} from {}", name, node);
  }
  return has_source(operation) ? fmt::format("{}, {} {} {}", name, operation_names.text(operation),
                                             starts_at_source(operation) ? "from" : "to", node)
                               : fmt::format("{}, {}", name, operation_names.text(operation));
}

bool starts_late(const RunResult& run)
{
  return run.experiment.run.start_jitter != Time{};
}

bool has_no_waits(const RunResult& run)
{
  return run.outcome.simulation.contention.none();
}

/// Whether the steps have a prediction, and of which kind it is.
auto is_predicted(PredictionKind kind)
{
  return [kind](const RunResult& run) { return run.outcome.has_steps && run.outcome.prediction.kind == kind; };
}

/// What `when` holds of.
std::optional<std::string> text_if(bool when, const auto& text)
{
  return when ? std::optional<std::string>(text()) : std::nullopt;
}

std::string name_of_waits(ContentionKind kind)
{
  return fmt::format("{} waits", contention_kind_names.text(kind));
}

std::vector<ShownValue<RunResult>> declare_other_values()
{
  std::vector<ShownValue<RunResult>> values = {
      {"topology", [](const RunResult& run) { return run.experiment.topology->title(); }},
      {"ranks",
       [](const RunResult& run) {
         const RankPlacement* placement = run.experiment.placement.get();
         return text_if(placement != nullptr, [&] {
           return fmt::format("{} on {} of {} nodes", placement->logical->title(), placement->nodes.size(),
                              run.experiment.topology->host_count());
         });
       }},
      {"algorithm", [](const RunResult& run) { return algorithm_title(run.experiment); }},
      {"message length",
       [](const RunResult& run) {
         const std::optional<RequestParameters>& requests = run.experiment.requests;
         return text_if(run.outcome.has_steps || requests, [&] {
           const std::string bytes = format_bytes(run.experiment.request.message_bytes);
           return requests && requests->reply_bytes
                      ? fmt::format("{}, replies {}", bytes, format_bytes(*requests->reply_bytes))
                      : bytes;
         });
       }},
      {"chosen",
       [](const RunResult& run) {
         return text_if(!run.outcome.chosen.all().empty(), [&] { return chosen_text(run.outcome.chosen); });
       }},
      {"reason of the engine",
       [](const RunResult& run) {
         const std::string& reason = run.outcome.simulation.engine_reason;
         return text_if(!reason.empty(), [&] { return reason; });
       }},
      {"automatic buffer",
       [](const RunResult& run) {
         const NetworkParameters& network = run.experiment.network;
         return text_if(network.automatic_buffers && network.buffer_flits > network.router->fewest_buffer_flits,
                        [&] { return fmt::to_string(network.buffer_flits); });
       }},
      {"time of a hop",
       [](const RunResult& run) {
         const NetworkParameters& network = run.experiment.network;
         return format_time(network.link_per_hop.empty() ? network.per_hop : std::ranges::max(network.link_per_hop));
       }},
      {"start of the source",
       [](const RunResult& run) { return format_microseconds(run.outcome.simulation.source_start) + " us"; }},
      {"undelivered",
       [](const RunResult& run) {
         const std::optional<Deadlock>& deadlock = run.outcome.simulation.deadlock;
         return text_if(deadlock.has_value(), [&] { return fmt::to_string(deadlock->undelivered); });
       }},
      {"difference",
       [](const RunResult& run) {
         const std::optional<Time> latency = run.outcome.simulation.latency_from_source();
         const std::optional<Time>& predicted = run.outcome.prediction.time;
         return text_if(run.outcome.has_steps && latency && predicted,
                        [&] { return format_microseconds(*latency - *predicted) + " us"; });
       }},
      {"startups", [](const RunResult& run) { return counted(run.outcome.costs.alpha, "startup"); }},
  };
  for (const ContentionKind kind : own_contention_kinds) {
    values.push_back({name_of_waits(kind), [kind](const RunResult& run) {
                        return counted(run.outcome.simulation.contention[kind].count, "wait");
                      }});
  }
  return values;
}

void append_waits(std::vector<TableRow<RunResult>>& rows)
{
  rows.push_back({"contention", "none", has_no_waits});
  for (const ContentionKind kind : own_contention_kinds) {
    const std::string_view name = contention_kind_names.text(kind);
    rows.push_back({kind == ContentionKind::sharing ? "channel sharing" : fmt::format("{} contention", name),
                    fmt::format("{{{}}}, {{contention.{}_wait_us}}", name_of_waits(kind), name),
                    std::not_fn(has_no_waits)});
  }
}

std::vector<TableRow<RunResult>> declare_rows()
{
  const std::string formula = "{predicted_us} = {startups} + {beta} of the message";
  const std::string bounds = "alpha {bounds.alpha}, beta {bounds.beta}";
  std::vector<TableRow<RunResult>> rows = {
      {"topology", "{topology}"},
      {"ranks", "{ranks}"},
      {"algorithm", "{algorithm}"},
      {"message", "{message length}"},
      {"chosen as best", "{chosen}"},
      {"INCOMPLETE", "{undone}"},
      {"engine", "{engine} ({reason of the engine})"},
      {"engine", "{engine}"},
      {"buffers", "{automatic buffer} flits, which a channel needs for its full rate with hops of {time of a hop}"},
      {"latency", "{latency_us}"},
      {"latency", "none"},
      {"latency from source", "{latency_from_source_us}: the source started at {start of the source}", starts_late},
      {"channels free", "{paired.latency_us}: contention for channels costs {paired.contention_cost_us}"},
      {"deadlock", "at {deadlock_us}, {undelivered} of {messages} messages never arrived"},
      {"predicted", formula, is_predicted(PredictionKind::exact)},
      {"predicted", "at least " + formula + " ({prediction_leaves_out} left out)",
       is_predicted(PredictionKind::lower_bound)},
      {"predicted", "about " + formula + " ({prediction_leaves_out})", is_predicted(PredictionKind::estimate)},
      {"predicted", "- ({not_predicted})", [](const RunResult& run) { return run.outcome.has_steps; }},
      {"difference", "{difference}: latency from source minus predicted", starts_late},
      {"difference", "{difference}"},
      {"alpha", "{alpha}"},
      {"beta", "{beta}"},
      {"best possible",
       "at least {bounds.latency_us}, with alpha {bounds.latency_alpha} and beta {bounds.latency_beta}; " + bounds},
      {"best possible", bounds},
      {"fair links", "{fair_latency_us}, beta {fair_beta}, {congestion_deficiency} of the best possible"},
      {"fair links", "beta {fair_beta}, {congestion_deficiency} of the best possible"},
      {"messages", "{messages}"},
      {"largest message", "{largest_message} of the message"},
      {"bytes sent", "{bytes_sent}"},
      {"readiness", "{ready_messages} of the messages"},
      {"barriers", "{barrier_messages} of the messages"},
      {"sent as", "{pieces} segments and packets"},
      {"computed", "with {additions} messages, {addition_us}",
       [](const RunResult& run) { return run.experiment.given != nullptr && !run.outcome.has_steps; }},
      {"computed", "{additions} additions, {addition_us}"},
      {"round trips",
       "{round_trips.mean_us} on average; 50 % within {round_trips.p50_us}, 95 % {round_trips.p95_us}, 99 % "
       "{round_trips.p99_us}, all {round_trips.max_us}"},
      {"accepted", "{round_trips.accepted} of a channel's rate"},
      {"TCD", "{tcd} hops"},
      {"TCD", "not known: not all paths are"},
      {"max channel load", "{max_channel_load} messages"},
      {"max channel load", "not known: not all paths are"},
  };
  append_waits(rows);
  return rows;
}

} // namespace

std::span<const TableRow<RunResult>> run_row_texts()
{
  static const std::vector<TableRow<RunResult>> all = declare_rows();
  return all;
}

std::span<const ShownValue<RunResult>> other_values_of_runs()
{
  static const std::vector<ShownValue<RunResult>> all = declare_other_values();
  return all;
}

TableRows run_rows(const Experiment& experiment, const RunOutcome& outcome)
{
  return table_rows(run_row_texts(), run_quantities(), other_values_of_runs(), {experiment, outcome});
}

std::string run_table(const Experiment& experiment, const RunOutcome& outcome)
{
  const TableRows rows = run_rows(experiment, outcome);
  std::size_t width = 16;
  for (const auto& [name, value] : rows) {
    width = std::max(width, name.size());
  }
  return aligned_rows(rows, width + 2);
}

} // namespace wormcast
