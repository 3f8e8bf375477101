#pragma once

#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/model/message_source.hpp"

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

/// Events of one kind: a list that does not free its memory when it is cleared.
template <typename Event> class EventList {
public:
  void push_back(const Event& event)
  {
    events_.grow(size_ + 1);
    events_[size_++] = event;
  }
  void clear() { size_ = 0; }
  bool empty() const { return size_ == 0; }
  const Event* begin() const { return events_.data(); }
  const Event* end() const { return events_.data() + size_; }

private:
  GrowingArray<Event> events_;
  std::size_t size_ = 0;
};

/// The events of nodes and routers in one cycle.
struct CycleEvents {
  EventList<FlitArrival> arrivals;
  EventList<std::uint32_t> credits;        ///< outputs
  EventList<std::uint32_t> source_credits; ///< node * V + virtual channel
  EventList<std::uint32_t> routed;         ///< inputs with a head that leaves the routing unit
  EventList<std::uint32_t> ended;          ///< worms with a tail that is ejected
  EventList<MessageId> sent;               ///< messages that release their source's port

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

} // namespace wormcast
