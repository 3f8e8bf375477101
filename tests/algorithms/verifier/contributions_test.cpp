// Reductions that are wrong in one way each, proved with sets of contributors and with fingerprints.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/verifier/contributions.hpp"
#include "wormcast/algorithms/verifier/proved_reduction.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

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

/// The tests of completeness by which fingerprints of all blocks at once prove a reduction; nothing if it is wrong.
std::optional<double> error_of_all_at_once(const Topology& topology, const Schedule& schedule)
{
  Contributions contributions(schedule, topology.node_count(), 0);
  bool right = true;
  const StepOrder steps = order_by_step(schedule);
  for (std::size_t step = 0; step + 1 < steps.offsets.size(); ++step) {
    contributions.deliver(
        std::span(steps.order).subspan(steps.offsets[step], steps.offsets[step + 1] - steps.offsets[step]),
        [&](const CountedTwice&) { right = false; });
  }
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    for (const BlockRange range : wanted_results(schedule, NodeId{node})) {
      for (std::uint32_t block = range.begin; block < range.end; ++block) {
        right = contributions.complete(NodeId{node}, block) && right;
      }
    }
  }
  return right ? std::optional(contributions.error_probability()) : std::nullopt;
}

// 64 blocks at a time and all at once: the same verdict by the same tests, of right schedules and of such in which one
// message is missing, comes again, comes too early or goes elsewhere.
TEST(Contributions, FollowedByWordsTheyAreTheSame)
{
  const std::unique_ptr<Topology> topology = make_topology(grid("torus", {4, 8}));
  std::size_t wrong = 0;
  for (const std::string name : {"bucket", "swing", "torus_doubling", "hamiltonian_rings", "ring"}) {
    for (const std::string operation : {"all_reduce", "reduce_scatter", "reduce"}) {
      const std::vector<Operation> served = served_operations(find_algorithm(name));
      if (std::ranges::find(served, find_operation(operation).value()) == served.end()) {
        continue;
      }
      ScheduleRequest request;
      request.ports.count = PortModel::all;
      request.message_bytes = 1024;
      request.parameters = read_parameters(find_algorithm(name).parameters, {{"operation", operation}});
      const Schedule schedule = make_schedule(find_algorithm(name), *topology, request);
      for (std::uint32_t change = 0; change < 33; ++change) {
        Schedule changed = schedule;
        const std::size_t which = (change * std::size_t{7919}) % changed.messages.size();
        Message& message = changed.messages[which];
        if (change == 0) {
        } else if (change % 4 == 0) {
          changed.messages.erase(changed.messages.begin() + static_cast<std::ptrdiff_t>(which));
        } else if (change % 4 == 1) {
          changed.messages.push_back(message);
          ++changed.messages.back().step;
        } else if (change % 4 == 2) {
          message.step = message.step > 0 ? message.step - 1 : 3;
        } else {
          message.destination = NodeId{(index(message.destination) + 1) % topology->node_count()};
          if (message.destination == message.source) {
            continue;
          }
        }
        const std::optional<double> expected = error_of_all_at_once(*topology, changed);
        const auto tests = tests_of_proved_reduction(changed, order_by_step(changed), topology->node_count());
        ASSERT_EQ(tests.has_value(), expected.has_value()) << name << ' ' << operation << ", change " << change;
        if (tests) {
          EXPECT_EQ(fingerprint_error_probability(*tests), *expected) << name << ' ' << operation;
        }
        ASSERT_TRUE(change > 0 || tests) << name << ' ' << operation;
        wrong += tests ? 0 : 1;
      }
    }
  }
  EXPECT_GT(wrong, 100U);
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
