#include "wormcast/experiments/compare/compare.hpp"

#include "wormcast/algorithms/verifier/schedule_bounds.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/compare/batches.hpp"
#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/compare/compare_search.hpp"
#include "wormcast/experiments/compare/deadlock_proof.hpp"
#include "wormcast/experiments/compare/latency_figure.hpp"
#include "wormcast/experiments/compare/run_json.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/run/run_quantities.hpp"
#include "wormcast/experiments/sweep/formula.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/simgrid/fluid_simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// The latencies that other orders of messages that ask at the same instant give.
void try_other_orders(const Experiment& experiment, const Schedule& schedule, ComparedRun& run)
{
  run.least_by_ties = run.measured;
  run.most_by_ties = run.measured;
  if (run.contention.none()) {
    return;
  }
  for (const TieBreak order : {TieBreak::id, TieBreak::source, TieBreak::seeded}) {
    RunParameters parameters = experiment.run;
    parameters.tie_break = order;
    if (order == experiment.run.tie_break) {
      continue;
    }
    const SimulationResult result = simulate_core(*experiment.topology, schedule, experiment.network, parameters);
    run.ties_deadlock = run.ties_deadlock || !result.latency;
    run.least_by_ties = std::min(run.least_by_ties, result.latency.value_or(run.least_by_ties));
    run.most_by_ties = std::max(run.most_by_ties, result.latency.value_or(run.most_by_ties));
  }
}

/// What the runs of one candidate came to.
struct ComputedRuns {
  ComparisonState state = ComparisonState::done;
  ComparedRun run;
  SeedLatencies from_source; ///< by seed; empty where a run ended early
};

/// Adds up one run; a latency is none after a deadlock.
void add_run(const SimulationResult& result, ComputedRuns& all, SeedLatencies& from_zero)
{
  for (const ContentionKind kind : all_contention_kinds) {
    ContentionTotals::Kind& sum = all.run.contention.by_kind[static_cast<std::size_t>(kind)];
    sum.count += result.contention[kind].count;
    sum.wait += result.contention[kind].wait;
  }
  if (result.deadlock) {
    all.run.deadlock = all.run.deadlocks == 0 ? result.deadlock->at : all.run.deadlock;
    ++all.run.deadlocks;
    return;
  }
  from_zero.push_back(result.latency->picoseconds);
  all.from_source.push_back(result.latency_from_source()->picoseconds);
}

/// What is known of operations that load channels unequally: what it would cost with fair sharing.
void add_loads(const Experiment& experiment, const Schedule& schedule, const ScheduleCosts& by_blocks, ComparedRun& run)
{
  if (!has_reduction_bounds(schedule.operation) || !has_fixed_routes(experiment)) {
    return;
  }
  run.fair_beta = format_fraction(by_blocks.fair_beta);
  if (const auto bounds = schedule_bounds(*experiment.topology, schedule, by_blocks)) {
    run.deficiency = format_fraction(congestion_deficiency(*bounds, by_blocks));
  }
}

ComputedRuns compute(const Experiment& experiment, const Schedule& schedule, const Repeats& repeats)
{
  ComputedRuns all;
  ComparedRun& run = all.run;
  const CheckReport check = check_schedule(*experiment.topology, schedule, {.max_violations = 0});
  run.ports_needed = check.ports_needed;
  run.fits_ports = check.ports;
  run.valid = check.complete && check.possession && check.counted_once;
  run.contention_free = check.contention_free;
  run.has_formula = why_no_formula(check, experiment.network, experiment.run).empty();
  const ScheduleCosts by_blocks = block_costs(*experiment.topology, schedule);
  run.alpha = by_blocks.alpha;
  run.beta_numerator = by_blocks.beta.numerator();
  run.beta_denominator = by_blocks.beta.denominator();
  add_loads(experiment, schedule, by_blocks, run);
  const DeadlockProof proof = deadlock_proof(experiment, schedule);
  run.deadlock_checked = proof.checked;
  run.deadlock_free_from = proof.free_from;
  Experiment unchecked = experiment; // what is not valid is marked
  unchecked.run.unchecked = true;
  const std::optional<Schedule> sent = schedule_as_sent(experiment, schedule);
  const Schedule& simulated = sent ? *sent : schedule;
  const RunOutcome outcome = run_experiment(unchecked, simulated);
  run.predicted = outcome.prediction.time;
  run.predicted_is = outcome.prediction.kind;
  run.messages = outcome.costs.messages;
  run.bytes_sent = outcome.costs.bytes_sent;
  if (outcome.paths_known) {
    run.tcd = outcome.costs.tcd;
    run.max_channel_load = outcome.costs.max_channel_load;
  }
  run.runs = static_cast<std::uint32_t>(repeats.count);
  SeedLatencies from_zero;
  add_run(outcome.simulation, all, from_zero);
  for (std::size_t index = 1; index < repeats.count; ++index) {
    const Experiment one = repeated(experiment, index);
    add_run(same_for_all_seeds(outcome.simulation, repeats)
                ? outcome.simulation
                : simulate_core(*one.topology, simulated, one.network, one.run),
            all, from_zero);
  }
  if (run.deadlocks > 0) {
    all.state = ComparisonState::deadlock;
    all.from_source.clear();
    return all;
  }
  run.measured = Time{mean_latency(from_zero)};
  run.from_source = Time{mean_latency(all.from_source)};
  run.ties_known = repeats.kind() == LatencyKind::exact;
  if (run.ties_known) {
    try_other_orders(experiment, simulated, run);
  }
  return all;
}

