#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/segment_trees.hpp"
#include "wormcast/topologies/grid.hpp"

namespace wormcast {

/// Two spanning trees of a mesh in the shape of combs, one with its back on the lowest row and one on the highest: a
/// node that sends segments on twice in one is a leaf of the other, so that one port has a segment to send in every
/// step. Even segments go down the first, odd ones down the second. Designed here after the two trees of Sanders,
/// Speck & Traeff, Parallel Computing 35, 2009; whether the pipelined broadcasts of Watts & van de Geijn (1995) and
/// Barnett et al. (1996) are such combs could not be read.
Algorithm two_combs_algorithm();

/// The combs from a source on a mesh of 2 x 2 nodes at least. On X x Y k >= 2 segments take X + 2Y - 3 + k steps
/// (sources inside the lowest and highest row: Y + 2X - 3 + k), or one less.
SegmentTrees two_combs(const Grid& mesh, NodeId source);

} // namespace wormcast
