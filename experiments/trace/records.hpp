#pragma once

#include "wormcast/experiments/trace/message_owner.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/experiments/trace/trace_end.hpp"
#include "wormcast/simulator/model/contention.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace wormcast {

/// A channel or port as a trace names it.
struct TraceResource {
  Resource::Kind kind = Resource::Kind::external;
  std::string name;
  std::optional<std::uint64_t> channel_id; ///< of an external channel or the one a port belongs to
  std::uint32_t node = 0;                  ///< source of the channel, or node of the port
  std::optional<std::uint32_t> to_node;    ///< of an external channel
};

/// A contention record of a trace.
struct TraceWait {
  ContentionKind kind = ContentionKind::step;
  TraceResource resource;
  std::uint32_t waiting = 0;
  std::uint32_t waiting_step = 0;
  std::uint32_t holding = 0;
  std::uint32_t holding_step = 0;
  MessageOwner waiting_owner;
  MessageOwner holding_owner;
  WaitCause cause = WaitCause::channel;
  Time from;
  Time to;
  Time wait; ///< to - from; sharing: the time in it in which a flit waited
};

/// An occupancy record of a trace.
struct TraceOccupancy {
  TraceResource resource;
  std::uint32_t message = 0;
  std::uint32_t step = 0;
  MessageOwner owner;
  Time from;
  Time to;
};

/// What an MPI program says of a message.
struct TraceWords {
  std::uint32_t sender = 0;
  std::uint32_t receiver = 0;
  std::string call; ///< empty: not known
  std::uint32_t collective = 0;
  std::int32_t tag = 0;
  std::string communicator;
  std::string region; ///< empty: none
};

/// A message of the traced run.
struct TraceMessage {
  std::uint32_t id = 0;
  std::uint32_t step = 0;
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  std::uint64_t bytes = 0;
  MessageOwner owner = {};
  std::optional<std::uint32_t> round = {}; ///< of a series: the one in flight when it was generated
  Time ready = {};                         ///< of a series: time at which it requested its port
  bool has_words = false;                  ///< of an MPI program: `words` are there
  TraceWords words = {};
};

/// A broadcast of a traced series that ended.
struct TraceBroadcast {
  std::uint32_t number = 0;
  std::uint32_t round = 0;
  std::uint32_t source = 0;
  Time start;
  Time latency;
};

/// The last record of a trace.
struct TraceTotals {
  TraceEnd end;
  std::uint64_t contention = 0; ///< records
  std::uint64_t occupancy = 0;
};

/// The limits of whole numbers in a trace, from the numbers in its header.
enum class TraceCount { nodes, channels, messages, broadcasts };

/// The records of a trace, each declared once. `fields` is told of each key in the order in which it is written, with
/// the value that it stands for and what it means; a writer, a reader and the page of the format are such listeners:
///
///     choice(key, value, Names, text)             an enumerator by its text
///     text(key, value, text)
///     number(key, value, text)                    a whole number
///     below(key, value, TraceCount, text)         one below the header's number; of an optional: or null
///     owner(key, value, message, text)            only of a series: the broadcast whose message it is, or null
///     time(key, value, text)                      microseconds; of an optional: or null
///     truth(key, value, text)
///     object(key, text, members)                  members() tells of those within
///     has(key, there, when)                       whether a key is there that is not in every record
template <typename Record, typename Kind>
concept TraceRecord = std::same_as<std::remove_const_t<Record>, Kind>;

/// Passes the keys of a record to `fields`.
template <typename Fields, TraceRecord<TraceResource> Record> void trace_fields(Fields& fields, Record& resource)
{
  fields.choice(
      "resource", resource.kind, resource_kind_names,
      "`external`, `injection` or `ejection` (half-duplex ports are one resource for both directions, written "
      "as `injection`)");
  fields.text("channel", resource.name, "its name for people");
  fields.below("channel_id", resource.channel_id, TraceCount::channels,
               "id of the external channel; of a port with `ports = \"all\"` the external channel it belongs to; else "
               "`null`");
  fields.below("node", resource.node, TraceCount::nodes, "the node that the channel leaves; of a port its node");
  fields.below("to_node", resource.to_node, TraceCount::nodes, "the node that the channel goes to; of a port `null`");
}

/// A message that another record names: its number, step and owner.
template <typename Fields, typename Number, typename Owner>
void trace_message_fields(Fields& fields, Number& message, Number& step, Owner& owner)
{
  fields.below("message", message, TraceCount::messages, "its number");
  fields.number("step", step, "its step; 0 in a plain message list");
  fields.owner("broadcast", owner, message, "the broadcast that it belongs to; `null`: the load");
}

/// The keys of when a wait or an occupancy began and ended.
template <typename Fields, typename Record> void trace_interval_fields(Fields& fields, Record& record)
{
  fields.time("from_us", record.from,
              "when the wait or the occupancy began; `sharing`: when the first flit had to wait");
  fields.time("to_us", record.to, "when it ended; `sharing`: when the last flit that had to wait could start");
}

