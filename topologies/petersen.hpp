#pragma once

#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/topology.hpp"

#include <array>
#include <vector>

namespace wormcast {

struct DrawingPoint;

inline constexpr std::uint32_t petersen_nodes = 10;

/// The three neighbours of node p = 0 .. 9 of the Petersen graph, ascending: cycles 0-1-2-3-4 and 5-6-7-8-9, and
/// 0-5, 1-8, 2-6, 3-9, 4-7 between them (Kim, Lee, Kim & Kim, J. Applied Mathematics 2014, 935737, Definition 1).
const std::array<int, 3>& petersen_neighbours(int p);

/// A numbering p -> number of the Petersen graph's nodes.
using PetersenPermutation = std::array<int, petersen_nodes>;

/// Returns both directions of the 15 links of a Petersen graph whose node 0 has id `first`.
void append_petersen_channels(NodeId first, std::vector<ChannelEnds>& channels);

/// Returns the position of node p in a drawing around (0, 0): nodes 0 .. 4 clockwise on a pentagon with 0 on top, 5 ..
/// 9 on the pentagram in it, each next to its neighbour on the pentagon. No two nodes are nearer than 1.
DrawingPoint petersen_place(int p);

/// Kind `petersen`: the ten nodes with shortest-path routing; a node has its number as coordinate.
TopologyKind petersen_kind();

} // namespace wormcast
