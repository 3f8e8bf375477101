// Who waits for whom, and why: kinds of contention records, and deadlock.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

using testing::grid;
using testing::plain_schedule;
using testing::Send;
using testing::small_network;

class Contention : public ::testing::TestWithParam<EngineChoice> {
protected:
  SimulationResult run(const TopologyDescription& description, const Schedule& schedule,
                       const NetworkParameters& network, RunParameters parameters = {})
  {
    parameters.engine = GetParam();
    const auto topology = make_topology(description, network.routing);
    RecordSinks sinks;
    sinks.contention = [this](const ContentionRecord& record) { records.push_back(record); };
    return simulate_core(*topology, schedule, network, parameters, sinks);
  }

  std::vector<ContentionRecord> records;
};

INSTANTIATE_TEST_SUITE_P(Engines, Contention, ::testing::Values(EngineChoice::worm, EngineChoice::flit),
                         [](const auto& engine) { return engine.param == EngineChoice::worm ? "worm" : "flit"; });

// A broadcast's worth of one block, messages in the given steps.
Schedule stepped_schedule(const TopologyDescription& description, NodeId source, const std::vector<Message>& messages)
{
  Schedule schedule;
  schedule.topology = description;
  schedule.source = source;
  schedule.message_bytes = 100;
  schedule.messages = messages;
  const BlockSetId all = schedule.block_sets.intern({0, 1});
  for (Message& message : schedule.messages) {
    message.blocks = all;
  }
  return schedule;
}

TEST_P(Contention, MessagesOfOneStepOnOneChannelAreStepContention)
{
  const auto description = grid("mesh", {4});
  Schedule schedule = stepped_schedule(description, NodeId{0},
                                       {{.step = 0, .source = NodeId{0}, .destination = NodeId{3}},
                                        {.step = 0, .source = NodeId{1}, .destination = NodeId{2}}});
  const SimulationResult result = run(description, schedule, small_network());
  ASSERT_EQ(records.size(), 1U);
  const ContentionRecord& record = records.front();
  EXPECT_EQ(record.kind, ContentionKind::step);
  EXPECT_EQ(record.resource.kind, Resource::Kind::external);
  EXPECT_EQ(record.resource.node, NodeId{1});
  EXPECT_EQ(record.waiting, MessageId{0});
  EXPECT_EQ(record.holding, MessageId{1});
  EXPECT_EQ(record.from, Time{1005});
  EXPECT_EQ(record.to, Time{2005});
  EXPECT_EQ(result.contention[ContentionKind::step].count, 1U);
  EXPECT_EQ(result.contention[ContentionKind::step].wait, TotalTime(Time{1000}));
  EXPECT_EQ(result.contention[ContentionKind::depth].count, 0U);
}

TEST_P(Contention, MessagesOfDifferentStepsAreDepthContention)
{
  const auto description = grid("mesh", {4});
  // Self-timed, node 1 sends at once although the message from node 0 in step 0 still crosses its router.
  Schedule schedule = stepped_schedule(description, NodeId{0},
                                       {{.step = 0, .source = NodeId{0}, .destination = NodeId{1}},
                                        {.step = 1, .source = NodeId{0}, .destination = NodeId{3}},
                                        {.step = 2, .source = NodeId{1}, .destination = NodeId{2}}});
  const SimulationResult result = run(description, schedule, small_network(), {.mode = Mode::self_timed});
  // Message 0 is delivered at 2005; c_0 of node 0 is free at 2000. Message 1 crosses 0->1 at 3000 and asks for 1->2 at
  // 3005; message 2 asks for it at 3005 too, and message 1 has the smaller id.
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].kind, ContentionKind::depth);
  EXPECT_EQ(records[0].waiting, MessageId{2});
  EXPECT_EQ(records[0].holding, MessageId{1});
  EXPECT_EQ(records[0].waiting_step, 2U);
  EXPECT_EQ(records[0].holding_step, 1U);
  EXPECT_EQ(result.contention[ContentionKind::depth].wait, TotalTime(records[0].to - records[0].from));
}

