#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/segment_trees.hpp"
#include "wormcast/topologies/grid.hpp"

namespace wormcast {

/// Two trees of small depth in which every node sends at full rate through one port, free of contention: k segments
/// take k + D steps, where D grows with the logarithm of the size. Own design: recipes for meshes of 4 x 4 to 32 x 32
/// (two_tree_blocks.hpp), and a construction for every mesh of 2^n x 2^n nodes, n >= 4 (two_tree_squares.hpp); of both
/// the less deep trees.
Algorithm two_trees_algorithm();

/// The trees from a source on a mesh that the algorithm serves.
SegmentTrees two_trees(const Grid& mesh, NodeId source);

} // namespace wormcast
