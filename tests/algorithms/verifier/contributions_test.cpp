// Reductions that are wrong in one way each, proved with sets of contributors and with fingerprints.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using testing::grid;

struct Reduction {
  std::unique_ptr<Topology> topology;
  Schedule schedule;

  Reduction(std::int64_t nodes, Operation operation, std::uint64_t blocks = 1)
      : topology(make_topology(grid("mesh", {nodes})))
  {
    schedule.topology = topology->description();
    schedule.operation = operation;
    schedule.blocks = blocks;
    schedule.message_bytes = 4 * blocks;
  }
  void send(std::uint32_t step, std::uint32_t from, std::uint32_t to, BlockRange blocks = {0, 1})
  {
    schedule.messages.push_back({step, NodeId{from}, NodeId{to}, schedule.block_sets.intern(blocks)});
  }
  CheckReport check() const { return check_schedule(*topology, schedule); }
  CheckReport check_by_fingerprints() const
  {
    return check_schedule(*topology, schedule, {.max_violations = 20, .most_contributor_bits = 0});
  }
};

TEST(Contributions, AcceptsAReduce)
{
  Reduction line(4, Operation::reduce);
  line.send(0, 1, 0);
  line.send(0, 3, 2);
  line.send(1, 2, 0);
  const CheckReport report = line.check();
  EXPECT_TRUE(report.valid());
  EXPECT_EQ(report.contributions, ContributionProof::sets);
  EXPECT_EQ(report.error_probability, 0);
  EXPECT_EQ(report.costs.alpha, 2U);
  EXPECT_EQ(report.costs.beta, Fraction(2));
  const CheckReport by_fingerprints = line.check_by_fingerprints();
  EXPECT_TRUE(by_fingerprints.valid());
  EXPECT_EQ(by_fingerprints.contributions, ContributionProof::fingerprints);
  EXPECT_GT(by_fingerprints.error_probability, 0);
  EXPECT_LT(by_fingerprints.error_probability, 1e-17);
}

TEST(Contributions, NamesAContributionThatIsCountedTwice)
{
  Reduction line(3, Operation::reduce, 2);
  line.send(0, 2, 1, {0, 2});
  line.send(1, 1, 0, {0, 2});
  line.send(2, 2, 0, {1, 2});
  const CheckReport report = line.check();
  EXPECT_FALSE(report.counted_once);
  EXPECT_FALSE(report.valid());
  ASSERT_EQ(report.violations.size(), 1U);
  const Violation& violation = report.violations[0];
  EXPECT_EQ(violation.kind, ViolationKind::counting);
  EXPECT_THAT(violation.nodes, ElementsAre(NodeId{0}));
  EXPECT_THAT(violation.blocks, ElementsAre(BlockRange{1, 2}));
  EXPECT_THAT(violation.contributors, ElementsAre(NodeId{2}));
  EXPECT_EQ(violation.text, "step 2: node 0 combines the contribution of node 2 to block 1 a second time (message 2)");
  const CheckReport by_fingerprints = line.check_by_fingerprints();
  EXPECT_FALSE(by_fingerprints.counted_once);
  EXPECT_EQ(by_fingerprints.violations[0].text,
            "step 2: node 0 combines some contribution to block 1 a second time (message 2)");
}

TEST(Contributions, NamesAContributionThatIsMissing)
{
  Reduction line(4, Operation::reduce);
  line.send(0, 1, 0);
  line.send(1, 2, 0);
  const CheckReport report = line.check();
  EXPECT_FALSE(report.complete);
  EXPECT_TRUE(report.counted_once);
  ASSERT_EQ(report.violations.size(), 1U);
  EXPECT_EQ(report.violations[0].kind, ViolationKind::coverage);
  EXPECT_THAT(report.violations[0].contributors, ElementsAre(NodeId{3}));
  EXPECT_EQ(report.violations[0].text, "node 0 lacks the contribution of node 3 to block 0 at the end");
  EXPECT_EQ(line.check_by_fingerprints().violations[0].text, "node 0 lacks contributions to block 0 at the end");
}

