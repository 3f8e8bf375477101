// Networks from GraphML and DOT files: names, order, routes, and what is wrong with bad files.

#include "tests/topologies/sample_topologies.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/described_links.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/graph_files/export.hpp"
#include "wormcast/topologies/graph_files/graph_reader.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace wormcast {

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
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

TEST_F(GraphFile, PicturesHaveNodesWhereTheFileSays)
{
  // In inches or points, with what Graphviz may have behind: a square of side 36, and a node between two of its
  // corners.
  const std::string square = R"(graph { a [pos="0,0"]; b [pos="72.0,0!"]; c [pos="72,36"]; d [pos="0,36,5"];
                                        between [pos=" 36,0"]; a -- b; b -- c; c -- d; d -- a; between -- c })";
  const auto net = topology("square.dot", square);
  const Drawing drawing = draw_topology(*net);
  EXPECT_THAT(drawing.nodes, ElementsAre(DrawingPoint{0, 0}, DrawingPoint{2, 0}, DrawingPoint{1, 0}, DrawingPoint{2, 1},
                                         DrawingPoint{0, 1}));
  for (std::uint32_t id = 0; id < net->channel_count(); ++id) {
    const bool through =
        index(net->channel_source(ChannelId{id})) <= 1 && index(net->channel_target(ChannelId{id})) <= 1;
    EXPECT_EQ(drawing.channels[id].shape, through ? ChannelShape::arc : ChannelShape::line) << id;
    EXPECT_EQ(drawing.channels[id].bend, (through ? DrawingPoint{0, 0.45} : DrawingPoint{})) << "both directions alike";
  }
  const auto of_graphml = topology("two.graphml", R"(<graphml><key id="p" for="node" attr.name="pos"/>
    <graph edgedefault="undirected"><node id="a"><data key="p">5,5</data></node>
    <node id="b"><data key="p">5,1</data></node><edge source="a" target="b"/></graph></graphml>)");
  EXPECT_THAT(draw_topology(*of_graphml).nodes, ElementsAre(DrawingPoint{0, 1}, DrawingPoint{0, 0}));
}

TEST_F(GraphFile, PlacesThatDoNotServeAreLeftOut)
{
  const auto drawn = [&](const std::string& places) {
    return draw_topology(*topology("g.dot", "graph { " + places + " a -- b; b -- c; c -- d }")).nodes;
  };
  const std::vector<DrawingPoint> usual = drawn("");
  EXPECT_EQ(drawn(R"(a [pos="0,0"]; b [pos="1,0"]; c [pos="2,0"];)"), usual) << "one has none";
  EXPECT_EQ(drawn(R"(a [pos="0,0"]; b [pos="1,0"]; c [pos="2,0"]; d [pos="left"];)"), usual) << "no numbers";
  EXPECT_EQ(drawn(R"(a [pos="0,0"]; b [pos="1,0"]; c [pos="2,0"]; d [pos="nan,1"];)"), usual);
  EXPECT_EQ(drawn(R"(a [pos="0,0"]; b [pos="1,0"]; c [pos="2,0"]; d [pos="1,0"];)"), usual) << "two at one place";
  EXPECT_NE(drawn(R"(a [pos="0,0"]; b [pos="1,0"]; c [pos="2,0"]; d [pos="7,0"];)"), usual);
}

TEST_F(GraphFile, ExportsAreReadAgain)
{
  const auto mesh = make_grid("mesh", {3, 4});
  std::ostringstream dot;
  write_dot(*mesh, dot);
  EXPECT_EQ(draw_topology(*topology("drawn.dot", dot.str())).nodes, draw_topology(*mesh).nodes);
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

// Two switches with two hosts each, a second link of host c, and a slow link in the middle.
constexpr const char* two_switches = R"(graph { s1 [kind=switch]; a; c; s0 [kind=switch]; b; d;
  a -- s0; b -- s0; s0 -- s1 [class=slow]; c -- s1; d -- s1; c -- s0 })";

