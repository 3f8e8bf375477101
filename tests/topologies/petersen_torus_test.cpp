// The Petersen graph and the 3-D Petersen-torus: sizes, distances, routes, deadlock.

#include "tests/topologies/sample_topologies.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/topologies/petersen_torus.hpp"
#include "wormcast/topologies/shortest_path_routing.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace wormcast {

namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::unique_ptr<Topology> torus(std::vector<std::int64_t> dims)
{
  return make_grid("petersen_torus", std::move(dims));
}

std::unique_ptr<Topology> petersen()
{
  return make_topology({"petersen", {}});
}

std::unique_ptr<Topology> arbitrary_torus()
{
  return torus({*rc::gen::inRange(2, 5), *rc::gen::inRange(2, 5), *rc::gen::inRange(2, 5)});
}

NodeId arbitrary_node(const Topology& topology)
{
  return NodeId{*rc::gen::inRange<std::uint32_t>(0, topology.node_count())};
}

/// That the route leads from one node to the other over `distance` channels, each to the smallest node that is nearer.
void check_route(const Topology& topology, NodeId from, NodeId to)
{
  std::vector<ChannelId> route;
  topology.append_route(from, to, route);
  RC_ASSERT(route.size() == topology.distance(from, to));
  NodeId node = from;
  for (const ChannelId channel : route) {
    RC_ASSERT(topology.channel_source(channel) == node);
    const std::uint32_t first = index(topology.first_channel(node));
    for (std::uint32_t other = first; other < first + topology.out_degree(node); ++other) {
      const NodeId target = topology.channel_target(ChannelId{other});
      if (topology.distance(target, to) + 1 == topology.distance(node, to)) {
        RC_ASSERT(topology.channel_target(channel) <= target);
      }
    }
    node = topology.channel_target(channel);
  }
  RC_ASSERT(node == to);
}

TEST(PetersenGraph, HasDegreeThreeAndDiameterTwo)
{
  const auto graph = petersen();
  const TopologyMetrics metrics = measure_topology(*graph);
  EXPECT_EQ(metrics.nodes, 10U);
  EXPECT_EQ(metrics.links, 15U);
  EXPECT_EQ(metrics.smallest_degree, 3U);
  EXPECT_EQ(metrics.largest_degree, 3U);
  EXPECT_EQ(metrics.diameter, 2U);
  EXPECT_EQ(metrics.mean_distance, boost::multiprecision::cpp_rational(5, 3));
  EXPECT_EQ(metrics.bisection->links, 5U);
  EXPECT_EQ(graph->title(), "Petersen graph");
  EXPECT_EQ(graph->node_name(NodeId{7}), "7");
  EXPECT_THAT([&] { graph->node_at(std::vector<std::int64_t>{10}); }, ThrowsMessage<InputError>(HasSubstr("10")));
}

/// tests/golden/petersen-torus.json, `network`: an independent program's numbers.
TEST(PetersenTorusNetwork, HasTheGoldenSizesAndDistances)
{
  const auto golden = nlohmann::json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/petersen-torus.json"));
  ASSERT_FALSE(golden["network"].empty());
  for (const auto& entry : golden["network"]) {
    const auto network = torus({entry["l"], entry["m"], entry["n"]});
    const TopologyMetrics metrics = measure_topology(*network);
    EXPECT_EQ(metrics.nodes, entry["nodes"]);
    EXPECT_EQ(metrics.links, entry["edges"]);
    EXPECT_EQ(metrics.smallest_degree, entry["degree"]);
    EXPECT_EQ(metrics.diameter, entry["diameter"]);
    std::uint64_t sum = 0;
    for (std::uint32_t node = 0; node < network->node_count(); ++node) {
      sum += network->distance(NodeId{0}, NodeId{node});
    }
    EXPECT_EQ(sum, entry["distance_sum_from_node0"]);
  }
}

TEST(PetersenTorusNetwork, MetricsAreThoseOfEnumeration)
{
  for (const auto& dims : std::vector<std::vector<std::int64_t>>{{2, 2, 2}, {2, 3, 4}, {3, 3, 2}}) {
    const auto network = torus(dims);
    EXPECT_EQ(measure_topology(*network), measure_by_enumeration(*network));
  }
}

TEST(PetersenTorusNetwork, NamesItsNodesByModuleAndNumber)
{
  const auto network = torus({2, 3, 4});
  EXPECT_EQ(network->node_at(std::vector<std::int64_t>{1, 2, 3, 9}), NodeId{239});
  EXPECT_EQ(network->coordinates(NodeId{239}), (std::vector<std::int64_t>{1, 2, 3, 9}));
  EXPECT_THAT([&] { network->node_at(std::vector<std::int64_t>{1, 3, 0, 0}); },
              ThrowsMessage<InputError>(HasSubstr("its coordinate x is 3, expected 0 to 2")));
}

TEST(PetersenTorusNetwork, NeedsTwoModulesEachWay)
{
  EXPECT_THAT([] { torus({1, 2, 2}); },
              ThrowsMessage<InputError>(HasSubstr("in z is 1, expected at least 2: with one module")));
  EXPECT_THAT([] { torus({2, 2}); }, ThrowsMessage<InputError>(HasSubstr("[l, m, n], found 2")));
  EXPECT_THAT([] { torus({100, 100, 100}); }, ThrowsMessage<InputError>(HasSubstr("too many nodes")));
}

RC_GTEST_PROP(PetersenTorusNetwork, RoutesAreShortestByTheSmallestNextNode, ())
{
  const auto network = arbitrary_torus();
  check_route(*network, arbitrary_node(*network), arbitrary_node(*network));
}

// The routes worked out from distances of one module are those of a table of all pairs.
TEST(PetersenTorusNetwork, RoutesAreThoseOfTheTable)
{
  const auto network = torus({2, 3, 2});
  const ShortestPathTable table(*network);
  for (std::uint32_t from = 0; from < network->node_count(); ++from) {
    for (std::uint32_t to = 0; to < network->node_count(); ++to) {
      ASSERT_EQ(network->distance(NodeId{from}, NodeId{to}), table.distance(NodeId{from}, NodeId{to}));
      std::vector<ChannelId> route;
      network->append_route(NodeId{from}, NodeId{to}, route);
      if (!route.empty()) {
        const std::uint32_t first = index(network->first_channel(NodeId{from}));
        ASSERT_EQ(index(route.front()), first + table.next_channel(NodeId{from}, NodeId{to}));
      }
    }
  }
}

// With one virtual channel shortest paths around the torus close a cycle; with a class for each hop none can.
TEST(PetersenTorusNetwork, DeadlockIsProvedOrShown)
{
  for (const auto& dims : std::vector<std::vector<std::int64_t>>{{2, 2, 2}, {2, 3, 3}, {3, 3, 3}}) {
    const auto network = torus(dims);
    const DeadlockCheck one = check_deadlock(channel_dependencies(*network, 1));
    ASSERT_FALSE(one.deadlock_free());
    for (std::size_t i = 0; i < one.cycle.size(); ++i) {
      const VirtualChannel next = one.cycle[(i + 1) % one.cycle.size()];
      EXPECT_EQ(network->channel_target(one.cycle[i].channel), network->channel_source(next.channel));
    }
    EXPECT_TRUE(check_deadlock(channel_dependencies(*network, network->longest_route())).deadlock_free());
  }
  const auto graph = petersen();
  EXPECT_TRUE(check_deadlock(channel_dependencies(*graph, 2)).deadlock_free());
}

} // namespace
} // namespace wormcast
