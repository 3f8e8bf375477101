#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Returns, by message, the bytes that its receiver adds to its own partial results: where vectors are combined
/// (reduce, reduce_scatter, all_reduce) those of all blocks of which the message does not carry the complete result. A
/// complete result, with the contributions of all nodes that take part, replaces the receiver's own (Contributions).
/// For all other operations, barriers included, all are 0.
///
/// The schedule must count no contribution twice. Memory 4 bytes for each node and block; time O(blocks carried).
/// Throws InputError where the memory does not suffice.
std::vector<std::uint64_t> added_bytes(const Schedule& schedule, std::uint32_t node_count);

/// Returns the number of nodes that send or receive something: all of them, or those with a rank (placed_schedule()).
std::uint32_t participants(const Schedule& schedule, std::uint32_t node_count);

} // namespace wormcast
