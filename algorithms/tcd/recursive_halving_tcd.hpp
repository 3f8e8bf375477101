#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/topologies/grid.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// The least total communication distance over all recursive halvings (HalvingTable), from every source, by node id; on
/// a torus the same for all. Throws InputError unless all sizes are powers of two. Cost O(2^d d N) on a mesh.
std::vector<std::uint64_t> recursive_halving_tcds(const Grid& grid);

/// A broadcast that attains that minimum, from any source. In every step each box with one informed node is cut in two
/// (HalvingTable::best_cut), so that log2 N steps inform all. Messages stay in boxes that are disjoint, so no step has
/// channel contention under any minimal routing. It has less than the broadcasts of Cang & Wu from most sources of
/// meshes of side 8 and above; the values of 4x4 are the minima over all broadcasts in log2 N steps (exhaustive
/// search).
Algorithm recursive_halving_tcd_algorithm();

} // namespace wormcast
