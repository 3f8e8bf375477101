#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/verifier/operation_check.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace wormcast {
namespace {

/// Messages on a line of nodes.
struct Line {
  explicit Line(std::uint32_t nodes, Operation operation = Operation::broadcast, std::uint64_t blocks = 1)
      : topology(make_topology(testing::grid("mesh", {nodes}), {}))
  {
    schedule.operation = operation;
    schedule.blocks = blocks;
  }

  void send(std::uint32_t step, std::uint32_t from, std::uint32_t to, BlockRange blocks = {0, 1})
  {
    schedule.messages.push_back({step, NodeId{from}, NodeId{to}, schedule.block_sets.intern(blocks)});
  }

  OperationCheck check() const { return check_operation(*topology, schedule); }
  std::string text() const { return undone_text(*topology, schedule, check()); }

  std::unique_ptr<Topology> topology;
  Schedule schedule;
};

TEST(OperationCheck, SaysHowManyNodesLackTheMessage)
{
  Line line(4);
  EXPECT_EQ(line.text(), "does not broadcast: 3 of 4 nodes lack it");
  line.send(0, 0, 1);
  line.send(1, 1, 2);
  EXPECT_EQ(line.text(), "does not broadcast: 1 of 4 nodes lacks it");
  line.send(1, 0, 3);
  EXPECT_TRUE(line.check().done());
}

TEST(OperationCheck, WhatASenderDoesNotHoldIsNotDelivered)
{
  Line line(4, Operation::broadcast, 2);
  line.send(0, 2, 1, {0, 2}); // from a node that has nothing
  EXPECT_EQ(line.text(), "does not broadcast: 3 of 4 nodes lack it or parts of it");
  line.send(1, 0, 1, {0, 1});
  line.send(2, 1, 2, {0, 2}); // of which it has the half
  EXPECT_EQ(line.check().not_held, 2U);
  line.send(3, 0, 1, {0, 2});
  line.send(4, 0, 2, {0, 2});
  line.send(5, 0, 3, {0, 2});
  EXPECT_EQ(line.check().lacking, 0U);
  EXPECT_EQ(line.text(), "does not broadcast: 2 messages carry what their senders do not hold");
}

TEST(OperationCheck, SaysItOfEveryOperation)
{
  EXPECT_EQ(Line(3, Operation::scatter, 3).text(), "does not scatter: 2 of 3 nodes lack their parts");
  EXPECT_EQ(Line(3, Operation::gather, 3).text(), "does not gather: node 0 lacks parts of other nodes");
  EXPECT_EQ(Line(3, Operation::multinode_broadcast, 3).text(),
            "is no complete multinode_broadcast: 3 of 3 nodes lack messages of other nodes");
  EXPECT_EQ(Line(3, Operation::total_exchange, 9).text(),
            "is no complete total_exchange: 3 of 3 nodes lack messages of other nodes");
  EXPECT_EQ(Line(3, Operation::reduce).text(), "does not reduce: node 0 lacks contributions of other nodes");
  EXPECT_EQ(Line(3, Operation::all_reduce).text(),
            "is no complete all_reduce: 3 of 3 nodes lack contributions of other nodes");
  EXPECT_EQ(Line(3, Operation::reduce_scatter, 3).text(),
            "is no complete reduce_scatter: 3 of 3 nodes lack contributions of other nodes");
  EXPECT_EQ(Line(3, Operation::barrier).text(), "is no complete barrier: 3 of 3 nodes lack the news of other nodes");
  Line multicast(4, Operation::multicast);
  multicast.schedule.destinations = {NodeId{1}, NodeId{3}};
  multicast.send(0, 0, 1);
  EXPECT_EQ(multicast.text(), "does not multicast: 1 of 2 destinations lacks it");
  Line twice(2, Operation::reduce);
  twice.send(0, 1, 0);
  twice.send(1, 1, 0);
  twice.send(2, 0, 1);
  EXPECT_FALSE(twice.check().done());
  EXPECT_TRUE(Line(3, Operation::none).check().done());
}

/// The same verdict as that of the verifier, which looks at more.
RC_GTEST_PROP(OperationCheck, AgreesWithTheVerifier, ())
{
  const auto nodes = *rc::gen::inRange<std::uint32_t>(2, 6);
  const auto operation = *rc::gen::elementOf(all_operations());
  RC_PRE(operation != Operation::none);
  Line line(nodes, operation, chooses_blocks(operation) ? 3 : fixed_blocks(operation, nodes));
  if (operation == Operation::multicast) {
    line.schedule.destinations = {NodeId{nodes - 1}};
  }
  const auto count = *rc::gen::inRange(0, 20);
  for (int i = 0; i < count; ++i) {
    const auto from = *rc::gen::inRange<std::uint32_t>(0, nodes);
    const auto to = (from + *rc::gen::inRange<std::uint32_t>(1, nodes)) % nodes;
    line.send(*rc::gen::inRange<std::uint32_t>(0, 4), from, to, {0, static_cast<std::uint32_t>(line.schedule.blocks)});
  }
  const CheckReport report = check_schedule(*line.topology, line.schedule);
  RC_ASSERT(line.check().done() == (report.complete && report.possession && report.counted_once));
}

} // namespace
} // namespace wormcast
