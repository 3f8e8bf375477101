#include "wormcast/experiments/sweep/sweep.hpp"

#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/run/completeness.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/run/series_result.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

ComputedPoint compute_series(const SeriesExperiment& experiment)
{
  const SeriesResult result = run_series(experiment);
  Json json = series_json(experiment, result);
  if (result.deadlock) {
    return {PointState::deadlock, series_deadlock(experiment, result), std::move(json)};
  }
  const std::string undone = undone_of_series(experiment, result);
  if (!undone.empty()) {
    return {PointState::incomplete, fmt::format("{} {}", experiment.single.algorithm, undone), std::move(json)};
  }
  return {result.saturated ? PointState::saturated : PointState::done, {}, std::move(json)};
}

ComputedPoint compute_run(const RawConfig& config, const SweepPoint& point, RunClock clock)
{
  if (is_series(config, point.values)) {
    return compute_series(make_series_experiment(config, point.values));
  }
  const Experiment experiment = make_experiment(config, point.values);
  const std::shared_ptr<const Schedule> schedule = simulated_schedule(experiment);
  const RunOutcome outcome = run_experiment(experiment, *schedule, {}, clock);
  Json result = result_json(experiment, outcome);
  if (outcome.simulation.deadlock) {
    return {PointState::deadlock, deadlock_summary(*experiment.topology, *schedule, *outcome.simulation.deadlock),
            std::move(result)};
  }
  if (!outcome.completeness.undone.empty()) {
    return {PointState::incomplete, fmt::format("{} {}", experiment.algorithm, outcome.completeness.undone),
            std::move(result)};
  }
  return {PointState::done, {}, std::move(result)};
}

/// Indented text ends with a line break, as a file does.
std::string stored_text(const Json& result, JsonLayout layout)
{
  return result.is_null() ? std::string() : json_text(result, layout) + (layout == JsonLayout::indented ? "\n" : "");
}

StoredPoint stored_point(const SweepPoint& point, const TaskOutcome& outcome, JsonLayout layout)
{
  return {.key = point.key,
          .config = point.config,
          .state = point_state_names.read(outcome.report.state),
          .result = stored_text(outcome.report.result, layout),
          .error = outcome.report.error,
          .wall_seconds = outcome.wall_seconds};
}

/// What is known of it without computing: the nodes of its network.
double estimated_cost(const SweepPoint& point)
{
  const auto nodes = std::ranges::find(point.facts, "nodes", &std::pair<std::string, std::string>::first);
  return nodes == point.facts.end() ? 0 : std::strtod(nodes->second.c_str(), nullptr);
}

/// The points still to be computed, and what is known of the others.
class SweepRun {
public:
  SweepRun(const SweepPlan& plan, ResultStore& store, const SweepOptions& options, const PointTasks& tasks)
      : tasks_(tasks), plan_(plan), store_(store), options_(options)
  {
    outcome_.points.resize(plan.points.size());
    for (std::size_t i = 0; i < plan.points.size(); ++i) {
      look_up(i);
    }
    progress_.counts.total = plan.points.size() - outcome_.missing.size();
    progress_.counts.kept = outcome_.kept + outcome_.computed;
    progress_.show = options.tasks.progress;
  }

  SweepOutcome run(Workers& workers)
  {
    outcome_.interrupted_by =
        dispatch(waiting_, workers, progress_, [this](const TaskOutcome& ended) { record(ended); });
    return std::move(outcome_);
  }

private:
  void look_up(std::size_t i)
  {
    const SweepPoint& point = plan_.points[i];
    if (point.key.empty()) {
      outcome_.points[i].state = PointState::bad_input;
      outcome_.points[i].error = point.error;
      ++outcome_.computed;
      return;
    }
    const bool is_first = positions_[point.key].empty();
    positions_[point.key].push_back(i);
    const bool is_own = tasks_.owned.empty() || tasks_.owned[positions_[point.key].front()];
    if (std::optional<StoredPoint> stored = known_result(point.key, store_, options_.part, is_own)) {
      outcome_.points[i] = std::move(*stored);
      ++outcome_.kept;
    } else if (!is_own || !options_.part.compute) {
      outcome_.points[i].state = PointState::died;
      outcome_.missing.push_back(i);
    } else if (is_first) {
      waiting_.push_back({i, tasks_.parameters(i)});
    }
  }

