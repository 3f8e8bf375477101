// Virtual channels: worms share a physical channel flit by flit, and two classes keep a torus free of deadlock.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/simulator/engines/random_traffic.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>
#include <set>

namespace wormcast {
namespace {

using testing::grid;
using testing::plain_schedule;
using testing::small_network;

NetworkParameters with_virtual_channels(std::uint32_t count)
{
  NetworkParameters network = small_network();
  network.virtual_channels = count;
  return network;
}

SimulationResult run(const TopologyDescription& description, const Schedule& schedule, const NetworkParameters& network,
                     EngineChoice engine = EngineChoice::automatic)
{
  return simulate_core(*make_topology(description, network.routing), schedule, network, {.engine = engine});
}

/// Every node sends four messages, long enough to fill every buffer: to random nodes, or half-way round all rings.
Schedule saturating_traffic(const TopologyDescription& description, std::uint64_t seed, bool opposite = false)
{
  const auto topology = make_topology(description);
  std::mt19937_64 random(seed);
  std::vector<testing::Send> sends;
  for (int round = 0; round < 4; ++round) {
    for (std::uint32_t node = 0; node < topology->node_count(); ++node) {
      const auto other = static_cast<std::uint32_t>(random() % (topology->node_count() - 1));
      std::uint32_t target = other >= node ? other + 1 : other;
      if (opposite) {
        std::vector<std::int64_t> coordinates = topology->coordinates(NodeId{node});
        for (std::size_t axis = 0; axis < coordinates.size(); ++axis) {
          const std::int64_t size = description.parameters.integers("dims")[axis];
          coordinates[axis] = (coordinates[axis] + size / 2) % size;
        }
        target = index(topology->node_at(coordinates));
      }
      sends.push_back({node, target, 32 + random() % 64, 0, {}});
    }
  }
  return plain_schedule(description, sends);
}

// On a line of four nodes 0 -> 2 and 1 -> 3 meet on channel 1 -> 2. The flits of 1 -> 3 cross it at 1000 + 20k ps,
// those of 0 -> 2, whose header comes 5 ps later, at 1010 + 20k. Tails leave 140 ps after the headers.
TEST(VirtualChannels, ArePhysicallySharedFlitByFlit)
{
  const auto line = grid("mesh", {4});
  const Schedule schedule = plain_schedule(line, {{0, 2, 8}, {1, 3, 8}});
  const SimulationResult result = run(line, schedule, with_virtual_channels(2), EngineChoice::flit);
  EXPECT_EQ(result.delivered[0], Time{1010 + 140 + 5 + 10});
  EXPECT_EQ(result.delivered[1], Time{1000 + 140 + 5 + 5 + 10});
  // The header of 0 -> 2 waits 5 ps, each later flit of both until the other's flit of 10 ps is over.
  EXPECT_EQ(result.contention[ContentionKind::sharing].count, 2U);
  EXPECT_EQ(result.contention[ContentionKind::sharing].wait, TotalTime(Time{5 + 2 * 70}));
}

TEST(VirtualChannels, SharingIsRecordedForEachMessageAndChannel)
{
  const auto line = grid("mesh", {4});
  const Schedule schedule = plain_schedule(line, {{0, 2, 8}, {1, 3, 8}});
  const NetworkParameters network = with_virtual_channels(2);
  std::vector<ContentionRecord> records;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) { records.push_back(record); };
  simulate_core(*make_topology(line, network.routing), schedule, network, {}, sinks);
  ASSERT_EQ(records.size(), 2U);
  const ContentionRecord& second = records[0]; // whose tail leaves first
  EXPECT_EQ(second.kind, ContentionKind::sharing);
  EXPECT_EQ(second.waiting, MessageId{1});
  EXPECT_EQ(second.holding, MessageId{0});
  EXPECT_EQ(second.resource.node, NodeId{1});
  EXPECT_EQ(second.from, Time{1010});
  EXPECT_EQ(second.to, Time{1140});
  EXPECT_EQ(second.wait, Time{70});
  EXPECT_EQ(records[1].waiting, MessageId{0});
  EXPECT_EQ(records[1].from, Time{1005});
  EXPECT_EQ(records[1].wait, Time{75});
}

// "None" means none: a message without a record is where it would be if it were alone.
RC_GTEST_PROP(VirtualChannels, WhatHasNoRecordWasNotHeldUp, ())
{
  const TopologyDescription description = testing::random_grid();
  NetworkParameters network = testing::random_network();
  network.virtual_channels = *rc::gen::inRange<std::uint32_t>(1, 5);
  const auto topology = make_topology(description, network.routing);
  std::vector<testing::Send> sends = testing::random_sends(topology->node_count());
  for (testing::Send& send : sends) {
    send.after.clear();
  }
  const Schedule schedule = plain_schedule(description, sends);
  std::set<MessageId> held_up;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) {
    RC_ASSERT(record.wait <= record.to - record.from);
    RC_ASSERT(record.kind != ContentionKind::sharing || network.virtual_channels > 1);
    held_up.insert(record.waiting);
  };
  const SimulationResult result = simulate_core(*topology, schedule, network, {.engine = EngineChoice::flit}, sinks);
  for (std::uint32_t id = 0; id < sends.size(); ++id) {
    if (result.delivered[id] && !held_up.contains(MessageId{id})) {
      testing::Send alone = sends[id];
      const Schedule one = plain_schedule(description, {alone});
      const SimulationResult free = simulate_core(*topology, one, network, {.engine = EngineChoice::flit});
      RC_ASSERT(result.delivered[id] == free.delivered[0]);
    }
  }
}

