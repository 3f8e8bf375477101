#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace wormcast {

/// The dimension of a hypercube. Throws InputError that names the algorithm for any other topology.
std::uint32_t require_hypercube(const Topology& topology, std::string_view algorithm);

/// Throws InputError that names algorithm and dimension if a schedule would have more than most_messages.
void limit_messages(std::uint64_t messages, std::string_view algorithm, std::uint32_t dimension);

/// The sets of the single blocks 0 .. count-1, by block. The algorithms for hypercubes never combine packets.
std::vector<BlockSetId> single_blocks(BlockSets& sets, std::uint32_t count);

} // namespace wormcast