TaskReport report_in(ComparisonState state, std::string error, Json result = nullptr)
{
  return {
      .state = std::string(comparison_state_names.text(state)), .error = std::move(error), .result = std::move(result)};
}

std::string deadlock_text(const ComparedRun& run)
{
  return run.runs == 1 ? std::string("deadlock") : fmt::format("deadlock in {} of {} runs", run.deadlocks, run.runs);
}

Schedule schedule_of(const Experiment& experiment)
{
  return experiment.given != nullptr
             ? *experiment.given
             : make_schedule(find_algorithm(experiment.algorithm), *experiment.topology, experiment.request);
}

/// The mean latency from the source's start, on the network without faults; none where there is no such network, or
/// where a run does not end.
std::optional<Time> latency_without_faults(const Candidate& candidate, const Repeats& repeats)
{
  if (!candidate.without_faults) {
    return std::nullopt;
  }
  const SeedLatencies latencies =
      measured_latencies(*candidate.without_faults, schedule_of(*candidate.without_faults), repeats);
  return latencies.empty() ? std::nullopt : std::optional(Time{mean_latency(latencies)});
}

/// What the task of a candidate's runs reports: run_json().
TaskReport report_runs(const Candidate& candidate, const Repeats& repeats)
{
  const Experiment& experiment = candidate.experiment;
  bool made = false;
  try {
    const Schedule schedule = schedule_of(experiment);
    made = true;
    ComputedRuns all = compute(experiment, schedule, repeats);
    all.run.without_faults = latency_without_faults(candidate, repeats);
    return report_in(all.state, all.state == ComparisonState::deadlock ? deadlock_text(all.run) : std::string(),
                     run_json(all.run, all.from_source));
  } catch (const InputError& error) {
    return report_in(made ? ComparisonState::bad_input : ComparisonState::left_out, error.what());
  }
}

void record(ComparedAlgorithm& shown, const TaskReport& report)
{
  shown.state = comparison_state_names.read(report.state);
  shown.error = report.error;
  if (shown.state == ComparisonState::done || shown.state == ComparisonState::deadlock) {
    read_result(report, [&](const Json& result) { read_run_json(result, shown.run, shown.latencies); });
  }
}

/// The parameters of tasks have `kind`, one of these or of search_result(), `candidate`, and what the kind needs
/// besides.
constexpr const char* run_kind = "run";
constexpr const char* fluid_kind = "fluid";

/// What the task of a fluid run reports: the latency in picoseconds.
TaskReport report_fluid(const Experiment& experiment, FluidModel model)
{
  try {
    const SimulationResult result = simulate_fluid(*experiment.topology, *simulated_schedule(experiment),
                                                   experiment.network, experiment.run, model);
    return report_in(ComparisonState::done, {}, result.latency->picoseconds);
  } catch (const InputError& error) { // it has no latency on this model
    return report_in(ComparisonState::bad_input, error.what());
  }
}

/// The latencies on SimGrid's own models. Returns the signal that ended it early, or 0.
int measure_fluid_models(std::vector<Candidate>& all, Batches& batches)
{
  std::vector<std::pair<Candidate*, std::size_t>> runs;
  std::vector<Json> tasks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Candidate& one = all[i];
    if (one.shown.state == ComparisonState::done || one.shown.state == ComparisonState::deadlock) {
      one.shown.fluid.resize(fluid_model_names.size());
      for (std::size_t model = 0; model < fluid_model_names.size(); ++model) {
        runs.emplace_back(&one, model);
        tasks.push_back({{"kind", fluid_kind},
                         {"candidate", i},
                         {"model", fluid_model_names.text(fluid_model_names.all()[model])}});
      }
    }
  }
  return batches.run(tasks, [&](const TaskOutcome& ended) {
    const auto& [one, model] = runs[ended.task];
    if (ended.report.state == comparison_state_names.text(ComparisonState::bad_input)) {
      one->shown.no_fluid = ended.report.error;
    } else if (!ended.report.has_died()) {
      one->shown.fluid[model] =
          Time{read_result(ended.report, [](const Json& result) { return result.get<std::int64_t>(); })};
    }
  });
}

std::size_t candidate_of(const Json& parameters)
{
  return parameters.at("candidate").get<std::size_t>();
}

