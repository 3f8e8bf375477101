#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/topologies/grid.hpp"

namespace wormcast {

/// Recursion-based broadcast (the diagonal algorithm) of Zhuang & Liberatore, one port, any source: square meshes and
/// tori (sections 4 and 5), non-square ones (section 6) and cubes (section 7). Parameter `reduction` (non-square only):
/// "pairwise" sharings as in the paper, or "ring", a ring all-gather between the squares, which is not in the paper and
/// never worse.
Algorithm recursion_based_algorithm();

} // namespace wormcast
