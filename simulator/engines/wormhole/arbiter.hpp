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
/// A *group* is what a header asks for: the virtual channels of one class of an external channel, or the ports of a
/// node (one-port and k-port: injection or ejection of a node, both in one with half duplex; all-port: the internal
/// channels of one external channel). A *slot* is what it gets: a virtual channel, or one of k ports.
///
/// | operation        | cost                       |
/// |------------------|----------------------------|
/// | take_free, wait, release | O(slots of the group) = O(1) |
/// | grant_waiting    | O(grants)                  |
/// | memory           | 32 bytes a slot, 32 bytes a worm |
class Arbiter {
public:
  using Group = std::uint32_t;
  using Slot = std::uint32_t;
  /// An engine's index of a message under way; with `outside` added that of one that has not yet got its port. The two
  /// are counted apart, so that the worms in the network lie close together in memory however many wait outside.
  using Worm = std::uint32_t;
  static constexpr Worm outside = Worm{1} << 31;

  /// Who asks for a slot.
  struct Claim {
    MessageId message{};
    std::uint32_t step = 0;
  };

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  /// Free time of a slot whose release is not known yet.
  static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

  /// With `free_channels` an external channel is free for all at any time, and nobody is said to hold it.
  Arbiter(const Topology& topology, const NetworkParameters& network, const RecordSinks& sinks,
          bool free_channels = false);

  /// The virtual channels of one class (Topology::virtual_channel_classes) of an external channel.
  Group external(ChannelId channel, std::uint32_t virtual_channel_class) const
  {
    return index(channel) * classes_ + virtual_channel_class;
  }
  /// The port through which `sender` starts a message whose first external channel is `first`.
  Group injection(NodeId sender, ChannelId first) const;
  /// The port through which `receiver` takes a message whose last external channel is `last`.
  Group ejection(NodeId receiver, ChannelId last) const;
  bool is_port(Group group) const { return group >= port_groups_begin_; }
  std::uint32_t slot_count() const { return static_cast<std::uint32_t>(slots_.size()); }

  /// A slot of `group` for who asks for it at `now` (picoseconds); `none` where others wait or no slot is free.
  Slot take_free(Group group, Claim claim, std::int64_t now)
  {
    if (plain_) {
      return pass(group, claim, now, unknown) ? group : none;
    }
    if (free_channels_ && !is_port(group)) {
      return first_slot(group);
    }
    if (has_waiting(group)) {
      return none;
    }
    const Slot slot = free_slot(group, now);
    if (slot != none) {
      take(slot, claim, now);
    }
    return slot;
  }
  /// Whether each group is one slot, whose number it has, and nobody wants to know who holds which.
  bool is_plain() const { return plain_; }
  /// Of plain channels, for a header that goes straight on: take_free() and release() of `slot` at `free_at` in one.
  /// False: it is not free.
  bool pass(Slot slot, Claim claim, std::int64_t now, std::int64_t free_at)
  {
    SlotState& state = slots_[slot];
    if (state.head != none || state.free_at > now) {
      return false;
    }
    state.free_at = free_at;
    state.granted_at = now;
    state.holder = claim;
    return true;
  }
  /// The header that has passed a slot stops behind it after all: it keeps it, until a release to come.
  void keep(Slot slot) { slots_[slot].free_at = unknown; }
  /// Who was not given a slot stands in the group's queue, and grant_waiting will hand one over.
  void wait(Group group, Worm worm, Claim claim, std::int64_t now);

  /// Brings what take_free() reads near, for a header that will ask soon.
  void prefetch(Group group) const { __builtin_prefetch(&queue_of(group)); }

  /// Brings near what grant_waiting() reads of the group.
  void prefetch_waiting(Group group) const
  {
    const Worm first = queue_of(group).head;
    if (first != none) {
      __builtin_prefetch(&wait_of(first));
    }
  }

  /// The slot becomes free at `time`, which may lie ahead. Records the occupancy.
  void release(Slot slot, std::int64_t time)
  {
    if (plain_) {
      slots_[slot].free_at = time;
      return;
    }
    if (free_channels_ && slot < port_slots_begin_) {
      return;
    }
    slots_[slot].free_at = time;
    if (records_occupancy_) {
      record_occupancy(slot, time);
    }
    if (virtual_channels_ > 1) {
      end_sharing(slot);
    }
  }

  /// A flit of the message that holds `slot` was ready at `from`, but could start at `to` only: first because `other`
  /// was on the physical channel. Becomes part of the message's record of this channel.
  void note_shared_time(Slot slot, Claim other, std::int64_t from, std::int64_t to);

  Claim holder(Slot slot) const { return slots_[slot].holder; }

  bool has_waiting(Group group) const { return first_waiting(group) != none; }
  /// The worm that has waited longest for the group; `none` where nobody waits.
  Worm first_waiting(Group group) const { return queue_of(group).head; }
  Group group_of(Slot slot) const
  {
    if (one_slot_each_) {
      return slot;
    }
    if (slot >= port_slots_begin_) {
      return port_groups_begin_ + (slot - port_slots_begin_) / ports_;
    }
    return virtual_channels_ <= 1 ? slot : slot / virtual_channels_ * classes_ + class_of_[slot % virtual_channels_];
  }
  /// Slots of external channels come first: V of each channel, then those of the ports.
  std::uint32_t external_slot_count() const { return port_slots_begin_; }
  /// Earliest time at which a slot of `group` is known to become free; `unknown` if none is.
  std::int64_t next_free(Group group) const { return one_slot_each_ ? slots_[group].free_at : earliest_free(group); }

