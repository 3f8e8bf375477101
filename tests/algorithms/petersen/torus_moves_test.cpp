#include "tests/algorithms/petersen/networks.hpp"
#include "wormcast/algorithms/petersen/torus_moves.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace wormcast {
namespace {

using testing::network;
using testing::petersen_golden;

using Edge = std::pair<std::uint32_t, std::uint32_t>;

std::set<Edge> edges_of(const PetersenTorusSize& size)
{
  std::set<Edge> edges;
  const auto add = [&](const PetersenTorusNode& a, const PetersenTorusNode& b) {
    edges.insert(std::minmax(index(petersen_torus_id(size, a)), index(petersen_torus_id(size, b))));
  };
  for (std::uint32_t id = 0; id < size.nodes(); ++id) {
    const PetersenTorusNode node = petersen_torus_node(size, NodeId{id});
    for (const int p : petersen_neighbours(node.p)) {
      add(node, {node.z, node.x, node.y, p});
    }
    add(node, external_partner(node));
  }
  return edges;
}

PetersenTorusSize small_arbitrary_size()
{
  return {*rc::gen::inRange(2, 6), *rc::gen::inRange(2, 6), *rc::gen::inRange(2, 6)};
}

TEST(PetersenTorusMoves, GiveTheGoldenEdges)
{
  for (const auto& golden : petersen_golden()["network"]) {
    const PetersenTorusSize size{golden["l"], golden["m"], golden["n"]};
    const std::set<Edge> edges = edges_of(size);
    EXPECT_EQ(size.nodes(), golden["nodes"]);
    EXPECT_EQ(edges.size(), golden["edges"]);
    std::uint64_t sum = 0;
    for (const auto& [low, high] : edges) {
      sum += testing::fnv1a(std::to_string(low) + " " + std::to_string(high));
    }
    EXPECT_EQ(testing::hexadecimal(sum), golden["edge_hash"].get<std::string>());
  }
}

TEST(PetersenTorusMoves, AreTheGoldenConventions)
{
  const auto& conventions = petersen_golden()["conventions"];
  std::set<Edge> edges;
  for (int p = 0; p < 10; ++p) {
    for (const int q : petersen_neighbours(p)) {
      edges.insert(std::minmax(static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(q)));
    }
    const PetersenTorusNode& edge = external_edge(p);
    EXPECT_EQ(nlohmann::json({edge.z, edge.x, edge.y, edge.p}), conventions["external"][std::to_string(p)]);
  }
  EXPECT_EQ(edges.size(), conventions["petersen_edges"].size());
  for (const auto& edge : conventions["petersen_edges"]) {
    EXPECT_TRUE(edges.contains({edge[0], edge[1]})) << edge;
  }
}

TEST(PetersenTorusMoves, AreTheChannelsOfTheTopologies)
{
  for (const PetersenTorusSize& size : {PetersenTorusSize{2, 2, 2}, PetersenTorusSize{3, 2, 4}}) {
    const auto torus = network("petersen_torus", {size.l, size.m, size.n});
    std::set<Edge> channels;
    for (std::uint32_t channel = 0; channel < torus->channel_count(); ++channel) {
      channels.insert(std::minmax(index(torus->channel_source(ChannelId{channel})),
                                  index(torus->channel_target(ChannelId{channel}))));
    }
    EXPECT_EQ(channels, edges_of(size));
    EXPECT_EQ(torus->channel_count(), 2 * channels.size());
  }
}

RC_GTEST_PROP(PetersenTorusMoves, IdsAndPlacesCorrespond, ())
{
  const PetersenTorusSize size = small_arbitrary_size();
  const auto id = static_cast<std::uint32_t>(*rc::gen::inRange<std::int64_t>(0, size.nodes()));
  const PetersenTorusNode node = petersen_torus_node(size, NodeId{id});
  RC_ASSERT(index(petersen_torus_id(size, node)) == id);
  const PetersenTorusNode around{node.z - size.l, node.x + 2 * size.m, node.y - 3 * size.n, node.p};
  RC_ASSERT(index(petersen_torus_id(size, around)) == id);
  RC_ASSERT(external_partner(external_partner(node)) == node);
}

RC_GTEST_PROP(PetersenTorusMoves, SigmaTauAndRhoAreAutomorphisms, ())
{
  const PetersenTorusSize size = small_arbitrary_size();
  const auto mapped = [](const PetersenPermutation& permutation, int p) {
    return permutation[static_cast<std::size_t>(p)];
  };
  const auto image_of = [&](const PetersenTorusSize& target, auto&& map) {
    std::set<Edge> result;
    for (const auto& [a, b] : edges_of(size)) {
      result.insert(std::minmax(index(petersen_torus_id(target, map(petersen_torus_node(size, NodeId{a})))),
                                index(petersen_torus_id(target, map(petersen_torus_node(size, NodeId{b}))))));
    }
    return result;
  };
  RC_ASSERT(image_of(size, [&](const PetersenTorusNode& node) {
              return PetersenTorusNode{node.z, -node.x, node.y, mapped(petersen_sigma, node.p)};
            }) == edges_of(size));
  RC_ASSERT(image_of(size, [&](const PetersenTorusNode& node) {
              return PetersenTorusNode{node.z, node.x, -node.y, mapped(petersen_tau, node.p)};
            }) == edges_of(size));
  const PetersenTorusSize swapped{size.l, size.n, size.m};
  RC_ASSERT(image_of(swapped, [&](const PetersenTorusNode& node) {
              return PetersenTorusNode{-node.z, node.y, node.x, mapped(petersen_rho, node.p)};
            }) == edges_of(swapped));
}

TEST(ModuleSteps, AreReadFromTheirNotation)
{
  const ModuleSteps steps = module_steps("8>7 | 7>X 8>1");
  const ModuleSteps expected = {{{8, 7}}, {{7, ModuleSend::external}, {8, 1}}};
  EXPECT_EQ(steps, expected);
  const ModuleSteps mirrored = {{{3, 2}}, {{2, ModuleSend::external}, {3, 4}}};
  EXPECT_EQ(image(steps, petersen_sigma), mirrored);
}

TEST(ModuleSteps, RefuseWhatIsNoEdge)
{
  for (const std::string text : {"8>2", "8", "8>", "X>8", "8>7  | 7>8", "a>b", "8>77"}) {
    EXPECT_THROW(module_steps(text), std::logic_error) << text;
  }
}

} // namespace
} // namespace wormcast
