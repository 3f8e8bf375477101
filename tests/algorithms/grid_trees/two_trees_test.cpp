// Every recipe is proved: both trees span, a node sends and receives once in a colour, and no channel is used twice in
// a colour. Depths are compared with those of tests/golden/two-trees.json.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/grid_trees/two_tree_blocks.hpp"
#include "wormcast/algorithms/grid_trees/two_tree_recipes.hpp"
#include "wormcast/algorithms/grid_trees/two_trees.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

namespace wormcast {
namespace {

using testing::grid;
using ::testing::HasSubstr;
using testing::schedule_of;
using ::testing::ThrowsMessage;

std::unique_ptr<Topology> mesh_of(std::int64_t side)
{
  return make_topology(grid("mesh", {side, side}));
}

const Grid& as_grid(const Topology& topology)
{
  return dynamic_cast<const Grid&>(topology);
}

std::optional<SegmentTrees> trees_of(const Topology& mesh, std::uint32_t source)
{
  return two_trees(as_grid(mesh), NodeId{source});
}

/// What makes a pipeline over the trees free of contention at full rate, whatever the number of segments.
void expect_proved(const Grid& mesh, NodeId source, const SegmentTrees& trees)
{
  ASSERT_EQ(trees.trees.size(), 2U);
  ASSERT_EQ(trees.period, 2U);
  std::set<std::pair<std::uint32_t, ChannelId>> channels; // with the colour
  std::set<std::pair<std::uint32_t, NodeId>> senders;
  std::set<std::pair<std::uint32_t, NodeId>> receivers;
  std::vector<ChannelId> route;
  for (const std::vector<TreeEdge>& edges : trees.trees) {
    std::map<NodeId, std::uint32_t> ready = {{source, 0}}; // the first step in which a node can send
    for (const TreeEdge& edge : edges) {
      ASSERT_TRUE(ready.contains(edge.from));
      EXPECT_GE(edge.start, ready[edge.from]);
      EXPECT_TRUE(ready.emplace(edge.to, edge.start + 1).second);
      const std::uint32_t colour = edge.start % 2;
      EXPECT_TRUE(senders.emplace(colour, edge.from).second);
      EXPECT_TRUE(receivers.emplace(colour, edge.to).second);
      route.clear();
      mesh.append_route(edge.from, edge.to, route);
      for (const ChannelId channel : route) {
        EXPECT_TRUE(channels.emplace(colour, channel).second);
      }
    }
    EXPECT_EQ(ready.size(), mesh.node_count());
  }
}

class TwoTreeSizes : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(TwoTreeSizes, AreProvedForEverySourceThatARecipeServes)
{
  const std::int64_t side = GetParam();
  const auto mesh = mesh_of(side);
  std::size_t served = 0;
  for (std::int64_t y = 0; y < side / 2; ++y) {
    for (std::int64_t x = 0; x < side / 2; ++x) {
      SCOPED_TRACE(::testing::Message() << x << ", " << y);
      const auto source = static_cast<std::uint32_t>(x + side * y);
      if (const auto trees = trees_of(*mesh, source)) {
        expect_proved(as_grid(*mesh), NodeId{source}, *trees);
        ++served;
      }
    }
  }
  EXPECT_GE(served, side < 32 ? static_cast<std::size_t>(side * side / 4) : std::size_t{100});
}

INSTANTIATE_TEST_SUITE_P(AllSizes, TwoTreeSizes, ::testing::Values(4, 8, 16, 32));

// A recipe serves a source as it serves the source's reflections.
RC_GTEST_PROP(TwoTrees, AreFreeOfContentionFromAnySource, ())
{
  const auto side = *rc::gen::element<std::int64_t>(4, 8, 16);
  const auto mesh = mesh_of(side);
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, mesh->node_count())};
  const auto segments = *rc::gen::inRange<std::int64_t>(1, 24);
  const CheckReport report = check_schedule(
      *mesh, schedule_of("two_trees", *mesh, source, static_cast<std::uint64_t>(segments), {{"segments", segments}}));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.beta == Fraction(static_cast<std::int64_t>(report.costs.alpha), segments));
  const std::uint64_t depth = depth_of(*two_trees(as_grid(*mesh), source));
  RC_ASSERT(report.costs.alpha <= static_cast<std::uint64_t>(segments) + depth + 1);
  RC_ASSERT(segments % 2 == 1 || report.costs.alpha <= static_cast<std::uint64_t>(segments) + depth);
}

TEST(TwoTrees, AreAsShallowAsThoseOfTheReferenceOrNearly)
{
  const auto golden = nlohmann::json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/two-trees.json"));
  std::map<std::int64_t, std::vector<std::int64_t>> deeper; // by side: how much deeper, by source
  for (const auto& entry : golden["depths"]) {
    const std::int64_t side = entry["side"];
    const auto mesh = mesh_of(side);
    if (const auto trees = trees_of(*mesh, entry["source"])) {
      deeper[side].push_back(static_cast<std::int64_t>(depth_of(*trees)) - entry["depth"].get<std::int64_t>());
    }
  }
  for (const std::int64_t side : {4, 8}) {
    EXPECT_LE(std::ranges::max(deeper[side]), 0) << side;
  }
  for (const std::int64_t side : {16, 32}) {
    EXPECT_GE(std::ranges::count_if(deeper[side], [](std::int64_t steps) { return steps <= 1; }),
              static_cast<std::ptrdiff_t>(deeper[side].size() / 2))
        << side;
  }
}

