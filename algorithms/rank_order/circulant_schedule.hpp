#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// The circulant graph of Traeff 2022 (arXiv 2205.10072) on p ranks: in round k, modulo q = ceil(log2 p), every rank r
/// sends to r + skip[k] and receives from r - skip[k], modulo p.

/// skip[0] = 1, ..., skip[q] = p: skip[q] = p and skip[k] = ceil(skip[k+1] / 2).
std::vector<std::uint32_t> circulant_skips(std::uint32_t ranks);

/// Base block of `rank`, 0 < rank < p: the index of the last skip when `rank` is written as a sum of skips by taking
/// the largest that fits again and again. The base block is the first block that the rank receives. Cost O(log p).
unsigned base_block(std::span<const std::uint32_t> skips, std::uint32_t rank);

/// What `rank`, 0 < rank < p, receives in the rounds 0 .. q-1 of a broadcast from rank 0 that has run for long: block b
/// of the current phase as b >= 0, which is its base block, and block b of the phase before as b - q. In each later
/// phase of q rounds the same with q added. What makes such schedules a broadcast, and what the tests prove of these:
///
///   1. the q blocks of `rank` are -q, ..., -1 but for its base block b, which comes as b instead of b - q, so that it
///      receives every block once;
///   2. what rank 0 sends in round k is block k;
///   3. what any other rank sends in round k, that is what r + skip[k] receives there, r has received in a round before
///      k, or it is b - q, which r has had since the phase before.
///
/// Found by a depth-first search over sums of falling skips that end between the rank and the ranks it receives from,
/// after the search of Traeff 2024 (arXiv 2407.18004), written from its idea: in round k the source of what r receives
/// is the highest sum not above r - skip[k], and below the one of round k-1, whose last skip is one not used in any
/// round before. Cost O(log^2 p) at most.
std::vector<std::int32_t> receive_schedule(std::span<const std::uint32_t> skips, std::uint32_t rank);

} // namespace wormcast
