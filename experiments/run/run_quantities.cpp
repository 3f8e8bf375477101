#include "wormcast/experiments/run/run_quantities.hpp"

#include <fmt/format.h>

#include <iterator>

namespace wormcast {

namespace {

using enum QuantityType;

template <typename Of> auto when_it_has_steps(Of of)
{
  return [of](const RunResult& run) {
    return run.outcome.has_steps ? quantity_value(of(run.outcome.costs)) : QuantityValue();
  };
}

auto if_paths_known(std::uint64_t ScheduleCosts::* cost)
{
  return [cost](const RunResult& run) {
    return run.outcome.paths_known ? quantity_value(run.outcome.costs.*cost) : QuantityValue();
  };
}

template <typename Of> auto when_bounded(Of of)
{
  return [of](const RunResult& run) {
    return run.outcome.bounds ? quantity_value(of(*run.outcome.bounds)) : QuantityValue();
  };
}

template <typename Of> auto when_times_are_bounded(Of of)
{
  return [of](const RunResult& run) {
    return run.outcome.bound ? quantity_value(of(*run.outcome.bound)) : QuantityValue();
  };
}

template <typename Of> auto when_paired(Of of)
{
  return
      [of](const RunResult& run) { return run.outcome.free ? quantity_value(of(*run.outcome.free)) : QuantityValue(); };
}

void append_times(std::vector<ResultQuantity<RunResult>>& all)
{
  all.insert(
      all.end(),
      {{{.name = "engine",
         .type = text,
         .text = "the engine that ran: `worm`, `flit`, `cycle`, a plug-in's, or a fluid model"},
        [](const RunResult& run) { return run.outcome.simulation.engine; }},
       {{.name = "latency_us",
         .type = time,
         .unit = "us",
         .text = "from time 0 to the last delivery; none after a deadlock",
         .bound = std::string(latency_bound)},
        [](const RunResult& run) { return quantity_value(run.outcome.simulation.latency); }},
       {{.name = "deadlock_us",
         .type = time,
         .unit = "us",
         .text = "when the last thing moved before a deadlock; none: there was no deadlock"},
        [](const RunResult& run) {
          const std::optional<Deadlock>& deadlock = run.outcome.simulation.deadlock;
          return deadlock ? QuantityValue(deadlock->at) : QuantityValue();
        }},
       {{.name = "latency_from_source_us",
         .type = time,
         .unit = "us",
         .text = "to the last delivery from the source's own start (start jitter); without one source from the first "
                 "start of a sender",
         .bound = std::string(latency_bound)},
        [](const RunResult& run) { return quantity_value(run.outcome.simulation.latency_from_source()); }}});
}

void append_predictions(std::vector<ResultQuantity<RunResult>>& all)
{
  all.insert(
      all.end(),
      {{{.name = "alpha", .type = count, .unit = "steps", .text = "steps that send anything", .bound = "bounds.alpha"},
        when_it_has_steps([](const ScheduleCosts& costs) { return costs.alpha; })},
       {{.name = "beta",
         .type = fraction,
         .text = "sum over these steps of the largest message, as a fraction of the message length",
         .bound = "bounds.beta"},
        when_it_has_steps([](const ScheduleCosts& costs) { return costs.beta; })},
       {{.name = "predicted_us",
         .type = time,
         .unit = "us",
         .text = "alpha * startup + beta * bytes * per_byte; none where a step asks a node for more ports than it has "
                 "(`wormcast check` says `ports NO`): such a step takes longer than its largest message, or never ends",
         .bound = std::string(latency_bound)},
        [](const RunResult& run) { return quantity_value(run.outcome.prediction.time); }},
       {{.name = "predicted_is",
         .type = text,
         .text = "what that is of `latency_from_source_us`: `exact`, `lower_bound` (what `prediction_leaves_out` names "
                 "adds time to it) or `estimate` (the latency can be above or below: self-timed runs, in which steps "
                 "overlap, fluid models, registered routers)"},
        [](const RunResult& run) {
          const Prediction& prediction = run.outcome.prediction;
          return prediction.time ? QuantityValue(std::string(prediction_kind_names.text(prediction.kind)))
                                 : QuantityValue();
        }},
       {{.name = "not_predicted", .type = text, .text = "why there is no prediction", .left_out = true},
        [](const RunResult& run) {
          const Prediction& prediction = run.outcome.prediction;
          return prediction.time ? QuantityValue() : QuantityValue(prediction.why_none);
        }},
       {{.name = "prediction_leaves_out",
         .type = text,
         .text = "what a lower bound leaves out: `contention within steps`, `hops` (`per_hop`), `flits that are not "
                 "full` (`flit_bytes`), `flits of empty messages` (an empty part of a message is a header flit), "
                 "`storing of messages on their way`, `waits for buffers`, `cycles of the routers`, `late starts`, "
                 "`noise`, `rounding up to picoseconds` (`last_flit`); why an estimate is no more than that",
         .left_out = true},
        [](const RunResult& run) {
          const Prediction& prediction = run.outcome.prediction;
          return prediction.time && prediction.kind != PredictionKind::exact ? QuantityValue(prediction.left_out)
                                                                             : QuantityValue();
        }}});
}

void append_bounds(std::vector<ResultQuantity<RunResult>>& all)
{
  all.insert(
      all.end(),
      {{{.name = "bounds.alpha",
         .type = count,
         .unit = "steps",
         .text =
             "no broadcast without contention within its steps has fewer; of all_reduce, reduce_scatter and all_gather "
             "none at all"},
        when_bounded([](const BroadcastBounds& bounds) { return bounds.steps; })},
       {{.name = "bounds.beta", .type = fraction, .text = "no such operation has a smaller beta"},
        when_bounded([](const BroadcastBounds& bounds) { return bounds.bytes; })},
       {{.name = std::string(latency_bound),
         .type = time,
         .unit = "us",
         .text = "no such broadcast is faster, steps and bytes taken together (few steps cost more bytes), hops left "
                 "out; none where times are not bounded: with `run.mode = \"self_timed\"`, whose steps overlap, fluid "
                 "models and registered routers"},
        when_times_are_bounded([](const BroadcastTimeBound& bound) { return bound.latency; })},
       {{.name = "bounds.latency_alpha",
         .type = count,
         .unit = "steps",
         .text = "the steps with which that latency is counted"},
        when_times_are_bounded([](const BroadcastTimeBound& bound) { return bound.steps; })},
       {{.name = "bounds.latency_beta", .type = fraction, .text = "the beta with which that latency is counted"},
        when_times_are_bounded([](const BroadcastTimeBound& bound) { return bound.bytes; })}});
}

template <typename Of> auto when_fair(Of of)
{
  return
      [of](const RunResult& run) { return run.outcome.fair ? quantity_value(of(*run.outcome.fair)) : QuantityValue(); };
}

void append_fair_links(std::vector<ResultQuantity<RunResult>>& all)
{
  all.insert(
      all.end(),
      {{{.name = "fair_beta",
         .type = fraction,
         .text =
             "of all_reduce, reduce_scatter and all_gather: sum over the steps of the greatest load of a channel, or "
             "of the ports of a node, as a fraction of the message length; it takes the place of beta where messages "
             "that share a channel share it fairly",
         .bound = "bounds.beta",
         .left_out = true},
        when_fair([](const FairLinks& fair) { return fair.beta; })},
       {{.name = "congestion_deficiency",
         .type = fraction,
         .text = "`fair_beta` / `bounds.beta`: the Xi of De Sensi et al. (NSDI 2024) against the exact bound",
         .left_out = true},
        when_fair([](const FairLinks& fair) { return fair.deficiency; })},
       {{.name = "fair_latency_us",
         .type = time,
         .unit = "us",
         .text =
             "the steps one after the other where messages that share a channel share it fairly: alpha, the longest "
             "route of each step, and `fair_beta`; worms that wait hold channels and can take longer",
         .left_out = true},
        when_fair([](const FairLinks& fair) { return fair.latency; })}});
}

void append_costs(std::vector<ResultQuantity<RunResult>>& all)
{
  all.insert(
      all.end(),
      {{{.name = "messages", .type = count, .unit = "messages", .text = "messages of the schedule"},
        [](const RunResult& run) { return quantity_value(run.outcome.costs.messages); }},
       {{.name = "largest_message",
         .type = fraction,
         .text = "the largest message as a fraction of the message length; of one node's message where there are "
                 "several"},
        when_it_has_steps([](const ScheduleCosts& costs) { return costs.largest_message; })},
       {{.name = "bytes_sent", .type = count, .unit = "bytes", .text = "bytes of all messages"},
        [](const RunResult& run) { return quantity_value(run.outcome.costs.bytes_sent); }},
       {{.name = "tcd",
         .type = count,
         .unit = "hops",
         .text =
             "total communication distance: the hops of all messages, where headers choose their paths (routings of "
             "router `\"input_queued\"`, `\"ugal_l\"`) of those that were taken; none then with a deadlock, segments "
             "or packets"},
        if_paths_known(&ScheduleCosts::tcd)},
       {{.name = "max_channel_load",
         .type = count,
         .unit = "messages",
         .text = "most messages that cross one external channel in the whole run; of routes that are drawn by "
                 "`network.tie = \"random\"` those that were drawn, else as `tcd`"},
        if_paths_known(&ScheduleCosts::max_channel_load)}});
}

// Of a run with what nodes compute beside the actions of a program.
template <typename Of> auto when_computed(Of of)
{
  return [of](const RunResult& run) {
    const Schedule* given = run.experiment.given.get();
    const bool in_list = run.outcome.simulation.computed.count > 0 && given != nullptr && given->program == nullptr;
    return run.experiment.run.computation.any() || in_list ? quantity_value(of(run)) : QuantityValue();
  };
}

void append_computed(std::vector<ResultQuantity<RunResult>>& all)
{
  all.insert(
      all.end(),
      {{{.name = "additions",
         .type = count,
         .text = "with `run.reduce`, `run.copy` or `run.call`: messages that their receivers added to results of "
                 "their own; in plain lists messages with `compute_us`",
         .left_out = true},
        when_computed([](const RunResult& run) { return run.outcome.simulation.computed.count; })},
       {{.name = "addition_us",
         .type = time,
         .unit = "us",
         .text = "time of these additions, of all nodes together; what of it is in the latency is in the "
                 "explanation (`--explain`)",
         .left_out = true},
        when_computed([](const RunResult& run) { return run.outcome.simulation.computed.time; })},
       {{.name = "ready_messages",
         .type = count,
         .unit = "messages",
         .text = "with `run.ready_above`: messages without bytes by which receivers report that they are ready; "
                 "`messages` counts them as well",
         .left_out = true},
        [](const RunResult& run) {
          return run.experiment.run.ready_above ? quantity_value(run.outcome.without_blocks) : QuantityValue();
        }},
       {{.name = "barrier_messages",
         .type = count,
         .unit = "messages",
         .text = "with `run.barriers`: messages without bytes of the barriers between steps; `messages` counts them as "
                 "well",
         .left_out = true},
        [](const RunResult& run) {
          return run.experiment.run.barriers != Barriers::none ? quantity_value(run.outcome.without_blocks)
                                                               : QuantityValue();
        }},
       {{.name = "pieces",
         .type = count,
         .unit = "messages",
         .text = "with `run.segment_bytes` or `run.packet_bytes`: the messages as they are sent, in segments and "
                 "packets, with those that are short enough; waits are theirs, all that is known before the run is "
                 "that of the messages before they are cut",
         .left_out = true},
        [](const RunResult& run) {
          return sends_pieces(run.experiment) ? quantity_value(run.outcome.pieces) : QuantityValue();
        }}});
}

template <typename Of> auto when_answered(Of of)
{
  return [of](const RunResult& run) { return run.outcome.round_trips ? quantity_value(of(run)) : QuantityValue(); };
}

template <typename Member> auto when_answered(Member RoundTrips::* member)
{
  return when_answered([member](const RunResult& run) { return *run.outcome.round_trips.*member; });
}

// Bytes that a node got on average while the run lasted, against what a channel carries in that time.
double accepted_load(const RunResult& run)
{
  const double bytes_per_node =
      static_cast<double>(run.outcome.costs.bytes_sent) / run.experiment.topology->host_count();
  return bytes_per_node * run.experiment.network.per_byte.nearest() /
         static_cast<double>(run.outcome.simulation.latency->picoseconds);
}

void append_round_trips(std::vector<ResultQuantity<RunResult>>& all)
{
  all.insert(
      all.end(),
      {{{.name = "round_trips.count",
         .type = count,
         .unit = "requests",
         .text = "with algorithm `\"requests\"`: the requests of all nodes; none after a deadlock"},
        when_answered(&RoundTrips::count)},
       {{.name = "round_trips.mean_us",
         .type = mean_time,
         .unit = "us",
         .text = "mean time from when a request is ready (what its context waited for is complete) to the delivery of "
                 "its reply; where there are no replies, to its own"},
        when_answered(&RoundTrips::mean)},
       {{.name = "round_trips.p50_us", .type = time, .unit = "us", .text = "median of these times"},
        when_answered(&RoundTrips::median)},
       {{.name = "round_trips.p95_us", .type = time, .unit = "us", .text = "what 95 % of them do not exceed"},
        when_answered(&RoundTrips::percentile_95)},
       {{.name = "round_trips.p99_us", .type = time, .unit = "us", .text = "what 99 % of them do not exceed"},
        when_answered(&RoundTrips::percentile_99)},
       {{.name = "round_trips.max_us", .type = time, .unit = "us", .text = "the longest of them"},
        when_answered(&RoundTrips::largest)},
       {{.name = "round_trips.accepted",
         .type = number,
         .text = "bytes of requests and replies per node and time, as a fraction of a channel's rate 1/T_c, over the "
                 "whole run: its end, in which fewer and fewer nodes have something to send, is in it"},
        when_answered(accepted_load)}});
}

void append_paired(std::vector<ResultQuantity<RunResult>>& all)
{
  all.insert(
      all.end(),
      {{{.name = "paired.latency_us",
         .type = time,
         .unit = "us",
         .text = "with `run.paired`: `latency_us` of the same run on a contention-free network"},
        when_paired([](const SimulationResult& free) { return free.latency; })},
       {{.name = "paired.contention_cost_us",
         .type = time,
         .unit = "us",
         .text = "`latency_us` minus `paired.latency_us`",
         .skewed = true},
        [](const RunResult& run) { return quantity_value(contention_cost(run.outcome)); }},
       {{.name = "paired.port", .type = count, .unit = "waits", .text = "waits for ports in that run", .skewed = true},
        when_paired([](const SimulationResult& free) { return free.contention[ContentionKind::port].count; })},
       {{.name = "paired.port_wait_us",
         .type = time,
         .unit = "us",
         .text = "time in those waits, all added up",
         .skewed = true},
        when_paired([](const SimulationResult& free) { return free.contention[ContentionKind::port].wait; })}});
}

std::vector<ResultQuantity<RunResult>> declare_run_quantities()
{
  std::vector<ResultQuantity<RunResult>> all;
  for (const ResultQuantity<CheckedCompleteness>& declared : completeness_quantities()) {
    all.push_back({declared.quantity, [value = declared.value](const RunResult& run) {
                     return value({run.outcome.completeness, run.experiment.run.unchecked});
                   }});
  }
  append_times(all);
  append_predictions(all);
  append_bounds(all);
  append_fair_links(all);
  append_costs(all);
  append_computed(all);
  append_round_trips(all);
  std::ranges::move(quantities_within<RunResult, ContentionTotals>("contention",
                                                                   contention_quantities(own_contention_kinds),
                                                                   [](const RunResult& run) -> const ContentionTotals& {
                                                                     return run.outcome.simulation.contention;
                                                                   }),
                    std::back_inserter(all));
  append_paired(all);
  return all;
}

} // namespace

std::span<const ResultQuantity<Topology>> topology_quantities()
{
  static const std::vector<ResultQuantity<Topology>> all = {
      {{.name = "nodes", .type = count, .text = "nodes of the topology"},
       [](const Topology& topology) { return quantity_value(topology.host_count()); }},
      {{.name = "channels",
        .type = count,
        .text = "external channels of the topology, one for each direction of a link"},
       [](const Topology& topology) { return quantity_value(topology.channel_count()); }},
  };
  return all;
}

std::span<const ResultQuantity<RunResult>> run_quantities()
{
  static const std::vector<ResultQuantity<RunResult>> all = declare_run_quantities();
  return all;
}

std::vector<ResultQuantity<ContentionTotals>> contention_quantities(std::span<const ContentionKind> kinds)
{
  std::vector<ResultQuantity<ContentionTotals>> all;
  for (const ContentionKind kind : kinds) {
    const std::string name(contention_kind_names.text(kind));
    const std::string of_whom =
        kind == ContentionKind::other ? ": for messages of another broadcast or of the load" : "";
    all.push_back({{.name = name,
                    .type = count,
                    .unit = "waits",
                    .text = fmt::format("waits of the kind `{}`{}", name, of_whom),
                    .skewed = true},
                   [kind](const ContentionTotals& totals) { return quantity_value(totals[kind].count); }});
  }
  for (const ContentionKind kind : kinds) {
    const std::string name(contention_kind_names.text(kind));
    all.push_back({{.name = name + "_wait_us",
                    .type = time,
                    .unit = "us",
                    .text = fmt::format("time that messages waited in waits of the kind `{}`, all added up", name),
                    .skewed = true},
                   [kind](const ContentionTotals& totals) { return quantity_value(totals[kind].wait); }});
  }
  return all;
}

std::vector<ResultQuantity<CheckedCompleteness>> completeness_quantities()
{
  return {
      {{.name = "unchecked",
        .type = truth,
        .text = "`true`: schedules are simulated whether they do their operation or not (`run.unchecked`)",
        .left_out = true},
       [](const CheckedCompleteness& checked) { return checked.unchecked ? QuantityValue(true) : QuantityValue(); }},
      {{.name = "complete",
        .type = truth,
        .text = "whether the schedule does its operation: every node ends with what the operation says, nobody sends "
                "what it does not hold, no contribution is counted twice; `false` only with `unchecked`; none for a "
                "plain message list, and with `unchecked` where memory does not suffice to find it out"},
       [](const CheckedCompleteness& checked) { return quantity_value(checked.completeness.complete); }},
      {{.name = "undone",
        .type = text,
        .text = "what is not done, if it does not (\"does not broadcast: 239 of 240 nodes lack it\")",
        .left_out = true},
       [](const CheckedCompleteness& checked) {
         const std::string& undone = checked.completeness.undone;
         return undone.empty() ? QuantityValue() : QuantityValue(undone);
       }},
  };
}

bool has_fixed_routes(const Experiment& experiment)
{
  return !paths_are_chosen(experiment.network, *experiment.topology);
}

std::optional<Time> contention_cost(const RunOutcome& outcome)
{
  if (!outcome.free || !outcome.free->latency || !outcome.simulation.latency) {
    return std::nullopt;
  }
  return *outcome.simulation.latency - *outcome.free->latency;
}

} // namespace wormcast
