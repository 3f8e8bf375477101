#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/grid.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Recursion-based broadcast with all ports on a 2^n x 2^n mesh or torus from any source, with either tie rule. It
/// follows the frame of Zhuang & Liberatore, section 8, whose figures are not legible in the copies that exist, and is
/// a reconstruction: split scatter of 2 * 2^n segments ("flints" in the paper) over both diagonals (scatter.hpp),
/// rounds of three steps on the diagonals of ever smaller blocks (rounds.hpp), and a finish in the blocks of side 4 (n
/// even), 8 (n odd, mesh) or 2 (n odd, torus).
Schedule recursion_based_all_port(const Grid& grid, NodeId source);

} // namespace wormcast
