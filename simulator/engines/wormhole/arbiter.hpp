#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/engines/contention_log.hpp"
#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/records.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// Who holds which channel, and who waits for it: the one place where contention is decided (docs/network-model.md,
/// rule 3). First come first served; the engines ask in the order (time, rank of the message).
///
/// A *resource* is what a header requests: the virtual channels of one class of an external channel, or the ports of a
/// node (one-port and k-port: injection or ejection of a node, both in one with half duplex; all-port: the internal
/// channels of one external channel). A *unit* is what it gets: a virtual channel, or one of k ports.
///
/// | operation        | cost                       |
/// |------------------|----------------------------|
/// | allocate, wait, release | O(units of the resource) = O(1) |
/// | grant_waiting    | O(grants)                  |
/// | memory           | 32 bytes a unit, 32 bytes a worm |
class Arbiter {
public:
  using ResourceIndex = std::uint32_t;
  using Unit = std::uint32_t;
  /// An engine's index of a message under way; with `at_source` added that of one that has not yet got its port. The
  /// two are counted apart, so that the worms in the network lie close together in memory however many wait at_source.
  using Worm = std::uint32_t;
  static constexpr Worm at_source = Worm{1} << 31;

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  /// Free time of a unit whose release is not known yet.
  static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

  /// With `contention_free` an external channel is free for all at any time, and nobody is said to hold it.
  Arbiter(const Topology& topology, const NetworkParameters& network, const RecordSinks& sinks,
          bool contention_free = false);

  /// The virtual channels of one class (Topology::virtual_channel_classes) of an external channel.
  ResourceIndex external(ChannelId channel, std::uint32_t virtual_channel_class) const
  {
    return index(channel) * classes_ + virtual_channel_class;
  }
  /// The port through which `sender` starts a message whose first external channel is `first`.
  ResourceIndex injection(NodeId sender, ChannelId first) const;
  /// The port through which `receiver` takes a message whose last external channel is `last`.
  ResourceIndex ejection(NodeId receiver, ChannelId last) const;
  bool is_port(ResourceIndex resource) const { return resource >= port_resources_begin_; }
  std::uint32_t unit_count() const { return static_cast<std::uint32_t>(units_.size()); }

  /// A unit of `resource` for who requests it at `now` (picoseconds); `none` where others wait or no unit is free.
  Unit allocate(ResourceIndex resource, MessageStep requester, std::int64_t now)
  {
    if (plain_) {
      return pass(resource, requester, now, unknown) ? resource : none;
    }
    if (contention_free_ && !is_port(resource)) {
      return first_unit(resource);
    }
    if (has_waiting(resource)) {
      return none;
    }
    const Unit unit = free_unit(resource, now);
    if (unit != none) {
      assign(unit, requester, now);
    }
    return unit;
  }
  /// Whether each resource is one unit, whose number it has, and nobody wants to know who holds which.
  bool is_plain() const { return plain_; }
  /// Of plain channels, for a header that goes straight on: allocate() and release() of `unit` at `free_at` in one.
  /// False: it is not free.
  bool pass(Unit unit, MessageStep requester, std::int64_t now, std::int64_t free_at)
  {
    UnitState& state = units_[unit];
    if (state.head != none || state.free_at > now) {
      return false;
    }
    state.free_at = free_at;
    state.granted_at = now;
    state.holder = requester;
    return true;
  }
  /// The header that has passed a unit stops behind it after all: it keeps it, until a release to come.
  void hold(Unit unit) { units_[unit].free_at = unknown; }
  /// Who was not given a unit stands in the resource's queue, and grant_waiting will hand one over.
  void enqueue(ResourceIndex resource, Worm worm, MessageStep requester, std::int64_t now);

  /// Brings what allocate() reads near, for a header that will ask soon.
  void prefetch(ResourceIndex resource) const { __builtin_prefetch(&queue_of(resource)); }

  /// Brings near what grant_waiting() reads of the resource.
  void prefetch_waiting(ResourceIndex resource) const
  {
    const Worm first = queue_of(resource).head;
    if (first != none) {
      __builtin_prefetch(&wait_of(first));
    }
  }

  /// The unit becomes free at `time`, which may lie ahead. Records the occupancy.
  void release(Unit unit, std::int64_t time)
  {
    if (plain_) {
      units_[unit].free_at = time;
      return;
    }
    if (contention_free_ && unit < port_units_begin_) {
      return;
    }
    units_[unit].free_at = time;
    if (records_occupancy_) {
      record_occupancy(unit, time);
    }
    if (virtual_channels_ > 1) {
      end_sharing(unit);
    }
  }

  /// A flit of the message that holds `unit` was ready at `from`, but could start at `to` only: first because `other`
  /// was on the physical channel. Becomes part of the message's record of this channel.
  void note_shared_time(Unit unit, MessageStep other, std::int64_t from, std::int64_t to);

  MessageStep holder(Unit unit) const { return units_[unit].holder; }

  bool has_waiting(ResourceIndex resource) const { return first_waiting(resource) != none; }
  /// The worm that has waited longest for the resource; `none` where nobody waits.
  Worm first_waiting(ResourceIndex resource) const { return queue_of(resource).head; }
  ResourceIndex resource_of(Unit unit) const
  {
    if (single_units_) {
      return unit;
    }
    if (unit >= port_units_begin_) {
      return port_resources_begin_ + (unit - port_units_begin_) / ports_;
    }
    return virtual_channels_ <= 1 ? unit : unit / virtual_channels_ * classes_ + class_of_[unit % virtual_channels_];
  }
  /// Slots of external channels come first: V of each channel, then those of the ports.
  std::uint32_t external_unit_count() const { return port_units_begin_; }
  /// Earliest time at which a unit of `resource` is known to become free; `unknown` if none is.
  std::int64_t next_free(ResourceIndex resource) const
  {
    return single_units_ ? units_[resource].free_at : earliest_free(resource);
  }

