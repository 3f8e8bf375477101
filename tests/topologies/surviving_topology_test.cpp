// Networks with dead nodes and links: what is left of them, its names, its routes, and what is refused.

#include "tests/topologies/sample_topologies.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/shortest_path_routing.hpp"
#include "wormcast/topologies/surviving_topology.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace wormcast {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Texts = std::vector<std::string>;
using Integers = std::vector<std::int64_t>;

TopologyDescription described(const std::string& kind, std::vector<std::pair<std::string, ParameterValue>> values)
{
  TopologyDescription description{kind, {}};
  for (auto& [name, value] : values) {
    description.parameters.set(name, std::move(value));
  }
  return description;
}

TopologyDescription mesh_4_by_4()
{
  return described("mesh", {{"dims", Integers{4, 4}}});
}

TopologyDescription two_level_tree()
{
  return described("fat_tree",
                   {{"levels", std::int64_t{2}}, {"children", Integers{4, 4}}, {"parents", Integers{1, 2}}});
}

std::unique_ptr<Topology> made(TopologyDescription description, const std::string& routing,
                               std::vector<std::pair<std::string, ParameterValue>> faults)
{
  for (auto& [name, value] : faults) {
    description.parameters.set(name, std::move(value));
  }
  return make_topology(description, {.routing = routing});
}

std::string refusal(const TopologyDescription& description, const std::string& routing,
                    const std::vector<std::pair<std::string, ParameterValue>>& faults)
{
  return input_error([&] { made(description, routing, faults); });
}

const SurvivingTopology& survivors_of(const Topology& topology)
{
  return dynamic_cast<const SurvivingTopology&>(topology);
}

TopologyDescription any_description()
{
  const std::vector<TopologyDescription> all = {
      mesh_4_by_4(),
      described("torus", {{"dims", Integers{5, 4}}}),
      described("torus", {{"dims", Integers{2, 2, 3}}}),
      described("hypercube", {{"dimension", std::int64_t{4}}}),
      described("petersen", {}),
      described("lattice", {{"matrix", Texts{"4 1", "0 5"}}}),
      two_level_tree(),
      described("dragonfly", {{"groups", std::int64_t{2}},
                              {"group_links", std::int64_t{2}},
                              {"chassis_links", std::int64_t{1}},
                              {"router_links", std::int64_t{1}},
                              {"chassis", std::int64_t{2}},
                              {"routers", std::int64_t{2}},
                              {"hosts", std::int64_t{2}}}),
  };
  return *rc::gen::elementOf(all);
}

// Distances over the working channels of the whole network, which the survivors' tables do not see.
std::uint32_t shortest_of_whole(const SurvivingTopology& left, const Faults& faults, NodeId from, NodeId to)
{
  const Topology& whole = left.whole();
  std::vector<std::uint32_t> distances(whole.node_count(), no_path);
  distances[index(left.whole_node(from))] = 0;
  std::deque<NodeId> next{left.whole_node(from)};
  while (!next.empty()) {
    const NodeId node = next.front();
    next.pop_front();
    if (node != left.whole_node(from) && !forwards(whole, node)) {
      continue;
    }
    for (std::uint32_t place = 0; place < whole.out_degree(node); ++place) {
      const ChannelId channel{index(whole.first_channel(node)) + place};
      const NodeId target = whole.channel_target(channel);
      if (!faults.lost_channels[index(channel)] && distances[index(target)] == no_path) {
        distances[index(target)] = distances[index(node)] + 1;
        next.push_back(target);
      }
    }
  }
  return distances[index(left.whole_node(to))];
}

