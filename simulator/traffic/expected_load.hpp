#pragma once

#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/traffic/pattern.hpp"
#include "wormcast/simulator/traffic/traffic.hpp"
#include "wormcast/topologies/topology.hpp"

namespace wormcast {

/// What a pattern and message lengths come to on an empty network and on its channels.
struct ExpectedLoad {
  double mean_hops = 0;
  /// Mean over all messages of empty_network_picoseconds.
  double zero_load_picoseconds = 0;
  /// The load at which the channel that gets most would be busy all the time: no routing that takes these ways can
  /// carry more. Ports count as channels. What channels are held for while worms stand still is not in it. Where ways
  /// round a ring are drawn (tie "random"), each gets half.
  double capacity = 0;
  /// False: headers choose their ways, or there are too many of them (romm), and `capacity` is only what ports and all
  /// channels together could carry.
  bool capacity_known = true;
};

/// Cost: the hops of the pattern's chosen pairs; for messages that go to all nodes alike O(channels + k^2) on a mesh or
/// torus whose longest side is k, else the hops of all pairs of nodes. With routing valiant nodes from which or to
/// which more goes than others cost the hops to all nodes; with romm there are at most 2^28 steps.
ExpectedLoad expected_load(const Topology& topology, const NetworkParameters& network, const TrafficParameters& traffic,
                           const Pattern& pattern);

} // namespace wormcast
