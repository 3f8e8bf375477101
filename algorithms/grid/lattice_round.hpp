#pragma once

#include "wormcast/algorithms/schedule/ownership.hpp"
#include "wormcast/topologies/grid.hpp"

#include <cstdint>

namespace wormcast {

// A block of 2^k nodes a side falls into lattices of 4 nodes a side: with s = 2^(k-1) the positions of rank 0..3 in a
// dimension are u, s-1-u, s+u and 2s-1-u for a class u = 0 .. s/2 - 1. Positions of different classes are different, so
// that straight messages inside a lattice meet no messages of another one, whatever the size of the block, and the
// tables of lattice_tables.hpp serve all lattices of all blocks at once.

/// Rank of a position in its block of 2^k: bits k-1 and k-2.
std::uint32_t lattice_rank(std::int64_t position, unsigned k);

/// Class of a position in its block of 2^k.
std::int64_t lattice_class(std::int64_t position, unsigned k);

/// The position of this rank and class in a block of 2^k.
std::int64_t lattice_position(std::uint32_t rank, std::int64_t class_in_block, unsigned k);

/// The round of truncated_recursion for blocks of 2^k a side, k >= 2, in 2 or 3 dimensions: in every block the owners
/// are the nodes with y = x xor (xs xor ys), or its complement, in their lowest k bits (and z alike), where (xs, ys) is
/// the source; afterwards this holds for blocks of 2^(k-1). Two steps; three in 3-D.
void lattice_round(const Grid& grid, NodeId source, unsigned k, Ownership& ownership);

/// The first round on a torus of 2^k x 2^k, k >= 2, where the owners are the nodes with y = x xor (xs xor ys). Two
/// steps without a message that is half the ring long.
void first_torus_round(const Grid& grid, NodeId source, unsigned k, Ownership& ownership);

} // namespace wormcast
