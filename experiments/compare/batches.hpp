#pragma once

#include "wormcast/experiments/process/workers.hpp"

#include <nlohmann/json.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace wormcast {

/// Computes the tasks in this process, one after the other: for callers that are themselves one of many processes.
class OwnWorker final : public Workers {
public:
  /// `work` must outlive this.
  explicit OwnWorker(const TaskWork& work) : work_(work) {}

  bool start(const Task& task) override;
  std::optional<TaskOutcome> wait(std::chrono::milliseconds patience) override;
  std::size_t running() const override { return ended_ ? 1 : 0; }
  std::size_t capacity() const override { return 1; }

private:
  const TaskWork& work_;
  std::optional<TaskOutcome> ended_;
};

/// Batches of tasks for the same workers, with a progress that goes on from one batch of them to the next.
class Batches {
public:
  /// `progress` may be empty; `workers` must outlive this.
  Batches(Workers& workers, std::function<void(const TaskProgress&)> progress);

  /// Has tasks with these parameters, numbered from 0, computed and hands each outcome to `record`, in the order in
  /// which they end. Returns the signal that ended it early, or 0.
  int run(const std::vector<nlohmann::ordered_json>& tasks, const std::function<void(const TaskOutcome&)>& record);

  /// Whether a task of some batch has no outcome (Workers::left_out).
  bool have_gaps() const { return workers_.left_out() > 0; }

private:
  Workers& workers_;
  WatchedProgress progress_;
};

} // namespace wormcast
