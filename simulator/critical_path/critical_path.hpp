#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/critical_path/path_records.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/names.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace wormcast {

/// The cause of a part of the latency.
enum class PathCause : std::uint8_t {
  start_delay,      ///< the first sender starts late (start jitter)
  start_time,       ///< the first message of a plain list has a fixed start
  startup,          ///< T_s
  hops,             ///< T_f for each external channel that the header crosses
  storing,          ///< store-and-forward: a router takes in the whole message before the next hop
  bytes,            ///< tau for each flit, from the last header crossing that matters to the end of the tail
  port_wait,        ///< the header waits for an internal channel, held by a message of another sender
  own_port_startup, ///< the header waits for the port of its sender while an earlier message of this sender, which
                    ///< holds the port, is in its start-up
  own_port_hops,    ///< the same, while that message's header crosses channels
  own_port_bytes,   ///< the same, while that message's flits leave
  own_port_wait,    ///< the same, while that message waits for a channel that another one holds
  step_wait,        ///< the header waits for an external channel held by a message of the same step
  depth_wait,       ///< the same, of a different step
  buffers,          ///< flits are blocked because the buffers do not cover the hop latency (B * tau < T_f); router
                    ///< "input_queued": flits behind the header wait for slots
  sharing,          ///< worms share a physical channel (V > 1)
  routing,          ///< router "input_queued": the header is routed
  virtual_channel_allocation, ///< the same: the cycle in which it is allocated its virtual channel
  switch_allocation,          ///< the same: the cycle in which it is granted the crossbar
  switch_traversal,           ///< the same: it traverses the crossbar
  link,                       ///< the same: it is on a channel, including those to and from the nodes
  pipeline,                   ///< the same: it waits for a busy routing unit or crossbar (delays of more than a cycle)
  program,                    ///< between messages of a program: it computes, sleeps, or has sent nothing yet
  other_port_wait, ///< the header waits for an internal channel, held by a message of another operation or of traffic
  other_wait,      ///< the same for an external channel
  startup_latency, ///< L: the receiver cannot use a delivered message yet
  addition_wait,   ///< the receiver adds other messages first
  addition,        ///< the receiver adds what it has received, or computes with a message of a plain list
  copy,            ///< a node copies its buffer
  call             ///< what every node does before all else
};
/// "start_delay", "hops", ...
inline constexpr auto path_cause_names =
    names<PathCause>({{PathCause::start_delay, "start_delay"},
                      {PathCause::start_time, "start_time"},
                      {PathCause::startup, "startup"},
                      {PathCause::hops, "hops"},
                      {PathCause::storing, "storing"},
                      {PathCause::bytes, "bytes"},
                      {PathCause::port_wait, "port_wait"},
                      {PathCause::own_port_startup, "own_port_startup"},
                      {PathCause::own_port_hops, "own_port_hops"},
                      {PathCause::own_port_bytes, "own_port_bytes"},
                      {PathCause::own_port_wait, "own_port_wait"},
                      {PathCause::step_wait, "step_wait"},
                      {PathCause::depth_wait, "depth_wait"},
                      {PathCause::buffers, "buffers"},
                      {PathCause::sharing, "sharing"},
                      {PathCause::routing, "routing"},
                      {PathCause::virtual_channel_allocation, "virtual_channel_allocation"},
                      {PathCause::switch_allocation, "switch_allocation"},
                      {PathCause::switch_traversal, "switch_traversal"},
                      {PathCause::link, "link"},
                      {PathCause::pipeline, "pipeline"},
                      {PathCause::program, "program"},
                      {PathCause::other_port_wait, "other_port_wait"},
                      {PathCause::other_wait, "other_wait"},
                      {PathCause::startup_latency, "startup_latency"},
                      {PathCause::addition_wait, "addition_wait"},
                      {PathCause::addition, "addition"},
                      {PathCause::copy, "copy"},
                      {PathCause::call, "call"}});

/// Returns whether the cause is what nodes do beside sending, which only a run with Computation or with a latency of
/// the start-up has.
constexpr bool is_of_nodes(PathCause cause)
{
  return cause >= PathCause::startup_latency;
}

/// Returns whether the time is that of an earlier message of the same sender, PathSegment::port_held_by.
constexpr bool is_of_own_port(PathCause cause)
{
  return cause >= PathCause::own_port_startup && cause <= PathCause::own_port_wait;
}

inline constexpr std::size_t path_cause_count = path_cause_names.size();

/// The text of an enumerator.
[[deprecated("use path_cause_names.text()")]] inline std::string_view path_cause_name(PathCause cause)
{
  return path_cause_names.text(cause);
}

/// An interval of the latency with one cause.
struct PathSegment {
  PathCause cause = PathCause::startup;
  Time from = {};
  Time to = {};
  std::uint32_t hops = 0;  ///< hops: external channels crossed
  std::uint64_t flits = 0; ///< bytes and storing: flits that pass
  std::optional<ContentionRecord> wait =
      {}; ///< waits: the channel and its holder; sharing: the channel with the greatest loss and the first holder there
  std::optional<ChannelId> channel = {}; ///< sharing: the channel that the header waits to use; none: all flits
  std::optional<MessageId> port_held_by =
      {}; ///< is_of_own_port(cause): the message that holds the port; wait and channel are then those of this message
};

