#include "wormcast/experiments/compare/compare.hpp"

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/compare/batches.hpp"
#include "wormcast/experiments/compare/candidates.hpp"
#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/sweep/formula.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/simulator/fluid_simulation.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <istream>
#include <memory>
#include <sstream>
#include <type_traits>
#include <utility>

namespace wormcast {

namespace {

static_assert(std::is_trivially_copyable_v<ComparedRun>, "the process of a run sends its bytes");

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

ComparedRun compute(const Experiment& experiment, const Schedule& schedule, ComparisonState& state)
{
  ComparedRun run;
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
  Experiment unchecked = experiment; // what is not valid is marked
  unchecked.run.unchecked = true;
  const RunOutcome outcome = run_experiment(unchecked, schedule);
  run.predicted = outcome.prediction.time;
  if (outcome.simulation.deadlock) {
    run.deadlock = outcome.simulation.deadlock->at;
  } else {
    run.measured = *outcome.simulation.latency;
    run.from_source = *outcome.simulation.latency_from_source();
  }
  run.contention = outcome.simulation.contention;
  if (!outcome.simulation.deadlock) {
    try_other_orders(experiment, schedule, run);
  }
  run.messages = outcome.costs.messages;
  run.bytes_sent = outcome.costs.bytes_sent;
  run.tcd = outcome.costs.tcd;
  run.max_channel_load = outcome.costs.max_channel_load;
  state = outcome.simulation.deadlock ? ComparisonState::deadlock : ComparisonState::done;
  return run;
}

TaskReport report(ComparisonState state, std::string text)
{
  return {static_cast<int>(state), std::move(text)};
}

/// What the process of a run sends to its parent: the state as code, and the bytes of the run or an error text.
TaskReport compute_report(const Experiment& experiment)
{
  bool made = false;
  try {
    const Schedule schedule = experiment.given != nullptr ? *experiment.given
                                                          : make_schedule(find_algorithm(experiment.algorithm),
                                                                          *experiment.topology, experiment.request);
    made = true;
    ComparisonState state = ComparisonState::done;
    const ComparedRun run = compute(experiment, schedule, state);
    return report(state, std::string(reinterpret_cast<const char*>(&run), sizeof run));
  } catch (const InputError& error) {
    return report(made ? ComparisonState::bad_input : ComparisonState::left_out, error.what());
  } catch (const std::bad_alloc&) {
    return report(ComparisonState::died, "out of memory");
  } catch (const std::exception& error) {
    return report(ComparisonState::died, error.what());
  }
}

void record(ComparedAlgorithm& shown, const TaskOutcome& ended)
{
  const auto state = static_cast<ComparisonState>(ended.report.code);
  const bool has_run = state == ComparisonState::done || state == ComparisonState::deadlock;
  if (ended.signal != 0 || ended.report.text.empty() || (has_run && ended.report.text.size() != sizeof shown.run)) {
    shown.state = ComparisonState::died;
    shown.error = describe_death(ended);
    return;
  }
  shown.state = state;
  if (has_run) {
    std::memcpy(&shown.run, ended.report.text.data(), sizeof shown.run);
    shown.error = state == ComparisonState::deadlock ? "deadlock" : "";
  } else {
    shown.error = ended.report.text;
  }
}

/// What the process of a measurement sends to its parent: for each length the latency in picoseconds, or nothing, and a
/// line break.
TaskReport measure_lengths(const Experiment& experiment, std::istream& lengths)
{
  std::string text;
  Schedule schedule = experiment_schedule(experiment);
  for (std::uint64_t length = 0; lengths >> length;) {
    schedule.message_bytes = length;
    try {
      const SimulationResult result = simulate_core(*experiment.topology, schedule, experiment.network, experiment.run);
      text += result.latency ? fmt::to_string(result.latency->picoseconds) : "";
    } catch (const InputError&) { // too long a message: it has no latency
    }
    text += '\n';
  }
  return {0, std::move(text)};
}

void record_lengths(EnvelopeSearch& search, const EnvelopeSearch::Question& question, const TaskOutcome& ended)
{
  std::istringstream text(ended.signal == 0 ? ended.report.text : std::string());
  for (const std::uint64_t length : question.lengths) {
    std::string line;
    const bool known = static_cast<bool>(std::getline(text, line)) && !line.empty();
    search.answer(question.line, length, known ? std::optional<std::int64_t>(std::stoll(line)) : std::nullopt);
  }
}

/// Which of those that bring everything to every node is the fastest at which length, simulated. Returns the signal
/// that ended it early, or 0.
int measure_envelope(const std::vector<Candidate>& all, const CompareOptions& options, Batches& batches,
                     std::vector<MeasuredPiece>& pieces)
{
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ComparedAlgorithm& shown = all[i].shown;
    if ((shown.state == ComparisonState::done || shown.state == ComparisonState::deadlock) && shown.run.valid) {
      positions.push_back(i);
    }
  }
  if (!options.lengths || positions.empty()) {
    return 0;
  }
  EnvelopeSearch search(positions.size(), lengths_of(*options.lengths, all.front().experiment.request.message_bytes));
  for (auto questions = search.questions(); !questions.empty(); questions = search.questions()) {
    std::vector<std::string> texts;
    for (const EnvelopeSearch::Question& question : questions) {
      texts.push_back(fmt::format("lengths {} {}", positions[question.line], fmt::join(question.lengths, " ")));
    }
    const int signal =
        batches.run(texts, [&](const TaskOutcome& ended) { record_lengths(search, questions[ended.task], ended); });
    if (signal != 0) {
      return signal;
    }
  }
  pieces = search.pieces();
  for (MeasuredPiece& piece : pieces) {
    piece.line = positions[piece.line];
  }
  return 0;
}

/// What the process of a fluid run sends to its parent: the latency in picoseconds, or with code 1 why there is none.
TaskReport measure_fluid(const Experiment& experiment, FluidModel model)
{
  try {
    const SimulationResult result = simulate_fluid(*experiment.topology, experiment_schedule(experiment),
                                                   experiment.network, experiment.run, model);
    return {0, fmt::to_string(result.latency->picoseconds)};
  } catch (const InputError& error) { // it has no latency on this model
    return {1, error.what()};
  }
}

/// The latencies on SimGrid's own models. Returns the signal that ended it early, or 0.
int measure_fluid_models(std::vector<Candidate>& all, Batches& batches)
{
  std::vector<std::pair<Candidate*, std::size_t>> runs;
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Candidate& one = all[i];
    if (one.shown.state == ComparisonState::done || one.shown.state == ComparisonState::deadlock) {
      one.shown.fluid.resize(all_fluid_models.size());
      for (std::size_t model = 0; model < all_fluid_models.size(); ++model) {
        runs.emplace_back(&one, model);
        texts.push_back(fmt::format("fluid {} {}", i, model));
      }
    }
  }
  return batches.run(texts, [&](const TaskOutcome& ended) {
    const auto& [one, model] = runs[ended.task];
    if (ended.signal == 0 && ended.report.code == 0) {
      one->shown.fluid[model] = Time{std::stoll(ended.report.text)};
    } else if (ended.signal == 0) {
      one->shown.no_fluid = ended.report.text;
    }
  });
}

