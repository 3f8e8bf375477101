#pragma once

#include "wormcast/algorithms/schedule/message_lists.hpp"

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace wormcast {

/// How many deliveries each message still waits for. Memory O(messages + entries), nothing where nobody waits.
class AwaitedDeliveries {
public:
  AwaitedDeliveries() = default;

  /// `after` has for each of `count` messages those that it waits for.
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

  /// Whether nobody waits for anything, from the beginning.
  bool empty() const { return missing_.empty(); }

  bool has_all(MessageId message) const { return missing_.empty() || missing_[index(message)] == 0; }

  /// Calls ready(message) for those that waited for nothing but this delivery.
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

  /// By message: the deliveries that it still waits for; empty where nobody waits.
  std::span<const std::uint32_t> missing() const { return missing_; }

private:
  std::vector<std::uint32_t> missing_;
  std::vector<std::size_t> first_dependent_;
  std::vector<MessageId> dependents_; ///< by message: those that wait for it
};

} // namespace wormcast
