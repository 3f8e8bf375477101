#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/segment_trees.hpp"

namespace wormcast {

/// Broadcast of segments down d edge-disjoint spanning trees of a hypercube of dimension d (multiple spanning binomial
/// trees: Johnsson & Ho, IEEE Trans. Computers 38(9), 1989), with one port or all ports.
Algorithm msbt_algorithm();

/// The trees from a source. Segment p goes down tree p mod d, whose root is the source's neighbour across that
/// dimension. With all ports all trees carry a segment in every step; with one port a step uses one dimension, and
/// segment p enters in step p.
SegmentTrees spanning_binomial_trees(std::uint32_t dimension, NodeId source, bool all_ports);

} // namespace wormcast