TEST_P(Contention, TwoMessagesFromOrToOnePortArePortContention)
{
  const auto description = grid("mesh", {3});
  const Schedule schedule = plain_schedule(description, {{1, 0, 10}, {1, 2, 10}, {0, 2, 10, 1109}});
  run(description, schedule, small_network());
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].kind, ContentionKind::port);
  EXPECT_EQ(records[0].resource, (Resource{Resource::Kind::injection, ChannelId{}, NodeId{1}}));
  EXPECT_EQ(records[0].waiting, MessageId{1});
  EXPECT_EQ(records[0].holding, MessageId{0});
  EXPECT_EQ(records[0].from, Time{0});
  EXPECT_EQ(records[0].to, Time{1100});
  // Message 1 crosses 1->2 at 2100 and is in node 2 from 2105 to 2205. Message 2 asks for 1->2 at 2114 and gets it at
  // 2205, which is a wait for an external channel; its next wait would be for the ejection channel, free by then.
  EXPECT_EQ(records[1].kind, ContentionKind::step);
  EXPECT_EQ(records[1].from, Time{2114});
  EXPECT_EQ(records[1].to, Time{2205});
}

TEST_P(Contention, EjectionIsAPort)
{
  const auto description = grid("mesh", {3});
  run(description, plain_schedule(description, {{0, 1, 10}, {2, 1, 10}}), small_network());
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].kind, ContentionKind::port);
  EXPECT_EQ(records[0].resource, (Resource{Resource::Kind::ejection, ChannelId{}, NodeId{1}}));
  EXPECT_EQ(records[0].from, Time{1005});
  EXPECT_EQ(records[0].to, Time{1105});
}

TEST_P(Contention, HalfDuplexPortsCannotSendAndReceiveAtOnce)
{
  NetworkParameters network = small_network();
  network.duplex = Duplex::half;
  const auto description = grid("mesh", {3});
  // 0 sends to 1 while 1 sends to 2: the header from 0 waits until 1's port is free.
  const SimulationResult result = run(description, plain_schedule(description, {{0, 1, 100}, {1, 2, 100}}), network);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].kind, ContentionKind::port);
  EXPECT_EQ(records[0].resource.node, NodeId{1});
  EXPECT_EQ(records[0].from, Time{1005});
  EXPECT_EQ(records[0].to, Time{2000});
  EXPECT_EQ(result.latency, Time{3000});
}

TEST_P(Contention, HalfDuplexExchangeIsADeadlock)
{
  NetworkParameters network = small_network();
  network.duplex = Duplex::half;
  const auto description = grid("mesh", {2});
  const SimulationResult result = run(description, plain_schedule(description, {{0, 1, 10}, {1, 0, 10}}), network);
  ASSERT_TRUE(result.deadlock);
  EXPECT_EQ(result.deadlock->undelivered, 2U);
  ASSERT_EQ(result.deadlock->cycle.size(), 2U);
}

// Dally & Seitz' example: on a ring with one virtual channel every node sends two places on; each worm holds the
// channel that the one behind it needs.
TEST_P(Contention, RingDeadlockIsExplained)
{
  const auto description = grid("torus", {6});
  std::vector<Send> sends;
  for (std::uint32_t node = 0; node < 6; ++node) {
    sends.push_back({node, (node + 2) % 6, 100});
  }
  const SimulationResult result = run(description, plain_schedule(description, sends), small_network());
  ASSERT_TRUE(result.deadlock);
  EXPECT_EQ(result.deadlock->undelivered, 6U);
  const auto& cycle = result.deadlock->cycle;
  ASSERT_EQ(cycle.size(), 6U);
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    EXPECT_EQ(cycle[i].holding, cycle[(i + 1) % cycle.size()].waiting);
    EXPECT_EQ(index(cycle[i].holding), (index(cycle[i].waiting) + 1) % 6);
    EXPECT_EQ(cycle[i].resource.kind, Resource::Kind::external);
    EXPECT_EQ(index(cycle[i].resource.node), (index(cycle[i].waiting) + 1) % 6);
  }
  ASSERT_EQ(records.size(), 6U) << "waits that never end are recorded too";
  for (const ContentionRecord& record : records) {
    EXPECT_EQ(record.from, Time{1005});
    EXPECT_EQ(record.to, Time{1005}) << "when the last header stopped";
  }
}

// A buffer belongs to one worm: even messages that fit a buffer block the ring, and messages to the next node do not.
TEST_P(Contention, RingWithNeighbourMessagesIsFree)
{
  const auto description = grid("torus", {6});
  std::vector<Send> next;
  std::vector<Send> two_on;
  for (std::uint32_t node = 0; node < 6; ++node) {
    next.push_back({node, (node + 1) % 6, 100});
    two_on.push_back({node, (node + 2) % 6, 1});
  }
  EXPECT_FALSE(run(description, plain_schedule(description, next), small_network()).deadlock);
  EXPECT_TRUE(run(description, plain_schedule(description, two_on), small_network()).deadlock);
}

} // namespace
} // namespace wormcast
