#pragma once

#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/simulator/traffic/class_figures.hpp"
#include "wormcast/simulator/traffic/latency_summary.hpp"
#include "wormcast/simulator/traffic/load_verdict.hpp"
#include "wormcast/simulator/traffic/node_figures.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// The results of a network under load.
struct LoadResult {
  std::string engine;
  double offered = 0;   ///< the requested load
  double created = 0;   ///< the load generated during the measurement
  double delivered = 0; ///< the load delivered during the measurement, including messages generated before
  double accepted = 0;  ///< accepted_load()
  LoadVerdict verdict = LoadVerdict::undecided;
  UndecidedBy undecided_by = UndecidedBy::nothing;
  LatencySummary latency;         ///< from generation to delivery
  LatencySummary network_latency; ///< from the grant of the port to delivery
  double hops = 0;                ///< mean number of external channels of the messages delivered during the measurement
  double busy_mean = 0;           ///< fraction of time in which a flit crosses an external channel
  double busy_most = 0;
  ChannelId busiest{};
  double smallest_share = 0; ///< accepted load of the sender with the least, as a fraction of the mean; with classes
                             ///< relative to the parts of the load that nodes send
  NodeId smallest_sender{};
  std::vector<ClassFigures> classes; ///< in their order; empty: none are given (TrafficParameters::classes)
  std::vector<NodeFigures> nodes;    ///< by node; empty: not asked for (TrafficParameters::figures_of)
  std::vector<PairFigures> pairs;    ///< by source, then by destination, those with messages; empty: the same
  ContentionTotals waits;            ///< waits that ended during the measurement
  std::uint64_t idle_nodes = 0;      ///< nodes that send nothing
  Time warm_up;                      ///< start of the measurement
  Time measured;                     ///< length of the measurement
  std::uint64_t messages = 0;        ///< messages generated during the measurement
  std::uint64_t unfinished = 0;      ///< of these the messages not delivered when the run ended
  std::uint32_t batches = 0;         ///< batch means of the latency's interval; 0: there is no interval
  std::uint64_t all_messages = 0;    ///< messages of the whole run
  std::uint64_t header_hops = 0;
  std::uint64_t flit_hops = 0;
  std::optional<Deadlock> deadlock; ///< if set, only engine and offered are valid in addition

  bool stable() const { return verdict == LoadVerdict::stable; }
};

/// Runs `traffic` at `load` (a fraction of 1/T_c) until the measurement is complete (docs/load.md). The engine runs
/// without SimGrid; memory grows with the messages in flight. Throws InputError as Pattern and TrafficSource do.
LoadResult simulate_load(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                         double load, const RunParameters& run);

} // namespace wormcast
