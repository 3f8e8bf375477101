#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/traffic/traffic_classes.hpp"
#include "wormcast/topologies/topology.hpp"

namespace wormcast {

/// The expected load of traffic on an empty network and on its channels.
struct ExpectedLoad {
  double mean_hops = 0;
  /// The mean of empty_network_picoseconds over all messages.
  double zero_load_picoseconds = 0;
  /// The load at which the most loaded channel, ports included, is always busy: no routing with these paths carries
  /// more. It does not include the time for which blocked worms hold channels. Where directions round a ring are drawn
  /// (tie "random"), each has one half of the messages.
  double capacity = 0;
  /// False: headers choose their paths, or routing has too many paths (romm), and `capacity` is only the bound by ports
  /// and by all channels together.
  bool capacity_known = true;
};

/// Computes the expected load. Cost: the hops of the patterns' chosen pairs; for messages that go to all nodes alike
/// O(channels + k^2) on a mesh or torus with longest side k, else the hops of all pairs of nodes. With routing valiant
/// each node that sends or receives more than others costs the hops to all nodes; with romm there are at most 2^28
/// steps. Where channels are not all alike the latency costs the hops of all pairs in any case.
ExpectedLoad expected_load(const Topology& topology, const NetworkParameters& network, const TrafficClasses& classes);

/// Returns ExpectedLoad::capacity alone, which costs no more where channels are not all alike.
double expected_capacity(const Topology& topology, const NetworkParameters& network, const TrafficClasses& classes);

} // namespace wormcast
