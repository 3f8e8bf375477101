#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/grid.hpp"

#include <cstdint>

namespace wormcast::cang_wu {

/// Quarters of the way that graded_halving() can go.
inline constexpr int most_quarters = 4;

/// A broadcast in log2 N steps on a mesh whose sizes are powers of two: boxes are cut in two as by
/// recursive_halving_tcd (HalvingTable), but the holder sends to the node that lies `quarters` quarters of the way from
/// the best node of the other half to the one farthest from it. 0: the least total communication distance (TCD) of all
/// recursive halvings; 4: the farthest node each time. Boxes of a step are disjoint and minimal routes stay in them: no
/// step has contention.
Schedule graded_halving(const Grid& grid, NodeId source, int quarters);

} // namespace wormcast::cang_wu