TEST_F(GraphFile, SwitchesComeAfterHostsAndAloneForward)
{
  const auto net = topology("net.dot", two_switches);
  EXPECT_EQ(net->host_count(), 4U);
  EXPECT_EQ(net->node_count(), 6U);
  EXPECT_EQ(net->node_name(NodeId{2}), "c");
  EXPECT_EQ(net->node_name(NodeId{4}), "s0");
  EXPECT_EQ(net->distance(NodeId{0}, NodeId{2}), 2U);
  EXPECT_EQ(net->distance(NodeId{0}, NodeId{3}), 3U);
  EXPECT_EQ(net->link_classes(), (std::vector<std::string>{"link", "slow"}));
  std::vector<ChannelId> route;
  net->append_route(NodeId{0}, NodeId{3}, route);
  std::vector<std::uint32_t> classes;
  for (const ChannelId channel : route) {
    classes.push_back(net->link_class(channel));
  }
  EXPECT_THAT(classes, ElementsAre(0U, 1U, 0U)); // not by c, which is linked to both switches
  // Where the link in the middle is missing, c does not take its place.
  EXPECT_THAT(error("cut.dot", "graph { s0 [kind=switch]; s1 [kind=switch]; a -- s0; b -- s1; c -- s0; c -- s1 }"),
              HasSubstr("the graph of its switches is not connected: it has the 2 parts {s0}, {s1}"));
}

TEST_F(GraphFile, HostsBesideSwitchesNeedThem)
{
  EXPECT_THAT(error("pair.dot", "graph { s [kind=switch]; a -- s; b -- s; a -- b }"),
              HasSubstr("found an edge between the hosts a and b, expected a switch at one end"));
  EXPECT_THAT(error("one.dot", "graph { s [kind=switch]; t [kind=switch]; s -- t }"),
              HasSubstr("the graph has switches but no host"));
  EXPECT_THAT(error("lone.dot", "graph { s [kind=switch]; a -- s; b }"),
              HasSubstr("found host b without an edge to a switch"));
  EXPECT_THAT(error("odd.dot", "graph { s [kind=router]; a -- s }"),
              HasSubstr("found node s of kind \"router\", expected \"host\" or \"switch\""));
  EXPECT_THAT(error("way.dot", "digraph { s [kind=switch]; a -> s; s -> b; b -> s }"),
              HasSubstr("found host a without an edge from a switch"));
}

TEST_F(GraphFile, UpDownRoutesLeadThroughNoHost)
{
  TopologyDescription description{"graph", {}};
  description.parameters.set("file", write("ring.dot", R"(graph { s0 [kind=switch]; s1 [kind=switch]; s2 [kind=switch];
    s3 [kind=switch]; s0 -- s1 -- s2 -- s3 -- s0; a -- s0; b -- s1; c -- s2; d -- s3; both -- s1; both -- s3 })"));
  const auto net = make_topology(description, {.routing = "up_down"});
  for (std::uint32_t from = 0; from < net->host_count(); ++from) {
    for (std::uint32_t to = 0; to < net->host_count(); ++to) {
      std::vector<ChannelId> route;
      net->append_route(NodeId{from}, NodeId{to}, route);
      EXPECT_EQ(route.size(), net->distance(NodeId{from}, NodeId{to}));
      for (std::size_t i = 0; i + 1 < route.size(); ++i) {
        EXPECT_FALSE(net->is_host(net->channel_target(route[i])));
      }
    }
  }
  EXPECT_TRUE(check_deadlock(channel_dependencies(*net, 1)).deadlock_free());
}

TEST_F(GraphFile, SwitchesAndClassesAreReadFromGraphml)
{
  const auto net = topology("net.graphml", R"(<graphml><key id="k" for="node" attr.name="kind"/>
    <key id="c" for="edge" attr.name="class"><default>short</default></key><graph edgedefault="undirected">
    <node id="s"><data key="k">switch</data></node><node id="a"/><node id="b"><data key="k">host</data></node>
    <edge source="a" target="s"/><edge source="s" target="b"><data key="c">long</data></edge></graph></graphml>)");
  EXPECT_EQ(net->host_count(), 2U);
  EXPECT_EQ(net->node_name(NodeId{2}), "s");
  EXPECT_EQ(net->link_classes(), (std::vector<std::string>{"long", "short"}));
  EXPECT_EQ(net->link_class(net->first_channel(NodeId{1})), 0U);
}

