// Links and ports with rates and latencies of their own (docs/network-model.md, "Rates and latencies of links").

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {
namespace {

using testing::grid;
using ::testing::HasSubstr;
using testing::plain_schedule;

const TopologyDescription torus_4_by_4 = grid("torus", {4, 4});

NetworkParameters unequal()
{
  NetworkParameters network;
  network.startup = Time{1000};
  network.per_hop = Time{10};
  network.per_byte = Time{2};
  network.flit_bytes = 8;
  network.buffer_flits = 100;
  network.link_per_hop = {Time{10}, Time{70}};
  network.link_per_byte = {Time{2}, Time{5}};
  return network;
}

SimulationResult run(const NetworkParameters& network, const std::vector<testing::Send>& sends,
                     const char* engine = "auto")
{
  RunParameters run;
  run.engine = EngineChoice(engine);
  return simulate_core(*make_topology(torus_4_by_4), plain_schedule(torus_4_by_4, sends), network, run);
}

std::int64_t latency(const NetworkParameters& network, std::uint32_t to, std::uint64_t bytes)
{
  return run(network, {{0, to, bytes}}).latency.value().picoseconds;
}

// By hand: T_s + the hops + F * the largest tau, where one class of channels is the slowest.
TEST(ChannelTimes, TheSlowestChannelOfAPathSetsTheRate)
{
  const NetworkParameters network = unequal();                       // tau: 16 ps in x and at ports, 40 ps in y
  EXPECT_EQ(latency(network, 1, 80), 1000 + 10 + 10 * 16);           // x
  EXPECT_EQ(latency(network, 4, 80), 1000 + 70 + 10 * 40);           // y
  EXPECT_EQ(latency(network, 10, 80), 1000 + 20 + 2 * 70 + 10 * 40); // two of each
  EXPECT_EQ(latency(network, 4, 1), 1000 + 70 + 40);                 // a flit does not arrive before it has crossed
}

TEST(ChannelTimes, PortsHaveARateOfTheirOwn)
{
  NetworkParameters network = unequal();
  network.port_per_byte = Time{7}; // 56 ps
  EXPECT_EQ(latency(network, 1, 80), 1000 + 10 + (56 - 16) + 9 * 56 + 56);
  network.port_per_byte = Time{1}; // 8 ps: no channel is slower for it
  EXPECT_EQ(latency(network, 1, 80), 1000 + 10 + 10 * 16);
  EXPECT_EQ(latency(network, 4, 80), 1000 + 70 + 10 * 40);
}

// Slow, fast, slow: the flit starts late on the fast channel, and crosses the slow one twice.
TEST(ChannelTimes, AFlitWaitsBeforeEachFasterChannel)
{
  const TopologyDescription description = grid("mesh", {2, 2, 2});
  NetworkParameters network;
  network.per_byte = Time{10};
  network.buffer_flits = 4;
  network.link_per_byte = {Time{10}, Time{3}, Time{10}};
  const SimulationResult result =
      simulate_core(*make_topology(description), plain_schedule(description, {{0, 7, 1}}), network, RunParameters{});
  EXPECT_EQ(result.latency, Time{7 + 10});
}

RC_GTEST_PROP(ChannelTimes, OfARouteAreThoseOfAMessageAlone, ())
{
  const TopologyDescription description = grid(*rc::gen::element<std::string>("mesh", "torus"), {3, 4, 3});
  const auto times = [](std::int64_t least) {
    return *rc::gen::container<std::vector<std::int64_t>>(3, rc::gen::inRange<std::int64_t>(least, 50));
  };
  NetworkParameters network;
  network.startup = Time{*rc::gen::inRange<std::int64_t>(0, 100)};
  network.per_byte = Time{10};
  network.port_per_byte = Time{*rc::gen::inRange<std::int64_t>(1, 50)};
  network.flit_bytes = 2;
  for (const std::int64_t time : times(1)) {
    network.link_per_byte.emplace_back(Time{time});
  }
  for (const std::int64_t time : times(0)) {
    network.link_per_hop.push_back(Time{time});
  }
  network.switching = *rc::gen::element(Switching::wormhole, Switching::cut_through, Switching::store_and_forward);
  network.buffer_flits = flits_to_cover_hops(network);
  const auto topology = make_topology(description);
  const auto to = *rc::gen::inRange<std::uint32_t>(1, topology->host_count());
  const auto flits = *rc::gen::inRange<std::uint64_t>(1, 20);
  const SimulationResult alone = simulate_core(
      *topology, plain_schedule(description, {{0, to, flits * network.flit_bytes}}), network, RunParameters{});
  std::vector<ChannelId> route;
  topology->append_route(NodeId{0}, NodeId{to}, route);
  RC_ASSERT(static_cast<double>(alone.latency.value().picoseconds) ==
            empty_route_picoseconds(network, ChannelTimes(network, *topology), route, static_cast<double>(flits)));
}

TEST(ChannelTimes, AutomaticBuffersCoverTheLongestHop)
{
  NetworkParameters network = unequal();
  EXPECT_EQ(flits_for_full_rate(network), 3U); // (70 + 40 - 16) / 40
  network.link_per_hop = {Time{170}, Time{70}};
  EXPECT_EQ(flits_for_full_rate(network), 11U); // 170 / 16
  network.buffer_flits = 2;
  EXPECT_THAT(slow_channels(network), HasSubstr("do not cover the latency of all links"));
}

TEST(ChannelTimes, LowerBoundsAreThoseOfTheFastestChannel)
{
  NetworkParameters network = unequal();
  network.port_per_byte = ByteTime(3, 2);
  const NetworkParameters fastest = with_fastest_channels(network);
  EXPECT_EQ(fastest.per_byte, ByteTime(3, 2));
  EXPECT_EQ(fastest.per_hop, Time{10});
  EXPECT_TRUE(has_equal_channels(fastest));
  EXPECT_FALSE(has_equal_channels(network));
}

TEST(ChannelTimes, ListsThatRepeatTheCommonTimesChangeNothing)
{
  NetworkParameters network = unequal();
  network.link_per_byte = {Time{2}, Time{2}};
  network.link_per_hop = {Time{10}, Time{10}};
  network.port_per_byte = Time{2};
  EXPECT_EQ(run(network, {{0, 10, 80}}).engine, "worm");
  EXPECT_EQ(latency(network, 10, 80), 1000 + 4 * 10 + 10 * 16);
}

TEST(ChannelTimes, UnequalHopsAloneKeepOneEventPerHop)
{
  NetworkParameters network = unequal();
  network.link_per_byte.clear();
  const std::vector<testing::Send> sends = {{0, 10, 800}, {1, 10, 400}, {4, 9, 240}, {2, 10, 80}};
  const SimulationResult worm = run(network, sends);
  EXPECT_EQ(worm.engine, "worm");
  EXPECT_EQ(worm.delivered, run(network, sends, "flit").delivered);
  network.buffer_flits = 4; // 64 ps
  EXPECT_EQ(run(network, sends).engine, "flit");
}

TEST(ChannelTimes, RefusedWhereTheyAreNotKnown)
{
  NetworkParameters network = unequal();
  EXPECT_EQ(run(network, {{0, 1, 8}}).engine, "flit");
  EXPECT_EQ(input_error([&] { run(network, {{0, 1, 8}}, "worm"); }),
            "engine \"worm\" cannot run this exactly: links or ports have rates or latencies of their own; use "
            "\"flit\" or \"auto\"");
  network.link_per_byte = {Time{1}, Time{2}, Time{3}};
  EXPECT_EQ(flits_for_full_rate(network), 5U); // (70 + 16 - 8) / 16
  EXPECT_EQ(input_error([&] { run(network, {{0, 1, 8}}); }),
            "link_per_byte: found 3 times, expected 2, one for each class of links of the torus 4 x 4: x, y");
}

} // namespace
} // namespace wormcast
