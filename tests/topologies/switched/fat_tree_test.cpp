#include "tests/topologies/switched/switched_routes.hpp"
#include "tests/topologies/switched/switched_samples.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"

#include <cmath>
#include <map>

namespace wormcast {

namespace {

TEST(FatTree, has_the_sizes_of_its_levels)
{
  const auto tree = make_fat_tree({4, 4}, {1, 2}, {1, 2});
  EXPECT_EQ(tree->title(), "fat tree 2;4,4;1,2;1,2");
  EXPECT_EQ(tree->host_count(), 16U);
  EXPECT_EQ(tree->node_count(), 16U + 4 + 2);
  EXPECT_TRUE(tree->is_host(NodeId{15}));
  EXPECT_FALSE(tree->is_host(NodeId{16}));
  EXPECT_EQ(tree->node_name(NodeId{15}), "15");
  EXPECT_EQ(tree->node_name(NodeId{17}), "s1.1");
  EXPECT_EQ(tree->node_name(NodeId{20}), "s2.0");
}

TEST(FatTree, goes_up_by_the_destination_and_down_by_its_digits)
{
  const auto tree = make_fat_tree({4, 4}, {1, 2}, {1, 1});
  EXPECT_EQ(nodes_between(*tree, 0, 3), (std::vector<std::uint32_t>{0, 16, 3}));
  EXPECT_EQ(nodes_between(*tree, 0, 5), (std::vector<std::uint32_t>{0, 16, 21, 17, 5}));
  EXPECT_EQ(nodes_between(*tree, 0, 6), (std::vector<std::uint32_t>{0, 16, 20, 17, 6}));
  EXPECT_EQ(nodes_between(*tree, 7, 7), (std::vector<std::uint32_t>{7}));
}

TEST(FatTree, is_measured_between_hosts)
{
  const auto tree = make_fat_tree({4, 4}, {1, 2}, {1, 2});
  const TopologyMetrics metrics = measure_topology(*tree);
  EXPECT_EQ(metrics, measure_by_enumeration(*tree));
  EXPECT_EQ(metrics.links, 16U + 16);
  EXPECT_EQ(metrics.diameter, 4U);
  EXPECT_EQ(metrics.mean_distance, boost::multiprecision::cpp_rational(3 * 2 + 12 * 4, 15));
  ASSERT_TRUE(metrics.bisection);
  EXPECT_EQ(metrics.bisection->links, 8U); // all links up of two of four switches
}

TEST(FatTree, random_routes_take_all_parents_and_links_alike)
{
  const auto tree = make_fat_tree({2, 2}, {1, 2}, {1, 2}, "random");
  std::map<std::uint32_t, int> taken;
  std::vector<double> shares(tree->channel_count());
  tree->add_mean_route(NodeId{0}, NodeId{3}, 1, shares);
  constexpr int draws = 4000;
  for (int i = 0; i < draws; ++i) {
    std::vector<ChannelId> route;
    tree->append_drawn_route(NodeId{0}, NodeId{3}, 0x9e3779b97f4a7c15U * static_cast<std::uint64_t>(i), route);
    for (const ChannelId channel : route) {
      ++taken[index(channel)];
    }
  }
  EXPECT_EQ(taken.size(), 2U + 4 + 4);
  for (const auto& [channel, count] : taken) {
    EXPECT_NEAR(count, draws * shares[channel], 150) << describe_channel(*tree, ChannelId{channel});
  }
}

TEST(FatTree, without_switches_above_is_one_star)
{
  const auto star = make_fat_tree({6}, {1}, {1});
  EXPECT_EQ(star->node_count(), 7U);
  EXPECT_EQ(star->distance(NodeId{0}, NodeId{5}), 2U);
}

TEST(FatTree, refuses_sizes_that_do_not_fit)
{
  TopologyDescription description{"fat_tree", {}};
  description.parameters.set("levels", std::int64_t{3});
  description.parameters.set("children", Numbers{4, 4});
  description.parameters.set("parents", Numbers{1, 2});
  EXPECT_EQ(input_error([&] { make_topology(description); }),
            "children: found [4, 4], expected one number for each of 3 levels");
  EXPECT_EQ(input_error([] { make_fat_tree({4096, 4096, 4}, {1, 1, 1}, {1, 1, 1}); }),
            "the fat tree 3;4096,4096,4;1,1,1;1,1,1 is too large, expected at most 16777216 hosts and switches and "
            "134217728 channels");
  EXPECT_EQ(input_error([] {
              make_fat_tree(Numbers(16, 65536), Numbers(16, 65536), Numbers(16, 65536));
            }).find("the fat tree 16;"),
            0U);
  EXPECT_EQ(input_error([] { resolve_node(*make_fat_tree({4, 4}, {1, 2}, {1, 1}), std::int64_t{17}); }),
            "the node is s1.1, a switch of the fat tree 2;4,4;1,2;1,1, which neither sends nor receives; expected a "
            "host, 0 to 15");
}

TEST(FatTree, has_a_class_of_links_for_each_level)
{
  const auto tree = make_fat_tree({2, 3}, {1, 2}, {1, 2});
  EXPECT_EQ(tree->link_classes(), (std::vector<std::string>{"level 0 to 1", "level 1 to 2"}));
  std::vector<std::uint32_t> classes;
  for (const ChannelId channel : route_between(*tree, 0, 5)) {
    classes.push_back(tree->link_class(channel));
  }
  EXPECT_EQ(classes, (std::vector<std::uint32_t>{0, 1, 1, 0}));
}

TEST(FatTree, is_drawn_by_levels)
{
  const auto tree = make_fat_tree({2, 2}, {1, 2}, {1, 1});
  const Drawing drawing = draw_topology(*tree);
  ASSERT_EQ(drawing.nodes.size(), tree->node_count());
  EXPECT_EQ(drawing.nodes[3], (DrawingPoint{3, 0}));
  EXPECT_EQ(drawing.nodes[4].x, 0.5);
  EXPECT_GT(drawing.nodes[4].y, 0);
  EXPECT_GT(drawing.nodes[6].y, drawing.nodes[4].y);
}

RC_GTEST_PROP(FatTree, routes_are_minimal_and_free_of_deadlock, ())
{
  const auto tree = arbitrary_fat_tree();
  check_minimal_routes(*tree);
  RC_ASSERT(check_deadlock(channel_dependencies(*tree, 1)).deadlock_free());
  if (tree->drawn_bits() == 0) {
    RC_ASSERT(measure_topology(*tree) == measure_by_enumeration(*tree));
  }
}

} // namespace

} // namespace wormcast