// With one virtual channel the later header waits until the tail of the other has left the buffer behind 1 -> 2.
TEST(VirtualChannels, OneIsHeldByOneWorm)
{
  const auto line = grid("mesh", {4});
  const Schedule schedule = plain_schedule(line, {{0, 2, 8}, {1, 3, 8}});
  const SimulationResult result = run(line, schedule, with_virtual_channels(1), EngineChoice::flit);
  EXPECT_EQ(result.delivered[1], Time{1000 + 5 + 5 + 80});
  const std::int64_t released = 1000 + 5 + 70 + 10;
  EXPECT_EQ(result.delivered[0], Time{released + 5 + 80});
  EXPECT_FALSE(result.contention.none());
}

TEST(VirtualChannels, AutomaticTakesWormWhileNoPhysicalChannelIsShared)
{
  const auto line = grid("mesh", {4});
  const auto network = with_virtual_channels(2);
  const SimulationResult apart = run(line, plain_schedule(line, {{0, 1, 8}, {2, 3, 8}}), network);
  EXPECT_EQ(apart.engine, "worm");
  const SimulationResult shared = run(line, plain_schedule(line, {{0, 2, 8}, {1, 3, 8}}), network);
  EXPECT_EQ(shared.engine, "flit");
  EXPECT_THAT(shared.engine_reason, ::testing::HasSubstr("two worms share a physical channel"));
}

// All worms go the same way round, so that with one virtual channel each holds what the one behind it needs.
TEST(VirtualChannels, SaturatedTorusStopsWithOneAndNotWithTwo)
{
  for (const auto& dims : std::vector<std::vector<std::int64_t>>{{8}, {6, 6}, {8, 8}}) {
    const auto torus = grid("torus", dims);
    NetworkParameters one = with_virtual_channels(1);
    one.routing.tie = "positive";
    NetworkParameters two = with_virtual_channels(2);
    two.routing.tie = "positive";
    const auto topology = make_topology(torus);
    EXPECT_FALSE(check_deadlock(channel_dependencies(*topology, 1)).deadlock_free());
    EXPECT_TRUE(check_deadlock(channel_dependencies(*topology, 2)).deadlock_free());
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Schedule schedule = saturating_traffic(torus, seed, true);
      EXPECT_TRUE(run(torus, schedule, one, EngineChoice::flit).deadlock.has_value());
      const SimulationResult result = run(torus, schedule, two, EngineChoice::flit);
      EXPECT_FALSE(result.deadlock);
      EXPECT_THAT(result.delivered, ::testing::Each(::testing::Ne(std::nullopt)));
    }
  }
}

RC_GTEST_PROP(VirtualChannels, DatelinesKeepEveryTorusFree, ())
{
  const auto dims = *rc::gen::container<std::vector<std::int64_t>>(*rc::gen::inRange(1, 4), rc::gen::inRange(2, 6));
  const auto torus = grid("torus", dims);
  NetworkParameters network = with_virtual_channels(*rc::gen::inRange<std::uint32_t>(2, 5));
  network.ports.count = *rc::gen::element<std::uint32_t>(1, 2, PortModel::all);
  network.routing.tie = *rc::gen::element<std::string>("no_wrap", "positive");
  const Schedule schedule = saturating_traffic(torus, *rc::gen::arbitrary<std::uint64_t>());
  RC_ASSERT(!run(torus, schedule, network, EngineChoice::flit).deadlock.has_value());
}

// Where no two worms share a physical channel, the number of virtual channels changes nothing.
RC_GTEST_PROP(VirtualChannels, ChangeNothingWithoutSharing, ())
{
  const auto mesh = grid("mesh", {*rc::gen::inRange(2, 6), *rc::gen::inRange(2, 6)});
  const auto topology = make_topology(mesh);
  std::vector<testing::Send> sends;
  const auto count = *rc::gen::inRange<std::uint32_t>(1, 12);
  for (std::uint32_t i = 0; i < count; ++i) {
    testing::Send send;
    send.source = *rc::gen::inRange<std::uint32_t>(0, topology->node_count());
    send.destination =
        (send.source + *rc::gen::inRange<std::uint32_t>(1, topology->node_count())) % topology->node_count();
    send.bytes = *rc::gen::inRange<std::uint64_t>(1, 40);
    if (i > 0) {
      send.after = {i - 1};
    }
    sends.push_back(send);
  }
  const Schedule schedule = plain_schedule(mesh, sends);
  const SimulationResult one = run(mesh, schedule, with_virtual_channels(1), EngineChoice::worm);
  const SimulationResult three = run(mesh, schedule, with_virtual_channels(3), EngineChoice::flit);
  RC_ASSERT(one.delivered == three.delivered);
}

} // namespace
} // namespace wormcast
