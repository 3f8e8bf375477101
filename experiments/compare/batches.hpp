#pragma once

#include "wormcast/experiments/process/workers.hpp"

#include <functional>
#include <string>
#include <vector>

namespace wormcast {

/// Batches of tasks for the same workers, with a progress that goes on from one batch of them to the next.
class Batches {
public:
  /// `progress` may be empty; `workers` must outlive this.
  Batches(Workers& workers, std::function<void(const SweepProgress&)> progress);

  /// Has the tasks with these texts, numbered from 0, computed and hands each outcome to `record`, in the order in
  /// which they end. Returns the signal that ended it early, or 0.
  int run(const std::vector<std::string>& texts, const std::function<void(const TaskOutcome&)>& record);

private:
  Workers& workers_;
  TaskProgress progress_;
};

} // namespace wormcast
