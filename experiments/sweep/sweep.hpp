#pragma once

#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/process/workers.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/experiments/sweep/shared_part.hpp"
#include "wormcast/formats/json_text.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace wormcast {

/// The outcome of a sweep.
struct SweepOutcome {
  std::vector<StoredPoint> points;       ///< one for each point of the plan; complete unless interrupted
  std::size_t kept = 0;                  ///< points whose results were stored before
  std::size_t computed = 0;              ///< points finished now, failed ones included
  std::vector<std::size_t> missing = {}; ///< points that were left to others (SharedPart): nothing is known of them
  int interrupted_by = 0;                ///< SIGINT, SIGTERM, SIGHUP, or 0
};

/// How a sweep runs.
struct SweepOptions {
  TaskOptions tasks = {}; ///< how the points are computed
  SharedPart part = {};   ///< what is computed here where several processes share the points
  /// Gets what the process of a point printed on stdout and stderr, if anything.
  std::function<void(const SweepPoint& point, const std::string& captured_output)> captured_output = {};
};

/// The outcome of the computation of a point.
struct ComputedPoint {
  PointState state = PointState::done;
  std::string error;
  nlohmann::ordered_json result; ///< of StoredPoint::result; null: there is none
};

/// What the task of a point reports for what `compute` returns or throws: InputError is bad input.
TaskReport point_report(const std::function<ComputedPoint()>& compute);

/// How the points of a plan are computed, as tasks that return point_reports.
struct PointTasks {
  const TaskWork& work;
  std::function<nlohmann::ordered_json(std::size_t point)> parameters; ///< of the task of a point
  JsonLayout layout = JsonLayout::one_line;                            ///< of StoredPoint::result
  std::vector<bool> owned = {}; ///< of several shards: which points are computed here; empty: all
};

/// run_sweep with any tasks.
SweepOutcome compute_points(const SweepPlan& plan, ResultStore& store, const SweepOptions& options,
                            const PointTasks& tasks);

/// Which points of a plan a shard computes: large networks are dealt first, points with equal keys go to the same
/// shard.
std::vector<bool> owned_points(const SweepPlan& plan, const Shard& shard);

/// What is the same in two processes that make a plan of the same configuration, files and version of the program,
/// whatever the folders that they run in.
std::string plan_basis(const SweepPlan& plan);

/// How the points of `plan` are computed, which lies beside `config` for as long as that is done. The parameter of a
/// task is its `point`, a position in the plan.
/// By the engine's clock any number of points can be computed in one process, but none of a fluid model.
TaskWork sweep_work(const RawConfig& config, const SweepPlan& plan, RunClock clock = RunClock::simgrid);

/// Computes the points of `plan` that `store` does not have yet, each in a process of its own, and puts each into the
/// store as it ends. A point that fails (bad input, deadlock, death of its process) is recorded as such, and the others
/// go on; points without a result are tried again. On SIGINT, SIGTERM and SIGHUP the processes are ended and what was
/// not finished is left out. Points with equal keys are computed once. Throws what ResultStore::put throws; the
/// processes are ended then, too. No SimGrid engine may exist before.
SweepOutcome run_sweep(const RawConfig& config, const SweepPlan& plan, ResultStore& store, const SweepOptions& options);

} // namespace wormcast
