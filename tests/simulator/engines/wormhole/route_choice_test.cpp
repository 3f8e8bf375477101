// Headers that choose between two routes by what is in their way ("ugal_l"), with times worked out by hand.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/switched/dragonfly.hpp"
#include "wormcast/topologies/switched/route_draws.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::plain_schedule;
using testing::Send;

/// Three groups of three routers with two hosts each: router i of a group is linked to group i. Hosts are numbered by
/// group, router and host: 2 and 3 are those of router 1 of group 0, 6 and 7 of router 0 of group 1.
TopologyDescription small_dragonfly()
{
  TopologyDescription description;
  description.kind = "dragonfly";
  for (const auto& [key, value] :
       {std::pair("groups", 3), std::pair("chassis", 1), std::pair("routers", 3), std::pair("hosts", 2),
        std::pair("group_links", 1), std::pair("chassis_links", 1), std::pair("router_links", 1)}) {
    description.parameters.set(key, std::int64_t{value});
  }
  return description;
}

struct ChosenRun {
  SimulationResult result;
  std::map<std::uint32_t, std::size_t> hops; ///< by message
};

/// T_s = 1000, T_f = 5, T_c = 10 ps.
ChosenRun run_of(const std::vector<Send>& sends, std::uint64_t seed, const char* engine, std::uint32_t virtual_channels)
{
  NetworkParameters network = testing::small_network();
  network.virtual_channels = virtual_channels;
  network.routing_seed = seed;
  RunParameters run;
  run.engine = EngineChoice(engine);
  const RoutingChoice routing{.routing = "ugal_l"};
  ChosenRun chosen;
  RecordSinks sinks;
  sinks.path = [&](MessageId message, std::span<const ChannelId> path) { chosen.hops[index(message)] = path.size(); };
  chosen.result = simulate_core(*make_topology(small_dragonfly(), routing), plain_schedule(small_dragonfly(), sends),
                                network, run, sinks);
  return chosen;
}

/// A seed with which this message draws group `group`.
std::uint64_t seed_for(std::uint32_t message, std::uint32_t group)
{
  NetworkParameters network;
  for (network.routing_seed = 1;; ++network.routing_seed) {
    if (RouteDraws(route_draw(network, message)).below(3) == group) {
      return network.routing_seed;
    }
  }
}

std::vector<std::int64_t> deliveries(const ChosenRun& run)
{
  std::vector<std::int64_t> times;
  for (const std::optional<Time>& time : run.result.delivered) {
    times.push_back(time.value().picoseconds);
  }
  return times;
}

class RouteChoices : public ::testing::TestWithParam<std::pair<const char*, std::uint32_t>> {
protected:
  static ChosenRun run(const std::vector<Send>& sends, std::uint64_t seed)
  {
    return run_of(sends, seed, GetParam().first, GetParam().second);
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, RouteChoices,
                         ::testing::Values(std::pair("worm", 1U), std::pair("flit", 1U), std::pair("flit", 3U)),
                         [](const auto& engine) {
                           return std::string(engine.param.first) + "_" + std::to_string(engine.param.second);
                         });

TEST_P(RouteChoices, TakeTheShortestRouteOnAnEmptyNetwork)
{
  const ChosenRun alone = run({{2, 6, 10}}, seed_for(0, 2));
  EXPECT_THAT(deliveries(alone), ElementsAre(1000 + 3 * 5 + 10 * 10)); // host, group, host
  EXPECT_EQ(alone.hops.at(0), 3U);
}

// The link between the groups is held by message 0 when message 1 arrives at its router: 1 * 2 channels against
// 0 * 6 by way of group 2.
TEST_P(RouteChoices, AvoidAChannelThatIsHeld)
{
  const std::vector<Send> both = {{2, 6, 10}, {3, 7, 10}};
  const ChosenRun around = run(both, seed_for(1, 2));
  EXPECT_THAT(deliveries(around), ElementsAre(1115, 1000 + 7 * 5 + 100));
  EXPECT_EQ(around.hops.at(1), 7U);
}

TEST_P(RouteChoices, WaitWhereTheDrawnGroupIsTheirOwn)
{
  const std::vector<Send> both = {{2, 6, 10}, {3, 7, 10}};
  const ChosenRun straight = run(both, seed_for(1, 0));
  EXPECT_EQ(straight.hops.at(1), 3U);
  if (GetParam().second == 1) { // the link is held from 1005 until its tail has crossed the next channel, at 1110
    EXPECT_THAT(deliveries(straight), ElementsAre(1115, 1110 + 2 * 5 + 100));
  }
}

// Message 0 comes from router 0 and holds the link to group 1, message 1 the one to router 2, by which group 2 is
// reached: 1 * 2 channels against 1 * 6.
TEST_P(RouteChoices, CountTheChannelsThatAreLeft)
{
  const std::vector<Send> all = {{0, 6, 200}, {2, 4, 200}, {3, 7, 10, 100}};
  EXPECT_EQ(run(all, seed_for(2, 2)).hops.at(2), 3U);
  const std::vector<Send> without = {{0, 6, 200}, {2, 4, 2}, {3, 7, 10, 100}};
  EXPECT_EQ(run(without, seed_for(2, 2)).hops.at(2), 7U) << "message 1 has left the link when message 2 comes";
}

TEST(RouteChoice, IsRefusedWhereRatesOfLinksDiffer)
{
  NetworkParameters network = testing::small_network();
  network.link_per_byte = {Time{10}, Time{10}, Time{10}, Time{20}};
  const auto dragonfly = make_topology(small_dragonfly(), {.routing = "ugal_l"});
  EXPECT_THAT(input_error([&] { resolve_for(network, *dragonfly); }), HasSubstr("expected one rate for all links"));
  network.link_per_byte = {Time{20}, Time{20}, Time{20}, Time{20}};
  EXPECT_NO_THROW(resolve_for(network, *dragonfly));
}

} // namespace
} // namespace wormcast
