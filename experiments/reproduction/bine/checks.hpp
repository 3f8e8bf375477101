#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"

#include <vector>

namespace wormcast {

/// What exchanges and trees of Bine on tori are claimed to do, and to save in bytes times hops against recursive
/// doubling (De Sensi et al., SC 2025). It needs no measured rows.
Paper bine_paper();

namespace bine {

std::vector<Check> rule_checks(); ///< of the rule that says who exchanges with whom, and of the program's schedules
std::vector<Check> hop_checks();  ///< bytes times hops
std::vector<Check> open_checks(); ///< what cannot be counted, because something is not known

} // namespace bine

} // namespace wormcast
