#pragma once

#include "wormcast/algorithms/registry.hpp"

#include <cstdint>

namespace wormcast {

/// The `bits` digits of `rank` in base -2 (negabinary), digit i in bit i. Ranks count modulo 2^bits, and every residue
/// has exactly one such representation: with 3 bits 2 is 110 (4 - 2) and 6 is 010 (-2).
std::uint32_t negabinary(std::uint32_t rank, unsigned bits);

/// The rank in 0 .. 2^bits - 1 whose negabinary representation is `digits`.
std::uint32_t rank_of_negabinary(std::uint32_t digits, unsigned bits);

/// Broadcast over the distance-halving Bine (binomial negabinary) tree of De Sensi et al. 2025, "Bine Trees: Enhancing
/// Collective Operations by Optimizing Communication Locality" (arXiv 2508.17311). With ranks relative to the source
/// and N = 2^s, in step t = 0 .. s-1 every rank that has the message sends all of it to the rank whose negabinary
/// representation differs in exactly the s-t lowest digits. The distance is |1 - (-2)^(s-t)| / 3, about two thirds of
/// the binomial tree's 2^(s-t-1), up for even ranks and down for odd ones or the other way about.
///
/// Derived from that definition of the tree, not taken from the authors' code: that a rank receives in the step from
/// which on all its lower digits are equal (so the digits that a sender flips are all equal, and every rank is reached
/// once); that ranks are shifted by the source; that the order of the steps is that of the flips. The paper's treatment
/// of other numbers of nodes is left out: a power of two is needed. Any topology; steps can have channel contention.
Algorithm bine_tree_algorithm();

} // namespace wormcast
