#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"

#include <vector>

namespace wormcast {

/// D. De Sensi, T. Bonato, D. Saam, T. Hoefler, "Swing: Short-cutting Rings for Higher Bandwidth Allreduce", NSDI 2024.
Paper swing_paper();

namespace swing {

std::vector<Check> pattern_checks();  ///< which nodes exchange in which step, and by how many ways a block can go
std::vector<Check> model_checks();    ///< the paper's time model by sums over the steps, and its figures
std::vector<Check> schedule_checks(); ///< costs and loads of schedules that the verifier checks
std::vector<Check> worm_checks();     ///< what becomes of the model on worms
std::vector<Check> crossing_checks(); ///< up to which length Swing is faster than bucket on worms

} // namespace swing

} // namespace wormcast
