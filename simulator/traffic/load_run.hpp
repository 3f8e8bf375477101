#pragma once

#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/simulator/traffic/load_verdict.hpp"
#include "wormcast/simulator/traffic/log_histogram.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// Latencies of the measured messages, in picoseconds.
struct LatencySummary {
  double mean = 0;
  std::optional<double> half_interval; ///< of the 95 % interval of the mean, by batch means; none: too short for one
  double median = 0;                   ///< this and the next two within 0.4 %
  double percentile_95 = 0;
  double percentile_99 = 0;
  std::int64_t largest = 0;
  LogHistogram histogram;
};

/// What a network under load did.
struct LoadResult {
  std::string engine;
  double offered = 0;   ///< as asked for
  double created = 0;   ///< the load that was generated while it was measured
  double delivered = 0; ///< the load that was delivered meanwhile, also what was generated before
  /// The load that the network carries of what is offered, at most `offered`: of a stable network all of it; of others
  /// `delivered`, less in proportion where by chance more was generated than offered.
  double accepted = 0;
  LoadVerdict verdict = LoadVerdict::undecided;
  UndecidedBy undecided_by = UndecidedBy::nothing;
  LatencySummary latency;         ///< from creation to delivery
  LatencySummary network_latency; ///< from the grant of the port to delivery
  double hops = 0;                ///< mean of external channels of the messages delivered meanwhile
  double busy_mean = 0;           ///< share of time in which a flit crosses an external channel
  double busy_most = 0;
  ChannelId busiest{};
  double smallest_share = 0; ///< accepted load of the sender from which least came, as a share of the mean
  NodeId smallest_sender{};
  ContentionTotals waits;         ///< that ended while it was measured
  std::uint64_t idle_nodes = 0;   ///< nodes that send nothing
  Time warm_up;                   ///< when measuring began
  Time measured;                  ///< how long it lasted
  std::uint64_t messages = 0;     ///< measured
  std::uint64_t unfinished = 0;   ///< of these not delivered when the run ended
  std::uint32_t batches = 0;      ///< batch means of which the interval of the latency is made; 0: there is none
  std::uint64_t all_messages = 0; ///< of the whole run
  std::uint64_t header_hops = 0;
  std::uint64_t flit_hops = 0;
  std::optional<Deadlock> deadlock; ///< the network came to a stop; then nothing else but engine and offered counts

  bool stable() const { return verdict == LoadVerdict::stable; }
};

/// Runs `traffic` at `load` (a fraction of 1/T_c) until it has been measured (docs/load.md). The engine runs alone,
/// without SimGrid; memory grows with the messages under way. Throws InputError as Pattern and TrafficSource do.
LoadResult simulate_load(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                         double load, const RunParameters& run);

} // namespace wormcast
