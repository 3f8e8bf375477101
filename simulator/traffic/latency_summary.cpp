#include "wormcast/simulator/traffic/latency_summary.hpp"

#include "wormcast/simulator/traffic/batch_means.hpp"

#include <algorithm>

namespace wormcast {

void LatencySummary::add(std::uint64_t latency)
{
  histogram.add(latency);
  largest = std::max(largest, static_cast<std::int64_t>(latency));
}

void LatencySummary::finish(const LoadBatches& batches, WideSum LoadBatch::* latency,
                            const std::vector<double>& independent)
{
  const LoadBatch all = batches.total();
  mean = all.delivered == 0 ? 0 : static_cast<double>(all.*latency) / static_cast<double>(all.delivered);
  if (!independent.empty()) {
    half_interval = interval_of_batch_means(independent);
  }
  const auto quantile = [this](double share) { // the middle of a bucket can be above all that is in it
    return std::min(histogram.quantile(share), static_cast<double>(largest));
  };
  median = quantile(0.5);
  percentile_95 = quantile(0.95);
  percentile_99 = quantile(0.99);
}

} // namespace wormcast