  void record(const TaskOutcome& ended)
  {
    const SweepPoint& point = plan_.points[ended.task];
    const StoredPoint stored = stored_point(point, ended, tasks_.layout);
    store_.put(stored);
    for (const std::size_t position : positions_[point.key]) {
      outcome_.points[position] = stored;
      ++outcome_.computed;
      ++progress_.counts.computed;
    }
    if (options_.captured_output && !ended.captured_output.empty()) {
      options_.captured_output(point, ended.captured_output);
    }
  }

  const PointTasks& tasks_;
  const SweepPlan& plan_;
  ResultStore& store_;
  const SweepOptions& options_;
  SweepOutcome outcome_;
  WatchedProgress progress_;
  std::map<std::string, std::vector<std::size_t>> positions_; ///< of each key in the plan
  std::deque<Task> waiting_;
};

} // namespace

TaskReport point_report(const std::function<ComputedPoint()>& compute)
{
  const auto report = [](PointState state, std::string error, Json result) {
    return TaskReport{
        .state = std::string(point_state_names.text(state)), .error = std::move(error), .result = std::move(result)};
  };
  try {
    ComputedPoint computed = compute();
    return report(computed.state, std::move(computed.error), std::move(computed.result));
  } catch (const IncompleteSchedule& error) {
    return report(PointState::incomplete, error.what(), nullptr);
  } catch (const InputError& error) {
    return report(PointState::bad_input, error.what(), nullptr);
  }
}

SweepOutcome compute_points(const SweepPlan& plan, ResultStore& store, const SweepOptions& options,
                            const PointTasks& tasks)
{
  StudyWorkers workers(tasks.work, options.tasks);
  return SweepRun(plan, store, options, tasks).run(*workers);
}

std::vector<bool> owned_points(const SweepPlan& plan, const Shard& shard)
{
  std::map<std::string, std::size_t> units; // by key
  std::vector<double> costs;
  for (const SweepPoint& point : plan.points) {
    if (units.emplace(point.key, costs.size()).second) {
      costs.push_back(estimated_cost(point));
    }
  }
  const std::vector<bool> owned = owned_units(shard, costs);
  std::vector<bool> points;
  for (const SweepPoint& point : plan.points) {
    points.push_back(owned[units.at(point.key)]);
  }
  return points;
}

std::string plan_basis(const SweepPlan& plan)
{
  std::string keys;
  for (const SweepPoint& point : plan.points) {
    keys += point.key + "\n";
  }
  return point_key(fmt::format("{} {}", program_version(), task_format), keys, {});
}

TaskWork sweep_work(const RawConfig& config, const SweepPlan& plan, RunClock clock)
{
  return {plan_basis(plan), [&config, &plan, clock](const Json& parameters) {
            const auto point = parameters.at("point").get<std::size_t>();
            return point_report([&] { return compute_run(config, plan.points.at(point), clock); });
          }};
}

SweepOutcome run_sweep(const RawConfig& config, const SweepPlan& plan, ResultStore& store, const SweepOptions& options)
{
  const TaskWork work = sweep_work(config, plan);
  PointTasks tasks{.work = work,
                   .parameters = [](std::size_t point) { return Json{{"point", point}}; },
                   .layout = JsonLayout::indented};
  if (options.part.shard.count > 1) {
    tasks.owned = owned_points(plan, options.part.shard);
  }
  return compute_points(plan, store, options, tasks);
}

} // namespace wormcast