TEST_F(GraphFile, ExportsOfNetworksWithSwitchesAreReadAgain)
{
  const auto net = topology("net.dot", two_switches);
  for (const bool as_graphml : {false, true}) {
    std::ostringstream text;
    as_graphml ? write_graphml(*net, text) : write_dot(*net, text);
    const auto again = topology(as_graphml ? "m.graphml" : "m.dot", text.str());
    EXPECT_EQ(again->host_count(), net->host_count());
    EXPECT_EQ(again->link_classes(), net->link_classes());
    for (std::uint32_t id = 0; id < net->channel_count(); ++id) {
      EXPECT_EQ(again->channel_target(ChannelId{id}), net->channel_target(ChannelId{id}));
      EXPECT_EQ(again->link_class(ChannelId{id}), net->link_class(ChannelId{id}));
    }
  }
}

// Two classes of the name trunk, one of them without a time of a hop, and one without any time.
constexpr const char* with_times = R"(graph { s [kind=switch]; t [kind=switch]; u [kind=switch]; a -- s; b -- t;
  s -- t [class=trunk, per_byte="0.5ns"]; t -- u [class=trunk, per_byte="157.5ps", per_hop="20ns"] })";

TEST_F(GraphFile, EdgesHaveTimesOfTheirOwn)
{
  const auto net = topology("net.dot", with_times);
  EXPECT_EQ(net->link_classes(), (std::vector<std::string>{"link", "trunk 157.5ps/B 20ns", "trunk 500ps/B"}));
  const std::span<const DescribedLink> links = described_links(*net);
  ASSERT_EQ(links.size(), 3U);
  EXPECT_EQ(links[0], DescribedLink{});
  EXPECT_EQ(links[1], (DescribedLink{"trunk", ByteTime(315, 2), parse_time("20ns")}));
  EXPECT_EQ(links[2], (DescribedLink{"trunk", ByteTime(500), std::nullopt}));
  EXPECT_TRUE(described_links(*topology("plain.dot", two_switches)).empty());
  for (const bool as_graphml : {false, true}) {
    std::ostringstream text;
    as_graphml ? write_graphml(*net, text) : write_dot(*net, text);
    const auto again = topology(as_graphml ? "m.graphml" : "m.dot", text.str());
    EXPECT_THAT(described_links(*again), ElementsAreArray(links)) << text.str();
    for (std::uint32_t id = 0; id < net->channel_count(); ++id) {
      EXPECT_EQ(again->channel_target(ChannelId{id}), net->channel_target(ChannelId{id}));
      EXPECT_EQ(again->link_class(ChannelId{id}), net->link_class(ChannelId{id}));
    }
  }
}

TEST_F(GraphFile, TimesOfEdgesAreReadFromGraphml)
{
  const auto net = topology("net.graphml", R"(<graphml><key id="r" for="edge" attr.name="per_byte">
    <default>2ns</default></key><key id="h" for="edge" attr.name="per_hop"/><graph edgedefault="undirected">
    <node id="a"/><node id="b"/><node id="c"/><edge source="a" target="b"/>
    <edge source="b" target="c"><data key="r">1ns</data><data key="h">0s</data></edge></graph></graphml>)");
  EXPECT_THAT(described_links(*net), ElementsAre(DescribedLink{"link", ByteTime(1000), Time{}},
                                                 DescribedLink{"link", ByteTime(2000), std::nullopt}));
  EXPECT_EQ(net->link_class(net->first_channel(NodeId{0})), 1U);
}