  /// Hands the resource's units that are free at `now` to the worms that wait for it, in their order, and calls
  /// granted(worm, unit) for each.
  template <typename Granted> void grant_waiting(ResourceIndex resource, std::int64_t now, Granted&& granted)
  {
    while (has_waiting(resource)) {
      const Unit unit = free_unit(resource, now);
      if (unit == none) {
        return;
      }
      const Worm worm = dequeue(resource, now);
      assign(unit, wait_of(worm).waiting, now);
      granted(worm, unit);
    }
  }

  /// To be called when all events of an instant are done: hands out the instant's contention records, by waiting
  /// message.
  void flush_records() { log_.flush(); }

  const ContentionTotals& totals() const { return log_.totals(); }

  /// Since when two worms have held virtual channels of one external channel at the same time; none: never.
  std::optional<Time> first_shared() const { return first_shared_; }

  /// Since when nothing moves, and a cyclic wait, found from any message that waits. Also makes the
  /// records of all waits that never ended and of all channels that were never given back: they last until then.
  StoppedNetwork explain_deadlock(std::int64_t last_delivery);

private:
  static constexpr MessageStep nobody = {};

  struct UnitState {
    std::int64_t free_at = 0;
    std::int64_t granted_at = 0;
    MessageStep holder = nobody;
    Worm head = none; ///< of a resource's first unit: the worm that has waited longest for the resource
    Worm tail = none; ///< the one that has come last
  };
  /// What the holder of a unit has lost to others on the physical channel.
  struct SharedTime {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t wait = 0; ///< 0: nothing
    MessageStep other = nobody;
  };
  struct Wait {
    std::int64_t since = 0;
    MessageStep waiting = nobody;
    MessageStep holder = nobody;
    ResourceIndex resource = none;
    Worm next = none;
  };

  UnitState& queue_of(ResourceIndex resource) { return units_[first_unit(resource)]; }
  const UnitState& queue_of(ResourceIndex resource) const { return units_[first_unit(resource)]; }

  Unit first_unit(ResourceIndex resource) const
  {
    if (single_units_) {
      return resource;
    }
    if (resource >= port_resources_begin_) {
      return port_units_begin_ + (resource - port_resources_begin_) * ports_;
    }
    return virtual_channels_ == 1 ? resource
                                  : resource / classes_ * virtual_channels_ + class_begin_[resource % classes_];
  }
  std::uint32_t units_in(ResourceIndex resource) const
  {
    if (single_units_) {
      return 1;
    }
    if (resource >= port_resources_begin_) {
      return ports_;
    }
    const std::uint32_t k = resource % classes_;
    return virtual_channels_ == 1 ? 1 : class_begin_[k + 1] - class_begin_[k];
  }

  Unit free_unit(ResourceIndex resource, std::int64_t now) const
  {
    if (single_units_) {
      return units_[resource].free_at <= now ? resource : none;
    }
    const Unit first = first_unit(resource);
    const std::uint32_t count = units_in(resource);
    for (Unit unit = first; unit != first + count; ++unit) {
      if (units_[unit].free_at <= now) {
        return unit;
      }
    }
    return none;
  }

  void assign(Unit unit, MessageStep requester, std::int64_t now)
  {
    if (virtual_channels_ > 1 && unit < port_units_begin_) {
      note_sharing(unit, now);
    }
    UnitState& state = units_[unit];
    state.free_at = unknown;
    state.granted_at = now;
    state.holder = requester;
  }

  Wait& wait_of(Worm worm) { return (worm & at_source) != 0 ? source_waits_[worm - at_source] : waits_[worm]; }
  const Wait& wait_of(Worm worm) const
  {
    return (worm & at_source) != 0 ? source_waits_[worm - at_source] : waits_[worm];
  }

  std::int64_t earliest_free(ResourceIndex resource) const;
  void note_sharing(Unit unit, std::int64_t now);
  void end_sharing(Unit unit);
  Worm dequeue(ResourceIndex resource, std::int64_t now);
  MessageStep first_holder(ResourceIndex resource) const;
  ContentionKind kind_of(const Wait& wait) const;
  ContentionRecord make_record(const Wait& wait, std::int64_t to) const;
  void record_occupancy(Unit unit, std::int64_t to) const;
  Resource description(ResourceIndex resource) const;

  const Topology& topology_;
  const RecordSinks& sinks_;
  std::uint32_t virtual_channels_;
  std::uint32_t classes_;                  ///< of virtual channels
  std::vector<std::uint32_t> class_begin_; ///< by class its first virtual channel; then V
  std::vector<std::uint32_t> class_of_;    ///< by virtual channel
  bool all_ports_;
  bool half_duplex_;
  bool records_occupancy_;
  bool contention_free_;
  std::uint32_t ports_; ///< units of a port resource
  ResourceIndex port_resources_begin_;
  Unit port_units_begin_;
  bool single_units_; ///< one virtual channel, one port: a resource's number is that of its unit
  bool plain_;        ///< is_plain()
  std::optional<Time> first_shared_;
  std::vector<ChannelId> reverse_; ///< all ports, half duplex: the opposite channel of each, or itself if there is none
  std::vector<UnitState> units_;
  std::vector<SharedTime> shared_; ///< by external unit; empty with one virtual channel
  std::vector<Wait> waits_;        ///< by worm
  std::vector<Wait> source_waits_; ///< by worm that has not got its port
  ContentionLog log_;
};

} // namespace wormcast
