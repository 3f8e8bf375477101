#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <vector>

namespace wormcast {

/// Events whose delay is constant, so that they come due in the order in which they are added: a ring buffer.
///
/// | operation   | cost                                  |
/// |-------------|---------------------------------------|
/// | push, pop   | O(1), no allocation once it has grown |
/// | front       | O(1)                                  |
/// | memory      | sizeof(Event) per pending event, at most doubled |
template <typename Event> class EventLane {
public:
  bool empty() const { return head_ == tail_; }
  const Event& front() const { return ring_[head_ & mask_]; }
  Event pop() { return ring_[head_++ & mask_]; }

  /// `event.time` must not be smaller than that of the event pushed before.
  void push(const Event& event)
  {
    if (tail_ - head_ == ring_.size()) {
      grow();
    }
    ring_[tail_++ & mask_] = event;
  }

private:
  void grow()
  {
    std::vector<Event> larger(ring_.empty() ? 64 : 2 * ring_.size());
    std::size_t count = 0;
    while (!empty()) {
      larger[count++] = pop();
    }
    ring_ = std::move(larger);
    mask_ = ring_.size() - 1;
    head_ = 0;
    tail_ = count;
  }

  std::vector<Event> ring_;
  std::size_t mask_ = 0;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

/// Events at arbitrary times: a binary heap. Events of equal time come out in any order; engines sort what they take
/// out of one instant.
///
/// | operation | cost          |
/// |-----------|---------------|
/// | push, pop | O(log n)      |
/// | top       | O(1)          |
template <typename Event> class EventHeap {
public:
  bool empty() const { return heap_.empty(); }
  const Event& top() const { return heap_.top(); }
  void push(const Event& event) { heap_.push(event); }
  Event pop()
  {
    Event event = heap_.top();
    heap_.pop();
    return event;
  }

private:
  struct Later {
    bool operator()(const Event& a, const Event& b) const { return a.time > b.time; }
  };
  std::priority_queue<Event, std::vector<Event>, Later> heap_;
};

} // namespace wormcast
