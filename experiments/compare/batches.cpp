#include "wormcast/experiments/compare/batches.hpp"

#include <deque>

namespace wormcast {

Batches::Batches(const TaskWork& work, const TaskOptions& options, StudyWorkers::SingleTask single)
    : workers_(work, options, single)
{
  progress_.show = options.progress;
}

int Batches::run(const std::vector<nlohmann::ordered_json>& tasks,
                 const std::function<void(const TaskOutcome&)>& record)
{
  std::deque<Task> waiting;
  for (const nlohmann::ordered_json& parameters : tasks) {
    waiting.push_back({waiting.size(), parameters});
  }
  progress_.counts.total += tasks.size();
  return dispatch(waiting, *workers_, progress_, [&](const TaskOutcome& ended) {
    record(ended);
    ++progress_.counts.computed;
  });
}

} // namespace wormcast
