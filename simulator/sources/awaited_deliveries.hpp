#pragma once

#include "wormcast/algorithms/schedule/message_lists.hpp"

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace wormcast {

/// The number of deliveries for which each message still waits. Memory O(messages + entries), nothing if no message
/// waits.
class AwaitedDeliveries {
public:
  AwaitedDeliveries() = default;

  /// `after` lists for each of `count` messages those for which it waits.
  AwaitedDeliveries(const MessageLists& after, std::uint32_t count)
  {
    if (after.entry_count() == 0) {
      return;
    }
    missing_.resize(count);
    first_dependent_.assign(count + std::size_t{1}, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const MessageId earlier : after[i]) {
        ++first_dependent_[index(earlier) + 1];
      }
    }
    std::partial_sum(first_dependent_.begin(), first_dependent_.end(), first_dependent_.begin());
    dependents_.resize(after.entry_count());
    std::vector<std::size_t> next_slot(first_dependent_.begin(), first_dependent_.end() - 1);
    for (std::uint32_t i = 0; i < count; ++i) {
      missing_[i] = static_cast<std::uint32_t>(after[i].size());
      for (const MessageId earlier : after[i]) {
        dependents_[next_slot[index(earlier)]++] = MessageId{i};
      }
    }
  }

  /// Returns whether no message waits, from the beginning.
  bool empty() const { return missing_.empty(); }

  bool has_all(MessageId message) const { return missing_.empty() || missing_[index(message)] == 0; }

  /// Calls ready(message) for each message that waited only for this delivery.
  template <typename Ready> void deliver(MessageId delivered, Ready&& ready)
  {
    if (missing_.empty()) {
      return;
    }
    const std::size_t end = first_dependent_[index(delivered) + 1];
    for (std::size_t i = first_dependent_[index(delivered)]; i < end; ++i) {
      if (--missing_[index(dependents_[i])] == 0) {
        ready(dependents_[i]);
      }
    }
  }

  /// Returns, by message, the number of deliveries for which it still waits; empty if no message waits.
  std::span<const std::uint32_t> missing() const { return missing_; }

private:
  std::vector<std::uint32_t> missing_;
  std::vector<std::size_t> first_dependent_;
  std::vector<MessageId> dependents_; ///< by message: the messages that wait for it
};

} // namespace wormcast
