#pragma once

#include "tests/equality/random_draws.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/topology.hpp"

#include <memory>

namespace wormcast::testing {

/// A mesh, torus, hypercube, Petersen graph, Petersen torus, or a small connected graph, directed or not. For
/// algorithms it has sizes that suit many of them.
std::shared_ptr<const Topology> random_topology(RandomDraws& draws, const RoutingChoice& grid_routing,
                                                bool for_algorithms);

/// A fat tree of either routing, a dragonfly, or a mesh or torus with several hosts a router, of at most 108 hosts.
std::shared_ptr<const Topology> random_switched_topology(RandomDraws& draws);

} // namespace wormcast::testing
