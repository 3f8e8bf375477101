#include "wormcast/experiments/compare/batches.hpp"

#include <deque>
#include <utility>

namespace wormcast {

Batches::Batches(Workers& workers, std::function<void(const SweepProgress&)> progress) : workers_(workers)
{
  progress_.show = std::move(progress);
}

int Batches::run(const std::vector<std::string>& texts, const std::function<void(const TaskOutcome&)>& record)
{
  std::deque<Task> waiting;
  for (const std::string& text : texts) {
    waiting.push_back({waiting.size(), text});
  }
  progress_.counts.total += texts.size();
  return hand_out(waiting, workers_, progress_, [&](const TaskOutcome& ended) {
    record(ended);
    ++progress_.counts.computed;
  });
}

} // namespace wormcast
