#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/work_watch.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace wormcast {

/// The modulus of fingerprints of sets of contributors, 2^61 - 1.
inline constexpr std::uint64_t fingerprint_prime = (std::uint64_t{1} << 61) - 1;

/// The weight of a node in the sums that are fingerprints: the finaliser of SplitMix64 (Steele, Lea & Flood, OOPSLA
/// 2014), drawn again until it is below the prime.
std::uint64_t fingerprint_weight(std::uint64_t node);

/// The sum of two numbers below the prime, modulo the prime.
inline std::uint64_t fingerprint_sum(std::uint64_t a, std::uint64_t b)
{
  const std::uint64_t sum = a + b;
  return sum >= fingerprint_prime ? sum - fingerprint_prime : sum;
}

/// Calls visit(block) for the blocks of a set in ascending order.
template <typename Visit> void for_each_block(const BlockSets& sets, BlockSetId set, Visit&& visit)
{
  const BlockBits bits = sets.bits(set);
  for (std::size_t word = 0; word < bits.words.size(); ++word) {
    const std::uint32_t first = (bits.first_word + static_cast<std::uint32_t>(word)) * 64;
    for (std::uint64_t rest = bits.words[word]; rest != 0; rest &= rest - 1) {
      visit(first + static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
  }
  if (!bits.words.empty()) {
    return;
  }
  const BlockRanges ranges = sets.ranges(set);
  for (const BlockRange range : ranges) {
    for (std::uint32_t block = range.begin; block < range.end; ++block) {
      visit(block);
    }
  }
}

/// A numbering of a schedule's blocks, by block: messages are followed faster where their blocks are neighbours. The
/// sets come first that an algorithm made first, which are those of its largest messages.
std::vector<std::uint32_t> neighbouring_slots(const Schedule& schedule, WorkSteps& steps);

} // namespace wormcast
