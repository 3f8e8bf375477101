#include "tests/topologies/switched/switched_routes.hpp"
#include "tests/topologies/switched/switched_samples.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/topologies/switched/dragonfly.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

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

TEST(Dragonfly, links_each_router_to_several_groups)
{
  // The balanced dragonfly of two hosts and two global links a router: four routers in each of nine groups.
  const auto dragonfly = make_dragonfly({9, 1, 1, 1, 4, 1, 2}, "minimal", 2);
  EXPECT_EQ(dragonfly->title(), "dragonfly 9,1;1,1;4,1;2 with 2 global links of a router");
  EXPECT_EQ(dragonfly->host_count(), 72U);
  EXPECT_EQ(dragonfly->channel_count(), 2U * (72 + 9 * 4 * 3 / 2 + 9 * 8 / 2));
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> links; // by groups
  const auto& sizes = dynamic_cast<const Dragonfly&>(*dragonfly);
  for (std::uint32_t id = 0; id < dragonfly->channel_count(); ++id) {
    if (dragonfly->link_class(ChannelId{id}) == 3) {
      const Dragonfly::Router from = sizes.router(dragonfly->channel_source(ChannelId{id}));
      const Dragonfly::Router to = sizes.router(dragonfly->channel_target(ChannelId{id}));
      EXPECT_TRUE(links.emplace(std::pair(from.group, to.group), std::pair(from.number, to.number)).second);
    }
  }
  EXPECT_EQ(links.size(), 9U * 8);
  EXPECT_EQ(links.at({0, 1}), (std::pair<std::uint32_t, std::uint32_t>{0, 0}));
  EXPECT_EQ(links.at({0, 8}), (std::pair<std::uint32_t, std::uint32_t>{3, 0}));
  EXPECT_EQ(links.at({4, 3}), (std::pair<std::uint32_t, std::uint32_t>{1, 1}));
  EXPECT_EQ(links.at({4, 5}), (std::pair<std::uint32_t, std::uint32_t>{2, 2}));
  EXPECT_EQ(dragonfly->longest_route(), 5U);
  EXPECT_EQ(make_dragonfly({9, 1, 1, 1, 4, 1, 2}, "valiant", 2)->longest_route(), 7U);
}

TEST(Dragonfly, refuses_more_groups_than_global_links)
{
  EXPECT_EQ(input_error([] { make_dragonfly({10, 1, 1, 1, 4, 1, 2}, "minimal", 2); }),
            "groups: found 10, expected at most 9: the 4 routers of a group have 8 global links");
}

RC_GTEST_PROP(Dragonfly, with_global_links_leads_and_is_free_of_deadlock, ())
{
  const bool drawn = *rc::gen::arbitrary<bool>();
  const auto dragonfly = arbitrary_linked_dragonfly(drawn ? "valiant" : "minimal");
  RC_ASSERT(check_deadlock(channel_dependencies(*dragonfly, drawn ? 3 : 2)).deadlock_free());
  std::uint32_t longest = 0;
  for (std::uint32_t from = 0; from < dragonfly->host_count(); ++from) {
    for (std::uint32_t to = 0; to < dragonfly->host_count(); ++to) {
      RC_ASSERT(dragonfly->distance(NodeId{from}, NodeId{to}) == route_between(*dragonfly, from, to).size());
      std::vector<double> shares(dragonfly->channel_count());
      dragonfly->add_mean_route(NodeId{from}, NodeId{to}, 1, shares);
      RC_ASSERT(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) -
                         dragonfly->mean_route_length(NodeId{from}, NodeId{to})) < 1e-9);
      for (std::uint64_t draw = 0; draw < 12; ++draw) {
        std::vector<ChannelId> route;
        dragonfly->append_drawn_route(NodeId{from}, NodeId{to}, draw * 0x1555555555555555, route);
        RC_ASSERT(leads(*dragonfly, NodeId{from}, NodeId{to}, route));
        RC_ASSERT(std::ranges::count_if(route, [&](ChannelId channel) {
                    return dragonfly->link_class(channel) == 3;
                  }) <= (drawn ? 2 : 1));
        longest = std::max(longest, static_cast<std::uint32_t>(route.size()));
      }
    }
  }
  RC_ASSERT(longest <= dragonfly->longest_route());
  RC_ASSERT(dragonfly->host_count() == 1 || longest + 2 >= dragonfly->longest_route());
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

TEST(Dragonfly, goes_by_way_of_the_group_that_a_message_draws)
{
  const auto minimal = make_dragonfly({3, 1, 2, 1, 3, 1, 1});
  const auto valiant = make_dragonfly({3, 1, 2, 1, 3, 1, 1}, "valiant");
  const auto& by_groups = dynamic_cast<const Dragonfly&>(*valiant);
  std::vector<ChannelId> by_1;
  by_groups.append_route_by(1, NodeId{4}, NodeId{17}, by_1);
  std::vector<std::uint32_t> nodes;
  for (const ChannelId channel : by_1) {
    nodes.push_back(index(valiant->channel_target(channel)));
  }
  // Within group 0 to router 1 of the first chassis, over to group 1 and in it to router 2, over to group 2.
  EXPECT_EQ(nodes, (std::vector<std::uint32_t>{22, 19, 24, 26, 31, 32, 35, 17}));
  std::vector<std::uint8_t> classes(by_1.size());
  valiant->assign_virtual_channel_classes(by_1, 3, classes);
  EXPECT_EQ(classes, (std::vector<std::uint8_t>{0, 0, 0, 1, 1, 2, 2, 2}));
  for (const std::uint32_t own : {0U, 2U}) {
    std::vector<ChannelId> direct;
    by_groups.append_route_by(own, NodeId{4}, NodeId{17}, direct);
    EXPECT_EQ(direct, route_between(*minimal, 4, 17));
  }
  EXPECT_FALSE(valiant->draws_route(NodeId{0}, NodeId{5}));
  EXPECT_TRUE(valiant->draws_route(NodeId{0}, NodeId{6}));
}

