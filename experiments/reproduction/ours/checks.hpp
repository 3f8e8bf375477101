#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"

#include <vector>

namespace wormcast {

/// What is claimed of this program's own algorithms and comparisons, proved and measured as the claims of papers are.
Paper our_claims();

namespace ours {

std::vector<Check> recursion_checks();  ///< truncated recursion, its rounds on lattices and its finish by rings
std::vector<Check> bound_checks();      ///< what no broadcast can do
std::vector<Check> tree_checks();       ///< pipelines of segments down two or four trees
std::vector<Check> every_size_checks(); ///< two trees on all square meshes whose sides are powers of two
std::vector<Check> reduction_checks();  ///< reductions by reversal
std::vector<Check> comparison_checks(); ///< which broadcast is the fastest where, and where recursion pays

} // namespace ours

} // namespace wormcast
