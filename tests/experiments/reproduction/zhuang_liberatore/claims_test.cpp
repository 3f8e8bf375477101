// What the claims of Zhuang & Liberatore are proved with, on cases small enough to be seen through.

#include "wormcast/experiments/reproduction/zhuang_liberatore/all_port.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/holdings.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/pausing_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace wormcast::zhuang_liberatore {
namespace {

using ::testing::ElementsAre;

// A line of four nodes and four blocks: the source gives a half to node 2, then both give a quarter to their right.
Schedule scatter_on_a_line()
{
  Schedule schedule;
  schedule.blocks = 4;
  schedule.messages = {{0, NodeId{0}, NodeId{2}, schedule.block_sets.intern({2, 4})},
                       {1, NodeId{0}, NodeId{1}, schedule.block_sets.intern({1, 2})},
                       {1, NodeId{2}, NodeId{3}, schedule.block_sets.intern({3, 4})}};
  return schedule;
}

const std::vector<NodeId> line = {NodeId{0}, NodeId{1}, NodeId{2}, NodeId{3}};

TEST(Holdings, GoStepByStep)
{
  const Schedule schedule = scatter_on_a_line();
  Holdings holdings(schedule, 4);
  EXPECT_EQ(holdings.of(NodeId{0}).count(), 4U);
  EXPECT_TRUE(have_everything(holdings, line));
  EXPECT_FALSE(have_equal_parts(holdings, line));
  EXPECT_EQ(holdings.run_until([&] { return have_equal_parts(holdings, line); }), 2U);
  EXPECT_EQ(holdings.of(NodeId{2}).to_ulong(), 0b1100U);
  EXPECT_EQ(holdings.of(NodeId{3}).to_ulong(), 0b1000U);
  EXPECT_FALSE(holdings.run_step());
  EXPECT_EQ(holdings.run_until([] { return false; }), std::nullopt);
}

TEST(Holdings, NothingComesFromANodeThatHasNotGotIt)
{
  Schedule schedule = scatter_on_a_line();
  schedule.messages.erase(schedule.messages.begin());
  Holdings holdings(schedule, 4);
  EXPECT_EQ(holdings.run_until([&] { return have_equal_parts(holdings, line); }), std::nullopt);
  EXPECT_TRUE(holdings.of(NodeId{3}).none());
}

// Nodes 1 and 2 have the same block, so that one of them has none of its own.
TEST(EqualParts, NeedADifferentPartForEachNode)
{
  Schedule schedule = scatter_on_a_line();
  schedule.messages[0].blocks = schedule.block_sets.intern({1, 2});
  schedule.messages.pop_back();
  schedule.blocks = 3;
  Holdings holdings(schedule, 3);
  while (holdings.run_step()) {
  }
  EXPECT_FALSE(have_equal_parts(holdings, std::span(line).first(3)));
}

TEST(EqualParts, AreFoundWhereTheFirstChoiceIsWrong)
{
  Schedule schedule;
  schedule.blocks = 2;
  schedule.messages = {{0, NodeId{0}, NodeId{1}, schedule.block_sets.intern({0, 1})}};
  Holdings holdings(schedule, 2);
  holdings.run_step();
  EXPECT_TRUE(have_equal_parts(holdings, std::span(line).first(2)));
}

TEST(Diagonals, OfASquareAndACube)
{
  const NodeOfPlace digits = [](std::span<const std::int64_t> place) {
    std::uint32_t number = 0;
    for (const std::int64_t coordinate : place) {
      number = 10 * number + static_cast<std::uint32_t>(coordinate);
    }
    return NodeId{number};
  };
  const auto numbers = [&](const GridPart& part, std::span<const Mirrored> diagonals) {
    std::vector<std::uint32_t> result;
    for (const NodeId node : nodes_on_diagonals(part, diagonals, digits)) {
      result.push_back(index(node));
    }
    return result;
  };
  EXPECT_THAT(numbers({.origin = {2, 4}, .side = 2}, all_diagonals(2)), ElementsAre(24, 25, 34, 35));
  EXPECT_THAT(numbers({.origin = {0, 0}, .side = 4}, all_diagonals(2)), ElementsAre(0, 3, 11, 12, 21, 22, 30, 33));
  const std::vector<Mirrored> first_two = {0, mirrored_y};
  EXPECT_THAT(numbers({.origin = {0, 0, 0}, .side = 2}, first_two), ElementsAre(0, 10, 101, 111));
  EXPECT_EQ(numbers({.origin = {0, 0, 0}, .side = 4}, all_diagonals(3)).size(), 16U);
  EXPECT_EQ(numbers({.origin = {3, 3, 3}, .side = 1}, all_diagonals(3)).size(), 1U);
}

TEST(Parts, CoverTheGridOnce)
{
  const std::vector<std::int64_t> sizes = {8, 4};
  std::vector<std::vector<std::int64_t>> origins;
  for (const GridPart& part : parts_of_side(sizes, 4)) {
    EXPECT_EQ(part.side, 4);
    origins.push_back(part.origin);
  }
  EXPECT_THAT(origins, ElementsAre(ElementsAre(0, 0), ElementsAre(4, 0)));
}

double ceil_log(double base, double number)
{
  return std::ceil(std::log(number) / std::log(base) - 1e-9);
}

// The closed forms of section 8 against the same with floating point, and against values worked out by hand.
TEST(PublishedCosts, OfAllPorts)
{
  for (int n = 1; n <= 7; ++n) {
    const double logarithm = ceil_log(5, std::pow(2, n + 1));
    EXPECT_DOUBLE_EQ(boost::rational_cast<double>(published_scatter_alpha(n)), logarithm + 1);
    EXPECT_DOUBLE_EQ(boost::rational_cast<double>(published_alpha(n)), logarithm + 1.5 * (n - 1) + 2);
    EXPECT_DOUBLE_EQ(boost::rational_cast<double>(published_scatter_beta(n)), 0.25 + std::pow(0.5, n));
    EXPECT_DOUBLE_EQ(boost::rational_cast<double>(published_beta(n)), 17.0 / 12 + 37.0 / 3 * std::pow(0.5, n + 1));
    for (int d = 1; d <= n; ++d) {
      const double spread = ceil_log(3, std::pow(2, d + 1));
      EXPECT_DOUBLE_EQ(boost::rational_cast<double>(published_partitioning_alpha(n, d)),
                       n - d + std::pow(2, d) + 3 + spread + ceil_log(5, std::pow(2, d)));
      EXPECT_DOUBLE_EQ(boost::rational_cast<double>(published_partitioning_beta(n, d)),
                       1.25 + (n - d + 2 + spread) / std::pow(2, d));
    }
  }
  EXPECT_EQ(published_alpha(5), Fraction(11));
  EXPECT_EQ(published_alpha(6), Fraction(27, 2));
  EXPECT_EQ(published_beta(5), Fraction(103, 64));
  EXPECT_EQ(published_partitioning_alpha(5, 4), Fraction(26));
  EXPECT_EQ(published_partitioning_beta(5, 4), Fraction(27, 16));
  EXPECT_EQ(published_dominating_nodes(5), Fraction(7));
}

// The rule behind the counterexample to proposition 3, counted apart from its construction.
TEST(PausingSource, SendsThreeBlocksAndPauses)
{
  const auto topology = topology_of({.dims = {4, 4}, .algorithm = {}});
  for (const std::uint32_t pieces : {1U, 5U, 26U}) {
    const Schedule schedule = broadcast_with_pausing_source(*topology, pieces);
    const CheckReport report = check_schedule(*topology, schedule);
    EXPECT_TRUE(report.valid());
    EXPECT_TRUE(report.contention_free);
    EXPECT_EQ(report.costs.beta, Fraction(9, 5) + Fraction(5, pieces));
    std::vector<std::uint32_t> steps;
    std::uint64_t sent = 0;
    for (const Message& message : schedule.messages) {
      if (message.source == schedule.source) {
        steps.push_back(message.step);
        sent += schedule.block_sets.size(message.blocks);
      }
    }
    EXPECT_THAT(steps, ElementsAre(0, 1, 2 + pieces + 6)); // behind a chain of 7 hops
    EXPECT_EQ(sent, schedule.blocks);
  }
}

} // namespace
} // namespace wormcast::zhuang_liberatore
