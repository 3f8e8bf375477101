#pragma once

#include "wormcast/algorithms/schedule/segment_trees.hpp"
#include "wormcast/topologies/grid.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace wormcast::testing {

/// What makes a pipeline over two trees free of contention at full rate, whatever the number of segments: both trees
/// span, a node sends and receives once in a colour (steps alternate between two), and no channel is used twice in a
/// colour.
inline void expect_free_at_full_rate(const Grid& mesh, NodeId source, const SegmentTrees& trees)
{
  ASSERT_EQ(trees.trees.size(), 2U);
  ASSERT_EQ(trees.period, 2U);
  std::vector<bool> channels(2 * std::size_t{mesh.channel_count()}); // by index and colour, as the next two
  std::vector<bool> senders(2 * std::size_t{mesh.node_count()});
  std::vector<bool> receivers(2 * std::size_t{mesh.node_count()});
  const auto is_second_use = [](std::vector<bool>& used, std::size_t place) {
    const bool before = used[place];
    used[place] = true;
    return before;
  };
  std::vector<ChannelId> route;
  for (const std::vector<TreeEdge>& edges : trees.trees) {
    constexpr std::int64_t not_reached = -1;
    std::vector<std::int64_t> ready(mesh.node_count(), not_reached); // the first step in which a node can send
    ready[index(source)] = 0;
    EXPECT_EQ(edges.size() + 1, mesh.node_count());
    for (const TreeEdge& edge : edges) {
      ASSERT_NE(ready[index(edge.from)], not_reached);
      ASSERT_GE(std::int64_t{edge.start}, ready[index(edge.from)]);
      ASSERT_EQ(ready[index(edge.to)], not_reached);
      ready[index(edge.to)] = edge.start + std::int64_t{1};
      const std::size_t colour = edge.start % 2;
      ASSERT_FALSE(is_second_use(senders, 2 * std::size_t{index(edge.from)} + colour));
      ASSERT_FALSE(is_second_use(receivers, 2 * std::size_t{index(edge.to)} + colour));
      route.clear();
      mesh.append_route(edge.from, edge.to, route);
      for (const ChannelId channel : route) {
        ASSERT_FALSE(is_second_use(channels, 2 * std::size_t{index(channel)} + colour));
      }
    }
  }
}

} // namespace wormcast::testing
