// The broadcasts in rank order: examples worked out by hand from the definitions, and what holds for all sizes.

#include "tests/algorithms/grids.hpp"
#include "tests/algorithms/rank_order/broadcasts.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/rank_order/bine_tree.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <bit>

namespace wormcast {
namespace {

using testing::CompleteNetwork;
using testing::grid;
using testing::schedule_of;
using testing::Sent;
using testing::sent;

std::unique_ptr<Topology> line(std::int64_t nodes)
{
  return make_topology(grid("mesh", {nodes}));
}

TEST(BinomialTree, OfFiveNodesFromNodeOne)
{
  // Ranks 0 -> 4; 0 -> 2; 0 -> 1 and 2 -> 3.
  EXPECT_EQ(sent(schedule_of("binomial_tree", *line(5), NodeId{1}, 1)),
            (std::vector<Sent>{{0, 1, 0, 0, 1}, {1, 1, 3, 0, 1}, {2, 1, 2, 0, 1}, {2, 3, 4, 0, 1}}));
}

TEST(BinomialTree, OfFiveNodesWithNearChildrenFirst)
{
  // Ranks 0 -> 1; 0 -> 2 and 1 -> 3; 0 -> 4.
  EXPECT_EQ(sent(schedule_of("binomial_tree", *line(5), NodeId{1}, 1, {{"children", std::string("near_first")}})),
            (std::vector<Sent>{{0, 1, 2, 0, 1}, {1, 1, 3, 0, 1}, {1, 2, 4, 0, 1}, {2, 1, 0, 0, 1}}));
}

TEST(BinomialTree, WithNearChildrenFirstIsRightForAllSizes)
{
  for (std::uint32_t nodes = 1; nodes <= 40; ++nodes) {
    const CompleteNetwork network(nodes);
    const Schedule schedule =
        schedule_of("binomial_tree", network, NodeId{nodes / 3}, 1, {{"children", std::string("near_first")}});
    const CheckReport report = check_schedule(network, schedule);
    EXPECT_TRUE(report.complete && report.possession) << nodes;
    EXPECT_EQ(schedule.messages.size(), nodes - 1);
    EXPECT_EQ(step_count(schedule), static_cast<std::uint32_t>(std::bit_width(nodes - 1)));
  }
}

TEST(ScatterAllGather, OfFourNodesFromTheLast)
{
  EXPECT_EQ(sent(schedule_of("scatter_all_gather", *line(4), NodeId{3}, 4)),
            (std::vector<Sent>{{0, 3, 1, 2, 4}, // scatter: ranks 0 -> 2
                               {1, 1, 2, 3, 4}, // 2 -> 3
                               {1, 3, 0, 1, 2}, // 0 -> 1
                               {2, 0, 3, 1, 2}, // all-gather: 0 <-> 1, 2 <-> 3
                               {2, 1, 2, 2, 3},
                               {2, 2, 1, 3, 4},
                               {2, 3, 0, 0, 1},
                               {3, 0, 2, 0, 2}, // 0 <-> 2, 1 <-> 3
                               {3, 1, 3, 2, 4},
                               {3, 2, 0, 2, 4},
                               {3, 3, 1, 0, 2}}));
}

TEST(SegmentedChain, OfThreeNodesAndTwoSegments)
{
  EXPECT_EQ(sent(schedule_of("segmented_chain", *line(3), NodeId{1}, 2, {{"segments", std::int64_t{2}}})),
            (std::vector<Sent>{{0, 1, 2, 0, 1}, {1, 1, 2, 1, 2}, {1, 2, 0, 0, 1}, {2, 2, 0, 1, 2}}));
}

TEST(BineTree, OfEightNodesFromNodeZero)
{
  // 000 -> 111 = 3; 000 -> 011 = -1 = 7 and 111 -> 100 = 4; then the last digit of all four.
  EXPECT_EQ(sent(schedule_of("bine_tree", *line(8), NodeId{0}, 1)), (std::vector<Sent>{{0, 0, 3, 0, 1},
                                                                                       {1, 0, 7, 0, 1},
                                                                                       {1, 3, 4, 0, 1},
                                                                                       {2, 0, 1, 0, 1},
                                                                                       {2, 3, 2, 0, 1},
                                                                                       {2, 4, 5, 0, 1},
                                                                                       {2, 7, 6, 0, 1}}));
}

TEST(Negabinary, DigitsAreThoseOfBaseMinusTwo)
{
  const std::vector<std::uint32_t> of_three_digits = {0b000, 0b001, 0b110, 0b111, 0b100, 0b101, 0b010, 0b011};
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    EXPECT_EQ(negabinary(rank, 3), of_three_digits[rank]);
  }
  for (unsigned bits = 0; bits <= 10; ++bits) {
    for (std::uint32_t rank = 0; rank < 1U << bits; ++rank) {
      const std::uint32_t digits = negabinary(rank, bits);
      std::int64_t value = 0;
      std::int64_t weight = 1;
      for (unsigned digit = 0; digit < bits; ++digit, weight *= -2) {
        value += (digits >> digit & 1) * weight;
      }
      EXPECT_EQ((value - rank) % (std::int64_t{1} << bits), 0);
      EXPECT_EQ(rank_of_negabinary(digits, bits), rank);
    }
  }
}

// In step t every sender's distance round the ring of ranks is |1 - (-2)^(s-t)| / 3.
TEST(BineTree, DistancesAreTwoThirdsOfABinomialTrees)
{
  const std::vector<std::int64_t> distances = {1,  1,  3,  5,   11,
                                               21, 43, 85, 171, 341}; // of the last step, the one before
  for (std::uint32_t s = 1; s <= distances.size(); ++s) {
    const std::int64_t nodes = std::int64_t{1} << s;
    const NodeId source{static_cast<std::uint32_t>(nodes / 3)};
    for (const auto& [step, from, to, begin, end] : sent(schedule_of("bine_tree", *line(nodes), source, 1))) {
      const std::int64_t apart = (std::int64_t{from} - to + nodes) % nodes;
      EXPECT_EQ(std::min(apart, nodes - apart), distances[s - 1 - step]);
    }
  }
}

// Meshes and tori of one or two dimensions, mostly of odd sizes, and other networks.
std::unique_ptr<Topology> any_network()
{
  const auto kind = *rc::gen::element<std::string>("mesh", "torus", "complete", "petersen");
  if (kind == "complete") {
    return std::make_unique<CompleteNetwork>(*rc::gen::inRange<std::uint32_t>(1, 70));
  }
  if (kind == "petersen") {
    return make_topology({.kind = "petersen", .parameters = {}});
  }
  std::vector<std::int64_t> dims = {*rc::gen::inRange<std::int64_t>(1, 40)};
  if (*rc::gen::element(true, false)) {
    dims = {*rc::gen::inRange<std::int64_t>(1, 12), *rc::gen::inRange<std::int64_t>(1, 12)};
  }
  return make_topology(grid(kind, dims));
}

std::unique_ptr<Topology> any_network_of_a_power_of_two()
{
  const auto n = *rc::gen::inRange<std::int64_t>(0, 9);
  const auto kind = *rc::gen::element<std::string>("mesh", "torus", "complete");
  if (kind == "complete") {
    return std::make_unique<CompleteNetwork>(1U << std::min<std::int64_t>(n, 6));
  }
  const auto m = *rc::gen::inRange<std::int64_t>(0, n + 1);
  return make_topology(grid(kind, {std::int64_t{1} << m, std::int64_t{1} << (n - m)}));
}

NodeId any_node(const Topology& topology)
{
  return NodeId{*rc::gen::inRange<std::uint32_t>(0, topology.node_count())};
}

std::uint64_t ceil_log2(std::uint64_t nodes)
{
  return static_cast<std::uint64_t>(std::bit_width(nodes - 1));
}

bool complete_network(const Topology& topology)
{
  return topology.description().kind == "complete";
}

RC_GTEST_PROP(BinomialTree, InformsEveryNodeOnceInTheFewestSteps, ())
{
  const auto topology = any_network();
  const CheckReport report =
      check_schedule(*topology, schedule_of("binomial_tree", *topology, any_node(*topology), 10));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free || !complete_network(*topology));
  RC_ASSERT(report.costs.messages == topology->node_count() - 1);
  RC_ASSERT(report.costs.alpha == ceil_log2(topology->node_count()));
  RC_ASSERT(report.costs.beta == Fraction(static_cast<std::int64_t>(report.costs.alpha)));
}

