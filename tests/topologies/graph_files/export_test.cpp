#include "tests/topologies/sample_topologies.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/graph_files/export.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <sstream>

namespace wormcast {

namespace {

using testing::HasSubstr;

struct ReadNode {
  std::string id;
  std::string name;
  std::string coordinates;
};

struct ReadChannel {
  int channel = -1;
  std::string id;
};

using ReadGraph = boost::adjacency_list<boost::multisetS, boost::vecS, boost::directedS, ReadNode, ReadChannel>;

ReadGraph read_back_graphml(const Topology& topology)
{
  std::stringstream file;
  write_graphml(topology, file);
  ReadGraph graph;
  boost::dynamic_properties attributes;
  attributes.property("name", get(&ReadNode::name, graph));
  attributes.property("coordinates", get(&ReadNode::coordinates, graph));
  attributes.property("channel", get(&ReadChannel::channel, graph));
  boost::read_graphml(file, graph, attributes);
  return graph;
}

RC_GTEST_PROP(GraphmlExport, is_read_back_as_the_same_graph, ())
{
  const auto topology = arbitrary_grid(100);
  const ReadGraph graph = read_back_graphml(*topology);
  RC_ASSERT(num_vertices(graph) == topology->node_count());
  RC_ASSERT(num_edges(graph) == topology->channel_count());
  for (std::uint32_t node = 0; node < topology->node_count(); ++node) {
    RC_ASSERT(graph[node].name == topology->node_name(NodeId{node}));
    std::istringstream numbers(graph[node].coordinates);
    std::vector<std::int64_t> coordinates;
    for (std::int64_t number = 0; numbers >> number;) {
      coordinates.push_back(number);
    }
    RC_ASSERT(coordinates == topology->coordinates(NodeId{node}));
  }
  std::set<int> channels;
  for (const auto& edge : boost::make_iterator_range(edges(graph))) {
    const ChannelId channel{static_cast<std::uint32_t>(graph[edge].channel)};
    RC_ASSERT(channels.insert(graph[edge].channel).second);
    RC_ASSERT(index(channel) < topology->channel_count());
    RC_ASSERT(source(edge, graph) == index(topology->channel_source(channel)));
    RC_ASSERT(target(edge, graph) == index(topology->channel_target(channel)));
  }
}

RC_GTEST_PROP(DotExport, is_read_back_as_the_same_graph, ())
{
  const auto topology = arbitrary_grid(60);
  std::stringstream file;
  write_dot(*topology, file);
  ReadGraph graph;
  boost::dynamic_properties attributes(boost::ignore_other_properties);
  attributes.property("node_id", get(&ReadNode::id, graph));
  attributes.property("label", get(&ReadNode::name, graph));
  attributes.property("id", get(&ReadChannel::id, graph));
  RC_ASSERT(boost::read_graphviz(file, graph, attributes, "node_id"));
  RC_ASSERT(num_vertices(graph) == topology->node_count());
  std::map<std::string, std::uint32_t> nodes;
  for (std::uint32_t node = 0; node < topology->node_count(); ++node) {
    nodes[host_name(NodeId{node})] = node;
  }
  for (const auto& vertex : boost::make_iterator_range(vertices(graph))) {
    RC_ASSERT(graph[vertex].name == topology->node_name(NodeId{nodes.at(graph[vertex].id)}));
  }
  std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> channels;
  for (const auto& edge : boost::make_iterator_range(edges(graph))) {
    channels[graph[edge].id] = {nodes.at(graph[source(edge, graph)].id), nodes.at(graph[target(edge, graph)].id)};
  }
  RC_ASSERT(channels.size() == topology->channel_count());
  for (std::uint32_t id = 0; id < topology->channel_count(); ++id) {
    const ChannelId channel{id};
    RC_ASSERT(channels.at(link_name(channel)) ==
              std::make_pair(index(topology->channel_source(channel)), index(topology->channel_target(channel))));
  }
}

TEST(DotExport, shows_names_and_places)
{
  std::ostringstream file;
  write_dot(*make_grid("mesh", {2, 1}), file);
  EXPECT_THAT(file.str(), HasSubstr("n1[label=\"(1, 0)\", pos=\"72,0\"];"));
  EXPECT_THAT(file.str(), HasSubstr("n0->n1 [id=\"c0\"];"));
}

TEST(SimgridExport, refuses_what_it_cannot_write)
{
  std::ostringstream file;
  EXPECT_EQ(input_error([&] { write_simgrid_xml(*make_grid("mesh", {2}), {Time{0}, Time{0}}, file); }),
            "a SimGrid link needs a time per byte above 0, found 0s");
  EXPECT_THAT(input_error([&] { write_simgrid_xml(*make_grid("mesh", {64, 64}), {Time{1}, Time{0}}, file); }),
              HasSubstr("the mesh 64 x 64 is too large for a SimGrid file with all routes"));
  EXPECT_TRUE(file.str().empty()) << "nothing is written before an error";
}

TEST(SimgridExport, limit_admits_the_mesh_that_its_message_names)
{
  const auto sum = *measure_topology(*make_grid("mesh", {32, 32})).mean_distance * 1024 * 1023;
  EXPECT_EQ(sum, 22347776);
  EXPECT_LE(sum, most_simgrid_xml_hops);
}

} // namespace

} // namespace wormcast
