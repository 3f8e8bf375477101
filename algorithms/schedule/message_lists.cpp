#include "wormcast/algorithms/schedule/message_lists.hpp"

namespace wormcast {

void MessageLists::set(std::size_t message, std::span<const MessageId> list)
{
  if (message >= ends_.size()) {
    if (!list.empty()) {
      ends_.resize(message, entries_.size());
      entries_.insert(entries_.end(), list.begin(), list.end());
      ends_.push_back(entries_.size());
    }
    return;
  }
  const std::size_t size = (*this)[message].size();
  const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(ends_[message] - size);
  entries_.insert(entries_.erase(begin, begin + static_cast<std::ptrdiff_t>(size)), list.begin(), list.end());
  for (std::size_t later = message; later < ends_.size(); ++later) {
    ends_[later] = ends_[later] - size + list.size();
  }
}

} // namespace wormcast
