#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/values/names.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace wormcast {

/// A channel in the simulator's sense: an external channel, or a port (the internal channels of one node in one
/// direction, or of both with half-duplex ports).
struct Resource {
  enum class Kind : std::uint8_t { external, injection, ejection };
  Kind kind = Kind::external;
  ChannelId
      channel{}; ///< the external channel; with all ports also the external channel to which an internal one belongs
  NodeId node{}; ///< the node that has the port; for an external channel its source

  friend bool operator==(const Resource&, const Resource&) = default;
};

/// Why a header, or a flit, waited.
enum class ContentionKind : std::uint8_t {
  step,    ///< both messages belong to the same step
  depth,   ///< they belong to different steps
  port,    ///< the channel is an internal one
  sharing, ///< the message has a virtual channel, but its flits wait while flits of others cross the physical channel
  other    ///< a message of another operation or of traffic holds the channel, which can be internal; set by the caller
           ///< that runs several operations together, as engines cannot tell
};

/// The texts in files: "step", "depth", "port", "sharing", "other".
inline constexpr auto contention_kind_names = names<ContentionKind>({{ContentionKind::step, "step"},
                                                                     {ContentionKind::depth, "depth"},
                                                                     {ContentionKind::port, "port"},
                                                                     {ContentionKind::sharing, "sharing"},
                                                                     {ContentionKind::other, "other"}});

inline constexpr std::array all_contention_kinds = contention_kind_names.all();

/// The kinds that occur among messages of one operation.
inline constexpr std::array own_contention_kinds = {ContentionKind::step, ContentionKind::depth, ContentionKind::port,
                                                    ContentionKind::sharing};

/// The text of an enumerator.
[[deprecated("use contention_kind_names.text()")]] inline std::string_view contention_kind_name(ContentionKind kind)
{
  return contention_kind_names.text(kind);
}

/// The cause of a header's wait in an input-queued router (docs/routers.md).
enum class WaitCause : std::uint8_t {
  channel,         ///< the channel itself: router "wormhole"
  queue,           ///< flits of another message ahead of it, in the same buffer or at the same source
  virtual_channel, ///< a free virtual channel
  slot,            ///< a free slot in the buffer downstream of its virtual channel
  crossbar,        ///< a grant of the crossbar
  output_queue     ///< flits of other messages ahead of it that have left the crossbar for the same channel
};

/// The texts in files: "channel", "queue", "virtual_channel", "slot", "crossbar", "output_queue".
inline constexpr auto wait_cause_names = names<WaitCause>({{WaitCause::channel, "channel"},
                                                           {WaitCause::queue, "queue"},
                                                           {WaitCause::virtual_channel, "virtual_channel"},
                                                           {WaitCause::slot, "slot"},
                                                           {WaitCause::crossbar, "crossbar"},
                                                           {WaitCause::output_queue, "output_queue"}});

/// The text of an enumerator.
[[deprecated("use wait_cause_names.text()")]] inline std::string_view wait_cause_name(WaitCause cause)
{
  return wait_cause_names.text(cause);
}

/// The wait of one header for a channel: the record is made when the channel is granted (or when the run ends in a
/// deadlock; then `to` is the time at which the last header stopped). Of kind sharing: flits of a message were ready
/// while flits of other messages were on the physical channel; there is one record for each message and channel, made
/// when the message releases it.
struct ContentionRecord {
  Resource resource;
  MessageId waiting{};
  MessageId holding{}; ///< the message that held the channel when the header arrived; with several ports the holder
                       ///< that was granted first; sharing: the first message with a flit in the way
  std::uint32_t waiting_step = 0;
  std::uint32_t holding_step = 0;
  ContentionKind kind = ContentionKind::step;
  Time from; ///< sharing: the time at which the first flit had to wait
  Time to;   ///< sharing: the time at which the last flit that had to wait started
  Time wait; ///< to - from; sharing: the part of it in which a flit waited
  WaitCause cause = WaitCause::channel;

  friend bool operator==(const ContentionRecord&, const ContentionRecord&) = default;
};

/// A message held a channel from its grant to its release. In a deadlock it may never release it; then `to` is as in a
/// ContentionRecord.
struct OccupancyRecord {
  Resource resource;
  MessageId message{};
  std::uint32_t step = 0;
  Time from;
  Time to;

  friend bool operator==(const OccupancyRecord&, const OccupancyRecord&) = default;
};

/// Times of a message's flits at its source and destination, in addition to the tail's arrival. Router "input_queued"
/// reports them, and registered routers that set RouterModel::reports_flits.
struct FlitTimes {
  Time head_injected;
  Time tail_injected;
  Time head_ejected;

  friend bool operator==(const FlitTimes&, const FlitTimes&) = default;
};

/// The delivery of a message.
struct DeliveryRecord {
  MessageId message{};
  std::uint32_t step = 0;
  NodeId source{};
  NodeId destination{};
  Time ready;   ///< it requested its port
  Time granted; ///< it was granted its port
  Time delivered;
  std::optional<FlitTimes> flits = {}; ///< none: the router does not report them

  friend bool operator==(const DeliveryRecord&, const DeliveryRecord&) = default;
};

/// Sums over contention records.
struct ContentionTotals {
  struct Kind {
    std::uint64_t count = 0;
    TotalTime wait;

    friend bool operator==(const Kind&, const Kind&) = default;
  };
  std::array<Kind, all_contention_kinds.size()> by_kind; ///< indexed by ContentionKind

  void add(ContentionKind kind, Time wait);
  /// Adds `count` waits of one kind, which are `units` times `unit` together.
  void add(ContentionKind kind, std::uint64_t count, Time unit, std::uint64_t units);
  void add(const ContentionTotals& other);
  /// Returns what has been added since these were `before`.
  ContentionTotals since(const ContentionTotals& before) const;
  const Kind& operator[](ContentionKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
  bool none() const;

  friend bool operator==(const ContentionTotals&, const ContentionTotals&) = default;
};

/// One link of a deadlock: `waiting` requests `resource`, which `holding` holds.
struct WaitingLink {
  MessageId waiting{};
  Resource resource;
  MessageId holding{};
};

} // namespace wormcast
