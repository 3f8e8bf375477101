#include "tests/topologies/sample_topologies.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/grid.hpp"

#include <gmock/gmock.h>

namespace wormcast {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Grid& as_grid(const Topology& topology)
{
  return dynamic_cast<const Grid&>(topology);
}

/// Shortest distances from `from` over channels, found breadth-first.
std::vector<std::uint32_t> shortest_distances(const Topology& topology, NodeId from)
{
  std::vector<std::uint32_t> distances(topology.node_count(), topology.node_count());
  std::deque<NodeId> queue{from};
  distances[index(from)] = 0;
  for (; !queue.empty(); queue.pop_front()) {
    const std::uint32_t first = index(topology.first_channel(queue.front()));
    for (std::uint32_t id = first; id < first + topology.out_degree(queue.front()); ++id) {
      const NodeId next = topology.channel_target(ChannelId{id});
      if (distances[index(next)] == topology.node_count()) {
        distances[index(next)] = distances[index(queue.front())] + 1;
        queue.push_back(next);
      }
    }
  }
  return distances;
}

/// The dimension in which the two ends of a channel differ.
std::size_t dimension_of(const Grid& grid, ChannelId channel)
{
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    if (grid.coordinate(grid.channel_source(channel), dimension) !=
        grid.coordinate(grid.channel_target(channel), dimension)) {
      return dimension;
    }
  }
  ADD_FAILURE() << "a channel from a node to itself";
  return 0;
}

TEST(Grid, numbers_nodes_with_x_first)
{
  const auto mesh = make_grid("mesh", {4, 3, 2});
  EXPECT_EQ(mesh->node_count(), 24U);
  EXPECT_EQ(mesh->node_at(std::vector<std::int64_t>{3, 2, 1}), NodeId{23});
  EXPECT_EQ(mesh->node_at(std::vector<std::int64_t>{1, 2, 0}), NodeId{9});
  EXPECT_THAT(mesh->coordinates(NodeId{14}), ElementsAre(2, 0, 1));
  EXPECT_EQ(mesh->node_name(NodeId{14}), "(2, 0, 1)");
  EXPECT_EQ(make_grid("mesh", {7})->node_name(NodeId{5}), "5");
  EXPECT_EQ(mesh->title(), "mesh 4 x 3 x 2");
}

TEST(Grid, numbers_the_channels_of_a_node_by_dimension_and_downwards_first)
{
  const auto mesh = make_grid("mesh", {3, 3});
  const auto targets = [](const Topology& topology, std::uint32_t node) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < topology.out_degree(NodeId{node}); ++i) {
      found.push_back(index(topology.channel_target(ChannelId{index(topology.first_channel(NodeId{node})) + i})));
    }
    return found;
  };
  EXPECT_THAT(targets(*mesh, 4), ElementsAre(3, 5, 1, 7));
  EXPECT_THAT(targets(*mesh, 0), ElementsAre(1, 3));
  EXPECT_THAT(targets(*mesh, 8), ElementsAre(7, 5));
  const auto torus = make_grid("torus", {3, 3});
  EXPECT_THAT(targets(*torus, 0), ElementsAre(2, 1, 6, 3));
}

TEST(Grid, torus_of_size_two_has_one_link_and_of_size_one_none)
{
  EXPECT_EQ(make_grid("torus", {2})->channel_count(), 2U);
  EXPECT_EQ(make_grid("torus", {1})->channel_count(), 0U);
  EXPECT_EQ(make_grid("torus", {3})->channel_count(), 6U);
  EXPECT_EQ(make_grid("torus", {1, 2, 3})->channel_count(), 18U);
  for (const char* tie : {"no_wrap", "positive"}) {
    const auto ring = make_grid("torus", {2}, tie);
    EXPECT_THAT(nodes_between(*ring, 0, 1), ElementsAre(0, 1));
    EXPECT_THAT(nodes_between(*ring, 1, 0), ElementsAre(1, 0));
  }
}

TEST(Grid, corrects_x_first)
{
  const auto mesh = make_grid("mesh", {4, 4});
  EXPECT_THAT(nodes_between(*mesh, 0, 10), ElementsAre(0, 1, 2, 6, 10));
  EXPECT_THAT(nodes_between(*mesh, 10, 0), ElementsAre(10, 9, 8, 4, 0));
}

TEST(Grid, torus_uses_the_shorter_direction)
{
  const auto ring = make_grid("torus", {5});
  EXPECT_THAT(nodes_between(*ring, 0, 2), ElementsAre(0, 1, 2));
  EXPECT_THAT(nodes_between(*ring, 0, 3), ElementsAre(0, 4, 3));
  EXPECT_THAT(nodes_between(*ring, 4, 1), ElementsAre(4, 0, 1));
}