RC_GTEST_PROP(SurvivingTopology, joins_all_hosts_that_work_around_random_faults, ())
{
  const auto nodes = *rc::gen::inRange<std::int64_t>(0, 4);
  const auto links = *rc::gen::inRange<std::int64_t>(nodes == 0 ? 1 : 0, 3);
  const auto seed = *rc::gen::inRange<std::int64_t>(0, 1000);
  const std::string routing = *rc::gen::element<std::string>("up_down", "shortest_path");
  std::unique_ptr<Topology> topology;
  try {
    topology = made(any_description(), routing,
                    {{"random_dead_nodes", nodes}, {"random_dead_links", links}, {"fault_seed", seed}});
  } catch (const InputError& error) {
    RC_ASSERT(std::string_view(error.what()).find("with this seed the loss of more than") != std::string_view::npos);
    return;
  }
  const SurvivingTopology& left = survivors_of(*topology);
  const Faults faults = read_faults(left.whole(), left.description());
  RC_ASSERT(std::int64_t{faults.dead_node_count} == nodes);
  RC_ASSERT(std::int64_t{faults.dead_link_count} == links);
  for (std::uint32_t from = 0; from < left.host_count(); ++from) {
    RC_ASSERT(left.node_name(NodeId{from}) == left.whole().node_name(left.whole_node(NodeId{from})));
    RC_ASSERT(left.node_at(left.coordinates(NodeId{from})) == NodeId{from});
    for (std::uint32_t to = 0; to < left.host_count(); ++to) {
      std::vector<ChannelId> route;
      left.append_route(NodeId{from}, NodeId{to}, route);
      NodeId at{from};
      for (const ChannelId channel : route) {
        RC_ASSERT(left.channel_source(channel) == at);
        RC_ASSERT(!faults.lost_channels[index(left.whole_channel(channel))]);
        at = left.channel_target(channel);
        RC_ASSERT(left.whole().channel_target(left.whole_channel(channel)) == left.whole_node(at));
      }
      RC_ASSERT(at == NodeId{to});
      RC_ASSERT(left.distance(NodeId{from}, NodeId{to}) == route.size());
      const std::size_t shortest = shortest_of_whole(left, faults, NodeId{from}, NodeId{to});
      RC_ASSERT((routing == "up_down" ? route.size() >= shortest : route.size() == shortest));
    }
  }
  const std::uint32_t channels = routing == "up_down" ? 1 : std::max<std::uint32_t>(left.longest_route(), 1);
  RC_ASSERT(check_deadlock(channel_dependencies(left, channels)).deadlock_free());
  RC_ASSERT(draw_topology(left).nodes.size() == left.node_count());
}

TEST(SurvivingTopology, names_nodes_as_the_whole_network_does)
{
  const auto mesh =
      made(mesh_4_by_4(), "up_down",
           {{"dead_nodes", Texts{"(1, 1)", "11"}}, {"dead_links", Texts{"(0,0) - (1,0)", "13-14", "3 - (2, 0)"}}});
  EXPECT_EQ(mesh->title(), "mesh 4 x 4 without 2 nodes and 3 links");
  EXPECT_EQ(mesh->node_count(), 14U);
  EXPECT_EQ(mesh->channel_count(), 48U - 8 - 6 - 6);
  EXPECT_EQ(mesh->node_name(NodeId{5}), "(2, 1)");
  EXPECT_EQ(mesh->node_at(Integers{2, 1}), NodeId{5});
  EXPECT_EQ(resolve_whole_node(*mesh, std::int64_t{6}), NodeId{5});
  EXPECT_EQ(input_error([&] { resolve_whole_node(*mesh, std::int64_t{5}); }),
            "node (1, 1) of the mesh 4 x 4 without 2 nodes and 3 links is dead, expected one that works");
  EXPECT_EQ(input_error([&] { resolve_whole_node(*mesh, Integers{3, 2}); }),
            "node (3, 2) of the mesh 4 x 4 without 2 nodes and 3 links is dead, expected one that works");
  EXPECT_THAT(input_error([&] { resolve_whole_node(*mesh, std::int64_t{16}); }), HasSubstr("0 to 15"));

  const auto cube =
      made(described("hypercube", {{"dimension", std::int64_t{3}}}), "shortest_path", {{"dead_nodes", Texts{"2"}}});
  EXPECT_EQ(resolve_whole_node(*cube, std::int64_t{7}), NodeId{6});
  const auto petersen = made(described("petersen", {}), "", {{"dead_nodes", Texts{"2"}}});
  EXPECT_EQ(petersen->routing().routing, "shortest_path");
  EXPECT_EQ(petersen->node_name(NodeId{2}), "3") << "also where names are numbers";
  EXPECT_EQ(petersen->node_at(Integers{3}), NodeId{2});
  EXPECT_THAT(input_error([&] { petersen->node_at(Integers{2}); }), HasSubstr("node 2 of the"));
}

