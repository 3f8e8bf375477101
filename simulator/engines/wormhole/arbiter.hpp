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

/// The holders of all channels and the worms that wait for them: contention is decided here alone
/// (docs/network-model.md, rule 3). Requests are served first come, first served; engines make them in the order (time,
/// rank of the message).
///
/// A header requests a *resource*: the virtual channels of one class of an external channel, or the ports of a node
/// (one-port and k-port: injection or ejection of a node, both in one with half duplex; k ports to which messages are
/// bound: those of each port of a node; all-port: the internal channels of one external channel). It is granted a
/// *unit* of it: a virtual channel, or one of k ports.
///
/// | operation                  | cost                             |
/// |----------------------------|----------------------------------|
/// | allocate, enqueue, release | O(units of the resource) = O(1)  |
/// | grant_waiting              | O(grants)                        |
/// | memory                     | 32 bytes a unit, 32 bytes a worm |
class Arbiter {
public:
  using ResourceIndex = std::uint32_t;
  using Unit = std::uint32_t;
  /// An engine's index of a message in flight; with `at_source` added the index of a message that waits for its port at
  /// the source. The two are counted apart, so that the worms in the network lie close together in memory however many
  /// wait at their sources.
  using Worm = std::uint32_t;
  static constexpr Worm at_source = Worm{1} << 31;

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  /// Free time of a unit while its release is unknown.
  static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

  /// With `contention_free` every external channel is always free and has no holder. Needs prepare() before units are
  /// used.
  Arbiter(const Topology& topology, const NetworkParameters& network, const RecordSinks& sinks,
          bool contention_free = false);

  /// Makes the units, at its first call: messages that meet no other need none of them.
  void prepare()
  {
    if (units_.empty()) {
      make_units();
    }
  }

  /// Returns the resource of the virtual channels of one class (Topology::virtual_channel_classes) of an external
  /// channel.
  ResourceIndex external(ChannelId channel, std::uint32_t virtual_channel_class) const
  {
    return index(channel) * classes_ + virtual_channel_class;
  }
  /// Returns the port through which `sender` starts a message with first external channel `first` that is bound to
  /// `port` (0 with PortChoice::first_free).
  ResourceIndex injection(NodeId sender, ChannelId first, std::uint32_t port = 0) const;
  /// Returns the port through which `receiver` takes in a message with last external channel `last`, bound to `port`.
  ResourceIndex ejection(NodeId receiver, ChannelId last, std::uint32_t port = 0) const;
  bool is_port(ResourceIndex resource) const { return resource >= port_resources_begin_; }
  std::uint32_t port_resource_count() const { return port_resources_; }
  /// Returns the number of a port's resource among those of ports.
  std::uint32_t port_number(ResourceIndex resource) const { return resource - port_resources_begin_; }
  std::uint32_t unit_count() const { return unit_count_; }

  /// Allocates a unit of `resource` to `requester` at `now` (picoseconds); returns `none` if others wait or no unit is
  /// free.
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
  /// Returns whether each resource is one unit of the same number, and occupancy is not recorded.
  bool is_plain() const { return plain_; }
  /// For plain channels and a header that goes straight on: allocate(), and release() of `unit` at `free_at`, in one
  /// call. Returns false if the unit is not free.
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
  /// The header that has passed a unit stops after it: it holds the unit until a later release.
  void hold(Unit unit) { units_[unit].free_at = unknown; }
  /// Adds a worm that was not allocated a unit to the resource's queue; grant_waiting() will grant it one.
  void enqueue(ResourceIndex resource, Worm worm, MessageStep requester, std::int64_t now);

  /// Prefetches the data of allocate(), for a header that will request the resource soon.
  void prefetch(ResourceIndex resource) const { __builtin_prefetch(&queue_of(resource)); }

  /// Prefetches the data of release().
  void prefetch_unit(Unit unit) const { __builtin_prefetch(&units_[unit]); }

  /// Prefetches the data of grant_waiting() for the resource.
  void prefetch_waiting(ResourceIndex resource) const
  {
    const Worm first = queue_of(resource).head;
    if (first != none) {
      __builtin_prefetch(&wait_of(first));
    }
  }

