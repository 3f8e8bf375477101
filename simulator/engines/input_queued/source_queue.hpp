#pragma once

#include "wormcast/simulator/engines/time_step.hpp"
#include "wormcast/simulator/model/message_source.hpp"

#include <cstdint>

namespace wormcast {

/// The messages that wait at a source until those before them have left it. Their data are in WaitingMessages.
struct SourceQueue {
  static constexpr std::uint32_t nothing = 0xffffffff;

  std::uint32_t head = nothing;
  std::uint32_t tail = nothing;

  bool empty() const { return head == nothing; }
};

/// The messages in the queues of all sources.
class WaitingMessages {
public:
  /// With `by_priority` messages of higher priority come first, with equal ones in the order of push(); else all in
  /// that order.
  explicit WaitingMessages(bool by_priority) : by_priority_(by_priority) {}

  /// Returns the number of messages in all queues.
  std::uint64_t size() const { return waiting_.size(); }

  /// Cost: O(1), but for a message that comes before others that of those before it.
  void push(SourceQueue& queue, const NewMessage& message)
  {
    const std::uint32_t entry = waiting_.add();
    waiting_[entry].message = message;
    waiting_[entry].next = nothing;
    if (queue.empty()) {
      queue.head = queue.tail = entry;
      return;
    }
    if (!by_priority_ || !comes_before(entry, queue.tail)) {
      waiting_[queue.tail].next = entry;
      queue.tail = entry;
      return;
    }
    std::uint32_t* link = &queue.head;
    while (!comes_before(entry, *link)) {
      link = &waiting_[*link].next;
    }
    waiting_[entry].next = *link;
    *link = entry;
  }

  /// Returns the first message of a queue that is not empty.
  const NewMessage& front(const SourceQueue& queue) const { return waiting_[queue.head].message; }
  /// Takes it out.
  void pop(SourceQueue& queue)
  {
    const std::uint32_t entry = queue.head;
    queue.head = waiting_[entry].next;
    if (!queue.empty()) {
      __builtin_prefetch(&waiting_[queue.head]);
    }
    waiting_.remove(entry);
  }

  /// Calls visit(message) for each message of a queue, in its order.
  template <typename Visit> void for_each(const SourceQueue& queue, Visit&& visit) const
  {
    for (std::uint32_t entry = queue.head; entry != nothing; entry = waiting_[entry].next) {
      visit(waiting_[entry].message);
    }
  }

private:
  static constexpr std::uint32_t nothing = SourceQueue::nothing;

  struct Waiting {
    NewMessage message;
    std::uint32_t next = nothing;
  };

  bool comes_before(std::uint32_t entry, std::uint32_t other) const
  {
    return waiting_[entry].message.priority > waiting_[other].message.priority;
  }

  bool by_priority_;
  WormTable<Waiting> waiting_;
};

} // namespace wormcast
