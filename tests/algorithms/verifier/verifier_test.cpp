// The verifier against hand-made wrong schedules and against a slow check written another way.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

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
  EXPECT_EQ(line.check().costs.alpha, 1U) << "what does not fit the ports is not counted as if it were two steps";
  EXPECT_EQ(line.check().costs.ports_excess, "step 0: node 1 sends 1 and receives 1 messages with half-duplex ports");
  EXPECT_EQ(schedule_costs(*line.topology, line.schedule).ports_excess, line.check().costs.ports_excess);
  line.schedule.ports.count = 2;
  EXPECT_TRUE(line.check().ports) << "one port sends, the other one receives";
  EXPECT_EQ(line.check().costs.alpha, 1U);
  EXPECT_EQ(line.check().costs.ports_excess, "");
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

TEST(Verifier, AllPortsTakeOneMessageOverEachChannel)
{
  Line line(3);
  line.schedule.source = NodeId{0};
  line.schedule.ports.count = PortModel::all;
  line.send(0, 0, 1);
  line.send(0, 0, 2);
  EXPECT_EQ(line.check().violations[0].text,
            "step 0: node 0 sends more than one message through one external channel (message 1)");
}

TEST(Verifier, HalfDuplexLinksWithAllPortsGoOneWay)
{
  Line line(3);
  line.schedule.source = NodeId{1};
  line.schedule.ports.count = PortModel::all;
  line.schedule.duplex = Duplex::half;
  line.send(0, 1, 0);
  line.send(1, 1, 2);
  line.send(1, 0, 1);
  EXPECT_TRUE(line.check().ports) << "node 1 sends over one link and receives over the other";
  line.send(0, 0, 1);
  const CheckReport report = line.check();
  EXPECT_FALSE(report.ports);
  EXPECT_EQ(report.violations[1].text,
            "step 0: node 0 sends and receives over one link with half-duplex ports (message 3)");
}

TEST(Verifier, APlainListHasCostsAndNothingToProve)
{
  Line line(4);
  line.schedule.operation = Operation::none;
  line.schedule.messages = {{0, NodeId{0}, NodeId{3}, {}}, {0, NodeId{2}, NodeId{1}, {}}};
  line.schedule.plain.resize(2);
  line.schedule.plain[0].bytes = 100;
  line.schedule.plain[1].bytes = 11;
  const CheckReport report = line.check();
  EXPECT_TRUE(report.valid());
  EXPECT_EQ(report.costs.alpha, 0U);
  EXPECT_EQ(report.costs.messages, 2U);
  EXPECT_EQ(report.costs.tcd, 4U);
  EXPECT_EQ(report.costs.bytes_sent, 111U);
}

TEST(Verifier, BlocksAreCutToTheByte)
{
  Line line(2, 3);
  line.schedule.message_bytes = 1000;
  line.send(0, 0, 1, {0, 2});
  line.send(1, 0, 1, {2, 3});
  EXPECT_EQ(line.check().costs.beta_bytes, 1000U);
  EXPECT_EQ(format_fraction(line.check().costs.largest_message), "333/500");
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
  const std::uint32_t nodes = topology.node_count();
  const auto for_each_pair = [&](auto&& visit) {
    for (std::uint32_t node = 0; node < nodes; ++node) {
      for (std::uint32_t block = 0; block < schedule.blocks; ++block) {
        visit(node, block);
      }
    }
  };
  for_each_pair([&](std::uint32_t node, std::uint32_t block) {
    const bool starts_here = schedule.operation == Operation::multinode_broadcast ? block == node
                             : schedule.operation == Operation::total_exchange    ? block / nodes == node
                                                                                  : node == index(schedule.source);
    if (starts_here) {
      held.insert({node, block});
    }
  });
  std::uint32_t last_step = 0;
  for (const Message& message : schedule.messages) {
    last_step = std::max(last_step, message.step);
  }
  for (std::uint32_t step = 0; step <= last_step; ++step) {
    auto after = held;
    using Port = std::pair<std::uint32_t, std::uint32_t>; // node, and its neighbour with all ports
    std::map<Port, std::uint32_t> sends;
    std::map<Port, std::uint32_t> receives;
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
      std::vector<ChannelId> route;
      topology.append_route(message.source, message.destination, route);
      if (schedule.ports.count == PortModel::all) {
        const auto target = topology.channel_target(route.front());
        const auto origin = topology.channel_source(route.back());
        ++sends[{index(message.source), index(target)}];
        ++receives[{index(message.destination), index(origin)}];
      } else {
        ++sends[{index(message.source), 0}];
        ++receives[{index(message.destination), 0}];
      }
      std::set<ChannelId> channels(route.begin(), route.end());
      for (const auto& other : routes) {
        result.contended_pairs += std::ranges::any_of(channels, [&](ChannelId c) { return other.contains(c); }) ? 1 : 0;
      }
      routes.push_back(std::move(channels));
    }
    const std::uint32_t most = std::max(1U, schedule.ports.count);
    for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
      for (std::uint32_t neighbour = 0; neighbour < topology.node_count(); ++neighbour) {
        const std::uint32_t sent = sends[{node, neighbour}];
        const std::uint32_t received = receives[{node, neighbour}];
        const bool half = schedule.duplex == Duplex::half;
        result.ports = result.ports && sent <= most && received <= most && (!half || sent + received <= most);
      }
    }
    held = std::move(after);
  }
  for_each_pair([&](std::uint32_t node, std::uint32_t block) {
    const bool wanted = schedule.operation == Operation::scatter          ? block == node
                        : schedule.operation == Operation::total_exchange ? block % nodes == node
                                                                          : true;
    result.complete = result.complete && (!wanted || held.contains({node, block}));
  });
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
  schedule.operation = *rc::gen::element(Operation::broadcast, Operation::scatter, Operation::multinode_broadcast,
                                         Operation::total_exchange);
  schedule.blocks = schedule.operation == Operation::broadcast        ? *rc::gen::inRange<std::uint64_t>(1, 130)
                    : schedule.operation == Operation::total_exchange ? nodes * nodes
                                                                      : nodes;
  schedule.ports.count = *rc::gen::inRange<std::uint32_t>(PortModel::all, 4);
  schedule.duplex = *rc::gen::element(Duplex::full, Duplex::half);
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
  for (const ScheduleCosts& costs : {report.costs, schedule_costs(*topology, schedule)}) {
    RC_ASSERT(costs.contention_free == (slow.contended_pairs == 0));
    RC_ASSERT(costs.ports_excess.empty() == slow.ports);
  }
}

} // namespace
} // namespace wormcast
