#pragma once

#include "wormcast/experiments/trace/message_owner.hpp"
#include "wormcast/experiments/trace/trace_end.hpp"
#include "wormcast/simulator/contention.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// What the header says of a series.
struct TraceSeries {
  std::uint64_t broadcasts = 0;
  std::uint64_t messages = 0;              ///< theirs, which come first: the load's are numbered from here on
  std::optional<std::uint32_t> round = {}; ///< the one whose records are there; none: of all
};

/// First line of a trace (format wormcast-trace/1, docs/formats.md).
struct TraceHeader {
  std::string kind = {};               ///< of topology
  std::vector<std::int64_t> dims = {}; ///< empty where the kind has none
  std::uint64_t nodes = 0;
  std::uint64_t channels = 0;
  std::uint64_t messages = 0;             ///< they are numbered below
  std::string algorithm = {};             ///< empty: the trace does not say
  std::optional<TraceSeries> series = {}; ///< none: a single run
};

/// First and last line of a trace.
struct TraceFrame {
  TraceHeader header;
  TraceEnd end;
};

/// A channel or port as a trace names it.
struct TraceResource {
  Resource::Kind kind = Resource::Kind::external;
  std::string name;
  std::optional<std::uint64_t> channel_id; ///< of an external channel or the one a port belongs to
  std::uint32_t node = 0;                  ///< that the channel leaves, or whose port it is
  std::optional<std::uint32_t> to_node;    ///< of an external channel
};

/// A contention record as a trace tells it.
struct TraceWait {
  ContentionKind kind = ContentionKind::step;
  TraceResource resource;
  std::uint32_t waiting = 0;
  std::uint32_t waiting_step = 0;
  std::uint32_t holding = 0;
  std::uint32_t holding_step = 0;
  MessageOwner waiting_owner;
  MessageOwner holding_owner;
  Time from;
  Time to;
  Time wait; ///< to - from; sharing: the time in it in which a flit waited
};

/// An occupancy record as a trace tells it.
struct TraceOccupancy {
  TraceResource resource;
  std::uint32_t message = 0;
  std::uint32_t step = 0;
  MessageOwner owner;
  Time from;
  Time to;
};

/// A message of the traced run.
struct TraceMessage {
  std::uint32_t id = 0;
  std::uint64_t bytes = 0;
};

/// A broadcast of a traced series that ended.
struct TraceBroadcast {
  std::uint32_t number = 0;
  std::uint32_t round = 0;
  std::uint32_t source = 0;
  Time start;
  Time latency;
};

/// Whom to hand what a trace tells; what nobody asks for is only looked at for whether it is JSON.
struct TraceListener {
  std::function<void(const TraceHeader&)> header = {};
  std::function<void(const TraceWait&)> wait = {};
  std::function<void(const TraceOccupancy&)> occupancy = {};
  std::function<void(const TraceMessage&)> message = {};
  std::function<void(const TraceBroadcast&)> broadcast = {};
};

/// Reads a trace line by line and hands on its records; memory does not grow with their number. Throws InputError with
/// name and line where a line is malformed, lacks a field, has a value out of range, or where the trace was cut short;
/// FileError where it cannot be read.
TraceFrame read_trace(std::istream& in, std::string_view name, const TraceListener& listener);
TraceFrame read_trace(const std::filesystem::path& file, const TraceListener& listener);

} // namespace wormcast
