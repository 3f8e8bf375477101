#include "wormcast/experiments/process/workers.hpp"

#include <exception>
#include <new>
#include <utility>

namespace wormcast {

namespace {

/// The report of a child about its task. A child that ends without a report has died, however it ended.
TaskOutcome task_outcome(const ProcessOutcome& ended)
{
  TaskOutcome outcome{
      .task = ended.task, .report = {}, .captured_output = ended.captured_output, .wall_seconds = ended.wall_seconds};
  try {
    outcome.report = read_report(ended.report.text);
  } catch (const InputError&) {
    outcome.report = {.state = TaskReport::died, .error = describe_death(ended)};
  }
  return outcome;
}

} // namespace

TaskReport compute_task(const TaskWork& work, const nlohmann::ordered_json& parameters)
{
  try {
    return work.compute(parameters);
  } catch (const std::bad_alloc&) {
    return {.state = TaskReport::died, .error = "out of memory"};
  } catch (const std::exception& error) {
    return {.state = TaskReport::died, .error = error.what()};
  }
}

LocalWorkers::LocalWorkers(const TaskWork& work, std::size_t jobs) : work_(work), jobs_(jobs) {}

bool LocalWorkers::start(const Task& task)
{
  return pool_.running() < jobs_ &&
         pool_.start(
             task.number,
             [&] { return ProcessReport{.code = 0, .text = report_text(compute_task(work_, task.parameters))}; });
}

std::optional<TaskOutcome> LocalWorkers::wait(std::chrono::milliseconds timeout)
{
  const std::optional<ProcessOutcome> ended = pool_.wait(timeout);
  return ended ? std::optional(task_outcome(*ended)) : std::nullopt;
}

bool OwnWorker::start(const Task& task)
{
  if (ended_ || InterruptGuard::received() != 0) {
    return false;
  }
  const auto started = std::chrono::steady_clock::now();
  TaskOutcome outcome{.task = task.number, .report = compute_task(work_, task.parameters)};
  outcome.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  ended_ = std::move(outcome);
  return true;
}

std::optional<TaskOutcome> OwnWorker::wait(std::chrono::milliseconds /*timeout*/)
{
  return std::exchange(ended_, std::nullopt);
}

StudyWorkers::StudyWorkers(const TaskWork& work, const TaskOptions& options, SingleTask single)
{
  if (options.jobs == 1 && single == SingleTask::in_this_process) {
    here_ = std::make_unique<OwnWorker>(work);
  } else {
    here_ = std::make_unique<LocalWorkers>(work, options.jobs);
  }
  if (options.before) {
    before_ = options.before(work, *here_);
  }
}

int dispatch(std::deque<Task>& waiting, Workers& workers, WatchedProgress& progress,
             const std::function<void(const TaskOutcome&)>& record)
{
  while (!waiting.empty() || workers.running() > 0) {
    while (!waiting.empty() && workers.start(waiting.front())) {
      waiting.pop_front();
    }
    progress.counts.running = workers.running();
    progress.counts.jobs = workers.capacity();
    progress.counts.elapsed_seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - progress.started).count();
    if (progress.show) {
      progress.show(progress.counts);
    }
    if (const std::optional<TaskOutcome> ended = workers.wait(std::chrono::milliseconds(250))) {
      progress.counts.computed_wall_seconds += ended->wall_seconds;
      record(*ended);
    } else if (InterruptGuard::received() != 0) {
      return InterruptGuard::received();
    }
  }
  return 0;
}

} // namespace wormcast