/// "run CANDIDATE", "fluid CANDIDATE MODEL" or "lengths CANDIDATE LENGTH...".
TaskReport compute_task(const std::vector<Candidate>& all, const std::string& text)
{
  std::istringstream words(text);
  std::string kind;
  std::size_t candidate = 0;
  words >> kind >> candidate;
  const Experiment& experiment = all.at(candidate).experiment;
  if (kind == "lengths") {
    return measure_lengths(experiment, words);
  }
  if (kind == "fluid") {
    std::size_t model = 0;
    words >> model;
    return measure_fluid(experiment, all_fluid_models.at(model));
  }
  return compute_report(experiment);
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

std::string_view comparison_state_name(ComparisonState state)
{
  switch (state) {
  case ComparisonState::done:
    return "done";
  case ComparisonState::deadlock:
    return "deadlock";
  case ComparisonState::left_out:
    return "left_out";
  case ComparisonState::bad_input:
    return "bad_input";
  case ComparisonState::died:
    return "died";
  }
  throw std::logic_error("a state of a compared run that does not exist");
}

namespace {

TaskWork work_of(const Experiment& experiment, const std::shared_ptr<const std::vector<Candidate>>& all)
{
  std::string basis = json_text(experiment.effective, JsonLayout::one_line);
  for (const Candidate& one : *all) {
    basis += fmt::format("\n{} {}", one.shown.name, one.shown.parameters);
  }
  return {point_key(program_version(), basis, FileContents().of(experiment)),
          [all](const std::string& text) { return compute_task(*all, text); }};
}

} // namespace

TaskWork compare_work(const Experiment& experiment, const CompareOptions& options)
{
  return work_of(experiment, std::make_shared<const std::vector<Candidate>>(
                                 candidates(experiment, options.algorithms, configured_operation(experiment))));
}

Comparison compare_algorithms(const Experiment& experiment, const CompareOptions& options)
{
  Comparison comparison;
  comparison.operation = configured_operation(experiment);
  if (experiment.run.fluid) {
    throw InputError("run.model: compare shows fluid models beside worms with --fluid; expected \"wormhole\"");
  }
  const ScheduleRequest& request = experiment.request;
  if (comparison.operation == Operation::broadcast && request.duplex == Duplex::full &&
      experiment.run.mode == Mode::lockstep) {
    comparison.bound = broadcast_time_bound(*experiment.topology, request.source, request.ports, request.message_bytes,
                                            experiment.network.startup, experiment.network.per_byte);
  }
  std::vector<Candidate> all = candidates(experiment, options.algorithms, comparison.operation);
  const TaskWork work = options.workers != nullptr
                            ? TaskWork()
                            : work_of(experiment, std::make_shared<const std::vector<Candidate>>(all));
  LocalWorkers children(work, options.jobs);
  Batches batches(options.workers != nullptr ? *options.workers : children, options.progress);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < all.size(); ++i) {
    texts.push_back(fmt::format("run {}", i));
  }
  comparison.interrupted_by =
      batches.run(texts, [&](const TaskOutcome& ended) { record(all[ended.task].shown, ended); });
  if (comparison.interrupted_by == 0 && options.fluid) {
    comparison.interrupted_by = measure_fluid_models(all, batches);
  }
  if (comparison.interrupted_by == 0) {
    comparison.interrupted_by = measure_envelope(all, options, batches, comparison.fastest_measured);
  }
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
