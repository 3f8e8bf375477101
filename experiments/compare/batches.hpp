#pragma once

#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/process/progress.hpp"

#include <chrono>
#include <cstddef>
#include <functional>

namespace wormcast {

/// Tasks in processes of their own, with a progress that goes on from one batch of them to the next.
class Batches {
public:
  /// At most `jobs` tasks at a time; `progress` may be empty.
  Batches(std::size_t jobs, std::function<void(const SweepProgress&)> progress);

  /// Runs work(i) for i = 0 .. count - 1 and hands each outcome to `record`, in the order in which they end. Returns
  /// the signal that ended it early, or 0.
  int run(std::size_t count, const std::function<TaskReport(std::size_t)>& work,
          const std::function<void(const TaskOutcome&)>& record);

private:
  std::function<void(const SweepProgress&)> show_;
  SweepProgress progress_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

} // namespace wormcast
