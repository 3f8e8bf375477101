#include "tests/topologies/sample_topologies.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/folding.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <span>

namespace wormcast {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Grid& grid_of(const Topology& topology)
{
  return dynamic_cast<const Grid&>(topology);
}

/// A box of the axes x y z a b c of a TofuD network, of which b alone has more than two nodes and is closed.
std::unique_ptr<Topology> tofu_box(std::int64_t x, std::int64_t y, std::int64_t z)
{
  return make_torus({x, y, z, 2, 3, 2}, {0, 0, 0, 0, 1, 0});
}

/// The positions of a ring of `size` nodes in a plane, as digits "along across".
std::vector<std::string> ring_in_plane(std::int64_t size, const Topology& plane)
{
  std::vector<std::string> positions;
  for (const NodeId node : folded_nodes(grid_of(*make_grid("torus", {size})), grid_of(plane))) {
    const std::vector<std::int64_t> at = plane.coordinates(node);
    positions.push_back(std::to_string(at[0]) + std::to_string(at[1]));
  }
  return positions;
}

TEST(Folding, rings_go_out_and_back_over_a_small_axis_of_two)
{
  const auto plane = make_grid("mesh", {4, 2});
  EXPECT_THAT(ring_in_plane(2, *plane), ElementsAre("00", "01"));
  EXPECT_THAT(ring_in_plane(4, *plane), ElementsAre("00", "10", "11", "01"));
  EXPECT_THAT(ring_in_plane(8, *plane), ElementsAre("00", "10", "20", "30", "31", "21", "11", "01"));
}

TEST(Folding, rings_come_back_as_a_snake_over_a_small_axis_of_three)
{
  const auto plane = make_torus({4, 3}, {0, 1});
  EXPECT_THAT(ring_in_plane(2, *plane), ElementsAre("00", "02"));
  EXPECT_THAT(ring_in_plane(4, *plane), ElementsAre("00", "10", "12", "02"));
  EXPECT_THAT(ring_in_plane(8, *plane), ElementsAre("00", "10", "20", "22", "12", "11", "01", "02"));
  EXPECT_THAT(ring_in_plane(9, *plane), ElementsAre("00", "10", "20", "22", "21", "11", "12", "02", "01"));
}

TEST(Folding, neighbours_of_the_torus_are_neighbours_in_the_box)
{
  for (const std::int64_t side : {2, 4, 8, 12, 16}) {
    const auto torus = make_grid("torus", {side, side, side});
    const auto box = tofu_box((side + 1) / 2, (side + 2) / 3, (side + 1) / 2);
    const std::vector<NodeId> nodes = folded_nodes(grid_of(*torus), grid_of(*box));
    ASSERT_EQ(nodes.size(), torus->node_count());
    std::vector<bool> taken(box->node_count(), false);
    for (const NodeId node : nodes) {
      EXPECT_FALSE(taken[index(node)]);
      taken[index(node)] = true;
    }
    for (std::uint32_t channel = 0; channel < torus->channel_count(); ++channel) {
      const NodeId from = nodes[index(torus->channel_source(ChannelId{channel}))];
      const NodeId to = nodes[index(torus->channel_target(ChannelId{channel}))];
      ASSERT_EQ(box->distance(from, to), 1U) << "side " << side;
    }
  }
}

/// The sum over the rings of the greatest number of messages over a channel, when each node of a torus of sides 4 sends
/// to the node two away in its ring.
std::int64_t load_of_distance_two(const Topology& network, std::span<const NodeId> nodes, std::int64_t stride)
{
  std::vector<std::int64_t> loads(network.channel_count(), 0);
  std::vector<ChannelId> route;
  for (std::uint32_t rank = 0; rank < nodes.size(); ++rank) {
    const std::int64_t digit = rank / stride % 4;
    const std::int64_t peer = rank + ((digit ^ 2) - digit) * stride;
    route.clear();
    network.append_route(nodes[rank], nodes[static_cast<std::size_t>(peer)], route);
    for (const ChannelId channel : route) {
      ++loads[index(channel)];
    }
  }
  return std::ranges::max(loads);
}

TEST(Folding, exchanges_at_distance_two_of_a_ring_of_four_meet_on_the_torus_but_not_folded)
{
  const auto torus = make_grid("torus", {4, 4, 4});
  const auto box = tofu_box(2, 2, 2);
  const std::vector<NodeId> folded = folded_nodes(grid_of(*torus), grid_of(*box));
  std::vector<NodeId> plain;
  for (std::uint32_t node = 0; node < torus->node_count(); ++node) {
    plain.push_back(NodeId{node});
  }
  for (const std::int64_t stride : {1, 4, 16}) {
    EXPECT_EQ(load_of_distance_two(*torus, plain, stride), 2);
    EXPECT_EQ(load_of_distance_two(*box, folded, stride), 1) << "the diagonals of the square are disjoint";
  }
}

TEST(Folding, a_snake_passes_several_long_axes)
{
  const auto box = make_grid("mesh", {2, 3, 2});
  std::vector<std::string> positions;
  for (const NodeId node : folded_nodes(grid_of(*make_grid("torus", {12})), grid_of(*box), {{0, 1, 2}})) {
    const std::vector<std::int64_t> at = box->coordinates(node);
    positions.push_back(std::to_string(at[0]) + std::to_string(at[1]) + std::to_string(at[2]));
  }
  EXPECT_THAT(positions,
              ElementsAre("000", "100", "110", "010", "020", "120", "121", "021", "011", "111", "101", "001"));
}

TEST(Folding, neighbours_of_two_dimensions_are_neighbours_in_a_box_of_six_axes)
{
  const auto torus = make_grid("torus", {64, 64});
  const auto box = tofu_box(16, 8, 4);
  const std::vector<NodeId> nodes = folded_nodes(grid_of(*torus), grid_of(*box), {{3, 0, 5}, {1, 2, 4}});
  EXPECT_EQ(std::set<NodeId>(nodes.begin(), nodes.end()).size(), torus->node_count());
  for (std::uint32_t channel = 0; channel < torus->channel_count(); ++channel) {
    const NodeId from = nodes[index(torus->channel_source(ChannelId{channel}))];
    const NodeId to = nodes[index(torus->channel_target(ChannelId{channel}))];
    ASSERT_EQ(box->distance(from, to), 1U);
  }
}

TEST(Folding, the_axes_in_order_are_those_of_the_machines)
{
  const auto torus = make_grid("torus", {4, 4, 4});
  const auto box = tofu_box(2, 2, 2);
  EXPECT_EQ(folded_nodes(grid_of(*torus), grid_of(*box)),
            folded_nodes(grid_of(*torus), grid_of(*box), {{0, 3}, {1, 4}, {2, 5}}));
}

TEST(Folding, refuses_axes_that_the_box_does_not_have_or_that_have_a_place)
{
  const auto torus = make_grid("torus", {4, 4});
  const auto box = make_grid("mesh", {2, 2, 2, 2});
  const auto fold = [&](const std::vector<FoldedAxes>& axes) {
    return input_error([&] { folded_nodes(grid_of(*torus), grid_of(*box), axes); });
  };
  EXPECT_THAT(fold({{0, 2}}), HasSubstr("through axes of 1 of its dimensions, expected those of all"));
  EXPECT_THAT(fold({{0, 2}, {1}}), HasSubstr("dimension y of 4 nodes needs at least two axes, a long and a small one"));
  EXPECT_THAT(fold({{0, 2}, {1, 4}}), HasSubstr("has an axis 5 of a box of 4 dimensions"));
  EXPECT_THAT(fold({{0, 2}, {0, 3}}), HasSubstr("has axis 1, which has a place already"));
  EXPECT_THAT(fold({{0, 2, 1}, {3, 3}}), HasSubstr("has axis 4, which has a place already"));
}

TEST(Folding, refuses_boxes_that_do_not_fit)
{
  const auto fold = [](const std::unique_ptr<Topology>& folded, const std::unique_ptr<Topology>& box) {
    return input_error([&] { folded_nodes(grid_of(*folded), grid_of(*box)); });
  };
  EXPECT_EQ(fold(make_grid("torus", {4, 4}), make_grid("mesh", {4, 4, 2})),
            "a torus 4 x 4 cannot be folded into a mesh 4 x 4 x 2: expected a box of 4 dimensions, a long and a small "
            "axis for each, the long ones first");
  EXPECT_EQ(
      fold(make_grid("torus", {10}), make_grid("mesh", {4, 2})),
      "a torus 10 cannot be folded into a mesh 4 x 2: its dimension x of 10 nodes needs 5 nodes of the long axis, "
      "which has 4");
  EXPECT_THAT(fold(make_grid("torus", {5}), make_grid("mesh", {4, 2})), HasSubstr("is odd"));
  EXPECT_THAT(fold(make_grid("torus", {4}), make_grid("mesh", {4, 3})), HasSubstr("2 hops apart"));
  EXPECT_THAT(fold(make_grid("torus", {4}), make_grid("mesh", {4, 1})), HasSubstr("3 hops apart"));
  EXPECT_THAT(fold(make_grid("torus", {4}), make_grid("mesh", {4, 4})), HasSubstr("a small axis of 4"));
  EXPECT_NO_THROW(folded_nodes(grid_of(*make_grid("mesh", {4})), grid_of(*make_grid("mesh", {4, 1}))));
}

} // namespace

} // namespace wormcast
