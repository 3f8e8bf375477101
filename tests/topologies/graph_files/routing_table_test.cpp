// Routing tables from files: routes, exports that are read back with the same routes, and what is wrong with bad
// tables.

#include "tests/topologies/sample_topologies.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/graph_files/export.hpp"
#include "wormcast/topologies/graph_files/routing_table.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace wormcast {

namespace {

/// Files in a folder of their own.
class TableFolder {
public:
  TableFolder()
  {
    std::string name = (std::filesystem::temp_directory_path() / "wormcast-routes-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  TableFolder(const TableFolder&) = delete;
  TableFolder& operator=(const TableFolder&) = delete;
  ~TableFolder() { std::filesystem::remove_all(path_); }

  std::string write(const std::string& name, const std::string& text) const
  {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

  /// A message without the folder.
  std::string without_path(std::string text) const
  {
    const std::string prefix = path_.string() + "/";
    if (const std::size_t at = text.find(prefix); at != std::string::npos) {
      text.erase(at, prefix.size());
    }
    return text;
  }

private:
  std::filesystem::path path_;
};

constexpr const char* three_switches = "graph { l [kind=switch]; r [kind=switch]; u [kind=switch]; "
                                       "a -- l; b -- l; c -- r; d -- r; l -- r; l -- u; u -- r; }";

std::unique_ptr<Topology> routed(const std::string& graph, const std::optional<std::string>& table,
                                 const std::string& routing = "given")
{
  TopologyDescription description{"graph", {}};
  description.parameters.set("file", graph);
  if (table) {
    description.parameters.set("routes_file", *table);
  }
  return make_topology(description, {.routing = routing});
}

std::unique_ptr<Topology> three_switches_with(const std::string& table)
{
  const TableFolder folder;
  return routed(folder.write("net.dot", three_switches), folder.write("routes.txt", table));
}

std::string refused_table(const std::string& table)
{
  const TableFolder folder;
  const std::string graph = folder.write("net.dot", three_switches);
  const std::string routes = folder.write("routes.txt", table);
  const std::string message = folder.without_path(input_error([&] { routed(graph, routes); }));
  const std::string key = "routes_file: ";
  EXPECT_EQ(message.substr(0, key.size()), key);
  return message.substr(std::min(message.size(), key.size()));
}

std::vector<std::string> names_between(const Topology& topology, std::uint32_t from, std::uint32_t to)
{
  std::vector<std::string> names;
  for (const std::uint32_t node : nodes_between(topology, from, to)) {
    names.push_back(topology.node_name(NodeId{node}));
  }
  return names;
}

TEST(RoutingTables, LeadWhereTheySay)
{
  using ::testing::ElementsAre;
  const auto network = three_switches_with("l a a\nl b b\nl * u  # not the shortest way\n"
                                           "u\tc r\n\nu 3 r\r\nu * l\nr c c\nr d d\nr * l\n");
  EXPECT_EQ(network->title(), "graph net.dot");
  EXPECT_THAT(names_between(*network, 0, 1), ElementsAre("a", "l", "b"));
  EXPECT_THAT(names_between(*network, 0, 2), ElementsAre("a", "l", "u", "r", "c"));
  EXPECT_THAT(names_between(*network, 1, 3), ElementsAre("b", "l", "u", "r", "d"));
  EXPECT_THAT(names_between(*network, 2, 0), ElementsAre("c", "r", "l", "a"));
  EXPECT_EQ(network->distance(NodeId{0}, NodeId{2}), 4U);
  EXPECT_EQ(network->distance(NodeId{2}, NodeId{0}), 3U);
  EXPECT_EQ(network->longest_route(), 4U);
  // The root is l, and l -> u -> r goes down, then up: one turn.
  EXPECT_EQ(network->virtual_channel_classes(1), 1U);
  EXPECT_EQ(network->virtual_channel_classes(4), 2U);
  EXPECT_TRUE(check_deadlock(channel_dependencies(*network, 1)).deadlock_free());
}

TEST(RoutingTables, CanDeadlock)
{
  const TableFolder folder;
  const auto ring = routed(folder.write("ring.dot", "graph { a -- b -- c -- d -- a }"),
                           folder.write("round.txt", "a * b\nb * c\nc * d\nd * a\n"));
  EXPECT_EQ(ring->distance(NodeId{0}, NodeId{3}), 3U);
  EXPECT_FALSE(check_deadlock(channel_dependencies(*ring, 1)).deadlock_free());
  EXPECT_TRUE(check_deadlock(channel_dependencies(*ring, 2)).deadlock_free());
}

TEST(RoutingTables, AreRefusedWithTheLineOrTheRoute)
{
  const std::string rest = "r c c\nr d d\nr * l\n";
  EXPECT_EQ(refused_table("l a a\nl b\n" + rest), "routes.txt: line 2: found 2 words, expected three: a node, a "
                                                  "destination or \"*\" for all others, and the next node");
  EXPECT_EQ(refused_table("l a x\n" + rest),
            "routes.txt: line 1: found \"x\", expected a node: a name such as \"a\", or a number, 0 to 6");
  EXPECT_EQ(refused_table("l a a\nl 7 b\n"),
            "routes.txt: line 2: found \"7\", expected a node: a name such as \"a\", or a number, 0 to 6");
  EXPECT_EQ(refused_table("l a a\nl * r\nl a r\n"),
            "routes.txt: line 3: found node l and destination a again, which line 1 has");
  EXPECT_EQ(refused_table("l * r\n\nl * u\n"),
            "routes.txt: line 3: found node l and destination * again, which line 1 has");
  EXPECT_EQ(refused_table("l a a\nl * c\n" + rest),
            "routes.txt: line 2: found c behind l, but no link leads from l to c");
  EXPECT_EQ(refused_table("l a a\nl b b\nl * r\nr c c\n"),
            "routes.txt: the route from c to a ends at r, expected a line \"r a NEXT\" or \"r * NEXT\"");
  EXPECT_EQ(refused_table("l a a\nl b b\nl * u\nu * l\n" + rest),
            "routes.txt: the route from a to c comes to l again and again");
  EXPECT_EQ(refused_table("l a a\nl * b\n" + rest),
            "routes.txt: the route from a to c leads through the host b, expected switches between them");
  EXPECT_EQ(refused_table(""), "routes.txt: the route from b to a ends at l, expected a line \"l a NEXT\" or "
                               "\"l * NEXT\"");
}

TEST(RoutingTables, AreForTheRoutingGivenAlone)
{
  const TableFolder folder;
  const std::string graph = folder.write("net.dot", three_switches);
  EXPECT_EQ(input_error([&] { routed(graph, "routes.txt", "up_down"); }),
            "routes_file: found it with the routing up_down, expected network.routing = \"given\"");
  EXPECT_EQ(input_error([&] { routed(graph, std::nullopt); }),
            "network.routing = \"given\" takes the routes of a table, expected one in topology.routes_file");
  EXPECT_THAT(input_error([&] { routed(graph, "/no/such/routes.txt"); }),
              ::testing::HasSubstr("cannot read /no/such/routes.txt"));
}

/// The network of a graph file with the routes of an exported table, both of `topology`.
std::unique_ptr<Topology> read_back(const Topology& topology)
{
  const TableFolder folder;
  std::ostringstream graph;
  std::ostringstream table;
  write_graphml(topology, graph);
  write_routing_table(topology, table);
  return routed(folder.write("net.graphml", graph.str()), folder.write("routes.txt", table.str()));
}

void expect_same_routes(const Topology& topology)
{
  const auto back = read_back(topology);
  RC_ASSERT(back->host_count() == topology.host_count());
  for (std::uint32_t from = 0; from < topology.host_count(); ++from) {
    for (std::uint32_t to = 0; to < topology.host_count(); ++to) {
      RC_ASSERT(nodes_between(*back, from, to) == nodes_between(topology, from, to));
    }
  }
}

RC_GTEST_PROP(RoutingTables, OfGridsAndShortestPathsAreReadBack, ())
{
  const bool by_distance = *rc::gen::arbitrary<bool>();
  if (by_distance) {
    expect_same_routes(*make_hypercube(*rc::gen::inRange<std::int64_t>(1, 6), "shortest_path"));
    return;
  }
  const auto grid = arbitrary_grid(40);
  RC_PRE(grid->drawn_bits() == 0 && grid->node_count() > 1);
  expect_same_routes(*grid);
}

TEST(RoutingTables, OfSwitchedNetworksAreReadBack)
{
  TopologyDescription tree{"fat_tree", {}};
  tree.parameters.set("levels", std::int64_t{2});
  tree.parameters.set("children", std::vector<std::int64_t>{4, 4});
  tree.parameters.set("parents", std::vector<std::int64_t>{1, 2});
  expect_same_routes(*make_topology(tree));
}

TEST(RoutingTables, NameNodesByWordsAlone)
{
  std::ostringstream of_mesh;
  write_routing_table(*make_grid("mesh", {3, 1}), of_mesh); // names with blanks
  EXPECT_EQ(of_mesh.str(), "# routes of the mesh 3 x 1: node, destination, next node\n1 2 2\n1 * 0\n");
  std::ostringstream of_switches;
  write_routing_table(*three_switches_with("l a a\nl b b\nl * r\nr c c\nr d d\nr * l\n"), of_switches);
  EXPECT_EQ(of_switches.str(), "# routes of the graph net.dot: node, destination, next node\n"
                               "l a a\nl b b\nl * r\nr c c\nr d d\nr * l\n");
}

TEST(RoutingTables, CannotHoldAllRoutes)
{
  const auto refused_export = [](const Topology& topology) {
    std::ostringstream out;
    return input_error([&] { write_routing_table(topology, out); });
  };
  EXPECT_EQ(refused_export(*make_grid("torus", {4, 4}, "random")),
            "the routes of the torus 4 x 4 are drawn for each message, expected a routing that draws none for a "
            "routing table");
  TopologyDescription modules{"petersen_torus", {}};
  modules.parameters.set("dims", std::vector<std::int64_t>{4, 4, 4});
  EXPECT_EQ(
      refused_export(*make_topology(modules, {.routing = "up_down"})),
      "the routes of the Petersen-torus 4 x 4 x 4 by up_down are no routing table: where messages to (0, 0, 1, 6) "
      "go on from (0, 0, 1, 0) depends on where they come from, such as from (1, 0, 0, 2)");
  TopologyDescription tree{"fat_tree", {}};
  tree.parameters.set("levels", std::int64_t{1});
  tree.parameters.set("children", std::vector<std::int64_t>{2});
  tree.parameters.set("parents", std::vector<std::int64_t>{1});
  tree.parameters.set("links", std::vector<std::int64_t>{2});
  EXPECT_THAT(refused_export(*make_topology(tree)), ::testing::HasSubstr("has parallel links between 0 and s1.0"));
}

} // namespace

} // namespace wormcast
