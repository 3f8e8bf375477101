#pragma once

#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <optional>

namespace wormcast {

/// Last line of a trace: how the run ended.
struct TraceEnd {
  std::optional<Time> latency;   ///< none after a deadlock, and of a series, which has many
  std::optional<Time> deadlock;  ///< its time
  std::uint64_t undelivered = 0; ///< messages that never arrived, after a deadlock
  bool in_series = false;        ///< of a series of broadcasts; else of a single run
  bool saturated = false;        ///< of a series: the load was more than the network carries
};

/// The end of a single run.
TraceEnd trace_end(const SimulationResult& simulation);

/// The end of a series.
TraceEnd trace_end(const SeriesResult& result);

} // namespace wormcast
