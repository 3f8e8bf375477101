#pragma once

#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/experiments/trace/records.hpp"
#include "wormcast/experiments/trace/trace_end.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The header's data of a series.
struct TraceSeries {
  std::uint64_t broadcasts = 0;
  std::uint64_t messages = 0; ///< number of the broadcasts' messages; the load's messages are numbered from here on
  std::optional<std::uint32_t> round = {}; ///< the round of the records; none: all rounds
};

/// First line of a trace (format wormcast-trace/1, docs/formats.md).
struct TraceHeader {
  std::string kind = {};               ///< of topology
  std::vector<std::int64_t> dims = {}; ///< empty where the kind has none
  std::vector<std::int64_t> wrap = {}; ///< of a torus: 1 for each dimension that is a ring, 0 for lines; empty: all are
  std::uint64_t concentration = 1;     ///< hosts at each router of a mesh or torus
  ParameterValues faults = {};         ///< dead nodes and links, by the keys of fault_parameters()
  std::uint64_t nodes = 0;
  std::uint64_t channels = 0;
  std::uint64_t messages = 0;             ///< they are numbered below
  std::string algorithm = {};             ///< empty: the trace does not say
  std::optional<TraceSeries> series = {}; ///< none: a single run
};

/// Kind, sizes, rings and faults of the network of a trace; other parameters are not known.
TopologyDescription network_of(const TraceHeader& header);

/// The network of a trace, for its nodes and channels; its routes may be others. Throws InputError where the trace does
/// not hold enough to make it.
std::unique_ptr<Topology> traced_network(const TraceHeader& header);

/// "torus 8 x 8", "torus 8 x 8 with faults"; without sizes the kind alone.
std::string network_title(const TraceHeader& header);

/// First and last line of a trace.
struct TraceFrame {
  TraceHeader header;
  TraceEnd end;
};

/// The words of a message of a trace, with their texts in `program`.
MessageWords numbered_words(const TraceWords& words, ProgramWords& program);

/// Callbacks for the records of a trace; records without a callback are only checked to be JSON.
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