/// The same of a TraceWait.
template <typename Fields, TraceRecord<TraceWait> Record> void trace_fields(Fields& fields, Record& wait)
{
  fields.choice(
      "kind", wait.kind, contention_kind_names,
      "`step`: both messages belong to the same step; `depth`: to different steps; `port`: the channel is an "
      "internal one; `sharing`: the message holds a virtual channel, but its flits wait while those of others "
      "cross the physical one; `other`: only of a series, below");
  trace_fields(fields, wait.resource);
  fields.object("waiting", "the message whose header waited",
                [&] { trace_message_fields(fields, wait.waiting, wait.waiting_step, wait.waiting_owner); });
  fields.object("holding",
                "the message that held the channel when the header arrived (of several ports the one granted first)",
                [&] { trace_message_fields(fields, wait.holding, wait.holding_step, wait.holding_owner); });
  if (fields.has("cause", wait.cause != WaitCause::channel, "only with router `\"input_queued\"`")) {
    fields.choice("cause", wait.cause, wait_cause_names, "what the header waited for ([routers](../routers.md))");
  }
  if (fields.has("wait_us", wait.kind == ContentionKind::sharing, "only of `sharing`")) {
    fields.time("wait_us", wait.wait, "the time between `from_us` and `to_us` in which a flit waited");
  }
  trace_interval_fields(fields, wait);
}

/// The same of a TraceOccupancy.
template <typename Fields, TraceRecord<TraceOccupancy> Record> void trace_fields(Fields& fields, Record& occupancy)
{
  trace_fields(fields, occupancy.resource);
  trace_message_fields(fields, occupancy.message, occupancy.step, occupancy.owner);
  trace_interval_fields(fields, occupancy);
}

/// The keys of a TraceWords.
template <typename Fields, typename Words> void trace_words_fields(Fields& fields, Words& words)
{
  fields.number("sender", words.sender, "rank in MPI_COMM_WORLD");
  fields.number("receiver", words.receiver, "rank in MPI_COMM_WORLD");
  if (fields.has("call", !words.call.empty(), "where it is known")) {
    fields.text("call", words.call, "the MPI function that sent it");
  }
  if (fields.has("collective", words.collective != 0, "only of collectives")) {
    fields.number("collective", words.collective, "which call of this function on the communicator, from 1");
  }
  fields.number("tag", words.tag, "its tag; negative: SMPI's own");
  fields.text("communicator", words.communicator, "its name or number");
  if (fields.has("region", !words.region.empty(), "where the program names one")) {
    fields.text("region", words.region, "that of the sender");
  }
}

/// The same of a TraceMessage.
template <typename Fields, TraceRecord<TraceMessage> Record> void trace_fields(Fields& fields, Record& message)
{
  fields.below("id", message.id, TraceCount::messages, "its number");
  fields.number("step", message.step, "its step; 0 in a plain message list");
  fields.below("src", message.source, TraceCount::nodes, "the node that sends it");
  fields.below("dst", message.destination, TraceCount::nodes, "the node that receives it");
  fields.number("bytes", message.bytes, "its length");
  fields.owner("broadcast", message.owner, message.id, "the broadcast that it belongs to; `null`: the load");
  if (fields.has("round", message.owner.in_series, "only of a series")) {
    fields.number("round", message.round, "the round that was in flight when it was generated; `null`: none was");
  }
  if (fields.has("ready_us", message.owner.in_series, "only of a series")) {
    fields.time("ready_us", message.ready, "time at which it requested its port");
  }
  if (fields.has("mpi.sender", message.has_words, "only of MPI programs")) {
    fields.object("mpi", "what the program says of it", [&] { trace_words_fields(fields, message.words); });
  }
}

/// The same of a TraceBroadcast.
template <typename Fields, TraceRecord<TraceBroadcast> Record> void trace_fields(Fields& fields, Record& broadcast)
{
  fields.below("number", broadcast.number, TraceCount::broadcasts, "its number");
  fields.number("round", broadcast.round, "the round that it belongs to");
  fields.below("source", broadcast.source, TraceCount::nodes, "the node that it starts from");
  fields.time("start_us", broadcast.start, "when its round began");
  fields.time("latency_us", broadcast.latency, "from then to its last delivery");
}

/// The same of a TraceTotals.
template <typename Fields, TraceRecord<TraceTotals> Record> void trace_fields(Fields& fields, Record& totals)
{
  fields.time("latency_us", totals.end.latency, "the last delivery; `null` after a deadlock, and of a series");
  if (fields.has("deadlock_us", totals.end.deadlock.has_value(), "only after a deadlock")) {
    fields.time("deadlock_us", totals.end.deadlock, "when the last thing moved");
  }
  if (fields.has("saturated", totals.end.in_series, "only of a series")) {
    fields.truth("saturated", totals.end.saturated, "whether the load was more than the network carries");
  }
  if (fields.has("undelivered", true, "")) { // files of old versions lack it
    fields.number("undelivered", totals.end.undelivered, "messages that did not arrive");
  }
  fields.number("contention", totals.contention, "records of contention, so that a shortened file is found");
  fields.number("occupancy", totals.occupancy, "records of occupancy");
}

} // namespace wormcast
