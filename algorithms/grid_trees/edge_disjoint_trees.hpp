#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/segment_trees.hpp"
#include "wormcast/topologies/grid.hpp"

namespace wormcast {

/// Spanning trees of neighbours that share no channel, for nodes that use all ports at once: two on a mesh, four on a
/// torus. Segments go down them in turn, a new one into each in every step.
Algorithm edge_disjoint_trees_algorithm();

/// The trees from a source on a grid of 2 dimensions: on a mesh 2 (sizes of at least 2), on a torus 4 (at least 3).
SegmentTrees edge_disjoint_trees(const Grid& grid, NodeId source);

} // namespace wormcast
