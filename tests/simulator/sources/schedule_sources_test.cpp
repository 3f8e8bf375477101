// Who sends when.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace wormcast {
namespace {

using testing::grid;
using testing::small_network;

TEST(StartDelays, AreWithinTheJitterAndDependOnTheSeed)
{
  const auto first = start_delays(1000, Time{100}, 1);
  EXPECT_EQ(first, start_delays(1000, Time{100}, 1));
  EXPECT_NE(first, start_delays(1000, Time{100}, 2));
  EXPECT_EQ(*std::ranges::min_element(first), 0);
  EXPECT_EQ(*std::ranges::max_element(first), 100);
  EXPECT_EQ(std::set(first.begin(), first.end()).size(), 101U);
  EXPECT_EQ(start_delays(3, Time{0}, 7), (std::vector<std::int64_t>{0, 0, 0}));
}

TEST(StartDelays, OfTheFirstNodesDoNotDependOnTheirNumber)
{
  const auto few = start_delays(10, Time{1'000'000}, 5);
  const auto many = start_delays(100, Time{1'000'000}, 5);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

Schedule recursive_doubling(const Topology& topology, NodeId source, std::uint64_t bytes)
{
  ScheduleRequest request;
  request.source = source;
  request.message_bytes = bytes;
  return make_schedule(find_algorithm("recursive_doubling"), topology, request);
}

// With neither contention nor differences in distance, a sender is never earlier than the step allows.
TEST(SelfTimed, IsNeverSlowerThanLockstepForRecursiveDoubling)
{
  const auto topology = make_topology(grid("mesh", {8, 8}));
  const Schedule schedule = recursive_doubling(*topology, NodeId{0}, 1000);
  const auto lockstep = simulate_core(*topology, schedule, small_network(), {});
  const auto self_timed = simulate_core(*topology, schedule, small_network(), {.mode = Mode::self_timed});
  EXPECT_LE(self_timed.latency, lockstep.latency);
  EXPECT_FALSE(self_timed.deadlock);
}

TEST(SelfTimed, AMessageWaitsForItsBlocks)
{
  const auto description = grid("mesh", {3});
  const auto topology = make_topology(description);
  Schedule schedule;
  schedule.topology = description;
  schedule.blocks = 2;
  schedule.message_bytes = 200;
  const BlockSetId low = schedule.block_sets.intern({0, 1});
  const BlockSetId both = schedule.block_sets.intern({0, 2});
  const BlockSetId high = schedule.block_sets.intern({1, 2});
  schedule.messages = {
      {0, NodeId{0}, NodeId{1}, low}, {1, NodeId{0}, NodeId{1}, high}, {2, NodeId{1}, NodeId{2}, both}};
  const auto result = simulate_core(*topology, schedule, small_network(), {.mode = Mode::self_timed});
  // The first is delivered at 2005, the port free at 2000; the second at 2000 + 2005, and then the third goes.
  EXPECT_EQ(result.delivered[1], Time{4005});
  EXPECT_EQ(result.delivered[2], Time{4005 + 1000 + 5 + 2000});
}

TEST(SelfTimed, AScheduleThatSendsWhatNobodyHoldsStopsWithAReason)
{
  const auto description = grid("mesh", {3});
  const auto topology = make_topology(description);
  Schedule schedule;
  schedule.topology = description;
  schedule.message_bytes = 10;
  const BlockSetId all = schedule.block_sets.intern({0, 1});
  schedule.messages = {{0, NodeId{1}, NodeId{2}, all}};
  const auto result = simulate_core(*topology, schedule, small_network(), {.mode = Mode::self_timed});
  ASSERT_TRUE(result.deadlock);
  EXPECT_TRUE(result.deadlock->cycle.empty());
  EXPECT_EQ(result.deadlock->first_never_ready, MessageId{0});
}

// Without contention the latency in lockstep is the sum over the steps of the slowest message alone.
TEST(TieBreak, DecidesWhoGoesFirst)
{
  // Node 0 sends message 1, node 1 message 0; both want the ejection port of node 2 at the same instant.
  const auto star = testing::grid("mesh", {1, 3});
  const Schedule schedule = testing::plain_schedule(star, {{2, 1, 8}, {0, 1, 8}});
  const auto first = [&](const RunParameters& run) {
    const SimulationResult result = simulate_core(*make_topology(star), schedule, testing::small_network(), run);
    return result.delivered[0] < result.delivered[1] ? 0 : 1;
  };
  EXPECT_EQ(first({.tie_break = TieBreak::id}), 0);
  EXPECT_EQ(first({.tie_break = TieBreak::source}), 1);
  std::set<int> winners;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RunParameters run{.seed = seed, .tie_break = TieBreak::seeded};
    winners.insert(first(run));
    EXPECT_EQ(first(run), first(run));
  }
  EXPECT_EQ(winners.size(), 2U);
}

TEST(StartJitter, LatencyFromTheSourceLeavesOutItsOwnDelay)
{
  const auto line = testing::grid("mesh", {4});
  const auto topology = make_topology(line);
  const Schedule schedule = testing::plain_schedule(line, {{1, 3, 8}});
  const SimulationResult still = simulate_core(*topology, schedule, testing::small_network(), {});
  const RunParameters late{.seed = 5, .start_jitter = Time{100'000}};
  const SimulationResult result = simulate_core(*topology, schedule, testing::small_network(), late);
  EXPECT_GT(result.source_start, Time{});
  EXPECT_EQ(result.latency, *still.latency + result.source_start);
  EXPECT_EQ(result.latency_from_source(), still.latency);
}

RC_GTEST_PROP(Lockstep, ContentionFreeBroadcastTakesTheSumOfItsSteps, ())
{
  const auto description = grid(*rc::gen::element<std::string>("mesh", "torus"),
                                {*rc::gen::inRange<std::int64_t>(1, 9), *rc::gen::inRange<std::int64_t>(1, 9)});
  const auto topology = make_topology(description);
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  const Schedule schedule = recursive_doubling(*topology, source, *rc::gen::inRange<std::uint64_t>(1, 5000));
  const NetworkParameters network = small_network();
  const auto result = simulate_core(*topology, schedule, network, {});
  RC_ASSERT(result.contention.none());
  std::vector<std::int64_t> slowest(step_count(schedule), 0);
  for (const Message& message : schedule.messages) {
    const std::int64_t hops = topology->distance(message.source, message.destination);
    const std::int64_t time = 1000 + hops * 5 + static_cast<std::int64_t>(schedule.message_bytes) * 10;
    slowest[message.step] = std::max(slowest[message.step], time);
  }
  std::int64_t sum = 0;
  for (const std::int64_t time : slowest) {
    sum += time;
  }
  RC_ASSERT(result.latency == Time{sum});
}

} // namespace
} // namespace wormcast
