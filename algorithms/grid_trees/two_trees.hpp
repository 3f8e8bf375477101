#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/segment_trees.hpp"
#include "wormcast/topologies/grid.hpp"

#include <optional>

namespace wormcast {

/// Two binary trees of small depth in which every node sends at full rate through one port, free of contention: k
/// segments take k + D steps, where D grows with the logarithm of the size (two_tree_blocks.hpp). Own design; meshes of
/// 4 x 4 to 32 x 32, by recipes.
Algorithm two_trees_algorithm();

/// The trees from a source on a square mesh that has recipes; none where no recipe serves the source.
std::optional<SegmentTrees> two_trees(const Grid& mesh, NodeId source);

} // namespace wormcast