TaskReport compute_candidate(const std::vector<Candidate>& all, const Repeats& repeats, const Json& parameters)
{
  const Candidate& candidate = all.at(candidate_of(parameters));
  const Experiment& experiment = candidate.experiment;
  const std::string kind = parameters.at("kind").get<std::string>();
  if (kind == fluid_kind) {
    return report_fluid(experiment, fluid_model_names.read(parameters.at("model").get<std::string>()));
  }
  if (kind == run_kind) {
    return report_runs(candidate, repeats);
  }
  if (parameters.contains("lengths")) {
    const auto lengths = parameters.at("lengths").get<std::vector<std::uint64_t>>();
    if (auto result = search_result(kind, experiment, repeats, lengths)) {
      return report_in(ComparisonState::done, {}, std::move(*result));
    }
  }
  throw InputError(fmt::format("found a task of the kind \"{}\", which a comparison does not have", kind));
}

std::vector<EnvelopePiece> fastest_by_length(const std::vector<ComparedAlgorithm>& all,
                                             const NetworkParameters& network)
{
  std::vector<CostLine> lines;
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ComparedRun& run = all[i].run;
    if (all[i].has_formula()) {
      lines.push_back(cost_line(run.alpha, {run.beta_numerator, run.beta_denominator}, network));
      positions.push_back(i);
    }
  }
  std::vector<EnvelopePiece> pieces = lower_envelope(lines);
  for (EnvelopePiece& piece : pieces) {
    piece.line = positions[piece.line];
  }
  return pieces;
}

} // namespace

namespace {

TaskWork work_of(const Experiment& experiment, const Repeats& repeats,
                 const std::shared_ptr<const std::vector<Candidate>>& all)
{
  std::string fingerprint = fmt::format("{}\n{}", json_text(experiment.effective, JsonLayout::one_line), repeats.count);
  for (const Candidate& one : *all) {
    fingerprint += fmt::format("\n{} {}", one.shown.name, one.shown.parameters);
    if (one.without_faults) {
      fingerprint += fmt::format("\n{}", json_text(one.without_faults->effective, JsonLayout::one_line));
    }
  }
  return {point_key(program_version(), fingerprint, FileContents().of(experiment)),
          [all, repeats](const Json& parameters) { return compute_candidate(*all, repeats, parameters); },
          candidate_of};
}

/// All that is measured, in batches. Returns the signal that ended it early, or 0.
int measure(std::vector<Candidate>& all, const CompareOptions& options, Batches& batches, Comparison& comparison)
{
  std::vector<Json> tasks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    tasks.push_back({{"kind", run_kind}, {"candidate", i}});
  }
  int signal = batches.run(tasks, [&](const TaskOutcome& ended) { record(all[ended.task].shown, ended.report); });
  const bool all_known = !batches.have_gaps();
  if (signal == 0 && options.fluid) {
    signal = measure_fluid_models(all, batches);
  }
  if (signal == 0) {
    if (all_known) {
      signal = measure_envelope(all, options, comparison.repeats, batches, comparison.fastest_measured);
    } else if (batches.have_others()) {
      signal = measure_first_lengths(all, options, batches);
    }
  }
  comparison.has_gaps = batches.have_gaps();
  return signal;
}

} // namespace

Comparison compare_algorithms(const Experiment& experiment, const CompareOptions& options)
{
  Comparison comparison;
  comparison.operation = configured_operation(experiment);
  if (experiment.run.fluid) {
    throw InputError("run.model: compare shows fluid models beside worms with --fluid; expected \"wormhole\"");
  }
  comparison.repeats = repeats_of(experiment, options.repeat);
  const ScheduleRequest& request = experiment.request;
  if (has_time_bound(experiment, comparison.operation)) {
    comparison.bound =
        broadcast_time_bound(*experiment.topology, request.source, request.ports, request.message_bytes,
                             experiment.network.startup, with_fastest_channels(experiment.network).per_byte);
  }
  std::vector<Candidate> all = candidates(experiment, options.algorithms, comparison.operation);
  if (options.without_faults) {
    add_without_faults(all, *options.without_faults);
    comparison.without_faults = options.without_faults->topology->title();
  }
  const TaskWork work = work_of(experiment, comparison.repeats, std::make_shared<const std::vector<Candidate>>(all));
  Batches batches(work, options.tasks);
  comparison.interrupted_by = measure(all, options, batches, comparison);
  if (comparison.interrupted_by != 0 || comparison.has_gaps) {
    return comparison;
  }
  comparison.rivals = std::max<std::size_t>(possible_winners(all).size(), 2) - 1;
  std::vector<SeedLatencies> latencies;
  for (const Candidate& one : all) {
    latencies.push_back(one.shown.is_candidate() ? one.shown.latencies : SeedLatencies());
  }
  comparison.ranking = rank_candidates(latencies, comparison.repeats.kind(), comparison.rivals);
  for (Candidate& one : all) {
    comparison.algorithms.push_back(std::move(one.shown));
  }
  comparison.fastest = fastest_by_length(comparison.algorithms, experiment.network);
  return comparison;
}

void require_runs(const Comparison& comparison)
{
  const auto& all = comparison.algorithms;
  if (!all.empty() && std::ranges::all_of(all, [](const ComparedAlgorithm& algorithm) {
        return algorithm.state == ComparisonState::left_out || algorithm.state == ComparisonState::bad_input;
      })) {
    throw InputError(fmt::format("nothing to compare: {}", all.front().error));
  }
}

} // namespace wormcast
