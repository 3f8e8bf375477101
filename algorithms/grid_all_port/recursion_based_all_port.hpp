#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/grid.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Recursion-based broadcast with all ports on a 2^n x 2^n mesh or torus from any source, with either tie rule. It
/// keeps the frame of Zhuang & Liberatore, section 8, whose figures are lost, and is a reconstruction: split scatter of
/// 2 * 2^n flints over both diagonals (all_port_scatter.hpp), rounds of three steps on the diagonals of ever smaller
/// blocks (all_port_rounds.hpp), and a finish in the blocks of side 4 (n even), 8 (n odd, mesh) or 2 (n odd, torus).
/// With T steps and sizes s in flints of the scatter, beta_s = sum of s / 2^(n+1):
/// mesh:  n odd: alpha = T + 1.5(n-1) + 1, beta = beta_s + 17/24 - (4/3)/2^(n+1); n even: alpha = T + 1.5n,
///        beta = beta_s + (2/3)(1 - 1/2^n);
/// torus: n odd: alpha = T + 1.5(n-1) + 1, beta = beta_s + 1/2 - 1/2^(n+1); n even: alpha = T + 1.5n,
///        beta = beta_s + (1 - 1/2^n)/2. (n = 1: alpha = 4, beta = 9/8.)
/// Throws InputError where the sizes are not equal powers of two.
Schedule recursion_based_all_port(const Grid& grid, NodeId source);

} // namespace wormcast
