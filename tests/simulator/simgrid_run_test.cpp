// The SimGrid platform gives the simulator's routes, and SimGrid's clock is the simulation's.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/schedule_sources.hpp"
#include "wormcast/simulator/simgrid_run.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/export.hpp"

#include <gtest/gtest.h>
#include <simgrid/s4u.hpp>

#include <random>

namespace wormcast {
namespace {

using testing::grid;
using testing::plain_schedule;
using testing::small_network;

class PlatformRoutes : public ::testing::TestWithParam<TopologyDescription> {};

TEST_P(PlatformRoutes, AreTheSimulatorsPaths)
{
  const NetworkParameters network = small_network();
  const auto topology = make_topology(GetParam());
  SimGridRun run(*topology, network, nullptr);
  EXPECT_EQ(run.zone().get_host_count(), topology->node_count());
  std::mt19937 random(1);
  std::uniform_int_distribution<std::uint32_t> any(0, topology->node_count() - 1);
  for (int i = 0; i < 300; ++i) {
    const NodeId from{any(random)};
    const NodeId to{any(random)};
    if (from == to) {
      continue; // SimGrid gives a host's way to itself over a loopback of its own
    }
    std::vector<simgrid::s4u::Link*> links;
    double latency = 0;
    run.host(from).route_to(&run.host(to), links, &latency);
    std::vector<ChannelId> route;
    topology->append_route(from, to, route);
    ASSERT_EQ(links.size(), route.size());
    for (std::size_t hop = 0; hop < route.size(); ++hop) {
      EXPECT_EQ(links[hop]->get_name(), link_name(route[hop]));
      EXPECT_DOUBLE_EQ(links[hop]->get_bandwidth(), 1e11); // one byte in 10 ps
      EXPECT_DOUBLE_EQ(links[hop]->get_latency(), 5e-12);
    }
    EXPECT_NEAR(latency, 5e-12 * static_cast<double>(route.size()), 1e-20);
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, PlatformRoutes,
                         ::testing::Values(grid("mesh", {7, 5}), grid("torus", {8, 6}), grid("torus", {5, 2, 4}),
                                           grid("mesh", {9}), grid("torus", {2, 2, 2, 2})));

std::vector<testing::Send> random_sends(std::uint32_t nodes, int count)
{
  std::mt19937 random(7);
  std::uniform_int_distribution<std::uint32_t> any(0, nodes - 1);
  std::vector<testing::Send> sends;
  while (static_cast<int>(sends.size()) < count) {
    const std::uint32_t from = any(random);
    const std::uint32_t to = any(random);
    if (from != to) {
      sends.push_back({from, to, any(random) + 1, any(random) * std::int64_t{10}, {}});
    }
  }
  return sends;
}

TEST(SimGridClock, AgreesWithTheEngineAndItsDeliveries)
{
  const auto description = grid("mesh", {8, 8});
  const auto topology = make_topology(description);
  const Schedule schedule = plain_schedule(description, random_sends(64, 500));
  const NetworkParameters network = small_network();
  const SimulationResult alone = simulate_core(*topology, schedule, network, {});

  std::vector<std::optional<Time>> delivered(schedule.messages.size());
  RecordSinks sinks;
  sinks.delivery = [&](const DeliveryRecord& record) { delivered[index(record.message)] = record.delivered; };
  const auto source = make_schedule_source(*topology, schedule, network, {});
  const auto engine = make_worm_engine({*topology, network, sinks, *source});
  SimGridRun run(*topology, network, engine.get());
  run.run();
  EXPECT_EQ(run.clock(), alone.latency);
  EXPECT_NEAR(run.simgrid_clock(), static_cast<double>(alone.latency->picoseconds) * 1e-12, 1e-14);
  EXPECT_EQ(delivered, alone.delivered);
}

TEST(SimGridClock, SimulateGivesTheSameAsTheEngineAloneTimeAndAgain)
{
  const auto description = grid("torus", {4, 4});
  const auto topology = make_topology(description);
  const Schedule schedule = plain_schedule(description, random_sends(16, 40));
  const SimulationResult alone = simulate_core(*topology, schedule, small_network(), {});
  for (int i = 0; i < 3; ++i) { // one SimGrid engine after the other
    const SimulationResult result = simulate(*topology, schedule, small_network(), {});
    EXPECT_EQ(result.latency, alone.latency);
    EXPECT_EQ(result.delivered, alone.delivered);
  }
}

TEST(SimGridActors, WaitForMessages)
{
  const auto description = grid("mesh", {4});
  const auto topology = make_topology(description);
  const Schedule schedule = plain_schedule(description, {{0, 3, 100}, {1, 2, 100, 1007}});
  const NetworkParameters network = small_network();
  const RecordSinks sinks;
  const auto source = make_schedule_source(*topology, schedule, network, {});
  const auto engine = make_worm_engine({*topology, network, sinks, *source});
  SimGridRun run(*topology, network, engine.get());
  std::vector<std::pair<std::string, double>> woken;
  const auto waiter = [&](const std::string& name, std::uint32_t message) {
    run.wait_for(MessageId{message});
    woken.emplace_back(name, run.simgrid_clock());
  };
  simgrid::s4u::Actor::create("receiver of 1", &run.host(NodeId{2}), waiter, "receiver of 1", 1U);
  simgrid::s4u::Actor::create("receiver of 0", &run.host(NodeId{3}), waiter, "receiver of 0", 0U);
  simgrid::s4u::Actor::create("watcher of 0", &run.host(NodeId{0}), waiter, "watcher of 0", 0U);
  simgrid::s4u::Actor::create("sleeper", &run.host(NodeId{0}), [&] {
    simgrid::s4u::this_actor::sleep_for(2.5e-9);
    woken.emplace_back("sleeper", run.simgrid_clock());
    run.wait_for(MessageId{0}); // delivered already
    woken.emplace_back("sleeper again", run.simgrid_clock());
  });
  run.run();
  ASSERT_EQ(woken.size(), 5U);
  EXPECT_NEAR(woken[0].second, 2015e-12, 1e-16);
  EXPECT_NEAR(woken[1].second, 2015e-12, 1e-16);
  EXPECT_EQ(woken[2].first, "sleeper");
  EXPECT_NEAR(woken[2].second, 2500e-12, 1e-16);
  EXPECT_EQ(woken[3].first, "sleeper again");
  EXPECT_EQ(woken[4].first, "receiver of 1");
  EXPECT_NEAR(woken[4].second, 3015e-12, 1e-16);
}

} // namespace
} // namespace wormcast
