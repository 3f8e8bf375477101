#include "wormcast/simulator/traffic/load_batches.hpp"

#include "wormcast/simulator/traffic/batch_means.hpp"
#include "wormcast/simulator/traffic/load_verdict.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace wormcast {

namespace {

LoadBatch joined_batch(const LoadBatch& a, const LoadBatch& b)
{
  return {.created = a.created + b.created,
          .delivered = a.delivered + b.delivered,
          .latency = a.latency + b.latency,
          .network_latency = a.network_latency + b.network_latency,
          .backlog = b.backlog};
}

} // namespace

void LoadBatches::join_pairs()
{
  for (std::size_t i = 0; i < batches_.size() / 2; ++i) {
    batches_[i] = joined_batch(batches_[2 * i], batches_[2 * i + 1]);
  }
  batches_.resize(batches_.size() / 2);
  ++joined_;
}

std::vector<double> LoadBatches::backlogs() const
{
  std::vector<double> backlog;
  for (const LoadBatch& batch : batches_) {
    backlog.push_back(batch.backlog);
  }
  return backlog;
}

std::size_t LoadBatches::complete() const
{
  const auto lacks_some = [](const LoadBatch& batch) { return batch.delivered < batch.created; };
  return static_cast<std::size_t>(std::ranges::find_if(batches_, lacks_some) - batches_.begin());
}

LoadBatch LoadBatches::total() const
{
  LoadBatch total;
  for (const LoadBatch& batch : batches_) {
    total = joined_batch(total, batch);
  }
  return total;
}

std::vector<double> LoadBatches::means(std::size_t count, WideSum LoadBatch::* latency, Time window,
                                       const BatchRule& rule) const
{
  const auto time = static_cast<double>(window.picoseconds);
  const std::size_t most = most_means_of(time / rule.correlation_time, rule.senders);
  if (most == 0) {
    return {};
  }
  std::vector<LatencyBatch> latencies;
  for (const LoadBatch& batch : std::span(batches_).first(count)) {
    latencies.push_back({.sum = static_cast<double>(batch.*latency), .count = batch.delivered});
  }
  const double batch = time / static_cast<double>(batches_.size());
  return independent_means(latencies, static_cast<std::size_t>(std::ceil(static_cast<double>(rule.bursts) / batch)),
                           most);
}

} // namespace wormcast
