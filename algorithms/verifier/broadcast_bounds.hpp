#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>

namespace wormcast {

/// Lower bounds on the steps (alpha) and on the sum of the largest message of each step (beta, as a fraction of the
/// message) that hold for every broadcast whose steps are free of channel contention. Distances do not matter.

/// The most channels that `node` can send on, or receive from, at once: the smaller of its ports and its channels.
std::uint32_t usable_channels(const Topology& topology, NodeId node, PortModel ports);

/// Growth bound: a node that has the message informs at most as many others in a step as it has usable channels.
/// With one port ceil(log2 N) (Zhuang & Liberatore, proposition 1); with all ports of a torus ceil(log5 N).
std::uint32_t growth_bound_steps(const Topology& topology, NodeId source, PortModel ports);

/// Growth bound on a 2-D mesh or torus with dimension-order (XY) routing: blocks that a node of the source's column
/// sends on its two vertical channels remain in that column, which has one horizontal channel at the mesh's edge and no
/// more nodes than rows. From a mesh corner with all ports 1, 3, 12, 54, then with columns of 16 and 32 nodes 230 and
/// 1134. Throws InputError on another topology. Cost O(steps).
std::uint32_t column_growth_bound_steps(const Topology& topology, NodeId source, PortModel ports);

/// Channel bound: the source sends, and every other node receives, the whole message through its usable channels.
/// 1/2 on a mesh with all ports (through the two channels of a corner), 1/4 on a torus, 1 with one port. 0 for one
/// node. Cost O(nodes).
Fraction channel_bound_bytes(const Topology& topology, NodeId source, PortModel ports);

/// Scatter bound: `holders` nodes, the source one of them, hold equal parts at the end: (1 - 1/holders) / usable
/// channels of the source.
Fraction scatter_bound_bytes(const Topology& topology, NodeId source, PortModel ports, std::uint32_t holders);

/// Lower bounds of every broadcast.
struct BroadcastBounds {
  std::uint32_t steps = 0; ///< alpha is not below
  Fraction bytes;          ///< beta is not below
};

/// Returns whether the bounds apply to this schedule: a broadcast with full-duplex ports, in which no step needs more
/// ports of a node than it has or has two messages on one channel. `costs` are the schedule's; the caller knows whether
/// it is complete.
bool has_broadcast_bounds(const Schedule& schedule, const ScheduleCosts& costs);

/// The best of the bounds above that hold for a broadcast on this topology.
BroadcastBounds broadcast_bounds(const Topology& topology, NodeId source, PortModel ports);

} // namespace wormcast
