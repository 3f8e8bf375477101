#pragma once

#include "wormcast/algorithms/petersen/torus_moves.hpp"

namespace wormcast {

/// Algorithm 1, Steps 2 to 5 (Kim et al.): the message from the full source module (0, 0, 0) to all m x n modules of
/// its plane. Step i of the result is the paper's step i + 1 after Condition 2. What is known at the start of a step
/// decides all its sends:
/// - the source module sends over its eight edges within the plane in the first step;
/// - a module belongs to the first of its nodes, in the order 8, 7, 2, 3, 1, 4, 6, 9 (choice), of those that the
/// message
///   enters it by; entered at 8, 7, 2 or 3 it performs Condition 3, else it waits until all its adjacent modules are
///   informed and then broadcasts to its own nodes;
/// - a send to an informed module, or to an informed node of the same module, is omitted (under SLA the paper exempts
///   the second step of Condition 3; then nodes would receive twice in a step, for the first time in 3PT(l, 6, 4)).
///
/// The plane's size alone decides, l does not. Cost O(steps * m * n).
SendSteps petersen_torus_plane_steps(std::int64_t m, std::int64_t n, bool all_ports);

} // namespace wormcast
