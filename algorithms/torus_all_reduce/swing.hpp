#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/torus_all_reduce/ring_exchange.hpp"

#include <cstdint>

namespace wormcast {

/// Swing: exchanges at the distances 1, -1, 3, -5, 11, ... along rings, whose peers are nearer to each other than those
/// of recursive doubling (De Sensi, Bonato, Saam & Hoefler, "Swing: Short-cutting Rings for Higher Bandwidth
/// Allreduce", NSDI 2024, sections 3 and 4, appendix A).
///
/// Of the ways on a ring whose size is even and no power of two, a block takes the last one of its sender's own steps.
/// The paper's "only in the last step" (A.2) could also mean the way that ends last of all; that one loses
/// contributions from 18 nodes on. A ring of an odd size has the pattern of one node less, and its last node exchanges
/// blocks with all others directly (section 3.2); that node sends up to a quarter of all blocks in one step.
///
/// Where sides are powers of two, its exchanges are those of Bine trees on a torus (De Sensi et al., SC 2025,
/// arXiv 2508.17311).
Algorithm swing_algorithm();

/// rho(s) = (1 - (-2)^(s+1)) / 3 = 1, -1, 3, -5, 11, ...: the distance of step s, for s below 62 (equation 1).
std::int64_t swing_distance(std::uint32_t step);

/// Its exchanges on a ring: ceil(log2 size) steps; of an odd ring those of the even one with a node less.
RingPattern swing_pattern(std::uint32_t size, bool mirrored);

} // namespace wormcast
