// Routes that are kept against those of the topology.

#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/engines/wormhole/route_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace wormcast {
namespace {

// Of some pairs, each twice.
void expect_routes_of(const Topology& topology)
{
  const NetworkParameters network;
  RouteTable table(topology, network);
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t from = 0; from < topology.node_count(); from += 3) {
      for (std::uint32_t to = 0; to < topology.node_count(); to += 5) {
        std::vector<ChannelId> route;
        const MessageId message{17 * from + to};
        topology.append_drawn_route(NodeId{from}, NodeId{to}, route_draw(network, index(message)), route);
        EXPECT_TRUE(std::ranges::equal(table.route(NodeId{from}, NodeId{to}, message), route)) << from << " to " << to;
      }
    }
  }
}

TEST(RouteTable, GivesTheTopologysRoutesWhetherItKeepsThemOrNot)
{
  expect_routes_of(*testing::grid_of("mesh", {8, 16})); // 128 nodes: kept
  expect_routes_of(*testing::grid_of("torus", {3, 43}));
  expect_routes_of(*testing::hypercube_of(4));
  expect_routes_of(*testing::grid_of("torus", {4, 8}, "random"));
}

} // namespace
} // namespace wormcast