  /// Hands the group's slots that are free at `now` to the worms that wait for it, in their order, and calls
  /// granted(worm, slot) for each.
  template <typename Granted> void grant_waiting(Group group, std::int64_t now, Granted&& granted)
  {
    while (has_waiting(group)) {
      const Slot slot = free_slot(group, now);
      if (slot == none) {
        return;
      }
      const Worm worm = dequeue(group, now);
      take(slot, wait_of(worm).waiting, now);
      granted(worm, slot);
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
  static constexpr Claim nobody = {.message = MessageId{none}, .step = 0};

  struct SlotState {
    std::int64_t free_at = 0;
    std::int64_t granted_at = 0;
    Claim holder = nobody;
    Worm head = none; ///< of a group's first slot: the worm that has waited longest for the group
    Worm tail = none; ///< the one that has come last
  };
  /// What the holder of a slot has lost to others on the physical channel.
  struct SharedTime {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t wait = 0; ///< 0: nothing
    Claim other = nobody;
  };
  struct Wait {
    std::int64_t since = 0;
    Claim waiting = nobody;
    Claim holder = nobody;
    Group group = none;
    Worm next = none;
  };

  SlotState& queue_of(Group group) { return slots_[first_slot(group)]; }
  const SlotState& queue_of(Group group) const { return slots_[first_slot(group)]; }

  Slot first_slot(Group group) const
  {
    if (one_slot_each_) {
      return group;
    }
    if (group >= port_groups_begin_) {
      return port_slots_begin_ + (group - port_groups_begin_) * ports_;
    }
    return virtual_channels_ == 1 ? group : group / classes_ * virtual_channels_ + class_begin_[group % classes_];
  }
  std::uint32_t slots_in(Group group) const
  {
    if (one_slot_each_) {
      return 1;
    }
    if (group >= port_groups_begin_) {
      return ports_;
    }
    const std::uint32_t k = group % classes_;
    return virtual_channels_ == 1 ? 1 : class_begin_[k + 1] - class_begin_[k];
  }

  Slot free_slot(Group group, std::int64_t now) const
  {
    if (one_slot_each_) {
      return slots_[group].free_at <= now ? group : none;
    }
    const Slot first = first_slot(group);
    const std::uint32_t count = slots_in(group);
    for (Slot slot = first; slot != first + count; ++slot) {
      if (slots_[slot].free_at <= now) {
        return slot;
      }
    }
    return none;
  }

  void take(Slot slot, Claim claim, std::int64_t now)
  {
    if (virtual_channels_ > 1 && slot < port_slots_begin_) {
      note_sharing(slot, now);
    }
    SlotState& state = slots_[slot];
    state.free_at = unknown;
    state.granted_at = now;
    state.holder = claim;
  }

  Wait& wait_of(Worm worm) { return (worm & outside) != 0 ? outside_waits_[worm - outside] : waits_[worm]; }
  const Wait& wait_of(Worm worm) const { return (worm & outside) != 0 ? outside_waits_[worm - outside] : waits_[worm]; }

  std::int64_t earliest_free(Group group) const;
  void note_sharing(Slot slot, std::int64_t now);
  void end_sharing(Slot slot);
  Worm dequeue(Group group, std::int64_t now);
  Claim first_holder(Group group) const;
  ContentionKind kind_of(const Wait& wait) const;
  ContentionRecord make_record(const Wait& wait, std::int64_t to) const;
  void record_occupancy(Slot slot, std::int64_t to) const;
  Resource resource(Group group) const;

  const Topology& topology_;
  const RecordSinks& sinks_;
  std::uint32_t virtual_channels_;
  std::uint32_t classes_;                  ///< of virtual channels
  std::vector<std::uint32_t> class_begin_; ///< by class its first virtual channel; then V
  std::vector<std::uint32_t> class_of_;    ///< by virtual channel
  bool all_ports_;
  bool half_duplex_;
  bool records_occupancy_;
  bool free_channels_;
  std::uint32_t ports_; ///< slots of a port group
  Group port_groups_begin_;
  Slot port_slots_begin_;
  bool one_slot_each_; ///< one virtual channel, one port: a group's number is that of its slot
  bool plain_;         ///< is_plain()
  std::optional<Time> first_shared_;
  std::vector<ChannelId> reverse_; ///< all ports, half duplex: the opposite channel of each, or itself if there is none
  std::vector<SlotState> slots_;
  std::vector<SharedTime> shared_;  ///< by external slot; empty with one virtual channel
  std::vector<Wait> waits_;         ///< by worm
  std::vector<Wait> outside_waits_; ///< by worm that has not got its port
  ContentionLog log_;
};

} // namespace wormcast
