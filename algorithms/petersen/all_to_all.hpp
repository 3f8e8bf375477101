#pragma once

#include "wormcast/algorithms/petersen/torus_moves.hpp"
#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

// The sends of all-to-all in the Petersen graph. Messages combine: a send carries all blocks of its node at the start
// of the step (combining.hpp). Algorithms 2 and 3 are those of Kim et al.

/// Algorithm 2, one port, 6 steps: 4 times round the two 5-cycles, then the matching 0-5 1-8 2-6 3-9 4-7 one way, then
/// the other.
ModuleSteps petersen_algorithm_2();
/// Algorithm 2 with its last two steps, which use the same links in opposite directions, in one: 5 steps, one port.
ModuleSteps petersen_algorithm_2_merged();
/// Algorithm 3, all ports, 3 steps: twice both ways round the two 5-cycles, then the matching both ways.
ModuleSteps petersen_algorithm_3();
/// Both directions of all links, twice: the optimum (diameter 2), all ports.
ModuleSteps petersen_flooding();
/// One port in 4 = ceil(log2 10) steps, the optimum: exchange over the matching 0-1 2-3 4-7 5-6 8-9, then round the two
/// 5-cycles that it leaves, back round them, and the exchange again. Not in the paper; found by exhaustive search.
ModuleSteps petersen_optimal_one_port();

/// `petersen_all_to_all` with variant "paper" (Algorithm 2 or 3 by the number of ports), "merged", "optimal" (both one
/// port) or "flooding" (all ports).
Algorithm petersen_all_to_all_algorithm();

} // namespace wormcast
