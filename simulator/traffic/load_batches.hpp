#pragma once

#include "wormcast/simulator/traffic/warm_up.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormcast {

/// A batch of a measurement window, by time or by messages.
struct LoadBatch {
  std::uint64_t created = 0; ///< messages that were generated in it
  std::uint64_t delivered = 0;
  WideSum latency = 0;         ///< of those delivered, picoseconds
  WideSum network_latency = 0; ///< the same
  double backlog = 0;          ///< bytes in flight at its end

  void add_delivered(std::uint64_t latency_of_message, std::uint64_t network_latency_of_message)
  {
    ++delivered;
    latency += latency_of_message;
    network_latency += network_latency_of_message;
  }
};

/// What is known of the means of batches before they are measured.
struct BatchRule {
  double correlation_time = 1; ///< correlation_picoseconds()
  std::uint64_t senders = 1;
  std::int64_t bursts = 0; ///< picoseconds that each mean covers at least: bursts of which neighbours are independent
};

/// The batches of a measurement window, in their order. Messages are tagged with the number of the batch that they were
/// generated in, which remains valid when neighbouring batches are joined.
class LoadBatches {
public:
  /// A window of one batch.
  void start() { batches_.assign(1, {}); }
  /// Ends the last batch with these bytes in flight.
  void end_last(double backlog) { batches_.back().backlog = backlog; }
  void append() { batches_.emplace_back(); }
  /// Two neighbours become one.
  void join_pairs();

  std::size_t size() const { return batches_.size(); }
  /// How often pairs were joined: batches are 2^joined() times as long as the first one was.
  int joined() const { return joined_; }
  LoadBatch& of(std::uint32_t tag) { return batches_[tag >> joined_]; }

  /// Bytes in flight at the ends of the batches.
  std::vector<double> backlogs() const;
  /// Batches of which all messages have arrived, from the first one on.
  std::size_t complete() const;
  /// All of them as one.
  LoadBatch total() const;

  /// The means of the first `count` batches, joined until they pass for independent (independent_means); none where
  /// the window, `window` long, is too short.
  std::vector<double> means(std::size_t count, WideSum LoadBatch::* latency, Time window, const BatchRule& rule) const;

private:
  std::vector<LoadBatch> batches_ = std::vector<LoadBatch>(1);
  int joined_ = 0;
};

} // namespace wormcast
