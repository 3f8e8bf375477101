// Random binomial trees have the TCD that is asked for, and all else as the binomial tree over ranks.

#include "tests/algorithms/tcd/golden.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/topologies/topology.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace wormcast {
namespace {

using testing::GridTopology;
using ::testing::HasSubstr;
using testing::mesh;
using testing::schedule_of;

Schedule tree_of(const Topology& topology, NodeId source, std::int64_t seed, std::int64_t tcd)
{
  return schedule_of("random_binomial_tree", topology, source, 1, {{"seed", seed}, {"tcd", tcd}});
}

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Senders and receivers, in the order of the messages.
Edges edges(const Schedule& schedule)
{
  Edges found;
  for (const Message& message : schedule.messages) {
    found.emplace_back(index(message.source), index(message.destination));
  }
  return found;
}

/// How many messages each node sends, in ascending order.
std::vector<std::size_t> degrees(const Schedule& schedule)
{
  std::map<std::uint32_t, std::size_t> sent;
  for (const Message& message : schedule.messages) {
    ++sent[index(message.source)];
  }
  std::vector<std::size_t> found;
  for (const auto& [node, count] : sent) {
    found.push_back(count);
  }
  std::ranges::sort(found);
  return found;
}

RC_GTEST_PROP(RandomBinomialTree, HasTheTcdThatIsAskedForAndTheShapeOfTheTreeOverRanks, ())
{
  const std::vector<std::int64_t> dims = {*rc::gen::inRange<std::int64_t>(4, 9), *rc::gen::inRange<std::int64_t>(4, 9)};
  const GridTopology grid(*rc::gen::element<std::string>("mesh", "torus"), dims);
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, grid->node_count())};
  const std::int64_t messages = grid->node_count() - 1;
  // Two hops a message: more than the least of these sizes, and less than random places have.
  const std::int64_t tcd = *rc::gen::inRange<std::int64_t>(2 * messages, 2 * messages + 5);
  const auto seed = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  const Schedule schedule = tree_of(*grid, source, seed, tcd);
  const CheckReport report = check_schedule(*grid, schedule);
  RC_ASSERT(report.valid());
  RC_ASSERT(report.costs.tcd == static_cast<std::uint64_t>(tcd));
  RC_ASSERT(report.costs.messages == static_cast<std::uint64_t>(messages));
  RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint32_t>(messages))));
  RC_ASSERT(degrees(schedule) == degrees(schedule_of("binomial_tree", *grid, source, 1)));
  RC_ASSERT(edges(schedule) == edges(tree_of(*grid, source, seed, tcd)));
}

TEST(RandomBinomialTree, IsAnotherOneWithAnotherSeed)
{
  const GridTopology grid = mesh({8, 8});
  std::set<Edges> trees;
  for (std::int64_t seed = 0; seed < 5; ++seed) {
    trees.insert(edges(tree_of(*grid, NodeId{9}, seed, 120)));
  }
  EXPECT_EQ(trees.size(), 5);
}

TEST(RandomBinomialTree, HasTheMeanDistanceOfRandomPlacesWithoutATcd)
{
  const GridTopology grid = mesh({8, 8});
  double hops = 0;
  constexpr std::int64_t seeds = 50;
  for (std::int64_t seed = 0; seed < seeds; ++seed) {
    const Schedule schedule = schedule_of("random_binomial_tree", *grid, NodeId{27}, 1, {{"seed", seed}});
    hops += static_cast<double>(schedule_costs(*grid, schedule).tcd);
  }
  // Two different nodes of 8 x 8 are 16/3 hops apart in the mean: 2 * 21/8 * 64/63. The source, of degree 6, is nearer.
  EXPECT_NEAR(hops / seeds / 63, 16.0 / 3, 0.25);
}

TEST(RandomBinomialTree, SaysWhichTcdsWereFoundWhereItHasNone)
{
  const GridTopology line = mesh({4});
  // The source in the corner reaches its two children, and one of them the last node: of the six orders one has 4 hops,
  // and one 7.
  EXPECT_EQ(schedule_costs(*line, tree_of(*line, NodeId{0}, 1, 4)).tcd, 4);
  EXPECT_EQ(schedule_costs(*line, tree_of(*line, NodeId{0}, 1, 7)).tcd, 7);
  EXPECT_THAT(
      input_error([&] { tree_of(*line, NodeId{0}, 1, 3); }),
      HasSubstr("random_binomial_tree: found no tree with a TCD of 3 on the mesh 4, but with 4; the least found "
                "is 4, the greatest 7"));
  EXPECT_THAT(input_error([&] { tree_of(*line, NodeId{0}, 1, 8); }), HasSubstr("but with 7; the least found is 4"));
  EXPECT_THAT(input_error([&] { tree_of(*line, NodeId{0}, 1, -1); }), HasSubstr("tcd"));
  const GridTopology pair = mesh({2});
  EXPECT_EQ(tree_of(*pair, NodeId{1}, 1, 1).messages.size(), 1);
  EXPECT_THAT(input_error([&] { tree_of(*pair, NodeId{1}, 1, 2); }), HasSubstr("the least found is 1, the greatest 1"));
}

} // namespace
} // namespace wormcast
