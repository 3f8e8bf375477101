#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/contention.hpp"
#include "wormcast/simulator/network.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// A network in which nothing moves any more.
struct StoppedNetwork {
  std::int64_t since = 0;         ///< the last header stopped, or the last message arrived (picoseconds)
  std::vector<WaitingLink> cycle; ///< each link's holding message is the next link's waiting one; empty: none waits
};

/// Who holds which channel, and who waits for it: the one place where contention is decided (docs/network-model.md,
/// rule 3). First come first served; the engines ask in the order (time, rank of the message).
///
/// A *group* is what a header asks for: the virtual channels of one class of an external channel, or the ports of a
/// node (one-port and k-port: injection or ejection of a node, both in one with half duplex; all-port: the internal
/// channels of one external channel). A *slot* is what it gets: a virtual channel, or one of k ports.
///
/// | operation        | cost                       |
/// |------------------|----------------------------|
/// | request, release | O(slots of the group) = O(1) |
/// | grant_waiting    | O(grants)                  |
/// | memory           | 32 bytes a slot and 16 bytes a group, 24 bytes a worm |
class Arbiter {
public:
  using Group = std::uint32_t;
  using Slot = std::uint32_t;
  using Worm = std::uint32_t; ///< an engine's index of a message under way

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  /// Free time of a slot whose release is not known yet.
  static constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::max();

  Arbiter(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
          const RecordSinks& sinks);

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

  /// Asks for a slot of `group` at `now` (picoseconds). The granted slot, or `none`: the worm waits in the group's
  /// queue, and grant_waiting will hand it over.
  Slot request(Group group, Worm worm, MessageId message, std::int64_t now)
  {
    if (queues_[group].head == none) {
      const Slot slot = free_slot(group, now);
      if (slot != none) {
        take(slot, message, now);
        return slot;
      }
    }
    enqueue(group, worm, message, now);
    return none;
  }

  /// The slot becomes free at `time`, which may lie ahead. Records the occupancy.
  void release(Slot slot, std::int64_t time)
  {
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
  void note_shared_time(Slot slot, MessageId other, std::int64_t from, std::int64_t to);

  MessageId holder(Slot slot) const { return slots_[slot].holder; }

  bool has_waiting(Group group) const { return queues_[group].head != none; }
  Group group_of(Slot slot) const
  {
    if (slot >= port_slots_begin_) {
      return port_groups_begin_ + (slot - port_slots_begin_) / ports_;
    }
    return virtual_channels_ == 1 ? slot : slot / virtual_channels_ * classes_ + class_of_[slot % virtual_channels_];
  }
  /// Slots of external channels come first: V of each channel, then those of the ports.
  std::uint32_t external_slot_count() const { return port_slots_begin_; }
  /// Earliest time at which a slot of `group` is known to become free; `unknown` if none is.
  std::int64_t next_free(Group group) const;

  /// Hands the group's slots that are free at `now` to the worms that wait for it, in their order, and calls
  /// granted(worm, slot) for each.
  template <typename Granted> void grant_waiting(Group group, std::int64_t now, Granted&& granted)
  {
    while (queues_[group].head != none) {
      const Slot slot = free_slot(group, now);
      if (slot == none) {
        return;
      }
      const Worm worm = dequeue(group, now);
      take(slot, waits_[worm].message, now);
      granted(worm, slot);
    }
  }

  /// To be called when all events of an instant are done: hands out the instant's contention records, by waiting
  /// message.
  void flush_records();

  const ContentionTotals& totals() const { return totals_; }

  /// Whether two worms have held virtual channels of one external channel at the same time.
  bool physical_channel_was_shared() const { return physical_channel_was_shared_; }

  /// Since when nothing moves, and a circle of waiting messages, found from any message that waits. Also makes the
  /// records of all waits that never ended and of all channels that were never given back: they last until then.
  StoppedNetwork explain_deadlock(std::int64_t last_delivery);

private:
  struct SlotState {
    std::int64_t free_at = 0;
    std::int64_t granted_at = 0;
    MessageId holder{none};
  };
  /// What the holder of a slot has lost to others on the physical channel.
  struct SharedTime {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t wait = 0; ///< 0: nothing
    MessageId other{none};
  };
  struct Queue {
    Worm head = none;
    Worm tail = none;
  };
  struct Wait {
    std::int64_t since = 0;
    MessageId message{none};
    MessageId holder{none};
    Group group = none;
    Worm next = none;
  };

  Slot first_slot(Group group) const
  {
    if (group >= port_groups_begin_) {
      return port_slots_begin_ + (group - port_groups_begin_) * ports_;
    }
    return virtual_channels_ == 1 ? group : group / classes_ * virtual_channels_ + class_begin_[group % classes_];
  }
  std::uint32_t slots_in(Group group) const
  {
    if (group >= port_groups_begin_) {
      return ports_;
    }
    const std::uint32_t k = group % classes_;
    return virtual_channels_ == 1 ? 1 : class_begin_[k + 1] - class_begin_[k];
  }

  Slot free_slot(Group group, std::int64_t now) const
  {
    const Slot first = first_slot(group);
    const std::uint32_t count = slots_in(group);
    for (Slot slot = first; slot != first + count; ++slot) {
      if (slots_[slot].free_at <= now) {
        return slot;
      }
    }
    return none;
  }

  void take(Slot slot, MessageId message, std::int64_t now)
  {
    if (virtual_channels_ > 1 && slot < port_slots_begin_) {
      note_sharing(slot, now);
    }
    SlotState& state = slots_[slot];
    state.free_at = unknown;
    state.granted_at = now;
    state.holder = message;
  }

  void note_sharing(Slot slot, std::int64_t now);
  void end_sharing(Slot slot);
  void enqueue(Group group, Worm worm, MessageId message, std::int64_t now);
  Worm dequeue(Group group, std::int64_t now);
  MessageId first_holder(Group group) const;
  ContentionRecord make_record(const Wait& wait, std::int64_t to) const;
  void record_occupancy(Slot slot, std::int64_t to) const;
  Resource resource(Group group) const;
  std::uint32_t step_of(MessageId message) const { return schedule_.messages[index(message)].step; }

  const Topology& topology_;
  const Schedule& schedule_;
  const RecordSinks& sinks_;
  std::uint32_t virtual_channels_;
  std::uint32_t classes_;                  ///< of virtual channels
  std::vector<std::uint32_t> class_begin_; ///< by class its first virtual channel; then V
  std::vector<std::uint32_t> class_of_;    ///< by virtual channel
  bool all_ports_;
  bool half_duplex_;
  bool records_occupancy_;
  std::uint32_t ports_; ///< slots of a port group
  Group port_groups_begin_;
  Slot port_slots_begin_;
  bool physical_channel_was_shared_ = false;
  std::vector<ChannelId> reverse_; ///< all ports, half duplex: the opposite channel of each, or itself if there is none
  std::vector<SlotState> slots_;
  std::vector<SharedTime> shared_; ///< by external slot; empty with one virtual channel
  std::vector<Queue> queues_;
  std::vector<Wait> waits_; ///< by worm
  std::vector<ContentionRecord> pending_records_;
  ContentionTotals totals_;
};

} // namespace wormcast
