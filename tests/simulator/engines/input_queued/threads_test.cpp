// Engine `cycle` on several threads: everything that it reports, in the same order, whatever their number.

#include "tests/simulator/engines/input_queued/slow_runs.hpp"
#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/traffic/load_run.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>
#include <vector>

namespace wormcast {
namespace {

/// All that a run calls its sinks with, and its result.
struct Reported {
  std::vector<ContentionRecord> waits;
  std::vector<OccupancyRecord> occupancies;
  std::vector<DeliveryRecord> deliveries;
  std::vector<std::pair<MessageId, std::vector<ChannelId>>> paths;
  ContentionTotals totals;
  std::vector<MessageId> stopped; ///< the messages of a deadlock's cycle
  std::uint64_t flit_hops = 0;
  std::size_t threads = 0; ///< the largest number of threads of this process at a delivery

  bool operator==(const Reported& other) const
  {
    return waits == other.waits && occupancies == other.occupancies && deliveries == other.deliveries &&
           paths == other.paths && totals == other.totals && stopped == other.stopped && flit_hops == other.flit_hops;
  }
};

std::size_t threads_of_this_process()
{
  return static_cast<std::size_t>(std::ranges::distance(std::filesystem::directory_iterator("/proc/self/task")));
}

Reported reported(const testing::SlowNetwork& slow, const std::vector<testing::SlowMessage>& messages,
                  std::uint32_t threads)
{
  const NetworkParameters network = testing::network_of(slow);
  const auto topology = make_topology(testing::topology_of(slow), network.routing);
  Reported reported;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) { reported.waits.push_back(record); };
  sinks.occupancy = [&](const OccupancyRecord& record) { reported.occupancies.push_back(record); };
  sinks.delivery = [&](const DeliveryRecord& record) {
    reported.deliveries.push_back(record);
    reported.threads = std::max(reported.threads, threads_of_this_process());
  };
  sinks.path = [&](MessageId message, std::span<const ChannelId> path) {
    reported.paths.emplace_back(message, std::vector(path.begin(), path.end()));
  };
  const RunParameters run{.engine = EngineChoice::cycle, .threads = threads};
  const SimulationResult result = simulate_core(*topology, schedule_of(slow, messages), network, run, sinks);
  reported.totals = result.contention;
  reported.flit_hops = result.flit_hops;
  if (result.deadlock) {
    for (const WaitingLink& link : result.deadlock->cycle) {
      reported.stopped.push_back(link.waiting);
    }
  }
  return reported;
}

// In networks as small as these one thread steps all bands; what they say to each other is the same.
RC_GTEST_PROP(Threads, OfCyclesReportTheSameInTheSameOrder, ())
{
  const testing::SlowNetwork slow = testing::random_slow_network();
  const std::vector<testing::SlowMessage> messages = testing::random_slow_messages(slow);
  const Reported alone = reported(slow, messages, 1);
  const std::uint32_t threads = *rc::gen::element(2, 3, 8);
  RC_ASSERT(reported(slow, messages, threads) == alone);
  RC_CLASSIFY(!alone.stopped.empty(), "deadlock");
  RC_CLASSIFY(!alone.paths.empty(), "headers that choose");
}

// Many messages at once, so that all threads work: short and long ones, with both allocations.
TEST(Threads, WorkOnTheSameNetworkAtTheSameTime)
{
  testing::SlowNetwork slow{.dims = {12, 11}, .virtual_channels = 4, .buffer_flits = 3};
  const std::vector<testing::SlowMessage> messages = testing::crowd_of_messages(132, 12);
  for (const char* priority : {"none", "age"}) {
    for (const char* routing : {"dimension_order", "odd_even"}) {
      slow.priority = priority;
      slow.routing = routing;
      const Reported alone = reported(slow, messages, 1);
      EXPECT_EQ(alone.deliveries.size(), messages.size());
      EXPECT_GT(alone.waits.size(), 1000U);
      for (const std::uint32_t threads : {2U, 3U, 8U}) {
        const Reported several = reported(slow, messages, threads);
        EXPECT_TRUE(several == alone) << priority << ", " << routing << ", " << threads;
        EXPECT_EQ(several.threads, alone.threads + threads - 1);
      }
    }
  }
}

TEST(Threads, MeasureTheSameLoad)
{
  const auto mesh = testing::grid_of("mesh", {16, 16});
  TrafficParameters traffic = testing::traffic_of("uniform", 2, Arrival::bernoulli);
  traffic.warm_up = std::uint64_t{1000};
  traffic.measure = std::uint64_t{20'000};
  const auto measured = [&](std::uint32_t threads) {
    return simulate_load(*mesh, testing::booksim_network(4, false, false), traffic, 0.15, {.threads = threads});
  };
  const LoadResult alone = measured(1);
  EXPECT_EQ(alone.engine, "cycle");
  for (const std::uint32_t threads : {2U, 3U, 8U}) {
    const LoadResult several = measured(threads);
    EXPECT_EQ(several.latency.mean, alone.latency.mean);
    EXPECT_EQ(several.latency.largest, alone.latency.largest);
    EXPECT_EQ(several.flit_hops, alone.flit_hops);
    EXPECT_EQ(several.busiest, alone.busiest);
    EXPECT_TRUE(several.waits == alone.waits);
  }
}

// A router each, and no more threads than that.
TEST(Threads, AreAtMostTheRouters)
{
  const testing::SlowNetwork line{.dims = {3}};
  const std::vector<testing::SlowMessage> messages = {{.source = 0, .destination = 2, .flits = 5}};
  const Reported alone = reported(line, messages, 1);
  const Reported many = reported(line, messages, 200);
  EXPECT_TRUE(many == alone);
  EXPECT_EQ(many.threads, alone.threads + 2);
}

TEST(Threads, AreRefusedWhereNoEngineUsesThem)
{
  const auto mesh = testing::grid_of("mesh", {4, 4});
  const TrafficParameters traffic = testing::traffic_of("uniform", 2);
  EXPECT_THROW(simulate_load(*mesh, testing::plain_network(), traffic, 0.1, {.threads = 2}), InputError);
}

} // namespace
} // namespace wormcast
