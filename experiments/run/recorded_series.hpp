#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/trace/writer.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include <cstdint>
#include <optional>
#include <ostream>

namespace wormcast {

/// The header of a series' trace, for all rounds or for one.
TraceHead series_trace_head(const SeriesExperiment& experiment, const SeriesResult& result,
                            std::optional<std::uint32_t> round);

/// About the bytes of a trace of it in JSON lines.
std::uint64_t size_of_series_trace(const SeriesResult& result, std::optional<std::uint32_t> round);

/// The records of a series that are requested in addition to its result.
struct SeriesRecords {
  TraceWriter* trace = nullptr;       ///< may be null
  std::optional<std::uint32_t> round; ///< the one that is traced; none: all
  std::ostream* deliveries = nullptr; ///< for an object of format wormcast-series-deliveries/1; may be null
};

/// Runs the series again (replay_series) and writes the requested records. A trace has the records of the broadcasts'
/// messages, and those of the load's that are made while a broadcast is running, or in a deadlock, and the messages
/// that a record names. Memory grows with the messages in flight.
void record_series(const SeriesExperiment& experiment, const SeriesResult& result, const SeriesRecords& records);

} // namespace wormcast
