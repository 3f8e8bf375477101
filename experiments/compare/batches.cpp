#include "wormcast/experiments/compare/batches.hpp"

#include <optional>
#include <utility>

namespace wormcast {

Batches::Batches(std::size_t jobs, std::function<void(const SweepProgress&)> progress) : show_(std::move(progress))
{
  progress_.jobs = jobs;
}

int Batches::run(std::size_t count, const std::function<TaskReport(std::size_t)>& work,
                 const std::function<void(const TaskOutcome&)>& record)
{
  progress_.total += count;
  ProcessPool pool;
  for (std::size_t next = 0; next < count || pool.running() > 0;) {
    while (next < count && pool.running() < progress_.jobs && pool.start(next, [&] { return work(next); })) {
      ++next;
    }
    progress_.running = pool.running();
    progress_.elapsed_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
    if (show_) {
      show_(progress_);
    }
    if (const std::optional<TaskOutcome> ended = pool.wait(std::chrono::milliseconds(250))) {
      record(*ended);
      ++progress_.computed;
      progress_.computed_wall_seconds += ended->wall_seconds;
    } else if (InterruptGuard::received() != 0) {
      return InterruptGuard::received();
    }
  }
  return 0;
}

} // namespace wormcast