TEST_F(GraphFile, BadTimesOfEdgesAreNamed)
{
  const auto bad = [&](const std::string& attribute) {
    return error("bad.dot", "graph { a; b; c; a -- b; b -- c [" + attribute + "] }");
  };
  EXPECT_THAT(bad("per_byte=\"0ns\""),
              HasSubstr("bad.dot: the edge from b to c has per_byte = \"0ns\": expected a time "
                        "above 0s up to 2305843s (2^61 ps)"));
  EXPECT_THAT(bad("per_byte=\"-1ns\""), HasSubstr("the edge from b to c has per_byte = \"-1ns\": "));
  EXPECT_THAT(bad("per_hop=\"fast\""), HasSubstr("the edge from b to c has per_hop = \"fast\": "));
  EXPECT_THAT(bad("per_hop=5"), HasSubstr("the edge from b to c has per_hop = \"5\": "));
  EXPECT_THAT(bad("per_hop=\"3000000s\""), HasSubstr("expected a time from 0s up to 2305843s (2^61 ps)"));
}

TEST_F(GraphFile, AnynetHasNodesRoutersAndLatencies)
{
  // The latency of a link between routers is that of the direction which the line names.
  const auto net = topology("net.anynet", "router 0 node 0 node 1 5 router 1 15\n\nrouter 1 node 2 router 2\n"
                                          "node 3 router 2\nrouter 2 router 0 7\n");
  EXPECT_EQ(net->host_count(), 4U);
  EXPECT_EQ(net->node_count(), 7U);
  EXPECT_EQ(net->node_name(NodeId{3}), "node3");
  EXPECT_EQ(net->node_name(NodeId{4}), "router0");
  EXPECT_EQ(net->link_classes(), (std::vector<std::string>{"latency 1", "latency 5", "latency 7", "latency 15"}));
  std::map<std::string, std::uint32_t> classes;
  for (std::uint32_t id = 0; id < net->channel_count(); ++id) {
    const ChannelId channel{id};
    classes[net->node_name(net->channel_source(channel)) + " " + net->node_name(net->channel_target(channel))] =
        net->link_class(channel);
  }
  EXPECT_EQ(classes.size(), 14U);
  EXPECT_EQ(classes.at("node1 router0"), 1U);
  EXPECT_EQ(classes.at("router0 node1"), 1U);
  EXPECT_EQ(classes.at("router0 router1"), 3U);
  EXPECT_EQ(classes.at("router1 router0"), 0U);
  EXPECT_EQ(classes.at("router2 router0"), 2U);
  EXPECT_EQ(classes.at("router0 router2"), 0U);
}

TEST_F(GraphFile, BadAnynetsAreExplained)
{
  const auto bad = [&](const std::string& text) { return error("n.anynet", text); };
  EXPECT_EQ(bad("router 0 node 0\nrooter 1 node 1"),
            "n.anynet: line 2: found \"rooter\", expected \"router\" or \"node\"");
  EXPECT_THAT(bad("router 0 node"), HasSubstr("line 1: found \"node\" without its number"));
  EXPECT_THAT(bad("router 0 node -1"), HasSubstr("line 1: found \"node\" without its number"));
  EXPECT_THAT(bad("router 0"), HasSubstr("line 1: found nothing behind the first router"));
  EXPECT_THAT(bad("node 0 node 1"), HasSubstr("a link between nodes 0 and 1, expected a router at one end"));
  EXPECT_THAT(bad("router 0 node 0\nrouter 1 node 0"),
              HasSubstr("line 2: found node 0 again, which is linked to router 0"));
  EXPECT_THAT(bad("router 0 router 1 3\nrouter 0 router 1 4"),
              HasSubstr("line 2: found latency 4 from router 0 to router 1, which has latency 3 before"));
  EXPECT_THAT(bad("router 0 router 0"), HasSubstr("a link from router 0 to itself"));
  EXPECT_THAT(bad("router 0 node 0 node 2"), HasSubstr("found node 2 but no node 1, expected numbers from 0 on"));
  EXPECT_THAT(bad(""), HasSubstr("the graph has no nodes"));
  EXPECT_THAT(bad("router 0 node 0\nrouter 1 node 1"), HasSubstr("of its switches is not strongly connected"));
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
