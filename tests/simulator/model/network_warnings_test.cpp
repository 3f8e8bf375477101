#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/model/network_warnings.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/dependency/grid_routing_dependency.hpp"
#include "wormcast/topologies/grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace wormcast {
namespace {

using testing::grid_of;
using Kind = NetworkWarning::Kind;

bool warns(Kind kind, const NetworkParameters& network, const Topology& topology)
{
  return std::ranges::count(network_warnings(network, topology), kind, &NetworkWarning::kind) == 1;
}

// Against the whole channel dependency graph, for rings shorter and longer than those that are looked at.
TEST(NetworkWarnings, OfDeadlockAreThoseOfTheDependencyGraph)
{
  for (const char* tie : {"no_wrap", "positive", "random"}) {
    for (const std::vector<std::int64_t>& dims :
         std::vector<std::vector<std::int64_t>>{{3}, {4}, {5}, {8}, {9}, {70}, {71}, {4, 4}, {3, 4}, {8, 5}, {2, 6}}) {
      const auto torus = grid_of("torus", dims, tie);
      const auto& grid = dynamic_cast<const Grid&>(*torus);
      for (std::uint32_t channels = 1; channels <= 4; ++channels) {
        NetworkParameters network = testing::plain_network();
        network.routing.tie = tie;
        network.virtual_channels = channels;
        EXPECT_EQ(warns(Kind::ring_deadlock, network, *torus),
                  !check_deadlock(channel_dependencies(*torus, channels)).deadlock_free())
            << torus->title() << " " << tie << " " << channels;
        network.router = &find_router("input_queued");
        EXPECT_EQ(warns(Kind::ring_deadlock, network, *torus),
                  !check_deadlock(routing_dependencies(grid, GridRouting::dimension_order, channels)).deadlock_free())
            << torus->title() << " " << tie << " " << channels << ", input-queued";
      }
    }
  }
}

TEST(NetworkWarnings, OfDeadlockNeedRings)
{
  NetworkParameters network = testing::plain_network();
  EXPECT_TRUE(network_warnings(network, *grid_of("mesh", {8, 8})).empty());
  const auto torus = grid_of("torus", {8, 8});
  EXPECT_EQ(network_warnings(network, *torus).size(), 1U);
  network.switching = Switching::cut_through; // a waiting message fits into one buffer
  EXPECT_TRUE(network_warnings(network, *torus).empty());
}

TEST(NetworkWarnings, OfBuffersThatAreTooSmall)
{
  const auto mesh = grid_of("mesh", {4, 4});
  NetworkParameters network = testing::plain_network();
  network.buffer_flits = 2;
  network.per_hop = Time{2000};
  EXPECT_FALSE(warns(Kind::slow_channels, network, *mesh));
  network.per_hop = Time{2001};
  EXPECT_TRUE(warns(Kind::slow_channels, network, *mesh));

  NetworkParameters pipelined = testing::booksim_network(1, false, false);
  pipelined.buffer_flits = 4;
  resolve_for(pipelined, *mesh);
  EXPECT_TRUE(warns(Kind::slow_channels, pipelined, *mesh)); // five cover the way of a credit
  pipelined.virtual_channels = 2;                            // together they do
  EXPECT_FALSE(warns(Kind::slow_channels, pipelined, *mesh));
}

} // namespace
} // namespace wormcast
