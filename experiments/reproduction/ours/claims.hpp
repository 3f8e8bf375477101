#pragma once

#include "wormcast/experiments/reproduction/claim.hpp"

#include <vector>

namespace wormcast {

/// What is claimed of this program's own algorithms and comparisons, proved and measured as the claims of papers are.
Paper our_claims();

namespace ours {

std::vector<Claim> recursion_claims();  ///< truncated recursion, its rounds on lattices and its finish by rings
std::vector<Claim> bound_claims();      ///< what no broadcast can do
std::vector<Claim> tree_claims();       ///< pipelines of segments down two or four trees
std::vector<Claim> reduction_claims();  ///< reductions by reversal
std::vector<Claim> comparison_claims(); ///< which broadcast is the fastest where, and where recursion pays

} // namespace ours

} // namespace wormcast