/// About a third of the messages by way of each of three groups.
TEST(Dragonfly, draws_groups_alike)
{
  const auto valiant = make_dragonfly({3, 1, 1, 1, 3, 1, 1}, "valiant");
  std::map<std::size_t, int> by_length;
  for (std::uint64_t draw = 0; draw < 3000; ++draw) {
    std::vector<ChannelId> route;
    valiant->append_drawn_route(NodeId{0}, NodeId{3}, draw * 0x9e3779b97f4a7c15, route);
    ++by_length[route.size()];
  }
  std::vector<ChannelId> around;
  dynamic_cast<const Dragonfly&>(*valiant).append_route_by(2, NodeId{0}, NodeId{3}, around);
  EXPECT_NEAR(by_length[around.size()], 1000, 100);
  EXPECT_EQ(by_length.size(), 2U);
}

TEST(Dragonfly, deadlocks_by_drawn_groups_without_a_third_virtual_channel)
{
  for (const std::int64_t groups : {3, 4}) {
    const auto dragonfly = make_dragonfly({groups, 1, 1, 1, 4, 1, 1}, "valiant");
    EXPECT_FALSE(check_deadlock(channel_dependencies(*dragonfly, 2)).deadlock_free()) << groups;
    EXPECT_TRUE(check_deadlock(channel_dependencies(*dragonfly, 3)).deadlock_free()) << groups;
  }
}

TEST(Dragonfly, refuses_groups_that_cannot_be_linked_and_places_outside)
{
  EXPECT_EQ(
      input_error([] { make_dragonfly({6, 1, 2, 1, 5, 1, 1}); }),
      "groups: found 6, expected at most 5, the routers of a chassis: router i of the first chassis of each group "
      "is linked to group i, and to no other one; global_links links each router to several groups");
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

// What is known of them beforehand is that of the minimal routes, and what can happen that of the drawn ones.
RC_GTEST_PROP(Dragonfly, headers_that_choose_have_both_routes, ())
{
  const auto choosing = arbitrary_dragonfly("ugal_l");
  const auto valiant = make_topology(choosing->description(), {.routing = "valiant"});
  RC_ASSERT(choosing->headers_choose() == (valiant->drawn_bits() > 0));
  RC_ASSERT(!valiant->headers_choose());
  RC_ASSERT(check_deadlock(channel_dependencies(*choosing, 3)).deadlock_free());
  for (std::uint32_t from = 0; from < choosing->host_count(); ++from) {
    for (std::uint32_t to = 0; to < choosing->host_count(); ++to) {
      const NodeId source{from};
      const NodeId destination{to};
      RC_ASSERT(choosing->draws_route(source, destination) == valiant->draws_route(source, destination));
      RC_ASSERT(choosing->mean_route_length(source, destination) == choosing->distance(source, destination));
      std::vector<double> shares(choosing->channel_count());
      choosing->add_mean_route(source, destination, 1, shares);
      const std::vector<ChannelId> shortest = route_between(*choosing, from, to);
      RC_ASSERT(std::ranges::count(shares, 1.0) == static_cast<std::ptrdiff_t>(shortest.size()));
      std::vector<ChannelId> drawn;
      choosing->append_drawn_route(source, destination, 0x9e3779b97f4a7c15U * (from + 1), drawn);
      if (from != to) {
        RC_ASSERT(drawn.front() == shortest.front());
      }
      std::vector<ChannelId> as_valiant;
      valiant->append_drawn_route(source, destination, 0x9e3779b97f4a7c15U * (from + 1), as_valiant);
      RC_ASSERT(drawn == as_valiant);
    }
  }
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

RC_GTEST_PROP(Dragonfly, routes_by_drawn_groups_lead_and_are_free_of_deadlock, ())
{
  const auto dragonfly = arbitrary_dragonfly("valiant");
  RC_ASSERT(check_deadlock(channel_dependencies(*dragonfly, 3)).deadlock_free());
  for (std::uint32_t from = 0; from < dragonfly->host_count(); ++from) {
    for (std::uint32_t to = 0; to < dragonfly->host_count(); ++to) {
      std::vector<double> shares(dragonfly->channel_count());
      dragonfly->add_mean_route(NodeId{from}, NodeId{to}, 1, shares);
      RC_ASSERT(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) -
                         dragonfly->mean_route_length(NodeId{from}, NodeId{to})) < 1e-9);
      RC_ASSERT(dragonfly->distance(NodeId{from}, NodeId{to}) == route_between(*dragonfly, from, to).size());
      for (const std::uint64_t draw : {std::uint64_t{0}, std::uint64_t{0x9e3779b97f4a7c15} * (from + 1)}) {
        std::vector<ChannelId> route;
        dragonfly->append_drawn_route(NodeId{from}, NodeId{to}, draw, route);
        RC_ASSERT(leads(*dragonfly, NodeId{from}, NodeId{to}, route));
        RC_ASSERT(route.size() >= dragonfly->distance(NodeId{from}, NodeId{to}));
        RC_ASSERT(route.size() <= dragonfly->longest_route());
        RC_ASSERT(std::ranges::all_of(route, [&](ChannelId channel) { return shares[index(channel)] > 0; }));
      }
    }
  }
}

} // namespace

} // namespace wormcast