RC_GTEST_PROP(BineTree, InformsEveryNodeOnceInTheFewestSteps, ())
{
  const auto topology = any_network_of_a_power_of_two();
  const CheckReport report = check_schedule(*topology, schedule_of("bine_tree", *topology, any_node(*topology), 10));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free || !complete_network(*topology));
  RC_ASSERT(report.costs.messages == topology->node_count() - 1);
  RC_ASSERT(report.costs.alpha == ceil_log2(topology->node_count()));
  RC_ASSERT(report.costs.beta == Fraction(static_cast<std::int64_t>(report.costs.alpha)));
}

RC_GTEST_PROP(ScatterAllGather, CostsTwiceTheStepsAndNearlyTwiceTheBytes, ())
{
  const auto topology = any_network_of_a_power_of_two();
  const std::uint64_t nodes = topology->node_count();
  const CheckReport report =
      check_schedule(*topology, schedule_of("scatter_all_gather", *topology, any_node(*topology), 3 * nodes));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free || !complete_network(*topology));
  RC_ASSERT(report.costs.messages == nodes - 1 + nodes * ceil_log2(nodes));
  RC_ASSERT(report.costs.alpha == 2 * ceil_log2(nodes));
  RC_ASSERT(report.costs.beta == Fraction(2) - Fraction(2, static_cast<std::int64_t>(nodes)));
}

