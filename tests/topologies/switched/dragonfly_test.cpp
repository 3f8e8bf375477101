#include "tests/topologies/switched/switched_routes.hpp"
#include "tests/topologies/switched/switched_samples.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"

namespace wormcast {

namespace {

TEST(Dragonfly, has_hosts_at_all_routers)
{
  const auto dragonfly = make_dragonfly({3, 4, 4, 3, 5, 1, 2});
  EXPECT_EQ(dragonfly->title(), "dragonfly 3,4;4,3;5,1;2");
  EXPECT_EQ(dragonfly->host_count(), 120U);
  EXPECT_EQ(dragonfly->node_count(), 180U);
  EXPECT_EQ(dragonfly->node_name(NodeId{119}), "(2, 3, 4, 1)");
  EXPECT_EQ(dragonfly->node_name(NodeId{120}), "s0.0.0");
  EXPECT_EQ(dragonfly->node_at(std::vector<std::int64_t>{2, 3, 4, 1}), NodeId{119});
  // Of each router two hosts, 4 others in its chassis and 3 chassis; three pairs of groups.
  EXPECT_EQ(dragonfly->channel_count(), 120U + 60 * (2 + 4 * 1 + 3 * 3) + 3 * 2 * 4);
}

TEST(Dragonfly, goes_to_another_group_by_the_router_that_is_linked_to_it)
{
  const auto dragonfly = make_dragonfly({3, 1, 2, 1, 3, 1, 1}); // 18 hosts, switch 18 + i of host i
  EXPECT_EQ(nodes_between(*dragonfly, 4, 17), (std::vector<std::uint32_t>{4, 22, 23, 20, 30, 32, 35, 17}));
  EXPECT_EQ(nodes_between(*dragonfly, 3, 5), (std::vector<std::uint32_t>{3, 21, 23, 5}));
  EXPECT_EQ(nodes_between(*dragonfly, 4, 0), (std::vector<std::uint32_t>{4, 22, 21, 18, 0}));
  EXPECT_EQ(dragonfly->longest_route(), 7U);
}

TEST(Dragonfly, takes_parallel_links_by_the_destination)
{
  const auto dragonfly = make_dragonfly({2, 3, 1, 1, 2, 1, 4});
  std::vector<ChannelId> taken;
  for (std::uint32_t to = 8; to < 12; ++to) { // hosts of the first router of group 1
    taken.push_back(route_between(*dragonfly, 4, to).at(1));
  }
  EXPECT_NE(taken[0], taken[1]);
  EXPECT_NE(taken[1], taken[2]);
  EXPECT_EQ(taken[0], taken[3]);
}

TEST(Dragonfly, has_four_classes_of_links)
{
  const auto dragonfly = make_dragonfly({3, 1, 2, 1, 3, 1, 1});
  EXPECT_EQ(dragonfly->link_classes(), (std::vector<std::string>{"host", "router", "chassis", "group"}));
  std::vector<std::uint32_t> classes;
  for (const ChannelId channel : route_between(*dragonfly, 4, 17)) {
    classes.push_back(dragonfly->link_class(channel));
  }
  EXPECT_EQ(classes, (std::vector<std::uint32_t>{0, 1, 2, 3, 1, 2, 0}));
}

TEST(Dragonfly, deadlocks_without_a_second_virtual_channel)
{
  const auto dragonfly = make_dragonfly({3, 1, 1, 1, 3, 1, 1});
  EXPECT_FALSE(check_deadlock(channel_dependencies(*dragonfly, 1)).deadlock_free());
  EXPECT_TRUE(check_deadlock(channel_dependencies(*dragonfly, 2)).deadlock_free());
}

TEST(Dragonfly, refuses_groups_that_cannot_be_linked_and_places_outside)
{
  EXPECT_EQ(
      input_error([] { make_dragonfly({6, 1, 2, 1, 5, 1, 1}); }),
      "groups: found 6, expected at most 5, the routers of a chassis: router i of the first chassis of each group "
      "is linked to group i, and to no other one");
  EXPECT_EQ(input_error([] { make_dragonfly({65536, 1, 65536, 1, 65536, 1, 65536}); }).find("the dragonfly 65536,"),
            0U);
  const auto dragonfly = make_dragonfly({2, 1, 2, 1, 2, 1, 2});
  EXPECT_EQ(input_error([&] { dragonfly->node_at(Numbers{0, 2, 0, 0}); }),
            "node (0, 2, 0, 0) is outside of the dragonfly 2,1;2,1;2,1;2: its chassis is 2, expected 0 to 1");
  EXPECT_EQ(
      input_error([&] { dragonfly->node_at(Numbers{0, 2}); }),
      "[0, 2] has 2 coordinates, but hosts of the dragonfly 2,1;2,1;2,1;2 have four: group, chassis, router, host");
}

TEST(Dragonfly, is_cut_between_its_groups)
{
  const std::optional<Bisection> bisection = measure_topology(*make_dragonfly({4, 3, 2, 1, 4, 1, 1})).bisection;
  ASSERT_TRUE(bisection);
  EXPECT_EQ(bisection->links, 2U * 2 * 3);
}

RC_GTEST_PROP(Dragonfly, routes_are_minimal_and_free_of_deadlock, ())
{
  const auto dragonfly = arbitrary_dragonfly();
  check_minimal_routes(*dragonfly);
  RC_ASSERT(check_deadlock(channel_dependencies(*dragonfly, 2)).deadlock_free());
  const Drawing drawing = draw_topology(*dragonfly);
  RC_ASSERT(drawing.nodes.size() == dragonfly->node_count());
  RC_ASSERT(drawing.channels.size() == dragonfly->channel_count());
}

} // namespace

} // namespace wormcast