  /// Releases the unit at `time`, which may lie ahead, and records the occupancy.
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
    if (virtual_channels_ > 1 && unit < port_units_begin_ && has_shared_[unit]) {
      end_sharing(unit);
    }
  }

  /// Adds the delay of a flit of the message that holds `unit`, which was ready at `from` and started at `to`, because
  /// `other` was on the physical channel first. It becomes part of the message's record of this channel.
  void note_shared_time(Unit unit, MessageStep other, std::int64_t from, std::int64_t to);

  MessageStep holder(Unit unit) const { return units_[unit].holder; }

  /// Returns the external channel of a resource, of a unit; neither may be a port.
  ChannelId channel_of(ResourceIndex resource) const { return ChannelId{resource / classes_}; }
  ChannelId channel_of_unit(Unit unit) const { return ChannelId{unit / virtual_channels_}; }

  /// Returns the number of messages that hold a virtual channel of an external channel at `now`, or wait for one.
  std::uint32_t message_count(ChannelId channel, std::int64_t now) const;

  bool has_waiting(ResourceIndex resource) const { return first_waiting(resource) != none; }
  /// Returns the worm that has waited longest for the resource; `none` if no worm waits.
  Worm first_waiting(ResourceIndex resource) const { return queue_of(resource).head; }
  ResourceIndex resource_of(Unit unit) const
  {
    if (single_units_) {
      return unit;
    }
    if (unit >= port_units_begin_) {
      return port_resources_begin_ + (unit - port_units_begin_) / ports_;
    }
    const std::uint32_t channel = unit / virtual_channels_;
    return classes_ == 1 ? channel : channel * classes_ + class_of_[unit - channel * virtual_channels_];
  }
  /// Returns the first unit of a resource, whose units have consecutive numbers.
  Unit first_unit(ResourceIndex resource) const
  {
    if (single_units_) {
      return resource;
    }
    if (resource >= port_resources_begin_) {
      return port_units_begin_ + (resource - port_resources_begin_) * ports_;
    }
    return classes_ == 1 ? resource * virtual_channels_
                         : resource / classes_ * virtual_channels_ + class_begin_[resource % classes_];
  }
  /// Returns the number of units of external channels, which come before those of the ports: V of each channel.
  std::uint32_t external_unit_count() const { return port_units_begin_; }
  /// Returns the earliest time at which a unit of `resource` is known to become free; `unknown` if none is.
  std::int64_t next_free(ResourceIndex resource) const
  {
    return single_units_ ? units_[resource].free_at : earliest_free(resource);
  }

  /// Grants the resource's units that are free at `now` to the worms that wait for it, in their order, and calls
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

  /// Must be called when all events of a time step are done: passes the contention records of the step on, by waiting
  /// message.
  void flush_records() { log_.flush(); }

  const ContentionTotals& totals() const { return log_.totals(); }

  /// Returns the first time at which two worms held virtual channels of one external channel; none: never.
  std::optional<Time> first_shared() const { return first_shared_; }

  /// Returns the time of the last move and a cyclic wait, found from any message that waits. It also makes the records
  /// of all waits that never ended and of all channels that were never released, which end at that time.
  StoppedNetwork explain_deadlock(std::int64_t last_delivery);

private:
  static constexpr MessageStep nobody = {};

  struct UnitState {
    std::int64_t free_at = 0;
    std::int64_t granted_at = 0;
    MessageStep holder = nobody;
    Worm head = none; ///< in a resource's first unit: the worm that has waited longest for the resource
    Worm tail = none; ///< the worm that has waited shortest
  };
  /// The time that the holder of a unit has lost to others on the physical channel.
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

  std::uint32_t units_in(ResourceIndex resource) const
  {
    if (single_units_) {
      return 1;
    }
    if (resource >= port_resources_begin_) {
      return ports_;
    }
    if (classes_ == 1) {
      return virtual_channels_;
    }
    const std::uint32_t k = resource % classes_;
    return class_begin_[k + 1] - class_begin_[k];
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
    if (virtual_channels_ > 1 && unit < port_units_begin_ && !first_shared_) {
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

  void make_units();
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
  std::uint32_t classes_;                  ///< classes of virtual channels
  std::vector<std::uint32_t> class_begin_; ///< by class: its first virtual channel; then V
  std::vector<std::uint32_t> class_of_;    ///< by virtual channel: its class
  bool all_ports_;
  bool half_duplex_;
  bool records_occupancy_;
  bool contention_free_;
  std::uint32_t bound_; ///< port resources of a node in one direction
  std::uint32_t ports_; ///< units of each of them
  ResourceIndex port_resources_begin_;
  std::uint32_t port_resources_;
  Unit port_units_begin_;
  std::uint32_t unit_count_;
  bool single_units_; ///< one virtual channel, one port: a resource and its unit have the same number
  bool plain_;        ///< is_plain()
  std::optional<Time> first_shared_;
  std::vector<ChannelId>
      reverse_; ///< all ports, half duplex: the opposite of each channel, or the channel itself if it has none
  std::vector<UnitState> units_;   ///< empty before prepare()
  std::vector<SharedTime> shared_; ///< by external unit; empty with one virtual channel
  std::vector<bool> has_shared_;   ///< the same: whether shared_ has something; read in its place at each release
  std::vector<Wait> waits_;        ///< by worm
  std::vector<Wait> source_waits_; ///< by worm that waits for its port
  ContentionLog log_;
};

} // namespace wormcast
