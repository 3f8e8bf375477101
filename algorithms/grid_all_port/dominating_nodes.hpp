#pragma once

#include "wormcast/algorithms/grid_all_port/square_frame.hpp"
#include "wormcast/algorithms/registry.hpp"

#include <array>
#include <cstdint>

namespace wormcast {

/// Broadcast through extended dominating nodes with all ports and the whole message in every send, in the frame of Tsai
/// & McKinley's D-node algorithm (ICS 1994), but with other node sets: the level sets here are on the diagonal of each
/// block.

/// a(m), m >= 2: the four nodes (t, t), t in a(m), of every 2^m block have the message when step `m` down begins.
/// a(2) = 0, 1, 2, 3; a(m) = a1, a2, h + a1, h + a2 with a1, a2 the middle entries of a(m-1) and h = 2^(m-1).
std::array<std::int64_t, 4> dominating_levels(unsigned m);

/// 2^n x 2^n mesh, any source: n + 1 steps (none for n = 0), every other node gets exactly one send.
PositionSteps dominating_nodes_on_mesh(unsigned n, Position source);

/// The node from which dominating_nodes_on_torus(n) starts; both coordinates are the first of a(n-1), 0 for n = 2.
Position dominating_source_on_torus(unsigned n);

/// 2^n x 2^n torus, n >= 2: n steps, the optimum up to n = 7. Places are taken modulo the side; sends that cross half
/// the ring must go upwards.
PositionSteps dominating_nodes_on_torus(unsigned n);

/// The same on every 2^k-th row and column from `first` on of a 2^n x 2^n grid (side = 2^(n-k)): by grid coordinates,
/// from the node at (source, source's y) of that dilated grid. On a torus of side 4 or more it uses the torus version,
/// reflected where the tie rule requires it. Throws InputError if no reflection fits the tie rule.
PositionSteps dominating_nodes_on_dilated(const Grid& grid, std::int64_t stride, std::int64_t first, Position source);

/// `dominating_nodes`.
Algorithm dominating_nodes_algorithm();

} // namespace wormcast
