#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/traffic/latency_summary.hpp"
#include "wormcast/simulator/traffic/load_batches.hpp"
#include "wormcast/simulator/traffic/traffic_classes.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// The messages of one class under load. Loads are those of each node that sends such messages.
struct ClassFigures {
  std::string name;
  double offered = 0;
  double accepted = 0;            ///< as LoadResult::accepted
  std::uint64_t messages = 0;     ///< generated in the window
  LatencySummary latency;         ///< of these, from generation to delivery
  LatencySummary network_latency; ///< from the grant of the port to delivery
};

/// Counts messages by class; nothing where no classes are given. Its batches are those of the whole measurement.
class CountedClasses {
public:
  explicit CountedClasses(const TrafficClasses& classes);

  void start_batches();
  void append_batch();
  void join_batch_pairs();

  /// A message was generated in the window, in the batch that its tag names.
  void add_created(const TrafficMessage& message);
  /// A message was delivered in the window.
  void add_delivered(const TrafficMessage& message);
  /// A message that was generated in the window has been delivered.
  void add_measured(const TrafficMessage& message, std::uint64_t latency, std::uint64_t network_latency);

  /// What is known of the measurement when it has ended.
  struct Measurement {
    double load = 0;
    bool stable = false;
    Time window;
    std::size_t complete = 0; ///< batches
    BatchRule rule;
  };
  /// By class; empty: there are none.
  std::vector<ClassFigures> figures(const NetworkParameters& network, const TrafficClasses& classes,
                                    const Measurement& measurement) const;

private:
  struct Counted {
    double created_bytes = 0;
    double delivered_bytes = 0;
    LoadBatches batches;
    LatencySummary latency;
    LatencySummary network_latency;
  };

  std::vector<Counted> classes_;
};

} // namespace wormcast
