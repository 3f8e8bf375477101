#pragma once

#include "wormcast/algorithms/petersen/torus_moves.hpp"

namespace wormcast {

// The pieces of the one-to-all broadcast of 3PT(l, m, n) (Kim et al., Algorithm 1, Conditions 1 to 3), each as sends
// inside of one module and over its external edges. `all_ports` is the paper's MLA model, else SLA. What the paper
// leaves open is marked as a choice.

/// Condition 1(1): in the source module from p0 to nodes 0 and 5, 1 to 3 steps. From 2, 3, 7 and 8 with one port the
/// first node to tell is the smaller neighbour of p0 among 1, 4, 6 and 9 (choice).
ModuleSteps source_module_steps(int p0, bool all_ports);

/// A send of Condition 1(2), in the module of the plane `plane`, counted from the source's.
struct PlaneSend {
  std::int64_t plane = 0;
  ModuleSend send;
};

/// Condition 1(2): the message to nodes 0 and 5 of the module with the source's x and y in every plane; l - 1 steps,
/// from the source's plane up and down, with a step inside of the module between two planes.
std::vector<std::vector<PlaneSend>> plane_chain_steps(std::int64_t l);

/// Condition 2: in each of those modules from 0 and 5 to the other nodes; 3 steps with one port, 2 with all.
ModuleSteps module_fill_steps(bool all_ports);

/// Condition 3: the sends of a module that was entered at `entry` (8, 7, 2 or 3) over a diagonal or reverse-diagonal
/// edge: over all of these edges, and to its own nodes; 5 steps with one port, 3 with all. The paper gives it for 8;
/// the others are its image under sigma (3), tau (2) and both (7).
ModuleSteps diagonal_module_steps(int entry, bool all_ports);

} // namespace wormcast
