// Depths are compared with those of tests/golden/two-trees.json.

#include "tests/algorithms/grid_trees/full_rate.hpp"
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

namespace wormcast {
namespace {

using testing::expect_free_at_full_rate;
using testing::grid;
using ::testing::HasSubstr;
using testing::schedule_of;

std::unique_ptr<Topology> mesh_of(std::int64_t side)
{
  return make_topology(grid("mesh", {side, side}));
}

const Grid& as_grid(const Topology& topology)
{
  return dynamic_cast<const Grid&>(topology);
}

SegmentTrees trees_of(const Topology& mesh, std::uint32_t source)
{
  return two_trees(as_grid(mesh), NodeId{source});
}

class TwoTreeSizes : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(TwoTreeSizes, AreProvedForEverySource)
{
  const std::int64_t side = GetParam();
  const auto mesh = mesh_of(side);
  for (std::int64_t y = 0; y < side / 2; ++y) {
    for (std::int64_t x = 0; x < side / 2; ++x) {
      SCOPED_TRACE(::testing::Message() << x << ", " << y);
      const auto source = static_cast<std::uint32_t>(x + side * y);
      expect_free_at_full_rate(as_grid(*mesh), NodeId{source}, trees_of(*mesh, source));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(SizesWithRecipes, TwoTreeSizes, ::testing::Values(4, 8, 16));

RC_GTEST_PROP(TwoTrees, AreFreeOfContentionFromAnySource, ())
{
  using Dims = std::vector<std::int64_t>;
  const auto dims = *rc::gen::elementOf(std::vector<Dims>{{4, 4}, {8, 8}, {16, 16}, {32, 16}, {32, 32}});
  const auto mesh = make_topology(grid("mesh", dims));
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, mesh->node_count())};
  const auto segments = *rc::gen::inRange<std::int64_t>(1, 24);
  const CheckReport report = check_schedule(
      *mesh, schedule_of("two_trees", *mesh, source, static_cast<std::uint64_t>(segments), {{"segments", segments}}));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free);
  RC_ASSERT(report.costs.beta == Fraction(static_cast<std::int64_t>(report.costs.alpha), segments));
  const std::uint64_t depth = depth_of(two_trees(as_grid(*mesh), source));
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
    deeper[side].push_back(static_cast<std::int64_t>(depth_of(trees_of(*mesh, entry["source"]))) -
                           entry["depth"].get<std::int64_t>());
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

TEST(TwoTrees, ErrorsNameTheNearestSizeAndCombs)
{
  const auto error_on = [](const std::string& kind, std::vector<std::int64_t> dims) -> std::string {
    const auto topology = make_topology(grid(kind, std::move(dims)));
    try {
      schedule_of("two_trees", *topology, NodeId{0}, 64, {{"segments", std::int64_t{4}}});
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(error_on("mesh", {8, 12}),
              HasSubstr("not on the mesh 8 x 12; the nearest size is 8 x 8, and two_combs runs on all sizes"));
  EXPECT_THAT(error_on("mesh", {2, 2}), HasSubstr("the nearest size is 4 x 4,"));
  EXPECT_THAT(error_on("mesh", {60, 30}), HasSubstr("the nearest size is 64 x 32,"));
  EXPECT_THAT(error_on("mesh", {8, 16}), HasSubstr("the nearest size is 8 x 8,"));
  EXPECT_THAT(error_on("mesh", {16, 32}), HasSubstr("the nearest size is "));
  EXPECT_THAT(error_on("mesh", {512, 256}), HasSubstr("the nearest size is "));
  EXPECT_THAT(error_on("torus", {8, 8}), HasSubstr("runs on meshes of 2 dimensions, not on the torus"));
  EXPECT_EQ(error_on("mesh", {64, 64}), "");
  EXPECT_EQ(error_on("mesh", {64, 32}), "");
}

} // namespace
} // namespace wormcast
