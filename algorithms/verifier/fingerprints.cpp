#include "wormcast/algorithms/verifier/fingerprints.hpp"

#include "wormcast/values/mixed_number.hpp"

#include <limits>

namespace wormcast {

std::uint64_t fingerprint_weight(std::uint64_t node)
{
  std::uint64_t z = (node + 1) * 0x9e3779b97f4a7c15ULL;
  std::uint64_t drawn = fingerprint_prime;
  while (drawn >= fingerprint_prime) {
    z += 0x632be59bd9b4e019ULL;
    drawn = mixed_number(z) >> 3;
  }
  return drawn;
}

std::vector<std::uint32_t> neighbouring_slots(const Schedule& schedule, WorkSteps& steps)
{
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> slots(schedule.blocks, none);
  std::uint32_t next = 0;
  const auto take = [&](std::uint32_t block) {
    if (slots[block] == none) {
      slots[block] = next++;
    }
  };
  for (std::uint32_t set = 0; set < schedule.block_sets.count() && next < schedule.blocks; ++set) {
    steps.add(schedule.block_sets.size(BlockSetId{set}));
    for_each_block(schedule.block_sets, BlockSetId{set}, take);
  }
  for (std::uint32_t block = 0; block < schedule.blocks; ++block) {
    take(block);
  }
  return slots;
}

} // namespace wormcast
