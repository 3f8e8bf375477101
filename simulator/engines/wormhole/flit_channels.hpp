#pragma once

#include "wormcast/simulator/engines/wormhole/arbiter.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace wormcast {

/// The passage of a worm over a unit (a virtual channel or a port) that it holds: all that moving a flit needs, in one
/// cache line. Near saturation the worms in flight take more memory than the processor's caches have, so that the time
/// of a hop is the number of lines that it reads.
struct alignas(64) FlitPassage {
  std::uint64_t waiting = 0;            ///< flits that have reached the unit and have not started
  std::uint64_t room = 0;               ///< free slots of the buffer after it
  std::uint64_t left = 0;               ///< flits that have not started
  std::uint64_t ahead = 0;              ///< flits in the buffer after it, until the worm is granted its next unit
  std::int64_t ready_since = -1;        ///< a flit is ready, but others are on the physical channel; -1: none
  MessageStep other = {};               ///< the first message with a flit in its way
  Arbiter::Worm worm = Arbiter::none;   ///< the last holder
  Arbiter::Unit before = Arbiter::none; ///< the worm's unit before this one; none: this is the port of its source
  Arbiter::Unit after = Arbiter::none;  ///< the worm's unit after this one; none: it is not granted yet
  bool header_gone = false;
  bool last = false; ///< the port of the destination
};
static_assert(sizeof(FlitPassage) == 64);

/// The units and physical channels of engine `flit`. Each physical channel has a mask of the virtual channels with a
/// flit that can start: it is kept while flits move, so that an idle channel finds the next one without looking at the
/// worms.
class FlitChannels {
public:
  using Unit = Arbiter::Unit;

  FlitChannels(Arbiter& arbiter, std::uint32_t virtual_channels)
      : arbiter_(arbiter), virtual_channels_(virtual_channels), external_units_(arbiter.external_unit_count()),
        passages_(arbiter.unit_count()), first_port_(external_units_ / virtual_channels),
        physical_(arbiter.unit_count() - external_units_ + first_port_)
  {}

  /// Returns the passage over a unit that is held; of others, the last one.
  const FlitPassage& operator[](Unit unit) const { return passages_[unit]; }
  /// Fetches the passage from memory.
  void prefetch(Unit unit) const { __builtin_prefetch(&passages_[unit]); }

  /// `worm` with `flits` flits is granted `unit`, behind which `buffer` flits fit.
  void grant(Unit unit, Arbiter::Worm worm, Unit before, std::uint64_t flits, std::uint64_t buffer, bool last)
  {
    FlitPassage& passage = passages_[unit];
    passage.waiting = 0;
    passage.room = last ? std::numeric_limits<std::uint64_t>::max() : buffer;
    passage.left = flits;
    passage.ahead = 0;
    passage.worm = worm;
    passage.before = before;
    passage.after = Arbiter::none;
    passage.header_gone = false;
    passage.last = last;
    if (before != Arbiter::none) {
      passages_[before].after = unit;
      add_waiting(unit, passages_[before].ahead);
    }
  }

  /// `flits` flits reach the unit.
  void add_waiting(Unit unit, std::uint64_t flits)
  {
    passages_[unit].waiting += flits;
    note_readiness(unit);
  }

  /// A flit reaches the end of the unit. Returns true if it is the header.
  bool arrive(Unit unit)
  {
    FlitPassage& passage = passages_[unit];
    if (passage.after == Arbiter::none) {
      return passage.ahead++ == 0;
    }
    add_waiting(passage.after, 1);
    if (passages_[passage.after].header_gone) {
      touch(passage.after);
    }
    return false;
  }

  /// Returns whether a flit is on the unit's physical channel.
  bool is_busy(Unit unit) const { return physical_[physical_of(unit)].busy; }

  /// A flit of the unit's holder is on the physical channel from `now` to `end`: it leaves the buffer before the unit,
  /// and has a slot in the one after it. Returns true if it is the header.
  bool start(Unit unit, std::int64_t now, std::int64_t end)
  {
    FlitPassage& passage = passages_[unit];
    const bool header = !std::exchange(passage.header_gone, true);
    --passage.waiting;
    --passage.room;
    --passage.left;
    const std::uint32_t channel = physical_of(unit);
    Physical& physical = physical_[channel];
    physical.busy = true;
    physical.idle_from = end;
    const std::uint32_t vc = virtual_channel(unit, channel);
    set_ready(physical, vc, passage);
    if (unit < external_units_) {
      end_sharing(unit, passage, now);
      physical.last_served = static_cast<std::uint8_t>(vc);
    }
    return header;
  }

  /// The flit that has left the buffer before the unit leaves a free slot there.
  void free_slot_before(Unit unit)
  {
    const Unit before = passages_[unit].before;
    if (before == Arbiter::none) {
      return;
    }
    FlitPassage& passage = passages_[before];
    ++passage.room;
    note_readiness(before);
    if (passage.left != 0) {
      touch(before);
    }
  }

