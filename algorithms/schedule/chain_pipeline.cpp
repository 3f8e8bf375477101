#include "wormcast/algorithms/schedule/chain_pipeline.hpp"

#include <algorithm>

namespace wormcast {

Schedule chain_pipeline(std::span<const NodeId> chain, std::uint64_t segments)
{
  const std::uint64_t hops = chain.size() - 1;
  Schedule schedule;
  schedule.blocks = segments;
  std::vector<BlockSetId> sets;
  for (std::uint32_t segment = 0; segment < segments; ++segment) {
    sets.push_back(schedule.block_sets.intern({segment, segment + 1}));
  }
  schedule.messages.reserve(segments * hops);
  for (std::uint64_t step = 0; hops > 0 && step < segments + hops - 1; ++step) {
    const std::size_t begin = schedule.messages.size();
    for (std::uint64_t hop = step < segments ? 0 : step - segments + 1; hop <= std::min(step, hops - 1); ++hop) {
      schedule.messages.push_back({.step = static_cast<std::uint32_t>(step),
                                   .source = chain[hop],
                                   .destination = chain[hop + 1],
                                   .blocks = sets[step - hop]});
    }
    std::ranges::sort(schedule.messages.begin() + static_cast<std::ptrdiff_t>(begin), schedule.messages.end(), {},
                      &Message::source);
  }
  return schedule;
}

} // namespace wormcast
