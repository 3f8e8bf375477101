#include "wormcast/experiments/process/workers.hpp"

namespace wormcast {

LocalWorkers::LocalWorkers(const TaskWork& work, std::size_t jobs) : work_(work), jobs_(jobs) {}

bool LocalWorkers::start(const Task& task)
{
  return pool_.running() < jobs_ && pool_.start(task.number, [&] { return work_.compute(task.text); });
}

std::optional<TaskOutcome> LocalWorkers::wait(std::chrono::milliseconds patience)
{
  return pool_.wait(patience);
}

int hand_out(std::deque<Task>& waiting, Workers& workers, WatchedProgress& progress,
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
