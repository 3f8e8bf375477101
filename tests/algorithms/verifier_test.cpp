// The verifier against hand-made wrong schedules and against a slow check written another way.

#include "algorithms/verifier.hpp"
#include "grids.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using testing::grid;

struct Line {
  std::unique_ptr<Topology> topology;
  Schedule schedule;

  explicit Line(std::int64_t nodes, std::uint64_t blocks = 1) : topology(make_topology(grid("mesh", {nodes})))
  {
    schedule.topology = topology->description();
    schedule.blocks = blocks;
    schedule.message_bytes = 4 * blocks;
  }
  void send(std::uint32_t step, std::uint32_t from, std::uint32_t to, BlockRange blocks = {0, 1})
  {
    schedule.messages.push_back({step, NodeId{from}, NodeId{to}, schedule.block_sets.intern(blocks)});
  }
  CheckReport check() const { return check_schedule(*topology, schedule); }
};

TEST(Verifier, AcceptsABroadcast)
{
  Line line(4);
  line.send(0, 0, 2);
  line.send(1, 0, 1);
  line.send(1, 2, 3);
  const CheckReport report = line.check();
  EXPECT_TRUE(report.valid());
  EXPECT_TRUE(report.contention_free);
  EXPECT_EQ(report.costs.alpha, 2U);
  EXPECT_EQ(report.costs.beta, Fraction(2));
  EXPECT_EQ(report.costs.tcd, 4U);
  EXPECT_EQ(report.costs.max_channel_load, 2U);
  EXPECT_TRUE(report.violations.empty());
}

TEST(Verifier, NamesTheNodeThatLacksABlock)
{
  Line line(3, 2);
  line.send(0, 0, 1, {0, 2});
  line.send(1, 1, 2, {1, 2});
  const CheckReport report = line.check();
  EXPECT_FALSE(report.complete);
  EXPECT_TRUE(report.possession);
  ASSERT_EQ(report.violations.size(), 1U);
  EXPECT_EQ(report.violations[0].kind, ViolationKind::coverage);
  EXPECT_THAT(report.violations[0].nodes, ElementsAre(NodeId{2}));
  EXPECT_THAT(report.violations[0].blocks, ElementsAre(BlockRange{0, 1}));
  EXPECT_EQ(report.violations[0].text, "node 2 lacks block 0 at the end");
}

TEST(Verifier, WhatComesInAStepCannotBeSentOnInIt)
{
  Line line(3);
  line.send(0, 0, 1);
  line.send(0, 1, 2);
  const CheckReport report = line.check();
  EXPECT_FALSE(report.possession);
  EXPECT_TRUE(report.complete) << "the block got there all the same";
  EXPECT_EQ(report.violations[0].text, "step 0: node 1 sends block 0 in message 1, which it does not hold");
}

TEST(Verifier, CountsMessagesAtPorts)
{
  Line line(3);
  line.schedule.source = NodeId{1};
  line.send(0, 1, 0);
  line.send(0, 1, 2);
  EXPECT_FALSE(line.check().ports);
  EXPECT_EQ(line.check().ports_needed.count, 2U);
  EXPECT_EQ(line.check().violations[0].text, "step 0: node 1 sends 2 messages (message 1)");
  line.schedule.ports.count = 2;
  EXPECT_TRUE(line.check().valid());
  line.schedule.ports.count = PortModel::all;
  EXPECT_TRUE(line.check().valid());
}

TEST(Verifier, HalfDuplexPortsSendOrReceive)
{
  Line line(2, 2);
  line.schedule.operation = Operation::multinode_broadcast;
  line.schedule.message_bytes = 4;
  line.send(0, 0, 1, {0, 1});
  line.send(0, 1, 0, {1, 2});
  EXPECT_TRUE(line.check().valid());
  EXPECT_EQ(line.check().costs.alpha, 1U);
  line.schedule.duplex = Duplex::half;
  EXPECT_FALSE(line.check().ports);
  EXPECT_EQ(line.check().costs.alpha, 2U) << "such a step counts twice";
  EXPECT_EQ(line.check().costs.beta, Fraction(2));
}

TEST(Verifier, NamesTheContendedChannel)
{
  Line line(4);
  line.schedule.ports.count = 2;
  line.send(0, 0, 1);
  line.send(1, 0, 3);
  line.send(1, 1, 2);
  const CheckReport report = line.check();
  EXPECT_TRUE(report.valid());
  EXPECT_FALSE(report.contention_free);
  EXPECT_EQ(report.contended_pairs, 1U);
  EXPECT_EQ(report.violations[0].text, "step 1: message 1 (0 -> 3) and message 2 (1 -> 2) share the channel 1 -> 2");
}