  /// The physical channel has carried a flit of the unit.
  void finish(Unit unit)
  {
    physical_[physical_of(unit)].busy = false;
    touch(unit);
  }

  /// A flit of the unit may be able to start, or may have to wait for others: move() will see.
  void touch(Unit unit)
  {
    const std::uint32_t channel = physical_of(unit);
    if (!physical_[channel].touched) {
      physical_[channel].touched = true;
      touched_.push_back(channel);
    }
    if (virtual_channels_ > 1 && unit < external_units_) {
      touched_units_.push_back(unit);
    }
  }

  /// Calls start(unit) for the next unit with a ready flit of each idle physical channel that was touched, also of
  /// those that are touched meanwhile. Then the flits that have to wait for others are noted.
  template <typename Start> void move(std::int64_t now, Start&& start)
  {
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      const std::uint32_t channel = touched_[i];
      Physical& physical = physical_[channel];
      physical.touched = false;
      if (!physical.busy && physical.ready != 0) {
        start(next_unit(channel, physical));
      }
    }
    touched_.clear();
    for (const Unit unit : touched_units_) {
      note_ready_flit(unit, now);
    }
    touched_units_.clear();
  }

private:
  static constexpr MessageStep nobody = {};

  // A channel on which one flit at a time moves.
  struct Physical {
    std::uint64_t ready = 0;    // bits of the virtual channels with a flit that can start
    std::int64_t idle_from = 0; // end of the last flit
    bool busy = false;
    bool touched = false;         // is in touched_
    std::uint8_t last_served = 0; // virtual channel served last
  };

  // External channels, then one for each port unit.
  std::uint32_t physical_of(Unit unit) const
  {
    return unit < external_units_ ? unit / virtual_channels_ : unit - external_units_ + first_port_;
  }
  std::uint32_t virtual_channel(Unit unit, std::uint32_t channel) const
  {
    return unit < external_units_ ? unit - channel * virtual_channels_ : 0;
  }

  static void set_ready(Physical& physical, std::uint32_t vc, const FlitPassage& passage)
  {
    const bool ready = passage.waiting != 0 && passage.room != 0;
    physical.ready = (physical.ready & ~(std::uint64_t{1} << vc)) | std::uint64_t{ready} << vc;
  }
  void note_readiness(Unit unit)
  {
    const std::uint32_t channel = physical_of(unit);
    set_ready(physical_[channel], virtual_channel(unit, channel), passages_[unit]);
  }

  // The first one after the one served last, in cyclic order.
  Unit next_unit(std::uint32_t channel, const Physical& physical) const
  {
    if (channel >= first_port_) {
      return external_units_ + channel - first_port_;
    }
    const std::uint64_t later = physical.ready & ~std::uint64_t{1} << physical.last_served;
    const int vc = std::countr_zero(later != 0 ? later : physical.ready);
    return channel * virtual_channels_ + static_cast<std::uint32_t>(vc);
  }

  // A flit may have become ready while another one is on the physical channel: stores the time and the message of the
  // other.
  void note_ready_flit(Unit unit, std::int64_t now)
  {
    const std::uint32_t channel = physical_of(unit);
    const Physical& physical = physical_[channel];
    const std::uint32_t vc = virtual_channel(unit, channel);
    if (!physical.busy || (physical.ready >> vc & 1U) == 0) {
      return;
    }
    FlitPassage& passage = passages_[unit];
    const bool serves_other = vc != physical.last_served;
    if (passage.ready_since < 0) {
      // It does not wait for others while the flit before it is on the channel.
      passage.ready_since = serves_other ? now : physical.idle_from;
    }
    if (serves_other && passage.other.message == nobody.message) {
      passage.other = arbiter_.holder(channel * virtual_channels_ + physical.last_served);
    }
  }

  // A flit starts: its wait is attributed to the others.
  void end_sharing(Unit unit, FlitPassage& passage, std::int64_t now)
  {
    if (passage.ready_since >= 0) {
      if (passage.ready_since < now) {
        arbiter_.note_shared_time(unit, passage.other, passage.ready_since, now);
      }
      passage.ready_since = -1;
      passage.other = nobody;
    }
  }

  Arbiter& arbiter_;
  std::uint32_t virtual_channels_;
  std::uint32_t external_units_;
  std::vector<FlitPassage> passages_; // by unit
  std::uint32_t first_port_;          // the first physical channel that is a port
  std::vector<Physical> physical_;
  std::vector<std::uint32_t> touched_; // physical channels that may be able to start a flit
  std::vector<Unit> touched_units_;    // units of shared channels with a next flit that may have become ready
};

} // namespace wormcast
