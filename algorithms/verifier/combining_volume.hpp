#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// The volume that a schedule with combining messages moves, counted in blocks that are new to the receiver at the
/// start of the step. A count of steps hides it: with unit-time steps a message of any size costs the same.
struct CombiningVolume {
  std::vector<std::uint64_t> largest_new; ///< by step: the largest number of new blocks in one send
  std::uint64_t total_new = 0;            ///< sum over all sends
  /// Sum of largest_new: the time if a link carries one block per unit of time and only new blocks are sent.
  std::uint64_t unit_time = 0;
};

/// Cost: time O(block ranges of all messages + words of bits under them), memory one bit per node and block. Throws
/// InputError where the bits do not fit Possession's limit. All zero for a plain message list.
CombiningVolume combining_volume(const Schedule& schedule, std::uint32_t node_count);

} // namespace wormcast
