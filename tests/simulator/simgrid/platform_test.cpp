// SimGrid's hosts, links and routes are the topology's, and are made when they are asked for.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/simulator/simgrid/platform.hpp"
#include "wormcast/topologies/graph_files/export.hpp"
#include "wormcast/values/memory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simgrid/s4u.hpp>

#include <random>
#include <set>

namespace wormcast {
namespace {

using testing::grid;
using testing::small_network;

std::vector<simgrid::s4u::Link*> links_between(SimGridPlatform& platform, NodeId from, NodeId to, double& latency)
{
  std::vector<simgrid::s4u::Link*> links;
  latency = 0;
  platform.host(from).route_to(&platform.host(to), links, &latency);
  return links;
}

std::size_t link_count(SimGridPlatform& platform)
{
  return platform.engine()
      .get_filtered_links([](const simgrid::s4u::Link* link) {
        return link->get_name() != "__loopback__"; // SimGrid's own
      })
      .size();
}

class PathsOfPlatform : public ::testing::TestWithParam<TopologyDescription> {};

TEST_P(PathsOfPlatform, AreTheSimulatorsPaths)
{
  const auto topology = make_topology(GetParam());
  SimGridPlatform platform(*topology, small_network());
  std::set<std::uint32_t> hosts;
  std::set<std::uint32_t> channels;
  std::mt19937 random(1);
  std::uniform_int_distribution<std::uint32_t> any(0, topology->node_count() - 1);
  for (int i = 0; i < 300; ++i) {
    const NodeId from{any(random)};
    const NodeId to{any(random)};
    if (from == to) {
      continue; // SimGrid gives a host's way to itself over a loopback of its own
    }
    double latency = 0;
    const std::vector<simgrid::s4u::Link*> links = links_between(platform, from, to, latency);
    std::vector<ChannelId> route;
    topology->append_route(from, to, route);
    ASSERT_EQ(links.size(), route.size());
    for (std::size_t hop = 0; hop < route.size(); ++hop) {
      EXPECT_EQ(links[hop]->get_name(), link_name(route[hop]));
      EXPECT_DOUBLE_EQ(links[hop]->get_bandwidth(), 1e11); // one byte in 10 ps
      EXPECT_DOUBLE_EQ(links[hop]->get_latency(), 5e-12);
      channels.insert(index(route[hop]));
    }
    EXPECT_NEAR(latency, 5e-12 * static_cast<double>(route.size()), 1e-20);
    hosts.insert({index(from), index(to)});
    ASSERT_EQ(platform.zone().get_host_count(), hosts.size());
    ASSERT_EQ(link_count(platform), channels.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, PathsOfPlatform,
                         ::testing::Values(grid("mesh", {7, 5}), grid("torus", {8, 6}), grid("torus", {5, 2, 4}),
                                           grid("mesh", {9}), grid("torus", {2, 2, 2, 2})));

TEST(SimGridPlatform, HasNothingUntilSomebodyAsks)
{
  const auto topology = make_topology(grid("mesh", {8, 8}));
  SimGridPlatform platform(*topology, small_network());
  EXPECT_EQ(platform.zone().get_host_count(), 0U);
  EXPECT_EQ(link_count(platform), 0U);
  simgrid::s4u::Host& host = platform.host(NodeId{42});
  EXPECT_EQ(host.get_name(), "n42");
  EXPECT_EQ(platform.node(host), NodeId{42});
  EXPECT_EQ(&platform.host(NodeId{42}), &host);
  EXPECT_EQ(platform.node(platform.host(NodeId{7})), NodeId{7});
  EXPECT_EQ(platform.zone().get_host_count(), 2U);
  EXPECT_THROW(platform.host(NodeId{64}), std::out_of_range);
}

TEST(SimGridPlatform, CompletesWhatIsThere)
{
  const auto topology = make_topology(grid("mesh", {4, 3}));
  SimGridPlatform platform(*topology, small_network());
  platform.host(NodeId{7}); // SimGrid's numbers of hosts are not those of the nodes
  platform.complete();
  platform.complete();
  EXPECT_EQ(platform.zone().get_host_count(), topology->node_count());
  EXPECT_EQ(link_count(platform), topology->channel_count());
  for (std::uint32_t node = 0; node < topology->node_count(); ++node) {
    EXPECT_EQ(platform.node(platform.host(NodeId{node})), NodeId{node});
  }
}

TEST(SimGridPlatform, RunsWithoutAnyHost)
{
  const auto topology = make_topology(grid("mesh", {4}));
  SimGridPlatform platform(*topology, small_network());
  platform.run();
  EXPECT_EQ(platform.zone().get_host_count(), 0U);
}

TEST(SimGridPlatform, IsSealedByARun)
{
  const auto topology = make_topology(grid("mesh", {4}));
  SimGridPlatform platform(*topology, small_network());
  platform.host(NodeId{0});
  platform.host(NodeId{2});
  platform.run();
  EXPECT_EQ(platform.host(NodeId{2}).get_name(), "n2");
  EXPECT_THROW(platform.host(NodeId{1}), std::logic_error);
  double latency = 0;
  EXPECT_THROW(links_between(platform, NodeId{0}, NodeId{2}, latency), std::logic_error);
}

TEST(SimGridPlatform, GivesActorsRoutesWhenComplete)
{
  const auto topology = make_topology(grid("torus", {4, 4}));
  SimGridPlatform platform(*topology, small_network());
  platform.complete();
  std::size_t hops = 0;
  simgrid::s4u::Actor::create("asks", &platform.host(NodeId{5}), [&] {
    double latency = 0;
    hops = links_between(platform, NodeId{0}, NodeId{10}, latency).size();
  });
  platform.run();
  EXPECT_EQ(hops, 4U);
}

TEST(SimGridPlatform, ServesAnEngineThatIsThere)
{
  const auto topology = make_topology(grid("mesh", {4}));
  simgrid::s4u::Engine engine("of somebody else");
  {
    SimGridPlatform platform(*topology, small_network());
    platform.host(NodeId{3});
  }
  EXPECT_EQ(engine.get_host_count(), 1U);
  EXPECT_EQ(engine.host_by_name("n3")->get_name(), "n3");
}

TEST(SimGridPlatform, ClaimsTheMemoryOfAllHostsAndLinks)
{
  const auto topology = make_topology(grid("mesh", {256, 256}));
  SimGridPlatform platform(*topology, small_network());
  limit_memory([] { return std::uint64_t{100'000'000}; });
  EXPECT_THAT(input_error([&] { platform.complete(); }),
              ::testing::HasSubstr("a SimGrid platform of 65536 hosts and 261120 links"));
  limit_memory({});
  EXPECT_EQ(platform.zone().get_host_count(), 0U);
}

} // namespace
} // namespace wormcast