TEST(SurvivingTopology, includes_fewer_random_links_in_more)
{
  const auto lost = [](std::int64_t count, std::int64_t seed) {
    const auto mesh =
        made(mesh_4_by_4(), "up_down",
             {{"random_dead_nodes", std::int64_t{1}}, {"random_dead_links", count}, {"fault_seed", seed}});
    return read_faults(survivors_of(*mesh).whole(), mesh->description()).lost_channels;
  };
  const std::vector<bool> few = lost(2, 7);
  const std::vector<bool> many = lost(5, 7);
  EXPECT_EQ(std::ranges::count(many, true) - std::ranges::count(few, true), 6);
  for (std::size_t channel = 0; channel < few.size(); ++channel) {
    EXPECT_LE(few[channel], many[channel]);
  }
  EXPECT_NE(few, lost(2, 8));
}

TEST(SurvivingTopology, draws_shares_of_all_nodes_and_links)
{
  const auto drawn = [](const std::vector<std::pair<std::string, ParameterValue>>& faults) {
    const auto mesh = made(mesh_4_by_4(), "up_down", faults);
    return read_faults(survivors_of(*mesh).whole(), mesh->description());
  };
  const Faults shares = drawn({{"dead_node_share", 0.1}, {"dead_link_share", 0.15}, {"fault_seed", std::int64_t{7}}});
  const Faults counts = drawn({{"random_dead_nodes", std::int64_t{2}}, // of 16: 1.6
                               {"random_dead_links", std::int64_t{4}}, // of 24: 3.6
                               {"fault_seed", std::int64_t{7}}});
  EXPECT_EQ(shares.dead_node_count, 2U);
  EXPECT_EQ(shares.dead_link_count, 4U);
  EXPECT_EQ(shares.lost_channels, counts.lost_channels);
  EXPECT_EQ(made(mesh_4_by_4(), "up_down", {{"dead_link_share", 0.01}})->title(), "mesh 4 x 4 by up_down");
  EXPECT_EQ(refusal(mesh_4_by_4(), "up_down", {{"dead_node_share", 0.1}, {"random_dead_nodes", std::int64_t{2}}}),
            "dead_node_share: found it beside random_dead_nodes, expected one of them");
  EXPECT_THAT(refusal(mesh_4_by_4(), "up_down", {{"dead_node_share", 1.0}}),
              HasSubstr("dead_node_share: found 16, expected fewer than the 16 hosts that work"));
  EXPECT_THAT(refusal(mesh_4_by_4(), "up_down", {{"dead_link_share", 0.5}}),
              HasSubstr("dead_link_share: found 12, but with this seed"));
  EXPECT_THAT(refusal(mesh_4_by_4(), "", {{"dead_link_share", 0.2}}), HasSubstr("dead_link_share: the faults cut"));
}

TEST(SurvivingTopology, keeps_routes_of_the_whole_network_that_no_fault_is_in)
{
  const TopologyDescription line = described("mesh", {{"dims", Integers{5}}});
  const auto left = made(line, "", {{"dead_nodes", Texts{"4"}}});
  EXPECT_EQ(left->routing().routing, "dimension_order");
  EXPECT_EQ(left->distance(NodeId{0}, NodeId{3}), 3U);
  EXPECT_EQ(
      refusal(mesh_4_by_4(), "", {{"dead_links", Texts{"5 - 6"}}}),
      "dead_links: the faults cut (2, 0) off from (0, 1): routing dimension_order takes messages over the channel "
      "(1, 1) -> (2, 1), which does not work; network.routing = \"up_down\" or \"shortest_path\" leads around "
      "faults");
  EXPECT_THAT(refusal(mesh_4_by_4(), "", {{"random_dead_nodes", std::int64_t{3}}}),
              HasSubstr("random_dead_nodes: the"));
  // A dead host of a fat tree is in nobody's way, a dead switch is in that of random routes.
  const auto tree = made(two_level_tree(), "random", {{"dead_nodes", Texts{"5"}}});
  EXPECT_EQ(tree->host_count(), 15U);
  std::vector<double> shares(tree->channel_count());
  tree->add_mean_route(NodeId{0}, NodeId{5}, 1, shares);
  EXPECT_DOUBLE_EQ(std::accumulate(shares.begin(), shares.end(), 0.0), 4);
  EXPECT_THAT(refusal(two_level_tree(), "random", {{"dead_nodes", Texts{"s2.0"}}}),
              AllOf(HasSubstr("dead_nodes: the faults cut 4 off from 0: routing random"), HasSubstr("s2.0")));
  EXPECT_EQ(made(two_level_tree(), "up_down", {{"dead_nodes", Texts{"s2.0"}}})->node_count(), 21U);
}

