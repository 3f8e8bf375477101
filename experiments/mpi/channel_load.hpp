#pragma once

#include "wormcast/experiments/mpi/placement.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// The bytes that cross the external channel that the most bytes cross. A route that is drawn counts as that of
/// Topology::append_route.
std::uint64_t busiest_channel_bytes(const Topology& topology, const Communication& communication,
                                    std::span<const NodeId> nodes);

/// Exchanges the nodes of two ranks, or moves a rank to a free node, as long as that lowers busiest_channel_bytes, or
/// leaves fewer channels with that many bytes, or, with as many of both, lowers byte_hops. One of the two ranks sends
/// or receives across a busiest channel. Ends where nothing is gained, or `most_crossings` channels of routes have been
/// looked at: a local optimum, not the least possible.
std::vector<NodeId> least_loaded_placement(const Topology& topology, const Communication& communication,
                                           std::vector<NodeId> nodes, std::uint64_t most_crossings = 200'000'000);

} // namespace wormcast
