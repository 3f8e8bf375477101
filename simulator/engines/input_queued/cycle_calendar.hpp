#pragma once

#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/model/message_source.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace wormcast {

/// The arrival of a flit in an input buffer.
struct FlitArrival {
  static constexpr std::uint32_t no_worm = 0xffffffff;

  std::uint32_t input = 0;
  std::uint32_t worm = no_worm; ///< the worm of a head flit
};

/// A message with a tail that is ejected.
struct EndedWorm {
  Delivery delivery;
  std::uint32_t worm = 0;
};

/// Events of one kind: a list that does not free its memory when it is cleared.
template <typename Event> class EventList {
public:
  [[gnu::always_inline]] void push_back(const Event& event)
  {
    if (end_ == limit_) {
      grow(1);
    }
    *end_++ = event;
  }
  /// Makes room for so many calls of push_reserved().
  void reserve(std::size_t more)
  {
    if (static_cast<std::size_t>(limit_ - end_) < more) {
      grow(more);
    }
  }
  /// push_back() where reserve() has made room.
  [[gnu::always_inline]] void push_reserved(const Event& event) { *end_++ = event; }
  void clear() { end_ = events_.data(); }
  bool empty() const { return end_ == events_.data(); }
  const Event* begin() const { return events_.data(); }
  const Event* end() const { return end_; }

private:
  [[gnu::noinline]] void grow(std::size_t more)
  {
    const auto size = static_cast<std::size_t>(end_ - events_.data());
    events_.grow(size + more);
    end_ = events_.data() + size;
    limit_ = events_.data() + events_.size();
  }

  GrowingArray<Event> events_;
  Event* end_ = nullptr;
  Event* limit_ = nullptr; // of the memory
};

/// The events of nodes and routers in one cycle.
struct CycleEvents {
  EventList<FlitArrival> arrivals;
  EventList<std::uint32_t> credits;        ///< outputs
  EventList<std::uint32_t> source_credits; ///< node * V + virtual channel, by the node's place in its band
  EventList<std::uint32_t> routed;         ///< inputs with a head that leaves the routing unit
  EventList<EndedWorm> ended;
  EventList<MessageId> sent; ///< messages that release their source's port

  bool empty() const
  {
    return arrivals.empty() && credits.empty() && source_credits.empty() && routed.empty() && ended.empty() &&
           sent.empty();
  }
  void clear()
  {
    arrivals.clear();
    credits.clear();
    source_credits.clear();
    routed.clear();
    ended.clear();
    sent.clear();
  }
};

/// The events of the next cycles, in a ring of lists. Adding one costs O(1), finding the next cycle with any O(the
/// cycles between). Memory: the events, and 144 bytes for each cycle of the ring.
class CycleCalendar {
public:
  using Cycle = std::int64_t;

  /// Makes a calendar for events at most `furthest` cycles ahead.
  explicit CycleCalendar(std::uint64_t furthest) : cycles_(std::bit_ceil(furthest + 1)), mask_(cycles_.size() - 1) {}

  /// Returns the list to which events of `cycle` are added, which is not before the cycle executed last.
  CycleEvents& at(Cycle cycle) { return cycles_[static_cast<std::size_t>(cycle) & mask_]; }
  /// Returns the events of `cycle`, to be executed and cleared.
  CycleEvents& due(Cycle cycle) { return cycles_[static_cast<std::size_t>(cycle) & mask_]; }

  /// Returns the first cycle with events after `cycle`, the cycle executed last; `never`: there is none.
  Cycle next_after(Cycle cycle) const
  {
    for (Cycle next = cycle + 1; next <= cycle + static_cast<Cycle>(mask_); ++next) {
      if (!cycles_[static_cast<std::size_t>(next) & mask_].empty()) {
        return next;
      }
    }
    return never;
  }

private:
  std::vector<CycleEvents> cycles_; // modulo its size
  std::size_t mask_;
};

/// The calendars of all bands of routers: for each two of them one of the events that the first makes for the second.
/// As all events are later than the cycle in which they are made, one thread can make some in a cycle while another
/// executes those that are due in it.
class BandCalendars {
public:
  using Cycle = CycleCalendar::Cycle;

  BandCalendars(std::uint32_t bands, std::uint64_t furthest) : bands_(bands)
  {
    calendars_.reserve(std::size_t{bands} * bands);
    while (calendars_.size() < std::size_t{bands} * bands) {
      calendars_.emplace_back(furthest);
    }
  }

  CycleCalendar& between(std::uint32_t from, std::uint32_t to) { return calendars_[std::size_t{to} * bands_ + from]; }

  /// Calls visit(events) for the events of `cycle` of a band, by the band that made them.
  template <typename Visit> void for_each_due(std::uint32_t to, Cycle cycle, Visit&& visit)
  {
    for (std::uint32_t from = 0; from < bands_; ++from) {
      visit(between(from, to).due(cycle));
    }
  }

  /// As CycleCalendar::next_after(), of all.
  Cycle next_after(Cycle cycle) const
  {
    Cycle next = never;
    for (const CycleCalendar& calendar : calendars_) {
      next = std::min(next, calendar.next_after(cycle));
    }
    return next;
  }

private:
  std::uint32_t bands_;
  std::vector<CycleCalendar> calendars_; // by the band that executes the events, then by the one that makes them
};

} // namespace wormcast
