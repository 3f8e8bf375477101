#include "wormcast/simulator/engines/stopped_messages.hpp"

#include <algorithm>
#include <stdexcept>

namespace wormcast {

std::int64_t StoppedMessages::last() const
{
  std::int64_t last = -1;
  for (const auto& [message, stopped] : stopped_) {
    last = std::max(last, stopped.since);
  }
  return last;
}

std::vector<WaitingLink> StoppedMessages::cyclic_wait() const
{
  const StoppedMessage* start = nullptr;
  for (const auto& [message, stopped] : stopped_) {
    if (start == nullptr || stopped.waiting.message < start->waiting.message) {
      start = &stopped;
    }
  }
  if (start == nullptr) {
    return {};
  }
  std::vector<WaitingLink> chain;
  std::unordered_map<std::uint32_t, std::size_t> position;
  const StoppedMessage* stopped = start;
  while (position.emplace(index(stopped->waiting.message), chain.size()).second) {
    chain.push_back(
        {.waiting = stopped->waiting.message, .resource = stopped->resource, .holding = stopped->holding.message});
    const auto next = stopped_.find(index(stopped->holding.message));
    if (next == stopped_.end()) {
      throw std::logic_error("a message that does not wait keeps a channel for ever");
    }
    stopped = &next->second;
  }
  chain.erase(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(position.at(index(stopped->waiting.message))));
  return chain;
}

} // namespace wormcast
