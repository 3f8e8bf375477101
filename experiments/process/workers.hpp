#pragma once

#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/experiments/process/progress.hpp"
#include "wormcast/experiments/process/task.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace wormcast {

/// How tasks of one kind are computed, in any process that has made the same TaskWork from the same input.
struct TaskWork {
  /// The same in two processes where both would compute the same for every task.
  std::string fingerprint;
  std::function<TaskReport(const nlohmann::ordered_json& parameters)> compute;
  /// The unit of work, from 0, that a task belongs to: a shard does all tasks of a unit. None: the tasks are not shared
  /// one by one.
  std::function<std::size_t(const nlohmann::ordered_json& parameters)> unit = {};
};

/// Computes a task in this process. A std::exception that leaves TaskWork::compute is a report, with the state `died`.
TaskReport compute_task(const TaskWork& work, const nlohmann::ordered_json& parameters);

/// How a task ended.
struct TaskOutcome {
  std::size_t task = 0;             ///< Task::number
  TaskReport report;                ///< where its process sent none, `died` with how the process ended
  std::string captured_output = {}; ///< ProcessOutcome::captured_output
  double wall_seconds = 0;          ///< of its process
};

/// The workers that compute the tasks of one TaskWork: children of this process, or processes that have computed them
/// before.
class Workers {
public:
  Workers() = default;
  virtual ~Workers() = default;
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Dispatches a task. Returns false if no worker is free; try again after the next wait.
  virtual bool start(const Task& task) = 0;

  /// Waits for the end of a task: its outcome, or none after `timeout`, or earlier if a worker has become free or a
  /// signal has arrived that an InterruptGuard watches.
  virtual std::optional<TaskOutcome> wait(std::chrono::milliseconds timeout) = 0;

  /// Returns the number of dispatched tasks without a returned outcome.
  virtual std::size_t running() const = 0;

  /// How many tasks there can be at a time.
  virtual std::size_t capacity() const = 0;

  /// Returns the dispatched tasks that will have no outcome: results that depend on them cannot be computed here.
  virtual std::size_t left_out() const { return 0; }

  /// Whether tasks are computed; else outcomes are only looked up, and tasks without one are left out.
  virtual bool compute() const { return true; }
};

/// Puts other workers before the children of this process, which must outlive them, to compute the tasks of `work`.
using WorkersBefore = std::function<std::unique_ptr<Workers>(const TaskWork& work, Workers& children)>;

/// Children of this process, each for one task: ProcessPool. Nothing may have started threads before.
class LocalWorkers final : public Workers {
public:
  /// At most `jobs` tasks at a time. `work` must outlive this.
  LocalWorkers(const TaskWork& work, std::size_t jobs);

  /// Throws std::system_error where no process can be made and none runs.
  bool start(const Task& task) override;
  /// Only with tasks running.
  std::optional<TaskOutcome> wait(std::chrono::milliseconds timeout) override;
  std::size_t running() const override { return pool_.running(); }
  std::size_t capacity() const override { return jobs_; }

private:
  const TaskWork& work_;
  std::size_t jobs_;
  ProcessPool pool_;
};

/// Computes the tasks in this process, one after the other: for callers that are themselves one of many processes.
class OwnWorker final : public Workers {
public:
  /// `work` must outlive this.
  explicit OwnWorker(const TaskWork& work) : work_(work) {}

  bool start(const Task& task) override;
  std::optional<TaskOutcome> wait(std::chrono::milliseconds timeout) override;
  std::size_t running() const override { return ended_ ? 1 : 0; }
  std::size_t capacity() const override { return 1; }

private:
  const TaskWork& work_;
  std::optional<TaskOutcome> ended_;
};

/// How the tasks of a study are computed.
struct TaskOptions {
  std::size_t jobs = 1;      ///< tasks at the same time
  WorkersBefore before = {}; ///< the workers; none: children of this process
  std::function<void(const TaskProgress&)> progress = {};
};

/// The workers of a study.
class StudyWorkers {
public:
  /// The workers that compute one task at a time, if there are no others.
  enum class SingleTask { in_child, in_this_process };

  /// `work` must outlive this.
  StudyWorkers(const TaskWork& work, const TaskOptions& options, SingleTask single = SingleTask::in_child);

  Workers& operator*() const { return before_ ? *before_ : *here_; }

private:
  std::unique_ptr<Workers> here_;
  std::unique_ptr<Workers> before_; ///< none: those here compute
};

/// A progress with whom it is shown to.
struct WatchedProgress {
  TaskProgress counts = {};
  std::function<void(const TaskProgress&)> show = {};
  std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
};

/// Dispatches the tasks of `waiting`, the first ones first, until none waits or runs, and passes each outcome to
/// `record`, in the order in which they end; `record` may add tasks to `waiting`, and counts completed ones. Returns
/// the signal that ended it early, or 0.
int dispatch(std::deque<Task>& waiting, Workers& workers, WatchedProgress& progress,
             const std::function<void(const TaskOutcome&)>& record);

} // namespace wormcast