// One contribution is missing and another one is there twice: their number is right.
TEST(Contributions, FingerprintsSeeMoreThanTheNumber)
{
  Reduction line(4, Operation::reduce);
  line.send(0, 1, 0);
  line.send(1, 1, 0);
  line.send(2, 2, 0);
  EXPECT_FALSE(line.check().counted_once);
  const CheckReport report = line.check_by_fingerprints();
  EXPECT_TRUE(report.counted_once) << "the number tells nothing";
  EXPECT_FALSE(report.complete);
}

TEST(Contributions, AReduceToTheWrongRootLacksThem)
{
  Reduction line(2, Operation::reduce);
  line.schedule.source = NodeId{1};
  line.send(0, 1, 0);
  const CheckReport report = line.check();
  EXPECT_FALSE(report.complete);
  EXPECT_EQ(report.violations[0].text, "node 1 lacks the contribution of node 0 to block 0 at the end");
  EXPECT_FALSE(line.check_by_fingerprints().complete);
}

TEST(Contributions, WhatComesInAStepIsNotSentOnInIt)
{
  Reduction line(3, Operation::reduce);
  line.send(0, 2, 1);
  line.send(0, 1, 0);
  EXPECT_FALSE(line.check().complete);
  line.schedule.messages[1].step = 1;
  EXPECT_TRUE(line.check().valid());
}

TEST(Contributions, AnExchangeIsAnAllReduceOfTwo)
{
  Reduction line(2, Operation::all_reduce);
  line.send(0, 0, 1);
  line.send(0, 1, 0);
  EXPECT_TRUE(line.check().valid());
  EXPECT_TRUE(line.check_by_fingerprints().valid());
}

TEST(Contributions, ACompleteResultReplacesAPartialOne)
{
  Reduction line(3, Operation::all_reduce);
  line.send(0, 1, 0);
  line.send(1, 2, 0);
  line.send(2, 0, 1);
  line.send(3, 0, 2);
  EXPECT_TRUE(line.check().valid());
  EXPECT_TRUE(line.check_by_fingerprints().valid());
  line.send(4, 2, 1); // a complete one again: of no use, but right
  EXPECT_TRUE(line.check().valid());
}

TEST(Contributions, APartialResultDoesNot)
{
  Reduction line(3, Operation::all_reduce);
  line.send(0, 1, 0);
  line.send(1, 0, 1);
  EXPECT_EQ(line.check().violations[0].text,
            "step 1: node 1 combines the contribution of node 1 to block 0 a second time (message 1)");
}

TEST(Contributions, EachNodeNeedsItsOwnBlockOfAReduceScatter)
{
  Reduction line(2, Operation::reduce_scatter, 2);
  line.send(0, 0, 1, {1, 2});
  line.send(0, 1, 0, {0, 1});
  EXPECT_TRUE(line.check().valid());
  line.schedule.messages.pop_back();
  EXPECT_EQ(line.check().violations[0].text, "node 0 lacks the contribution of node 1 to block 0 at the end");
}

TEST(Contributions, ABarrierMayHearTwiceOfANode)
{
  Reduction line(3, Operation::barrier);
  for (std::uint32_t step = 0; step < 2; ++step) {
    for (std::uint32_t node = 0; node < 3; ++node) {
      line.send(step, node, (node + step + 1) % 3);
    }
  }
  EXPECT_TRUE(line.check().valid());
  line.schedule.messages.pop_back();
  EXPECT_FALSE(line.check().complete);
}

TEST(Contributions, AGatherNeedsEverythingAtItsRootAlone)
{
  Reduction line(3, Operation::gather, 3);
  line.send(0, 2, 1, {2, 3});
  line.send(1, 1, 0, {1, 3});
  const CheckReport report = line.check();
  EXPECT_TRUE(report.valid());
  EXPECT_EQ(report.contributions, ContributionProof::none);
  line.schedule.source = NodeId{2};
  EXPECT_EQ(line.check().violations[0].text, "node 2 lacks blocks 0-1 at the end");
}

TEST(Contributions, AMulticastNeedsItsDestinationsAlone)
{
  Reduction line(4, Operation::multicast);
  line.schedule.destinations = {NodeId{1}, NodeId{3}};
  line.send(0, 0, 3);
  line.send(1, 3, 1);
  EXPECT_TRUE(line.check().valid());
  line.schedule.destinations.push_back(NodeId{2});
  EXPECT_EQ(line.check().violations[0].text, "node 2 lacks block 0 at the end");
}

} // namespace
} // namespace wormcast
