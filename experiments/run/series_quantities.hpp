#pragma once

#include "wormcast/experiments/run/quantity.hpp"
#include "wormcast/experiments/run/run_quantities.hpp"
#include "wormcast/simulator/traffic/broadcast_series.hpp"

#include <span>

namespace wormcast {

/// The data from which the quantities of a series of broadcasts are read.
struct SeriesOutcome {
  const SeriesExperiment& experiment;
  const SeriesResult& result;
  CheckedCompleteness checked; ///< of all of its broadcasts together
};

/// Quantities of `run --json` of a series (format wormcast-series/1), in its order. Those of the object `load` have no
/// values where there is no load.
std::span<const ResultQuantity<SeriesOutcome>> series_quantities();

/// Whether there are latencies: broadcasts that were delivered.
bool has_latency(const SeriesResult& result);

/// Mean latency of the same broadcasts on the empty network, in picoseconds. There is one broadcast at least.
double mean_alone(const SeriesResult& result);

/// Mean latency from the sources' own starts (start jitter), in picoseconds. There is one broadcast at least.
double mean_from_source(const SeriesExperiment& experiment, const SeriesResult& result);

} // namespace wormcast