TEST(TwoTrees, AreMeasuredAsPredictedAndFasterThanCombs)
{
  const auto mesh = mesh_of(32);
  ScheduleRequest request;
  request.source = NodeId{15 + 32 * 15};
  request.message_bytes = 65536;
  request.costs = MessageCosts{.startup = {150'000'000}, .per_byte = {500'000}, .per_hop = {0}};
  NetworkParameters network;
  network.startup = request.costs->startup;
  network.per_byte = request.costs->per_byte;
  std::vector<Time> latencies;
  for (const char* name : {"two_trees", "two_combs"}) {
    const Schedule schedule = make_schedule(find_algorithm(name), *mesh, request);
    const ScheduleCosts costs = schedule_costs(*mesh, schedule);
    const SimulationResult result = simulate_core(*mesh, schedule, network, {});
    EXPECT_TRUE(result.contention.none());
    EXPECT_EQ(result.latency->picoseconds, static_cast<std::int64_t>(costs.alpha) * 150'000'000 +
                                               static_cast<std::int64_t>(costs.beta_bytes) * 500'000);
    latencies.push_back(*result.latency);
  }
  EXPECT_LT(latencies[0].picoseconds, latencies[1].picoseconds * 8 / 10);
}

TEST(TwoTreeBlocks, AJoinKeepsWhatABlockIs)
{
  for (const TwoTreeRecipes& recipes : two_tree_recipes()) {
    for (const std::string_view text : recipes.recipes) {
      const TwoTreeRecipe recipe = parse_recipe(text);
      const TwoTreeBlock block = block_of(recipe);
      EXPECT_EQ(block.width, recipes.side);
      EXPECT_EQ(block.height, recipes.side);
      const std::size_t nodes = static_cast<std::size_t>(block.width) * block.height;
      EXPECT_EQ(block.edges.size(), 2 * (nodes - 2));
      std::map<std::pair<std::uint32_t, std::uint32_t>, int> children; // by node and tree
      for (const BlockEdge& edge : block.edges) {
        ++children[{edge.from, edge.tree}];
      }
      for (const auto& [place, count] : children) {
        EXPECT_EQ(count, 2);
        EXPECT_FALSE(children.contains({place.first, 1 - place.second}));
        EXPECT_NE(place.first, block.spare[0]);
        EXPECT_NE(place.first, block.spare[1]);
      }
    }
  }
}

TEST(TwoTreeRecipes, AreLittleData)
{
  std::size_t bytes = 0;
  for (const TwoTreeRecipes& recipes : two_tree_recipes()) {
    bytes += recipes.by_source.size() + recipes.reflections.size();
    EXPECT_EQ(recipes.reflections.size(), recipes.by_source.size());
    EXPECT_EQ(recipes.by_source.size(), static_cast<std::size_t>(recipes.side * recipes.side / 4));
    for (const std::string_view text : recipes.recipes) {
      bytes += text.size();
    }
  }
  EXPECT_LE(bytes, 100'000U);
}

TEST(TwoTrees, ErrorsNameTheDimensionTheNearestSizeAndTheNearestSource)
{
  const auto run = [](const std::string& kind, std::vector<std::int64_t> dims, std::uint32_t source = 0) {
    const auto topology = make_topology(grid(kind, std::move(dims)));
    schedule_of("two_trees", *topology, NodeId{source}, 64, {{"segments", std::int64_t{4}}});
  };
  EXPECT_THAT([&] { run("mesh", {8, 12}); }, ThrowsMessage<InputError>(HasSubstr(
                                                 "the y size of the mesh 8 x 12 is 12, next to it: 8 and 16; two_combs "
                                                 "serves all sizes")));
  EXPECT_THAT([&] { run("mesh", {64, 64}); },
              ThrowsMessage<InputError>(HasSubstr("the x size of the mesh 64 x 64 is 64, next to it: 32;")));
  EXPECT_THAT([&] { run("mesh", {2, 2}); }, ThrowsMessage<InputError>(HasSubstr("is 2, next to it: 4;")));
  EXPECT_THAT([&] { run("mesh", {8, 16}); },
              ThrowsMessage<InputError>(HasSubstr("needs equal sizes; the y size of the mesh 8 x 16 is 16")));
  EXPECT_THAT([&] { run("torus", {8, 8}); }, ThrowsMessage<InputError>(HasSubstr("runs on meshes of 2 dimensions")));
  EXPECT_THAT([&] { run("mesh", {32, 32}); },
              ThrowsMessage<InputError>(::testing::AllOf(
                  HasSubstr("no recipe for the source (0, 0) of the mesh 32 x 32; the nearest one with a recipe is ("),
                  HasSubstr("two_combs serves all sources"))));
}

} // namespace
} // namespace wormcast
