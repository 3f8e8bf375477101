#pragma once

#include "wormcast/experiments/process/workers.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <vector>

namespace wormcast {

/// Batches of tasks for the same workers, with a progress that goes on from one batch of them to the next.
class Batches {
public:
  /// `work` must outlive this.
  Batches(const TaskWork& work, const TaskOptions& options,
          StudyWorkers::SingleTask single = StudyWorkers::SingleTask::in_child);

  /// Has tasks with these parameters, numbered from 0, computed and hands each outcome to `record`, in the order in
  /// which they end. Returns the signal that ended it early, or 0.
  int run(const std::vector<nlohmann::ordered_json>& tasks, const std::function<void(const TaskOutcome&)>& record);

  /// Whether a task of some batch has no outcome (Workers::left_out).
  bool have_gaps() const { return (*workers_).left_out() > 0; }

  /// Whether others compute what has no outcome here, so that this process does all that is its own, even what the
  /// others' outcomes may rule out. False where outcomes are only looked up.
  bool have_others() const { return have_gaps() && (*workers_).compute(); }

private:
  StudyWorkers workers_;
  WatchedProgress progress_;
};

} // namespace wormcast