RC_GTEST_PROP(SegmentedChain, CostsAreThoseOfAPipeline, ())
{
  const auto topology = any_network();
  const auto nodes = static_cast<std::int64_t>(topology->node_count());
  const auto segments = *rc::gen::inRange<std::int64_t>(1, 20);
  const CheckReport report =
      check_schedule(*topology, schedule_of("segmented_chain", *topology, any_node(*topology),
                                            static_cast<std::uint64_t>(5 * segments), {{"segments", segments}}));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free || !complete_network(*topology));
  RC_ASSERT(report.costs.messages == static_cast<std::uint64_t>(segments * (nodes - 1)));
  if (nodes > 1) {
    RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(segments + nodes - 2));
    RC_ASSERT(report.costs.beta == Fraction(1) + Fraction(nodes - 2, segments));
  }
}

RC_GTEST_PROP(RoundOptimal, CostsAreTheLeast, ())
{
  const auto topology = any_network();
  const auto nodes = static_cast<std::int64_t>(topology->node_count());
  const auto blocks = *rc::gen::inRange<std::int64_t>(1, 20);
  const CheckReport report =
      check_schedule(*topology, schedule_of("round_optimal", *topology, any_node(*topology),
                                            static_cast<std::uint64_t>(5 * blocks), {{"segments", blocks}}));
  RC_ASSERT(report.valid());
  RC_ASSERT(report.contention_free || !complete_network(*topology));
  RC_ASSERT(report.costs.messages == static_cast<std::uint64_t>(blocks * (nodes - 1)));
  if (nodes > 1) {
    const auto rounds = static_cast<std::int64_t>(ceil_log2(topology->node_count())) + blocks - 1;
    RC_ASSERT(report.costs.alpha == static_cast<std::uint64_t>(rounds));
    RC_ASSERT(report.costs.beta == Fraction(rounds, blocks));
  }
}

// On a row in the natural order the chain is the line pipeline, message for message.
RC_GTEST_PROP(SegmentedChain, IsTheLinePipelineOfRows, ())
{
  const auto topology = make_topology(grid("mesh", {*rc::gen::inRange(1, 9), *rc::gen::inRange(1, 9)}));
  const NodeId source = any_node(*topology);
  const auto segments = *rc::gen::inRange<std::int64_t>(1, 6);
  RC_ASSERT(sent(schedule_of("segmented_chain", *topology, source, 60, {{"segments", segments}})) ==
            sent(schedule_of("line_pipeline", *topology, source, 60,
                             {{"segments", segments}, {"order", std::string("rows")}})));
}

RC_GTEST_PROP(RankOrderBroadcasts, MessagesAreOrderedByStepAndSender, ())
{
  const auto name = *rc::gen::element<std::string>("binomial_tree", "scatter_all_gather", "segmented_chain",
                                                   "bine_tree", "round_optimal");
  const auto topology = any_network_of_a_power_of_two();
  const Schedule schedule = schedule_of(name, *topology, any_node(*topology), 64);
  RC_ASSERT(std::ranges::is_sorted(schedule.messages, {},
                                   [](const Message& message) { return std::pair(message.step, message.source); }));
}

// Ranks are relative to the source: another source on the ring gives the same schedule, moved round the ring.
RC_GTEST_PROP(RankOrderBroadcasts, AreShiftedWithTheSource, ())
{
  const auto name = *rc::gen::element<std::string>("binomial_tree", "scatter_all_gather", "segmented_chain",
                                                   "bine_tree", "round_optimal");
  const CompleteNetwork network(32);
  const NodeId source = any_node(network);
  std::vector<Sent> moved = sent(schedule_of(name, network, NodeId{0}, 64));
  for (auto& [step, from, to, begin, end] : moved) {
    from = (from + index(source)) % 32;
    to = (to + index(source)) % 32;
  }
  std::ranges::sort(moved);
  std::vector<Sent> other = sent(schedule_of(name, network, source, 64));
  std::ranges::sort(other);
  RC_ASSERT(moved == other);
}

TEST(RankOrderBroadcasts, SayWhatTheyServe)
{
  for (const std::string name : {"scatter_all_gather", "bine_tree"}) {
    EXPECT_EQ(input_error([&] { schedule_of(name, *make_topology(grid("mesh", {3, 4})), NodeId{0}, 1); }),
              name + " needs a number of nodes that is a power of two; the mesh 3 x 4 has 12");
  }
  const auto large = make_topology(grid("mesh", {129}));
  EXPECT_EQ(
      input_error([&] { schedule_of("segmented_chain", *large, NodeId{0}, 1, {{"segments", std::int64_t{1} << 24}}); }),
      "segmented_chain with 16777216 segments on 129 nodes has more than 1073741824 messages");
  EXPECT_EQ(
      input_error([&] { schedule_of("round_optimal", *large, NodeId{0}, 1, {{"segments", std::int64_t{1} << 24}}); }),
      "round_optimal with 16777216 segments on 129 nodes has more than 1073741824 messages");
  EXPECT_EQ(input_error([&] { schedule_of("segmented_chain", *large, NodeId{0}, 1, {{"segments", std::int64_t{0}}}); }),
            "\"segments\": found 0, expected a whole number from 1 to 16777216");
  EXPECT_EQ(input_error([&] { schedule_of("round_optimal", *large, NodeId{0}, 1, {{"blocks", std::int64_t{4}}}); }),
            "unknown key \"blocks\"; did you mean \"segments\"?");
}

} // namespace
} // namespace wormcast
