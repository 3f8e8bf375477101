#include "tests/topologies/sample_topologies.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/hypercube.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>

namespace wormcast {
namespace {

// The nodes of a route, the first one included.
std::vector<std::uint32_t> nodes_of_route(const Topology& cube, std::uint32_t from, std::uint32_t to)
{
  std::vector<ChannelId> route;
  cube.append_route(NodeId{from}, NodeId{to}, route);
  std::vector<std::uint32_t> nodes = {from};
  for (const ChannelId channel : route) {
    EXPECT_EQ(index(cube.channel_source(channel)), nodes.back());
    nodes.push_back(index(cube.channel_target(channel)));
  }
  return nodes;
}

TEST(Hypercube, RoutesByHand)
{
  EXPECT_EQ(nodes_of_route(*make_hypercube(4), 0b1001, 0b0110),
            (std::vector<std::uint32_t>{0b1001, 0b1000, 0b1010, 0b1110, 0b0110}));
  EXPECT_EQ(nodes_of_route(*make_hypercube(4, "shortest_path"), 0b1001, 0b0110),
            (std::vector<std::uint32_t>{0b1001, 0b0001, 0b0000, 0b0010, 0b0110}));
}

RC_GTEST_PROP(Hypercube, RoutesAreShortest, ())
{
  const auto dimension = *rc::gen::inRange<std::uint32_t>(1, 11);
  const bool lowest_bit_first = *rc::gen::arbitrary<bool>();
  const auto cube = make_hypercube(dimension, lowest_bit_first ? "dimension_order" : "shortest_path");
  const auto from = *rc::gen::inRange<std::uint32_t>(0, 1U << dimension);
  const auto to = *rc::gen::inRange<std::uint32_t>(0, 1U << dimension);
  const std::vector<std::uint32_t> nodes = nodes_of_route(*cube, from, to);
  RC_ASSERT(nodes.back() == to);
  RC_ASSERT(nodes.size() == std::size_t{1} + static_cast<unsigned>(std::popcount(from ^ to)));
  RC_ASSERT(cube->distance(NodeId{from}, NodeId{to}) == nodes.size() - 1);
  for (std::size_t hop = 0; hop + 1 < nodes.size(); ++hop) {
    // Of all neighbours that are nearer: the one over the lowest link, or the one with the smallest id.
    std::uint32_t expected = ~0U;
    for (std::uint32_t bit = dimension; bit-- > 0;) {
      const std::uint32_t next = nodes[hop] ^ 1U << bit;
      if (((nodes[hop] ^ to) >> bit & 1U) != 0) {
        expected = lowest_bit_first ? next : std::min(expected, next);
      }
    }
    RC_ASSERT(nodes[hop + 1] == expected);
  }
}

RC_GTEST_PROP(Hypercube, CoordinatesAreTheBits, ())
{
  const auto dimension = *rc::gen::inRange<std::uint32_t>(1, 15);
  const auto cube = make_hypercube(dimension);
  const auto node = *rc::gen::inRange<std::uint32_t>(0, 1U << dimension);
  const std::vector<std::int64_t> bits = cube->coordinates(NodeId{node});
  RC_ASSERT(bits.size() == dimension);
  for (std::uint32_t bit = 0; bit < dimension; ++bit) {
    RC_ASSERT(bits[bit] == (node >> bit & 1U));
  }
  RC_ASSERT(cube->node_at(bits) == NodeId{node});
}

TEST(Hypercube, ClosedFormsOfTheMetricsAreThoseFoundByEnumeration)
{
  for (std::int64_t dimension = 1; dimension <= 9; ++dimension) {
    const auto cube = make_hypercube(dimension);
    TopologyMetrics closed = measure_topology(*cube);
    TopologyMetrics enumerated = measure_by_enumeration(*cube);
    ASSERT_TRUE(closed.bisection && enumerated.bisection);
    EXPECT_LE(closed.bisection->channels, enumerated.bisection->channels); // the search may miss the best cut
    closed.bisection = enumerated.bisection = std::nullopt;
    EXPECT_TRUE(closed == enumerated) << dimension;
  }
}

TEST(Hypercube, ChannelsOfANodeAreThoseOfTheLinks)
{
  const auto topology = make_hypercube(5);
  const auto& cube = dynamic_cast<const Hypercube&>(*topology);
  for (std::uint32_t node = 0; node < 32; ++node) {
    for (std::uint32_t link = 1; link <= 5; ++link) {
      const ChannelId channel = cube.channel(NodeId{node}, link);
      EXPECT_EQ(index(cube.channel_source(channel)), node);
      EXPECT_EQ(index(cube.channel_target(channel)), node ^ 1U << (link - 1));
    }
  }
}

TEST(Hypercube, RefusesBadDimensionsAndNodes)
{
  EXPECT_EQ(input_error([] { make_hypercube(0); }), "a hypercube of dimension 0, expected 1 to 20");
  EXPECT_EQ(input_error([] { make_hypercube(21); }), "a hypercube of dimension 21, expected 1 to 20");
  const auto cube = make_hypercube(3);
  EXPECT_EQ(input_error([&] { cube->node_at(std::vector<std::int64_t>{0, 1}); }),
            "[0, 1] has 2 coordinates, but the hypercube of dimension 3 has 3 dimensions");
  EXPECT_EQ(input_error([&] { cube->node_at(std::vector<std::int64_t>{0, 1, 2}); }),
            "node (0, 1, 2) is outside of the hypercube of dimension 3: "
            "its coordinate in dimension 3 is 2, expected 0 or 1");
}

} // namespace
} // namespace wormcast