TEST(Verifier, KeepsTheFirstViolationsOfEachKindAndCountsAll)
{
  Line line(60);
  const CheckReport report = check_schedule(*line.topology, line.schedule, {.max_violations = 3});
  EXPECT_EQ(report.violation_count, 59U);
  EXPECT_EQ(report.violations.size(), 3U);
}

TEST(Verifier, KnowsWhatEachOperationWants)
{
  Line scatter(3, 3);
  scatter.schedule.operation = Operation::scatter;
  scatter.send(0, 0, 1, {1, 3});
  scatter.send(1, 1, 2, {2, 3});
  EXPECT_TRUE(scatter.check().valid());

  Line exchange(2, 4);
  exchange.schedule.operation = Operation::total_exchange;
  exchange.send(0, 0, 1, {1, 2});
  EXPECT_FALSE(exchange.check().complete);
  exchange.send(0, 1, 0, {2, 3});
  EXPECT_TRUE(exchange.check().valid());
}

// All of it again with sets of (node, block) and lists of channels.
struct Slow {
  bool complete = true;
  bool possession = true;
  bool ports = true;
  std::uint64_t contended_pairs = 0;
};

Slow check_slowly(const Topology& topology, const Schedule& schedule)
{
  Slow result;
  std::set<std::pair<std::uint32_t, std::uint32_t>> held;
  for (std::uint32_t block = 0; block < schedule.blocks; ++block) {
    held.insert({index(schedule.source), block});
  }
  std::uint32_t last_step = 0;
  for (const Message& message : schedule.messages) {
    last_step = std::max(last_step, message.step);
  }
  for (std::uint32_t step = 0; step <= last_step; ++step) {
    auto after = held;
    std::map<std::uint32_t, std::uint32_t> sends;
    std::map<std::uint32_t, std::uint32_t> receives;
    std::vector<std::set<ChannelId>> routes;
    for (const Message& message : schedule.messages) {
      if (message.step != step) {
        continue;
      }
      for (const BlockRange range : schedule.block_sets.ranges(message.blocks)) {
        for (std::uint32_t block = range.begin; block < range.end; ++block) {
          result.possession = result.possession && held.contains({index(message.source), block});
          after.insert({index(message.destination), block});
        }
      }
      result.ports = result.ports && ++sends[index(message.source)] <= schedule.ports.count;
      result.ports = result.ports && ++receives[index(message.destination)] <= schedule.ports.count;
      std::vector<ChannelId> route;
      topology.append_route(message.source, message.destination, route);
      std::set<ChannelId> channels(route.begin(), route.end());
      for (const auto& other : routes) {
        result.contended_pairs += std::ranges::any_of(channels, [&](ChannelId c) { return other.contains(c); }) ? 1 : 0;
      }
      routes.push_back(std::move(channels));
    }
    held = std::move(after);
  }
  result.complete = held.size() == topology.node_count() * schedule.blocks;
  return result;
}

RC_GTEST_PROP(Verifier, AgreesWithASlowCheckOnRandomSchedules, ())
{
  const auto topology =
      make_topology(grid(*rc::gen::element<std::string>("mesh", "torus"),
                         {*rc::gen::inRange<std::int64_t>(1, 4), *rc::gen::inRange<std::int64_t>(2, 4)}));
  const std::uint32_t nodes = topology->node_count();
  Schedule schedule;
  schedule.topology = topology->description();
  schedule.source = NodeId{*rc::gen::inRange<std::uint32_t>(0, nodes)};
  schedule.blocks = *rc::gen::inRange<std::uint64_t>(1, 130);
  schedule.ports.count = *rc::gen::inRange<std::uint32_t>(1, 3);
  const auto count = *rc::gen::inRange(0, 25);
  for (int i = 0; i < count; ++i) {
    const auto from = *rc::gen::inRange<std::uint32_t>(0, nodes);
    const auto to = (from + *rc::gen::inRange<std::uint32_t>(1, nodes)) % nodes;
    const auto begin = *rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(schedule.blocks));
    const auto end = *rc::gen::inRange<std::uint32_t>(begin + 1, static_cast<std::uint32_t>(schedule.blocks) + 1);
    schedule.messages.push_back(
        {*rc::gen::inRange<std::uint32_t>(0, 5), NodeId{from}, NodeId{to},
         schedule.block_sets.intern(
             *rc::gen::element(BlockRange{begin, end}, BlockRange{0, static_cast<std::uint32_t>(schedule.blocks)}))});
  }
  const CheckReport report = check_schedule(*topology, schedule);
  const Slow slow = check_slowly(*topology, schedule);
  RC_ASSERT(report.complete == slow.complete);
  RC_ASSERT(report.possession == slow.possession);
  RC_ASSERT(report.ports == slow.ports);
  RC_ASSERT(report.contended_pairs == slow.contended_pairs);
}

} // namespace
} // namespace wormcast
