#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/tcd/eyes.hpp"
#include "wormcast/topologies/grid.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Level k of an equal-sided mesh or torus: all its sizes are 2^k. Throws InputError that names `algorithm` and the
/// first size that does not fit.
unsigned equal_sides_level(const Grid& grid, std::string_view algorithm);

/// Total communication distance of minimum_tcd from every source, by node id, by its closed form (source_tcd; on a
/// torus optimal_tcd everywhere). Throws InputError as equal_sides_level. Cost O(N k d log d).
std::vector<std::uint64_t> minimum_tcds(const Grid& grid, AxisOrder order);

/// Broadcast through the eyes by Cang & Wu: 1998, algorithm 1 (2-D); 2000, algorithms 2 and 3 (3-D) and section 4
/// (d-D); any source, one port, half duplex, d*k steps on a mesh of side 2^k. At level k the mesh is crossed along each
/// axis in turn; holders send to the eye coordinate in the other half, the source moves towards whichever eye
/// coordinates of level k-1 are closest to it. Then 2^d submeshes with one informed node each go on at level k-1. On a
/// torus the nodes are relabelled so that the source is an eye (1998 and 2000, section 5): no message is longer than
/// half the ring. Holders of a step and their targets lie in disjoint boxes, so no step has channel contention under
/// any minimal routing. In spite of its name in the papers the TCD is not the least for a source that is no eye:
/// recursive_halving_tcd.
Algorithm minimum_tcd_algorithm();

} // namespace wormcast
