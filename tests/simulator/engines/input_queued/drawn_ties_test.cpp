// network.tie = "random": the direction of a message around a ring is drawn, in all engines alike. Agreement on random
// scenarios is checked by wormcast_equality.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/grid.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace wormcast {
namespace {

constexpr std::uint32_t message_count = 400;

// Messages over exactly half of both rings of a 4 x 4 torus, one at a time.
Schedule half_rings()
{
  std::vector<testing::Send> sends;
  for (std::uint32_t id = 0; id < message_count; ++id) {
    sends.push_back({.source = 0, .destination = 10, .bytes = 4, .start = 1'000'000 * std::int64_t{id}});
  }
  return testing::plain_schedule(testing::grid("torus", {4, 4}), sends);
}

// The channels that each message took, by what was recorded of them.
std::map<std::uint32_t, std::set<std::uint32_t>> channels_of(const NetworkParameters& network, EngineChoice engine)
{
  const auto torus = testing::grid_of("torus", {4, 4}, network.routing.tie);
  std::map<std::uint32_t, std::set<std::uint32_t>> taken;
  RecordSinks sinks;
  sinks.occupancy = [&](const OccupancyRecord& record) {
    if (record.resource.kind == Resource::Kind::external) {
      taken[index(record.message)].insert(index(record.resource.channel));
    }
  };
  const SimulationResult result = simulate_core(*torus, half_rings(), network, {.engine = engine}, sinks);
  EXPECT_TRUE(result.latency);
  return taken;
}

NetworkParameters wormhole_network(std::uint64_t seed)
{
  NetworkParameters network = testing::small_network();
  network.routing.tie = "random";
  network.routing_seed = seed;
  return network;
}

NetworkParameters pipelined_network(std::uint64_t seed)
{
  NetworkParameters network = testing::booksim_network(1, false, true);
  network.routing.tie = "random";
  network.routing_seed = seed;
  return network;
}

TEST(DrawnTies, AreTheSameInAllEngines)
{
  const auto worm = channels_of(wormhole_network(7), EngineChoice::worm);
  EXPECT_EQ(channels_of(wormhole_network(7), EngineChoice::flit), worm);
  EXPECT_EQ(channels_of(pipelined_network(7), EngineChoice::cycle), worm);
  EXPECT_EQ(channels_of(pipelined_network(7), EngineChoice::worm), worm);
}

TEST(DrawnTies, AreThoseOfTheTopologysDrawnRoutes)
{
  const NetworkParameters network = wormhole_network(3);
  const auto torus = testing::grid_of("torus", {4, 4}, "random");
  for (const auto& [message, channels] : channels_of(network, EngineChoice::worm)) {
    std::vector<ChannelId> route;
    torus->append_drawn_route(NodeId{0}, NodeId{10}, route_draw(network, message), route);
    std::set<std::uint32_t> expected;
    for (const ChannelId channel : route) {
      expected.insert(index(channel));
    }
    EXPECT_EQ(channels, expected) << message;
  }
}

// Four ways, each as likely as any other; 100 +- 5 standard deviations of a binomial distribution.
TEST(DrawnTies, AreEvenInEachDimensionAndDependOnTheSeed)
{
  std::map<std::set<std::uint32_t>, int> ways;
  const auto taken = channels_of(wormhole_network(1), EngineChoice::worm);
  for (const auto& [message, channels] : taken) {
    EXPECT_EQ(channels.size(), 4U);
    ++ways[channels];
  }
  ASSERT_EQ(ways.size(), 4U);
  for (const auto& [channels, count] : ways) {
    EXPECT_NEAR(count, 100, 44);
  }
  EXPECT_NE(channels_of(wormhole_network(2), EngineChoice::worm), taken);
}

// With all ports the first external channel says which port a message takes: the source must know the draw, too.
TEST(DrawnTies, DecideThePortWhereAllThereAreAreUsed)
{
  NetworkParameters network = wormhole_network(5);
  network.ports.count = PortModel::all;
  const auto torus = testing::grid_of("torus", {4}, "random");
  Schedule schedule;
  schedule.topology = testing::grid("torus", {4});
  schedule.operation = Operation::broadcast;
  schedule.ports = network.ports;
  schedule.blocks = 1;
  schedule.message_bytes = 8;
  schedule.messages.push_back(
      {.source = NodeId{0}, .destination = NodeId{2}, .blocks = schedule.block_sets.intern({0, 1})});
  for (const EngineChoice engine : {EngineChoice::worm, EngineChoice::flit}) {
    const SimulationResult result =
        simulate_core(*torus, schedule, network, {.mode = Mode::self_timed, .engine = engine});
    ASSERT_TRUE(result.latency);
    EXPECT_EQ(*result.latency, Time{1000 + 2 * 5 + 8 * 10});
  }
}

} // namespace
} // namespace wormcast