TEST(Grid, at_half_the_ring_the_tie_rule_decides)
{
  const auto without_wrap = make_grid("torus", {4}, "no_wrap");
  EXPECT_THAT(nodes_between(*without_wrap, 0, 2), ElementsAre(0, 1, 2));
  EXPECT_THAT(nodes_between(*without_wrap, 2, 0), ElementsAre(2, 1, 0));
  EXPECT_THAT(nodes_between(*without_wrap, 3, 1), ElementsAre(3, 2, 1));
  const auto upwards = make_grid("torus", {4}, "positive");
  EXPECT_THAT(nodes_between(*upwards, 0, 2), ElementsAre(0, 1, 2));
  EXPECT_THAT(nodes_between(*upwards, 2, 0), ElementsAre(2, 3, 0));
  EXPECT_THAT(nodes_between(*upwards, 3, 1), ElementsAre(3, 0, 1));
}

TEST(Grid, refuses_sizes_that_make_no_network)
{
  EXPECT_EQ(input_error([] { make_grid("mesh", {4, 0}); }), "the size of the mesh in y is 0, expected at least 1");
  EXPECT_EQ(input_error([] { make_grid("torus", {-3}); }), "the size of the torus in x is -3, expected at least 1");
  EXPECT_EQ(input_error([] { make_grid("torus", {2, 2, 2, 0}); }),
            "the size of the torus in dimension 4 is 0, expected at least 1");
  EXPECT_EQ(input_error([] { make_grid("mesh", {}); }), "a mesh of 0 dimensions, expected 1 to 8");
  EXPECT_EQ(input_error([] { make_grid("mesh", std::vector<std::int64_t>(9, 1)); }),
            "a mesh of 9 dimensions, expected 1 to 8");
  EXPECT_EQ(input_error([] { make_grid("mesh", {8192, 8193}); }),
            "a mesh 8192 x 8193 has too many nodes, expected at most 67108864");
  EXPECT_THAT(input_error([] { make_grid("mesh", {std::int64_t{1} << 62, std::int64_t{1} << 62}); }),
              HasSubstr("too many nodes"));
}

/// Whether all channels and all routes of two networks are the same.
bool are_the_same_network(const Topology& a, const Topology& b)
{
  if (a.node_count() != b.node_count() || a.channel_count() != b.channel_count() ||
      a.longest_route() != b.longest_route() || a.virtual_channel_classes(2) != b.virtual_channel_classes(2)) {
    return false;
  }
  for (std::uint32_t channel = 0; channel < a.channel_count(); ++channel) {
    if (a.channel_source(ChannelId{channel}) != b.channel_source(ChannelId{channel}) ||
        a.channel_target(ChannelId{channel}) != b.channel_target(ChannelId{channel})) {
      return false;
    }
  }
  for (std::uint32_t from = 0; from < a.node_count(); ++from) {
    for (std::uint32_t to = 0; to < a.node_count(); ++to) {
      if (route_between(a, from, to) != route_between(b, from, to)) {
        return false;
      }
    }
  }
  return true;
}

TEST(Grid, torus_of_rings_alone_is_the_torus_and_of_lines_alone_the_mesh)
{
  for (const std::vector<std::int64_t>& dims : std::vector<std::vector<std::int64_t>>{{5}, {4, 3}, {2, 2}, {3, 2, 4}}) {
    for (const char* tie : {"no_wrap", "positive"}) {
      const std::vector<std::int64_t> rings(dims.size(), 1);
      const std::vector<std::int64_t> lines(dims.size(), 0);
      EXPECT_TRUE(are_the_same_network(*make_torus(dims, rings, tie), *make_grid("torus", dims, tie)));
      EXPECT_TRUE(are_the_same_network(*make_torus(dims, lines, tie), *make_grid("mesh", dims, tie)));
    }
  }
}

TEST(Grid, dimension_of_two_nodes_is_the_same_as_line_and_ring)
{
  EXPECT_TRUE(are_the_same_network(*make_torus({2, 5}, {0, 1}), *make_grid("torus", {2, 5})));
  EXPECT_TRUE(are_the_same_network(*make_torus({2, 5}, {1, 0}), *make_grid("mesh", {2, 5})));
  EXPECT_FALSE(as_grid(*make_torus({2, 5}, {0, 1})).mixes_rings_and_lines());
  EXPECT_TRUE(as_grid(*make_torus({3, 5}, {0, 1})).mixes_rings_and_lines());
}

