#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/segment_trees.hpp"

#include <cstdint>

namespace wormcast {

/// Two binary trees through all ranks in which no rank has two children twice, so that both together keep every port
/// busy (Sanders, Speck & Traeff, Parallel Computing 35, 2009; the trees are those of NCCL, src/graph/trees.cc). An
/// edge of either tree carries a segment every second step. Segments go up both trees to be combined and down again as
/// copies.
///
/// The steps of the edges are this program's own: the edges are coloured with two colours so that neither two edges
/// from one sender nor two to one receiver have the same, and an edge begins in the first step of its colour behind
/// that of its parent's edge. Every node then sends and receives at most one message in a step. The trees are over the
/// hosts of any network in the order of their numbers and know nothing of its links, so that steps contend.
Algorithm double_binary_tree_algorithm();

/// The edges of both trees over ranks 0 .. ranks - 1 from parents to children, by tree and child, with the step in
/// which each carries the first segment of a broadcast. NodeIds are ranks.
SegmentTrees double_binary_trees(std::uint32_t ranks);

/// The same for a broadcast from rank 0, which sends the segments of both trees in turn to the roots of the trees over
/// the other ranks, so that both trees have the same root.
SegmentTrees double_binary_broadcast_trees(std::uint32_t ranks);

} // namespace wormcast
