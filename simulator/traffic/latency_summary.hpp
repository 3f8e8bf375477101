#pragma once

#include "wormcast/simulator/traffic/load_batches.hpp"
#include "wormcast/simulator/traffic/log_histogram.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace wormcast {

/// Latencies of measured messages, in picoseconds.
struct LatencySummary {
  double mean = 0;
  std::optional<double>
      half_interval; ///< half the 95 % interval of the mean, by batch means; none: the run is too short for an interval
  double median = 0; ///< this and the next two are exact to within 0.4 %
  double percentile_95 = 0;
  double percentile_99 = 0;
  std::int64_t largest = 0;
  LogHistogram histogram;

  /// Adds a message to the histogram and the largest latency.
  void add(std::uint64_t latency);
  /// Computes the rest from the latencies in the batches and from the means of `independent` batches; empty: there is
  /// no interval.
  void finish(const LoadBatches& batches, WideSum LoadBatch::* latency, const std::vector<double>& independent);
};

} // namespace wormcast
