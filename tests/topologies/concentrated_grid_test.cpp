#include "tests/topologies/switched/switched_routes.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/concentrated_grid.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/graph_files/described_nodes.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"

namespace wormcast {

namespace {

std::unique_ptr<Topology> make_concentrated(const std::string& kind, std::vector<std::int64_t> dims, std::int64_t hosts,
                                            const std::string& tie = "no_wrap")
{
  TopologyDescription description{kind, {}};
  description.parameters.set("dims", std::move(dims));
  description.parameters.set("concentration", hosts);
  return make_topology(description, {"", tie});
}

std::vector<std::uint32_t> nodes_on(const Topology& topology, std::uint32_t from, std::uint32_t to)
{
  std::vector<ChannelId> route;
  topology.append_route(NodeId{from}, NodeId{to}, route);
  std::vector<std::uint32_t> nodes = {from};
  for (const ChannelId channel : route) {
    nodes.push_back(index(topology.channel_target(channel)));
  }
  return nodes;
}

TEST(ConcentratedGrid, HasSeveralHostsAtEachRouter)
{
  const auto mesh = make_concentrated("mesh", {4, 3}, 4);
  EXPECT_EQ(mesh->title(), "mesh 4 x 3 with 4 hosts at each router");
  EXPECT_EQ(mesh->host_count(), 48U);
  EXPECT_EQ(mesh->node_count(), 60U);
  EXPECT_EQ(mesh->channel_count(), 2 * 48U + 34);
  EXPECT_EQ(mesh->node_name(NodeId{22}), "(1, 1, 2)");
  EXPECT_EQ(mesh->node_name(NodeId{53}), "s1.1");
  EXPECT_EQ(mesh->node_at(std::vector<std::int64_t>{1, 1, 2}), NodeId{22});
  EXPECT_EQ(described_nodes(mesh->description()), 48U);
}

TEST(ConcentratedGrid, GoesInXFirstAndBetweenHostsOfARouterThroughItAlone)
{
  const auto mesh = make_concentrated("mesh", {3, 2}, 2); // 12 hosts, router r is node 12 + r
  EXPECT_EQ(nodes_on(*mesh, 1, 11), (std::vector<std::uint32_t>{1, 12, 13, 14, 17, 11}));
  EXPECT_EQ(nodes_on(*mesh, 4, 5), (std::vector<std::uint32_t>{4, 14, 5}));
  EXPECT_EQ(nodes_on(*mesh, 4, 4), (std::vector<std::uint32_t>{4}));
  std::vector<std::uint32_t> classes;
  std::vector<ChannelId> route;
  mesh->append_route(NodeId{1}, NodeId{11}, route);
  for (const ChannelId channel : route) {
    classes.push_back(mesh->link_class(channel));
  }
  EXPECT_EQ(mesh->link_classes(), (std::vector<std::string>{"host", "x", "y"}));
  EXPECT_EQ(classes, (std::vector<std::uint32_t>{0, 1, 1, 2, 0}));
}

TEST(ConcentratedGrid, OfOneHostARouterIsThePlainGrid)
{
  const auto torus = make_concentrated("torus", {4, 4}, 1);
  EXPECT_FALSE(torus->has_switches());
  EXPECT_EQ(torus->title(), "torus 4 x 4");
}

TEST(ConcentratedGrid, DeadlocksOnARingWithoutASecondVirtualChannel)
{
  const auto torus = make_concentrated("torus", {5, 2}, 2);
  EXPECT_FALSE(check_deadlock(channel_dependencies(*torus, 1)).deadlock_free());
  EXPECT_TRUE(check_deadlock(channel_dependencies(*torus, 2)).deadlock_free());
}

TEST(ConcentratedGrid, RefusesPlacesAndSizesOutside)
{
  const auto torus = make_concentrated("torus", {4, 4}, 2);
  EXPECT_EQ(input_error([&] { torus->node_at(std::vector<std::int64_t>{1, 2}); }),
            "[1, 2] has 2 coordinates, but hosts of the torus 4 x 4 with 2 hosts at each router have 3: the router's, "
            "then the host's number at it");
  EXPECT_EQ(input_error([&] { torus->node_at(std::vector<std::int64_t>{1, 2, 2}); }),
            "node (1, 2, 2) is outside of the torus 4 x 4 with 2 hosts at each router: its host is 2, expected 0 to 1");
  EXPECT_EQ(input_error([&] { torus->node_at(std::vector<std::int64_t>{4, 2, 1}); }),
            "node (4, 2) is outside of the torus 4 x 4 with 2 hosts at each router: its coordinate in x is 4, expected "
            "0 to 3");
  EXPECT_EQ(input_error([] { make_concentrated("mesh", {4096, 4096}, 2); }),
            "the mesh 4096 x 4096 with 2 hosts at each router is too large, expected at most 16777216 hosts and "
            "switches and 134217728 channels");
}

RC_GTEST_PROP(ConcentratedGrid, RoutesAreMinimalFreeOfDeadlockAndMeasuredInClosedForm, ())
{
  std::vector<std::int64_t> dims;
  const auto dimensions = *rc::gen::inRange<std::size_t>(1, 4);
  while (dims.size() < dimensions) {
    dims.push_back(*rc::gen::inRange<std::int64_t>(1, 5));
  }
  const auto topology =
      make_concentrated(*rc::gen::element<std::string>("mesh", "torus"), dims, *rc::gen::inRange<std::int64_t>(2, 4),
                        *rc::gen::element<std::string>("no_wrap", "positive", "random"));
  check_minimal_routes(*topology);
  RC_ASSERT(check_deadlock(channel_dependencies(*topology, 2)).deadlock_free());
  for (std::uint32_t host = 0; host < topology->host_count(); ++host) {
    RC_ASSERT(topology->node_at(topology->coordinates(NodeId{host})) == NodeId{host});
  }
  TopologyMetrics closed = measure_topology(*topology);
  TopologyMetrics enumerated = measure_by_enumeration(*topology);
  RC_ASSERT(closed.bisection->channels <= enumerated.bisection->channels);
  closed.bisection = enumerated.bisection;
  RC_ASSERT(closed == enumerated);
  const Drawing drawing = draw_topology(*topology);
  RC_ASSERT(drawing.nodes.size() == topology->node_count());
  RC_ASSERT(drawing.channels.size() == topology->channel_count());
}

} // namespace

} // namespace wormcast