/// The meaning of the fixed starts of a plain list.
enum class FixedStarts : std::uint8_t {
  given,     ///< times that are given, which nothing in the run caused
  by_program ///< calls of a program, made after messages that it sent or received; ids ascend with the starts
};

/// The reason why a message became ready no earlier. It becomes ready at the time of the event that it follows, except
/// for `program`.
enum class PathReason : std::uint8_t {
  start,      ///< it depends on no other event
  step,       ///< lockstep: the last delivery of the step before
  blocks,     ///< self-timed: the delivery of blocks that it carries to its sender
  port,       ///< self-timed: the release of its sender's port by an earlier message
  turn,       ///< self-timed: an earlier message of the same port became ready only then, by blocks or port
  dependency, ///< plain list: the last delivery of the messages that it depends on
  ready,      ///< self-timed: the report of its receiver that it is ready (with_ready_messages())
  barrier,    ///< self-timed: what its sender waits for before a step or in a barrier (with_barriers())
  program     ///< a program's list: the assumed cause of its start (FixedStarts), which may have ended earlier
};

/// The texts in files: "start", "step", "blocks", ...
inline constexpr auto path_reason_names = names<PathReason>({{PathReason::start, "start"},
                                                             {PathReason::step, "step"},
                                                             {PathReason::blocks, "blocks"},
                                                             {PathReason::port, "port"},
                                                             {PathReason::turn, "turn"},
                                                             {PathReason::dependency, "after"},
                                                             {PathReason::ready, "ready"},
                                                             {PathReason::barrier, "barrier"},
                                                             {PathReason::program, "program"}});

/// The text of an enumerator.
[[deprecated("use path_reason_names.text()")]] inline std::string_view path_reason_name(PathReason reason)
{
  return path_reason_names.text(reason);
}

/// A message on the critical path. Messages have their ids in the schedule.
struct PathMessage {
  MessageId message{};
  PathReason reason = PathReason::start;
  std::optional<MessageId> follows; ///< the message before it on the path
  std::optional<MessageId>
      earlier;     ///< start, with a late start of its node: the last delivery on which it depended as well
  Time earlier_at; ///< time of that delivery
  Time ready;      ///< time at which it requests its port
  Time until;      ///< its delivery, or the release of the sender's port; segments behind it are the receiver's
  bool until_port_free = false;
  std::uint32_t hops = 0; ///< external channels of its route
  std::uint64_t bytes = 0;
  std::uint64_t flits = 0;
  std::vector<PathSegment> segments; ///< without empty ones
};

/// The critical path of a run: messages in time order, each beginning at the time at which the one before it ends, with
/// a segment `program` for the time between messages of a program. Their segments partition [0, latency] exactly.
struct CriticalPath {
  std::vector<PathMessage> messages; ///< empty: nothing was sent
  Time latency;
  std::array<Time, path_cause_count> sums; ///< by PathCause

  Time operator[](PathCause cause) const { return sums[static_cast<std::size_t>(cause)]; }
};

/// Follows a finished run back from its last delivery. A message that waits for a channel remains on the path, and the
/// wait is a segment of its own, or several where messages of the same sender held the port (OwnPorts); the path
/// continues with another message only where readiness depends on it. Of several messages at one time it follows the
/// one with the lowest id, and of several reasons the first in this order: a fixed start, blocks, port, turn.
///
/// The reason why a program sends is not recorded. With FixedStarts::by_program a message is assumed to follow the last
/// delivery, no later than its start, of a message that its sender or its receiver sent or received: a message starts
/// when both have called. Of several at one time it is one that its sender received, else one that its receiver
/// received, else one that either sent.
///
/// Throws InputError with a router that does not report its messages' waits (RouterModel::passage). `result` and
/// `records` are those of the run. None if it ended in a deadlock: it has no last delivery. Cost O(messages + records +
/// path), and O(flits * hops) for a message on the path where buffers do not cover the hop latency.
std::optional<CriticalPath> critical_path(const Topology& topology, const Schedule& schedule,
                                          const NetworkParameters& network, const RunParameters& run,
                                          const SimulationResult& result, const PathRecords& records,
                                          FixedStarts starts = FixedStarts::given);

/// Where messages of a plain list spent the time from when they were ready to their delivery.
struct MessageTimes {
  std::uint64_t messages = 0;
  std::array<double, path_cause_count> means{}; ///< by PathCause, in picoseconds; they add up to the mean latency
  CriticalPath slowest; ///< the message with the longest time alone, of several the first; latency and sums are its own
};

/// Adds up the segments of `count` messages of a finished run, from `first` on: at least one, all of them delivered.
/// Waits for the ports of their senders are divided as on a critical path. Throws InputError as critical_path() does.
/// Cost O(messages + records), and a passage for each message that held the port of a sender for which one waited.
MessageTimes times_of_messages(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                               const RunParameters& run, const SimulationResult& result, const PathRecords& records,
                               MessageId first, std::uint64_t count);

} // namespace wormcast
