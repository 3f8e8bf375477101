#pragma once

#include "wormcast/simulator/model/message_source.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace wormcast {

/// Events of constant delay, which are due in the order in which they are added: a ring buffer.
///
/// | operation       | cost                                  |
/// |-----------------|---------------------------------------|
/// | push, pop       | O(1), no allocation once it has grown |
/// | next_time       | O(1)                                  |
/// | memory          | sizeof(Event) per pending event, at most doubled |
template <typename Event> class EventLane {
public:
  bool empty() const { return head_ == tail_; }
  std::int64_t next_time() const { return ring_[head_ & mask_].time; }
  /// Returns whether an event at `time` may be pushed.
  bool accepts(std::int64_t time) const { return empty() || time >= ring_[(tail_ - 1) & mask_].time; }
  Event pop() { return ring_[head_++ & mask_]; }
  /// Returns the event `count` after the next one, or any event that once was in the lane: what it will need can be
  /// fetched from memory.
  const Event& ahead(std::size_t count) const { return ring_[(head_ + count) & mask_]; }

  /// `event.time` must not be smaller than that of the event pushed before.
  void push(const Event& event)
  {
    if (tail_ - head_ == mask_) {
      grow();
    }
    ring_[tail_ & mask_] = event;
    ring_[++tail_ & mask_].time = never;
  }

private:
  void grow()
  {
    std::vector<Event> larger(ring_.size() == 1 ? 64 : 2 * ring_.size());
    std::size_t count = 0;
    while (!empty()) {
      larger[count++] = pop();
    }
    ring_ = std::move(larger);
    mask_ = ring_.size() - 1;
    head_ = 0;
    tail_ = count;
  }

  static Event after_all()
  {
    Event event{};
    event.time = never;
    return event;
  }

  std::vector<Event> ring_{after_all()}; // the entry after the last has time `never`
  std::size_t mask_ = 0;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
};

/// Events at arbitrary times that are never before the last time popped: a radix heap (Ahuja, Mehlhorn, Orlin & Tarjan,
/// J. ACM 37(2), 1990). It stores the earliest time of each bucket, so that next_time() moves nothing. Events of equal
/// time are popped in the order in which they were pushed.
///
/// | operation | cost                                                           |
/// |-----------|----------------------------------------------------------------|
/// | push      | O(1)                                                           |
/// | next_time | O(1)                                                           |
/// | pop_all   | O(log(time that an event is pushed ahead)), amortized per event |
template <typename Event> class EventQueue {
public:
  bool empty() const { return occupied_ == 0; }

  std::int64_t next_time() const
  {
    return occupied_ == 0 ? never : earliest_[static_cast<std::size_t>(std::countr_zero(occupied_))];
  }

  /// `event.time` must be neither negative nor before the last time popped.
  void push(const Event& event)
  {
    const std::size_t bucket = bucket_of(event.time);
    if ((occupied_ >> bucket & 1) == 0) {
      occupied_ |= std::uint64_t{1} << bucket;
      earliest_[bucket] = event.time;
    } else if (event.time < earliest_[bucket]) {
      earliest_[bucket] = event.time;
    }
    buckets_[bucket].push_back(event);
  }

  /// Pops all events at `now` == next_time() and calls visit(event) for each, including those that it pushes at `now`.
  template <typename Visit> void pop_all(std::int64_t now, Visit&& visit)
  {
    const auto first = static_cast<std::size_t>(std::countr_zero(occupied_));
    if (first != 0) {
      spread(first, now);
    }
    for (std::size_t i = 0; i < buckets_[0].size(); ++i) {
      visit(Event(buckets_[0][i]));
    }
    buckets_[0].clear();
    occupied_ &= ~std::uint64_t{1};
  }

private:
  // Bucket 0 holds the events at last_, bucket b > 0 those with times that differ from it in bit b - 1 and in no higher
  // one.
  std::size_t bucket_of(std::int64_t time) const
  {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(time ^ last_)));
  }

  void spread(std::size_t bucket, std::int64_t now)
  {
    last_ = now;
    occupied_ &= ~(std::uint64_t{1} << bucket);
    moving_.swap(buckets_[bucket]);
    for (const Event& event : moving_) {
      push(event);
    }
    moving_.clear();
    moving_.swap(buckets_[bucket]);
  }

  std::array<std::vector<Event>, 64> buckets_; // times have 63 bits
  std::array<std::int64_t, 64> earliest_{};    // by occupied bucket
  std::uint64_t occupied_ = 0;                 // bit b: bucket b is not empty
  std::int64_t last_ = 0;                      // the last time popped
  std::vector<Event> moving_;
};

/// Events most of which are due in the order in which they are added: these are in an EventLane, the others in an
/// EventQueue. Events of equal time are popped in no particular order. Costs as of these two.
template <typename Event> class MostlyOrderedQueue {
public:
  std::int64_t next_time() const { return std::min(lane_.next_time(), others_.next_time()); }

  /// `event.time` must be neither negative nor before the last time popped.
  void push(const Event& event)
  {
    if (lane_.accepts(event.time)) {
      lane_.push(event);
    } else {
      others_.push(event);
    }
  }

  /// Pops all events at `now` == next_time() and calls visit(event) for each.
  template <typename Visit> void pop_all(std::int64_t now, Visit&& visit)
  {
    while (lane_.next_time() == now) {
      visit(lane_.pop());
    }
    if (others_.next_time() == now) {
      others_.pop_all(now, visit);
    }
  }

private:
  EventLane<Event> lane_;
  EventQueue<Event> others_;
};

} // namespace wormcast
