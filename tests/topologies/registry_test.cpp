#include "tests/topologies/sample_topologies.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/topologies/registry.hpp"

namespace wormcast {

namespace {

TEST(Registry, knows_mesh_and_torus)
{
  EXPECT_EQ(find_topology_kind("mesh").name, "mesh");
  EXPECT_EQ(find_topology_kind("torus").routings.front(), "dimension_order");
  for (const TopologyKind& kind : topology_kinds()) {
    EXPECT_FALSE(kind.summary.empty()) << kind.name;
    EXPECT_FALSE(kind.source.empty()) << kind.name;
    EXPECT_FALSE(kind.routings.empty()) << kind.name;
    for (const Parameter& parameter : kind.parameters) {
      EXPECT_FALSE(parameter.text.empty()) << kind.name << ' ' << parameter.name;
    }
  }
}

TEST(Registry, names_the_nearest_kind_routing_and_tie)
{
  EXPECT_EQ(input_error([] { find_topology_kind("meshs"); }),
            "unknown kind of topology \"meshs\"; did you mean \"mesh\"?");
  EXPECT_EQ(input_error([] { make_grid("mesh", {4}, "positiv"); }),
            "unknown tie \"positiv\"; did you mean \"positive\"?");
  EXPECT_EQ(input_error([] { make_grid("mesh", {4}, "up"); }),
            "unknown tie \"up\"; expected \"no_wrap\", \"positive\", \"random\"");
  TopologyDescription description{"mesh", {}};
  description.parameters.set("dims", std::vector<std::int64_t>{2, 2});
  EXPECT_EQ(input_error([&] { make_topology(description, {"minimal", "no_wrap"}); }),
            "unknown routing of a mesh \"minimal\"; expected \"dimension_order\", \"up_down\", \"shortest_path\"");
}

TEST(Topology, sorts_channels_by_the_node_they_leave)
{
  const ListedTopology topology(
      3, {{NodeId{2}, NodeId{0}}, {NodeId{0}, NodeId{1}}, {NodeId{2}, NodeId{1}}, {NodeId{1}, NodeId{2}}});
  ASSERT_EQ(topology.channel_count(), 4U);
  EXPECT_EQ(topology.channel_target(ChannelId{2}), NodeId{0}) << "the order given stays among channels of one node";
  EXPECT_EQ(topology.channel_target(ChannelId{3}), NodeId{1});
  EXPECT_EQ(index(topology.first_channel(NodeId{2})), 2U);
  EXPECT_EQ(topology.out_degree(NodeId{2}), 2U);
  std::uint32_t id = 0;
  for (const auto& edge : boost::make_iterator_range(edges(topology.graph()))) {
    EXPECT_EQ(get(boost::edge_index, topology.graph(), edge), id);
    EXPECT_EQ(source(edge, topology.graph()), index(topology.channel_source(ChannelId{id})));
    EXPECT_EQ(target(edge, topology.graph()), index(topology.channel_target(ChannelId{id})));
    ++id;
  }
}

TEST(ResolveNode, takes_ids_and_coordinates)
{
  const auto mesh = make_grid("mesh", {4, 3});
  EXPECT_EQ(resolve_node(*mesh, std::int64_t{11}), NodeId{11});
  EXPECT_EQ(resolve_node(*mesh, std::vector<std::int64_t>{1, 2}), NodeId{9});
  EXPECT_EQ(input_error([&] { resolve_node(*mesh, std::int64_t{12}); }),
            "node 12 is outside of the mesh 4 x 3, expected 0 to 11");
  EXPECT_EQ(input_error([&] { resolve_node(*mesh, std::int64_t{-1}); }),
            "node -1 is outside of the mesh 4 x 3, expected 0 to 11");
  EXPECT_EQ(input_error([&] { resolve_node(*mesh, std::vector<std::int64_t>{1, 3}); }),
            "node (1, 3) is outside of the mesh 4 x 3: its coordinate in y is 3, expected 0 to 2");
  EXPECT_EQ(input_error([&] { resolve_node(*mesh, std::vector<std::int64_t>{1}); }),
            "[1] has 1 coordinates, but the mesh 4 x 3 has 2 dimensions");
}

} // namespace

} // namespace wormcast
