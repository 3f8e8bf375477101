#include "wormcast/experiments/compare/batches.hpp"

#include <chrono>
#include <deque>
#include <utility>

namespace wormcast {

bool OwnWorker::start(const Task& task)
{
  if (ended_ || InterruptGuard::received() != 0) {
    return false;
  }
  const auto started = std::chrono::steady_clock::now();
  TaskOutcome outcome;
  outcome.task = task.number;
  outcome.report = compute_task(work_, task.parameters);
  outcome.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  ended_ = std::move(outcome);
  return true;
}

std::optional<TaskOutcome> OwnWorker::wait(std::chrono::milliseconds /*patience*/)
{
  return std::exchange(ended_, std::nullopt);
}

Batches::Batches(Workers& workers, std::function<void(const TaskProgress&)> progress) : workers_(workers)
{
  progress_.show = std::move(progress);
}

int Batches::run(const std::vector<nlohmann::ordered_json>& tasks,
                 const std::function<void(const TaskOutcome&)>& record)
{
  std::deque<Task> waiting;
  for (const nlohmann::ordered_json& parameters : tasks) {
    waiting.push_back({waiting.size(), parameters});
  }
  progress_.counts.total += tasks.size();
  return hand_out(waiting, workers_, progress_, [&](const TaskOutcome& ended) {
    record(ended);
    ++progress_.counts.computed;
  });
}

} // namespace wormcast
