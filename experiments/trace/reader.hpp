#pragma once

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

/// First line of a trace (format wormcast-trace/1, docs/formats.md).
struct TraceHeader {
  std::string kind = {};               ///< of topology
  std::vector<std::int64_t> dims = {}; ///< empty where the kind has none
  std::uint64_t nodes = 0;
  std::uint64_t channels = 0;
  std::uint64_t messages = 0;
};

/// A contention record as a trace tells it.
struct TraceWait {
  ContentionKind kind = ContentionKind::step;
  std::string channel;                     ///< name of the channel or port
  std::optional<std::uint64_t> channel_id; ///< of an external channel or the one a port belongs to
  std::uint32_t node = 0;                  ///< that the channel leaves, or whose port it is
  std::optional<std::uint32_t> to_node;    ///< of an external channel
  std::uint32_t waiting = 0;
  std::uint32_t waiting_step = 0;
  std::uint32_t holding = 0;
  std::uint32_t holding_step = 0;
  Time from;
  Time to;
};

/// Reads a trace line by line and hands on its contention records; memory does not grow with their number. Throws
/// InputError with name and line where a line is malformed, lacks a field, has a value out of range, or where the trace
/// was cut short; FileError where it cannot be read.
TraceHeader read_trace(std::istream& in, std::string_view name, const std::function<void(const TraceWait&)>& wait);
TraceHeader read_trace(const std::filesystem::path& file, const std::function<void(const TraceWait&)>& wait);

} // namespace wormcast