TEST(Grid, goes_round_rings_and_along_lines)
{
  const auto torus = make_torus({4, 5}, {0, 1});
  EXPECT_THAT(nodes_between(*torus, 0, 3), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(nodes_between(*torus, 0, 16), ElementsAre(0, 16));
  EXPECT_THAT(nodes_between(*torus, 0, 19), ElementsAre(0, 1, 2, 3, 19));
  EXPECT_EQ(torus->longest_route(), 5U);
}

TEST(Grid, titles_say_which_dimensions_are_rings)
{
  EXPECT_EQ(make_torus({4, 5}, {1, 1})->title(), "torus 4 x 5");
  EXPECT_EQ(make_torus({4, 5, 2}, {1, 1, 0})->title(), "torus 4 x 5 x 2");
  EXPECT_EQ(make_torus({4, 5}, {0, 1})->title(), "torus 4 x 5 closed in y");
  EXPECT_EQ(make_torus({4, 5, 3, 3}, {1, 0, 0, 1})->title(), "torus 4 x 5 x 3 x 3 closed in x and dimension 4");
  EXPECT_EQ(make_torus({4, 5}, {0, 0})->title(), "torus 4 x 5 without rings");
}

TEST(Grid, refuses_rings_that_do_not_fit_the_sizes)
{
  EXPECT_EQ(input_error([] { make_torus({4, 5}, {1}); }),
            "\"wrap\" has 1 value, expected one for each of the 2 sizes of \"dims\"");
}

RC_GTEST_PROP(Grid, routes_are_connected_minimal_and_in_dimension_order, ())
{
  const auto topology = arbitrary_grid(600);
  const Grid& grid = as_grid(*topology);
  const auto from = *rc::gen::inRange<std::uint32_t>(0, grid.node_count());
  const std::vector<std::uint32_t> shortest = shortest_distances(grid, NodeId{from});
  for (std::uint32_t to = 0; to < grid.node_count(); ++to) {
    const std::vector<ChannelId> route = route_between(grid, from, to);
    NodeId at{from};
    std::size_t dimension = 0;
    for (const ChannelId channel : route) {
      RC_ASSERT(grid.channel_source(channel) == at);
      at = grid.channel_target(channel);
      const std::size_t next = dimension_of(grid, channel);
      RC_ASSERT(next >= dimension);
      dimension = next;
    }
    RC_ASSERT(at == NodeId{to});
    RC_ASSERT(route.size() == shortest[to]);
    RC_ASSERT(grid.distance(NodeId{from}, NodeId{to}) == shortest[to]);
    RC_ASSERT(shortest[to] <= grid.longest_route());
  }
}

RC_GTEST_PROP(Grid, coordinates_and_nodes_correspond, ())
{
  const auto topology = arbitrary_grid(4000);
  for (std::uint32_t node = 0; node < topology->node_count(); ++node) {
    RC_ASSERT(topology->node_at(topology->coordinates(NodeId{node})) == NodeId{node});
  }
}

RC_GTEST_PROP(Grid, ties_follow_the_rule, ())
{
  const auto half = *rc::gen::inRange<std::int64_t>(2, 20);
  const auto tie = *rc::gen::element<std::string>("no_wrap", "positive");
  const auto ring = make_grid("torus", {2 * half}, tie);
  const auto from = *rc::gen::inRange<std::int64_t>(0, 2 * half);
  const std::int64_t to = (from + half) % (2 * half);
  const std::vector<std::uint32_t> nodes =
      nodes_between(*ring, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
  const bool up = tie == "positive" || to > from;
  for (std::int64_t hop = 0; hop <= half; ++hop) {
    RC_ASSERT(std::int64_t{nodes[static_cast<std::size_t>(hop)]} == (from + (up ? hop : 2 * half - hop)) % (2 * half));
  }
}

RC_GTEST_PROP(Grid, channels_connect_every_pair_of_neighbours_once, ())
{
  const auto topology = arbitrary_grid(300);
  const Grid& grid = as_grid(*topology);
  std::uint32_t channels = 0;
  for (std::uint32_t from = 0; from < grid.node_count(); ++from) {
    for (std::uint32_t to = 0; to < grid.node_count(); ++to) {
      std::size_t differing = 0;
      bool neighbours = false;
      for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
        const std::int64_t apart =
            std::abs(grid.coordinate(NodeId{from}, dimension) - grid.coordinate(NodeId{to}, dimension));
        differing += apart != 0 ? 1 : 0;
        neighbours =
            neighbours || apart == 1 || (grid.wraps(dimension) && apart != 0 && apart == grid.sizes()[dimension] - 1);
      }
      if (differing == 1 && neighbours) {
        ++channels;
        RC_ASSERT(route_between(grid, from, to).size() == 1U);
      }
    }
  }
  RC_ASSERT(channels == grid.channel_count());
}

} // namespace

} // namespace wormcast
