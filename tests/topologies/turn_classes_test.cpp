// Classes of virtual channels by turns: as many as the turns of routes ask for, and free of deadlock.

#include "tests/topologies/random_links.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/shortest_path_routing.hpp"
#include "wormcast/topologies/turn_classes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace wormcast {
namespace {

class ShortestLinks final : public TableRoutedTopology {
public:
  ShortestLinks(std::uint32_t nodes, std::vector<ChannelEnds> channels)
      : TableRoutedTopology({"links", {}}, nodes, std::move(channels), {})
  {}
  std::string title() const override { return "links"; }
};

std::vector<ChannelId> channels_of_route(const Topology& topology, std::uint32_t from, std::uint32_t to)
{
  std::vector<ChannelId> route;
  topology.append_route(NodeId{from}, NodeId{to}, route);
  return route;
}

TEST(TurnClasses, RiseWhereARouteGoesUpAgain)
{
  // A ring of six nodes with the root 0 and the order 0, 1, 5, 2, 4, 3: from 2 by 3 to 4 is down, then up.
  const ShortestLinks ring(6, testing::both_ways({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {0, 5}}));
  EXPECT_EQ(ring.virtual_channel_classes(1), 1U);
  EXPECT_EQ(ring.virtual_channel_classes(2), 2U);
  EXPECT_EQ(ring.virtual_channel_classes(8), 2U);
  EXPECT_FALSE(check_deadlock(channel_dependencies(ring, 1)).deadlock_free());
  EXPECT_TRUE(check_deadlock(channel_dependencies(ring, 2)).deadlock_free());
  std::vector<std::uint8_t> classes(2, 7);
  ring.assign_virtual_channel_classes(channels_of_route(ring, 2, 4), 2, classes);
  EXPECT_THAT(classes, ::testing::ElementsAre(0, 1));
  ring.assign_virtual_channel_classes(channels_of_route(ring, 2, 4), 1, classes);
  EXPECT_THAT(classes, ::testing::ElementsAre(0, 0));
  ring.assign_virtual_channel_classes(channels_of_route(ring, 4, 0), 2, classes);
  EXPECT_THAT(classes, ::testing::ElementsAre(0, 0));
}

TEST(TurnClasses, AreOneOnATree)
{
  const ShortestLinks tree(5, testing::both_ways({{0, 1}, {0, 2}, {2, 3}, {2, 4}}));
  EXPECT_EQ(tree.longest_route(), 3U);
  EXPECT_EQ(tree.virtual_channel_classes(8), 1U);
  EXPECT_TRUE(check_deadlock(channel_dependencies(tree, 1)).deadlock_free());
}

RC_GTEST_PROP(TurnClasses, AreFreeOfDeadlockOnShortestPaths, ())
{
  const testing::RandomLinks links = testing::random_links();
  const ShortestLinks topology(links.nodes, links.channels);
  TurnClasses one_by_one(up_down_order(topology));
  for (std::uint32_t from = 0; from < links.nodes; ++from) {
    for (std::uint32_t to = 0; to < links.nodes; ++to) {
      one_by_one.add_route(topology, channels_of_route(topology, from, to));
    }
  }
  const std::uint32_t needed = one_by_one.most_turns() + 1;
  RC_CLASSIFY(needed > 1, "routes with turns");
  RC_ASSERT(topology.virtual_channel_classes(64) == needed);
  RC_ASSERT(needed <= std::max<std::uint32_t>(topology.longest_route(), 1));
  RC_ASSERT(needed == 1 || topology.virtual_channel_classes(needed - 1) == 1U);
  RC_ASSERT(check_deadlock(channel_dependencies(topology, needed)).deadlock_free());
}

} // namespace
} // namespace wormcast
