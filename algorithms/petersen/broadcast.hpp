#pragma once

#include "wormcast/algorithms/petersen/torus_moves.hpp"
#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// One-to-all in the Petersen graph from p: with one port 4 steps, else 2; both are optimal (Kim et al., Lemma 3, which
/// gives the schedule from node 8; sigma and tau make those from 3, 2 and 7 of it; the others are chosen here).
ModuleSteps petersen_broadcast_steps(int p, bool all_ports);

/// `petersen_broadcast`: Lemma 3 on the Petersen graph, SLA with fewer than three ports, else MLA.
Algorithm petersen_broadcast_algorithm();

} // namespace wormcast