TEST(SurvivingTopology, is_the_whole_network_where_nothing_is_dead)
{
  const auto mesh = made(mesh_4_by_4(), "", {{"fault_seed", std::int64_t{3}}, {"random_dead_links", std::int64_t{0}}});
  EXPECT_EQ(mesh->title(), "mesh 4 x 4");
  EXPECT_EQ(dynamic_cast<const SurvivingTopology*>(mesh.get()), nullptr);
  const auto routed = made(mesh_4_by_4(), "up_down", {});
  EXPECT_EQ(routed->title(), "mesh 4 x 4 by up_down");
  EXPECT_EQ(routed->channel_count(), 48U);
}

TEST(SurvivingTopology, refuses_faults_that_are_none)
{
  const auto nodes = [](Texts texts) { return refusal(mesh_4_by_4(), "up_down", {{"dead_nodes", std::move(texts)}}); };
  const auto links = [](Texts texts) { return refusal(mesh_4_by_4(), "up_down", {{"dead_links", std::move(texts)}}); };
  EXPECT_EQ(nodes({"(4, 1)"}), "dead_nodes: found \"(4, 1)\", expected a node of the mesh 4 x 4: a name such as "
                               "\"(3, 3)\", or a number, 0 to 15");
  EXPECT_THAT(nodes({"16"}), HasSubstr("found \"16\""));
  EXPECT_THAT(nodes({""}), HasSubstr("found \"\""));
  EXPECT_EQ(nodes({"5", "(1, 1)"}), "dead_nodes: found node (1, 1) twice");
  EXPECT_EQ(links({"0 1"}), "dead_links: found \"0 1\", expected the two nodes of a link of the mesh 4 x 4, \"A - B\", "
                            "each a name such as \"(3, 3)\", or a number, 0 to 15");
  EXPECT_EQ(links({"0 - 2"}), "dead_links: found \"0 - 2\", but the mesh 4 x 4 has no link between (0, 0) and (2, 0)");
  EXPECT_EQ(links({"0 - 1", "1 - 0"}),
            "dead_links: found the link between (1, 0) and (0, 0) more often than there are such links");
  EXPECT_EQ(nodes({"1", "4"}), "dead_nodes: the faults cut (2, 0) off from (0, 0): no path of the mesh 4 x 4 is left "
                               "between them, expected faults that leave all other nodes connected");
  EXPECT_THAT(refusal(mesh_4_by_4(), "up_down", {{"dead_nodes", Texts{"1"}}, {"dead_links", Texts{"0 - 4"}}}),
              HasSubstr("dead_links: the faults cut"));
  EXPECT_THAT(refusal(mesh_4_by_4(), "up_down", {{"random_dead_nodes", std::int64_t{16}}}),
              HasSubstr("random_dead_nodes: found 16, expected fewer than the 16 hosts that work"));
  EXPECT_THAT(refusal(mesh_4_by_4(), "up_down", {{"random_dead_links", std::int64_t{10}}}),
              HasSubstr("random_dead_links: found 10, but with this seed the loss of more than 9 cuts others off"));
  EXPECT_THAT(refusal(described("mesh", {{"dims", Integers{2}}}), "up_down", {{"dead_nodes", Texts{"0", "1"}}}),
              HasSubstr("found all hosts"));
}

TEST(SurvivingTopology, takes_names_with_dashes)
{
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "dashes.dot";
  std::ofstream(file) << "graph { \"a-1\" -- \"a-2\"; \"a-2\" -- \"a-3\"; \"a-3\" -- \"a-1\"; a -- \"a-1\"; "
                         "\"1-a\" -- a; \"1-a\" -- \"a-3\"; \"1\" -- \"a-3\"; \"1\" -- \"a-2\"; }\n";
  const TopologyDescription graph = described("graph", {{"file", file.string()}});
  const auto left = made(graph, "", {{"dead_links", Texts{"a-1 - a-2"}}});
  EXPECT_EQ(left->channel_count(), 14U);
  EXPECT_THAT(refusal(graph, "", {{"dead_links", Texts{"a-1-a"}}}), HasSubstr("several meanings"));
}

} // namespace
} // namespace wormcast
