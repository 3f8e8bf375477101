#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/tuning/fastest.hpp"

namespace wormcast {

/// Recursion-based broadcast cut off above and below: the message is scattered over the diagonal of the source's block
/// of 2^depth nodes a side only, its segments are broadcast between the blocks by recursive doubling, the recursive
/// rounds run in all blocks at once, down to blocks of 2^block a side, and these finish by doubling and a ring. depth 0
/// is recursive doubling, full depth and block 0 the algorithm of Zhuang & Liberatore, block = depth network
/// partitioning. With rounds = "lattice" a round takes two steps of equal length (lattice_round). Own design.
Algorithm truncated_recursion_algorithm();

/// One member of the family on a mesh or torus of 2^x nodes along x, 2^y along y and so on, in 2 or 3 dimensions.
struct TruncatedRecursion {
  std::vector<unsigned> bits; ///< x, y (and z) of the sizes
  unsigned depth = 0;         ///< at most the smallest of them
  unsigned block = 0;         ///< at most depth; 0 in 3-D
  bool lattice = false;
};

/// alpha and beta, proved for steps without contention.
FormulaCosts truncated_recursion_costs(const TruncatedRecursion& member);

} // namespace wormcast
