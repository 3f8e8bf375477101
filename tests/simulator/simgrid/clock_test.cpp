// SimGrid's clock is the simulation's, and actors wait for messages to the picosecond.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/simulator/engines/wormhole/engines.hpp"
#include "wormcast/simulator/simgrid/clock.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/sources/schedule_sources.hpp"

#include <gtest/gtest.h>
#include <simgrid/s4u.hpp>

#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace wormcast {
namespace {

using testing::grid;
using testing::plain_schedule;
using testing::small_network;

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

// A plain list on the worm engine and SimGrid's clock, not run yet.
struct ListOnSimGrid {
  ListOnSimGrid(const TopologyDescription& description, const std::vector<testing::Send>& sends, RecordSinks given = {})
      : topology(make_topology(description)), schedule(plain_schedule(description, sends)), sinks(std::move(given)),
        source(make_schedule_source(*topology, schedule, network, {})),
        engine(make_worm_engine({*topology, network, sinks, *source})), platform(*topology, network),
        run(platform, *engine)
  {}

  const NetworkParameters network = small_network();
  const std::shared_ptr<const Topology> topology;
  const Schedule schedule;
  const RecordSinks sinks;
  const std::unique_ptr<MessageSource> source;
  const std::unique_ptr<Engine> engine;
  SimGridPlatform platform;
  SimGridRun run;
};

TEST(SimGridClock, AgreesWithTheEngineAndItsDeliveries)
{
  std::vector<std::optional<Time>> delivered(500);
  RecordSinks sinks;
  sinks.delivery = [&](const DeliveryRecord& record) { delivered[index(record.message)] = record.delivered; };
  ListOnSimGrid list(grid("mesh", {8, 8}), random_sends(64, 500), sinks);
  const SimulationResult alone = simulate_core(*list.topology, list.schedule, list.network, {});
  list.run.run();
  EXPECT_EQ(list.run.clock(), alone.latency);
  EXPECT_NEAR(list.run.simgrid_clock(), static_cast<double>(alone.latency->picoseconds) * 1e-12, 1e-14);
  EXPECT_EQ(delivered, alone.delivered);
}

TEST(SimGridClock, WithoutActorsAdvancesOnceToTheEnd)
{
  ListOnSimGrid list(grid("mesh", {8, 8}), random_sends(64, 500));
  const auto advances = std::make_shared<int>(0); // SimGrid keeps callbacks for ever
  simgrid::s4u::Engine::on_time_advance_cb([advances](double) { ++*advances; });
  list.run.run();
  EXPECT_EQ(*advances, 1);
  EXPECT_EQ(list.run.simgrid_clock(), simgrid_seconds(list.run.clock().picoseconds));
}

TEST(SimGridClock, WithAnActorStopsAtEachDelivery)
{
  ListOnSimGrid list(grid("mesh", {4}), {{0, 3, 100}, {1, 2, 100, 1007}});
  std::vector<std::int64_t> seen;
  simgrid::s4u::Actor::create("sleeper", &list.platform.host(NodeId{0}), [&] {
    for (int i = 0; i < 4; ++i) {
      seen.push_back(list.run.clock().picoseconds);
      simgrid::s4u::this_actor::sleep_for(1e-9);
    }
  });
  list.run.run(); // deliveries at 2015 and 3015 ps
  EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 0, 0, 2015}));
  EXPECT_EQ(list.run.clock(), Time{3015});
  EXPECT_NEAR(list.run.simgrid_clock(), 4e-9, 1e-20);
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
  ListOnSimGrid list(grid("mesh", {4}), {{0, 3, 100}, {1, 2, 100, 1007}});
  std::vector<std::pair<std::string, double>> woken;
  const auto waiter = [&](const std::string& name, std::uint32_t message) {
    list.run.wait_for(MessageId{message});
    woken.emplace_back(name, list.run.simgrid_clock());
  };
  simgrid::s4u::Actor::create("receiver of 1", &list.platform.host(NodeId{2}), waiter, "receiver of 1", 1U);
  simgrid::s4u::Actor::create("receiver of 0", &list.platform.host(NodeId{3}), waiter, "receiver of 0", 0U);
  simgrid::s4u::Actor::create("watcher of 0", &list.platform.host(NodeId{0}), waiter, "watcher of 0", 0U);
  simgrid::s4u::Actor::create("sleeper", &list.platform.host(NodeId{0}), [&] {
    simgrid::s4u::this_actor::sleep_for(2.5e-9);
    woken.emplace_back("sleeper", list.run.simgrid_clock());
    list.run.wait_for(MessageId{0}); // delivered already
    woken.emplace_back("sleeper again", list.run.simgrid_clock());
  });
  list.run.run();
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
