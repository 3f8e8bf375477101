// Networks from GraphML and DOT files: names, order, routes, and what is wrong with bad files.

#include "tests/topologies/sample_topologies.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/graph_files/export.hpp"
#include "wormcast/topologies/graph_files/graph_reader.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace wormcast {

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class GraphFile : public ::testing::Test {
protected:
  GraphFile()
  {
    std::string name = (std::filesystem::temp_directory_path() / "wormcast-graph-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~GraphFile() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const
  {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

  std::unique_ptr<Topology> topology(const std::string& name, const std::string& text) const
  {
    TopologyDescription description{"graph", {}};
    description.parameters.set("file", write(name, text));
    return make_topology(description);
  }

  /// The message of the error, without the folder.
  std::string error(const std::string& name, const std::string& text) const
  {
    try {
      topology(name, text);
    } catch (const InputError& caught) {
      const std::string message = caught.what();
      const std::string prefix = folder_.string() + "/";
      return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
    }
    return "no error";
  }

private:
  std::filesystem::path folder_;
};

std::string graphml(const std::string& direction, const std::string& content)
{
  return R"(<?xml version="1.0"?><graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="k" for="node" attr.name="name" attr.type="string"/>
<graph id="G" edgedefault=")" +
         direction + "\">" + content + "</graph></graphml>";
}

TEST_F(GraphFile, DotIsUndirectedOrDirected)
{
  const auto ring = topology("ring.dot", "graph { n10 -- n2; n2 -- n1; n1 -- n10 }");
  EXPECT_EQ(ring->node_count(), 3U);
  EXPECT_EQ(ring->channel_count(), 6U);
  EXPECT_EQ(ring->title(), "graph ring.dot");
  EXPECT_EQ(ring->node_name(NodeId{0}), "n1");
  EXPECT_EQ(ring->node_name(NodeId{1}), "n2");
  EXPECT_EQ(ring->node_name(NodeId{2}), "n10");
  const auto one_way = topology("one_way.gv", "digraph { a -> b -> c -> a }");
  EXPECT_EQ(one_way->channel_count(), 3U);
  EXPECT_EQ(one_way->distance(NodeId{1}, NodeId{0}), 2U);
}

TEST_F(GraphFile, GraphmlKeepsOrderAndNames)
{
  const auto line = topology("line.graphml", graphml("undirected", R"(
    <node id="z"><data key="k">head</data></node><node id="a"><data key="k">middle</data></node><node id="m"/>
    <edge source="z" target="a"/><edge source="a" target="m"/>)"));
  EXPECT_EQ(line->node_name(NodeId{0}), "head");
  EXPECT_EQ(line->node_name(NodeId{1}), "middle");
  EXPECT_EQ(line->node_name(NodeId{2}), "m");
  EXPECT_EQ(line->distance(NodeId{0}, NodeId{2}), 2U);
}

TEST_F(GraphFile, GraphmlHasDefaultsAndEdgesBeforeNodes)
{
  const auto pair = topology("pair.graphml", R"(<graphml>
    <key id="n" for="node" attr.name="name"><default>by default</default></key>
    <key id="e" for="edge" attr.name="label"><default>of edges</default></key><key id="w" for="all" attr.name="weight"/>
    <graph edgedefault="directed"><edge source="b" target="a" directed="true"/><edge source="a" target="b"/>
    <!-- <node id="c"/> --><node id="a"><data key="w">7</data><data key="none">8</data></node>
    <node id="b"><data key="n">
      its  own <!-- name --> </data></node></graph></graphml>)");
  EXPECT_EQ(pair->node_name(NodeId{0}), "by default");
  EXPECT_EQ(pair->node_name(NodeId{1}), "its own");
  EXPECT_EQ(pair->channel_count(), 2U);
}

TEST_F(GraphFile, NamesThatAreNotUniqueGiveWayToIds)
{
  const auto pair = topology("pair.dot", R"(graph { a [label="same"]; b [label="same"]; a -- b })");
  EXPECT_EQ(pair->node_name(NodeId{0}), "a");
  EXPECT_EQ(pair->node_name(NodeId{1}), "b");
}

TEST_F(GraphFile, ExportsAreReadAgain)
{
  const auto mesh = make_grid("mesh", {3, 4});
  for (const bool as_graphml : {false, true}) {
    std::ostringstream text;
    as_graphml ? write_graphml(*mesh, text) : write_dot(*mesh, text);
    const auto again = topology(as_graphml ? "m.graphml" : "m.dot", text.str());
    EXPECT_EQ(again->channel_count(), mesh->channel_count());
    EXPECT_EQ(again->node_name(NodeId{5}), mesh->node_name(NodeId{5}));
    for (std::uint32_t node = 0; node < mesh->node_count(); ++node) {
      EXPECT_EQ(again->distance(NodeId{0}, NodeId{node}), mesh->distance(NodeId{0}, NodeId{node}));
    }
  }
}

TEST_F(GraphFile, PartsOfADisconnectedGraphAreNamed)
{
  EXPECT_EQ(error("two.dot", "graph { a -- b; c -- d; e }"),
            "two.dot: the graph is not connected: it has the 3 parts {a, b}, {c, d}, {e}; expected a path from every "
            "node to every other");
  EXPECT_THAT(error("way.dot", "digraph { a -> b }"),
              HasSubstr("is not strongly connected: it has the 2 parts {a}, {b}"));
}

TEST_F(GraphFile, BadFilesAreExplained)
{
  EXPECT_THAT(error("net.txt", ""), HasSubstr("found the ending \".txt\", expected .graphml"));
  EXPECT_THAT(error("bad.dot", "graph { a -- "), HasSubstr("bad.dot: not a valid graph"));
  EXPECT_THAT(error("empty.dot", "graph { }"), EndsWith("the graph has no nodes"));
  EXPECT_THAT(error("loop.dot", "graph { a -- b; a -- a }"), HasSubstr("an edge from node a to itself"));
  EXPECT_THAT(error("two.dot", "graph { a -- b; b -- a }"), HasSubstr("found two edges between node"));
  EXPECT_THAT(error("bad.graphml", "<graphml><graph>\n<node></graphml>"), HasSubstr("line 2: not valid XML"));
  EXPECT_THAT(error("none.graphml", "<graphml/>"), HasSubstr("found no <graph> element"));
  EXPECT_THAT(error("edge.graphml", graphml("directed", R"(<node id="a"/><edge source="a" target="b"/>)")),
              HasSubstr("an edge whose target is \"b\", expected the id of a node"));
  EXPECT_THAT(error("twice.graphml", graphml("directed", R"(<node id="a"/><node id="a"/>)")),
              HasSubstr("the node id \"a\" twice"));
  EXPECT_THAT(error("nobody.graphml", graphml("directed", "<node/>")), HasSubstr("found a <node> without an id"));
  EXPECT_THAT(error("half.graphml", graphml("both", "")), HasSubstr("edgedefault=\"both\", expected \"directed\""));
  EXPECT_THAT(
      error("one.graphml", graphml("directed", R"(<node id="a"/><edge source="a" target="a" directed="false"/>)")),
      HasSubstr("an undirected edge in a directed graph, expected edges of one kind"));
  EXPECT_THAT(
      error("two.graphml", graphml("undirected", R"(<node id="a"/><edge source="a" target="a" directed="true"/>)")),
      HasSubstr("a directed edge in an undirected graph, expected edges of one kind"));
  EXPECT_THAT(error("nested.graphml", graphml("directed", "<graph edgedefault=\"directed\"><node id=\"a\"/></graph>")),
              HasSubstr("found a <graph> in the <graph>, expected one alone"));
  for (const char* content : {R"(<node id="a"><data>1</data></node>)", "<data>1</data>",
                              R"(<node id="a"/><edge source="a" target="a"><data>1</data></edge>)"}) {
    EXPECT_THAT(error("data.graphml", graphml("directed", content)), HasSubstr("found a <data> without a key"));
  }
  EXPECT_THAT(error("key.graphml", R"(<graphml><key id="k" for="nodes"/><graph edgedefault="directed"/></graphml>)"),
              HasSubstr("found a <key> for=\"nodes\", expected one of graph, node, edge"));
  EXPECT_THAT([] { read_graph_file("/nowhere/net.dot"); }, ThrowsMessage<FileError>(HasSubstr("/nowhere/net.dot")));
}

TEST_F(GraphFile, DeadlockIsProvedOrShown)
{
  const auto tree = topology("tree.dot", "graph { a -- b; a -- c; b -- d; b -- e }");
  EXPECT_TRUE(check_deadlock(channel_dependencies(*tree, 1)).deadlock_free());
  const auto ring = topology("ring.dot", "digraph { a -> b -> c -> d -> a }");
  const DeadlockCheck check = check_deadlock(channel_dependencies(*ring, 1));
  EXPECT_EQ(check.cycle.size(), 4U);
  EXPECT_TRUE(check_deadlock(channel_dependencies(*ring, 3)).deadlock_free());
}

TEST_F(GraphFile, MetricsAreMeasured)
{
  const auto star = topology("star.dot", "graph { hub -- a; hub -- b; hub -- c }");
  const TopologyMetrics metrics = measure_topology(*star);
  EXPECT_EQ(metrics.diameter, 2U);
  EXPECT_EQ(metrics.largest_degree, 3U);
  EXPECT_EQ(metrics.smallest_degree, 1U);
}

} // namespace
} // namespace wormcast
