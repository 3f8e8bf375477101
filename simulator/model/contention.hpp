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
  ChannelId channel{}; ///< external; with all ports also of an internal channel: the external one it belongs to
  NodeId node{};       ///< the node whose port it is; of an external channel the node it leaves

  friend bool operator==(const Resource&, const Resource&) = default;
};

/// Why a header, or a flit, waited.
enum class ContentionKind : std::uint8_t {
  step,    ///< both messages belong to the same step
  depth,   ///< they belong to different steps
  port,    ///< the channel is an internal one
  sharing, ///< the message has a virtual channel, but its flits wait while those of others cross the physical one
  other    ///< the channel, an internal one too, is held by a message of another operation, or of traffic; engines do
           ///< not know that (who runs several together does)
};

/// "step", "depth", "port", "sharing", "other": as in files.
inline constexpr auto contention_kind_names = names<ContentionKind>({{ContentionKind::step, "step"},
                                                                     {ContentionKind::depth, "depth"},
                                                                     {ContentionKind::port, "port"},
                                                                     {ContentionKind::sharing, "sharing"},
                                                                     {ContentionKind::other, "other"}});

inline constexpr std::array all_contention_kinds = contention_kind_names.all();

/// Of messages that all belong together.
inline constexpr std::array own_contention_kinds = {ContentionKind::step, ContentionKind::depth, ContentionKind::port,
                                                    ContentionKind::sharing};

/// The text of an enumerator.
[[deprecated("use contention_kind_names.text()")]] inline std::string_view contention_kind_name(ContentionKind kind)
{
  return contention_kind_names.text(kind);
}

/// What a header in an input-queued router waited for (docs/routers.md).
enum class WaitCause : std::uint8_t {
  channel,         ///< the channel as such: router "wormhole"
  queue,           ///< the flits of another message in front of it, in the same buffer or at the same source
  virtual_channel, ///< one that nobody owns
  slot,            ///< room in the buffer behind its virtual channel
  crossbar         ///< its turn
};

/// "channel", "queue", "virtual_channel", "slot", "crossbar": as in files.
inline constexpr auto wait_cause_names = names<WaitCause>({{WaitCause::channel, "channel"},
                                                           {WaitCause::queue, "queue"},
                                                           {WaitCause::virtual_channel, "virtual_channel"},
                                                           {WaitCause::slot, "slot"},
                                                           {WaitCause::crossbar, "crossbar"}});

/// The text of an enumerator.
[[deprecated("use wait_cause_names.text()")]] inline std::string_view wait_cause_name(WaitCause cause)
{
  return wait_cause_names.text(cause);
}

/// A header waited for a channel: one record, made when the channel is granted (or when the run ends in a deadlock;
/// then `to` is when the last header stopped). Of the kind sharing: flits of a message were ready, but flits of other
/// messages were on the physical channel; one record for each message and channel, made when the message releases it.
struct ContentionRecord {
  Resource resource;
  MessageId waiting{};
  MessageId holding{}; ///< the message that held the channel when the header arrived; of several ports the one that
                       ///< was granted first; sharing: the first whose flit was in the way
  std::uint32_t waiting_step = 0;
  std::uint32_t holding_step = 0;
  ContentionKind kind = ContentionKind::step;
  Time from; ///< sharing: when the first flit had to wait
  Time to;   ///< sharing: when the last flit that had to wait started
  Time wait; ///< to - from; sharing: the time in it in which a flit waited
  WaitCause cause = WaitCause::channel;

  friend bool operator==(const ContentionRecord&, const ContentionRecord&) = default;
};

/// A message held a channel from its grant to its release; in a deadlock it may keep it, then `to` is as in a
/// ContentionRecord.
struct OccupancyRecord {
  Resource resource;
  MessageId message{};
  std::uint32_t step = 0;
  Time from;
  Time to;

  friend bool operator==(const OccupancyRecord&, const OccupancyRecord&) = default;
};

/// When a message's flits leave the source and reach the node, besides the tail's arrival: router "input_queued", and
/// registered ones that know it.
struct FlitTimes {
  Time head_injected;
  Time tail_injected;
  Time head_ejected;

  friend bool operator==(const FlitTimes&, const FlitTimes&) = default;
};

/// A message has arrived.
struct DeliveryRecord {
  MessageId message{};
  std::uint32_t step = 0;
  NodeId source{};
  NodeId destination{};
  Time ready;   ///< it asked for its port
  Time granted; ///< it got it
  Time delivered;
  std::optional<FlitTimes> flits = {}; ///< none: the router does not tell

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
  const Kind& operator[](ContentionKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
  bool none() const;

  friend bool operator==(const ContentionTotals&, const ContentionTotals&) = default;
};

/// One link of a deadlock: `waiting` wants `resource`, which `holding` keeps.
struct WaitingLink {
  MessageId waiting{};
  Resource resource;
  MessageId holding{};
};

} // namespace wormcast
