#include "wormcast/algorithms/schedule/segment_trees.hpp"

#include <algorithm>

namespace wormcast {

std::uint64_t segments_of_tree(std::uint64_t segments, std::size_t tree, std::size_t trees)
{
  return segments > tree ? (segments - tree - 1) / trees + 1 : 0;
}

Schedule segmented_broadcast(const SegmentTrees& trees, std::uint64_t segments)
{
  Schedule schedule;
  schedule.blocks = segments;
  std::vector<BlockSetId> sets;
  for (std::uint32_t segment = 0; segment < segments; ++segment) {
    sets.push_back(schedule.block_sets.intern({segment, segment + 1}));
  }
  const std::size_t count = trees.trees.size();
  std::vector<std::vector<TreeEdge>> by_start; // edges of all trees; `start` is the tree's number here
  std::uint64_t messages = 0;
  for (std::size_t tree = 0; tree < count; ++tree) {
    const std::uint64_t carried = segments_of_tree(segments, tree, count);
    messages += carried * trees.trees[tree].size();
    for (const TreeEdge& edge : carried == 0 ? std::vector<TreeEdge>() : trees.trees[tree]) {
      by_start.resize(std::max<std::size_t>(by_start.size(), edge.start + std::size_t{1}));
      by_start[edge.start].push_back({edge.from, edge.to, static_cast<std::uint32_t>(tree)});
    }
  }
  std::size_t first = 0;
  while (first < by_start.size() && by_start[first].empty()) {
    ++first;
  }
  schedule.messages.reserve(messages);
  for (std::uint64_t step = first; schedule.messages.size() < messages; ++step) {
    const std::size_t begin = schedule.messages.size();
    for (std::uint64_t turn = 0; turn * trees.period <= step; ++turn) {
      const std::uint64_t start = step - turn * trees.period;
      if (start >= by_start.size()) {
        continue;
      }
      for (const TreeEdge& edge : by_start[start]) {
        const std::uint64_t segment = turn * count + edge.start;
        if (segment < segments) {
          schedule.messages.push_back({.step = static_cast<std::uint32_t>(step - first),
                                       .source = edge.from,
                                       .destination = edge.to,
                                       .blocks = sets[segment]});
        }
      }
    }
    std::ranges::sort(schedule.messages.begin() + static_cast<std::ptrdiff_t>(begin), schedule.messages.end(), {},
                      [](const Message& message) { return std::pair(message.source, message.destination); });
  }
  return schedule;
}

} // namespace wormcast
