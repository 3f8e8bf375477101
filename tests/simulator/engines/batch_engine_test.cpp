// Steps of a schedule in lockstep on several threads: everything that one thread reports, in the same order.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/simulator/engines/random_traffic.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/simulator/engines/batch_engine.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/sources/schedule_sources.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace wormcast {
namespace {

// All that a run reports.
struct Told {
  std::vector<std::variant<ContentionRecord, OccupancyRecord, DeliveryRecord>> records;
  SimulationResult result;

  friend bool operator==(const Told& a, const Told& b)
  {
    const auto same_deadlock = [](const SimulationResult& x, const SimulationResult& y) {
      return x.deadlock.has_value() == y.deadlock.has_value() &&
             (!x.deadlock || (x.deadlock->at == y.deadlock->at && x.deadlock->undelivered == y.deadlock->undelivered &&
                              x.deadlock->first_never_ready == y.deadlock->first_never_ready &&
                              x.deadlock->cycle.size() == y.deadlock->cycle.size()));
    };
    return a.records == b.records && a.result.delivered == b.result.delivered && a.result.engine == b.result.engine &&
           a.result.latency == b.result.latency && a.result.contention == b.result.contention &&
           a.result.header_hops == b.result.header_hops && a.result.flit_hops == b.result.flit_hops &&
           same_deadlock(a.result, b.result);
  }
};

Told told(const Topology& topology, const Schedule& schedule, const NetworkParameters& network, RunParameters run,
          std::uint32_t threads, bool with_occupancy)
{
  Told told;
  RecordSinks sinks;
  const auto keep = [&](const auto& record) { told.records.emplace_back(record); };
  sinks.contention = keep;
  sinks.delivery = keep;
  if (with_occupancy) {
    sinks.occupancy = keep;
  }
  run.threads = threads;
  told.result = simulate_fastest(topology, schedule, network, run, sinks);
  return told;
}

RC_GTEST_PROP(StepsOnThreads, ReportTheSameInTheSameOrder, ())
{
  const TopologyDescription description = testing::random_grid();
  NetworkParameters network = testing::random_network();
  network.virtual_channels = *rc::gen::element<std::uint32_t>(1, 1, 1, 2);
  const auto topology = make_topology(description, network.routing);
  const Schedule schedule = testing::random_steps(description, topology->node_count());
  const RunParameters run{.seed = *rc::gen::arbitrary<std::uint64_t>(),
                          .tie_break = *rc::gen::element(TieBreak::id, TieBreak::seeded)};
  const bool with_occupancy = *rc::gen::arbitrary<bool>();
  const Told alone = told(*topology, schedule, network, run, 1, with_occupancy);
  RC_CLASSIFY(alone.result.engine == "worm", "worm");
  RC_CLASSIFY(alone.result.deadlock.has_value(), "deadlock");
  RC_CLASSIFY(alone.result.contention != ContentionTotals{}, "contention");
  RC_ASSERT(told(*topology, schedule, network, run, *rc::gen::element(2, 3, 8), with_occupancy) == alone);
}

class StepsOfAnAlgorithm : public ::testing::Test {
protected:
  Schedule schedule_of(const std::string& algorithm, std::uint64_t bytes,
                       const std::optional<std::string>& operation = std::nullopt) const
  {
    ScheduleRequest request;
    if (operation) {
      request.parameters.set("operation", *operation);
    }
    request.message_bytes = bytes;
    return make_schedule(find_algorithm(algorithm), *topology, request);
  }

  std::unique_ptr<Topology> topology = make_topology(testing::grid("mesh", {6, 6}));
  NetworkParameters network = testing::small_network();
};

// A step begins when the last node has added what it received, which is after the last delivery.
TEST_F(StepsOfAnAlgorithm, WaitForWhatNodesCompute)
{
  const Schedule schedule = schedule_of("ring", 3600, "all_reduce");
  RunParameters run;
  run.computation.reduce = read_time_table("100B 300ns");
  const Told alone = told(*topology, schedule, network, run, 1, true);
  EXPECT_TRUE(told(*topology, schedule, network, run, 2, true) == alone);
  EXPECT_LT(told(*topology, schedule, network, {}, 2, true).result.latency, alone.result.latency);
}

// More messages than are run at a time.
TEST_F(StepsOfAnAlgorithm, AreRunSomeAtATime)
{
  topology = make_topology(testing::grid("mesh", {20, 20}));
  const Schedule schedule = schedule_of("pairwise_exchange", 64);
  ASSERT_GT(schedule.messages.size(), std::size_t{1} << 17);
  const Told alone = told(*topology, schedule, network, {}, 1, false);
  EXPECT_NE(alone.result.contention, ContentionTotals{});
  EXPECT_TRUE(told(*topology, schedule, network, {}, 2, false) == alone);
}

TEST_F(StepsOfAnAlgorithm, AreRunOnThreadsWhereTheseCanBeUsed)
{
  const Schedule schedule = schedule_of("recursive_doubling", 100);
  resolve_for(network, *topology);
  const std::unique_ptr<MessageSource> source = make_schedule_source(*topology, schedule, network, {});
  RecordSinks sinks;
  const auto on_threads = [&](std::string_view engine, std::uint32_t threads) {
    return runs_batches_on_threads(
        engine_of(*network.router, engine),
        {.topology = *topology, .network = network, .sinks = sinks, .source = *source, .threads = threads});
  };
  EXPECT_TRUE(on_threads("worm", 2));
  EXPECT_FALSE(on_threads("worm", 1));
  EXPECT_FALSE(on_threads("flit", 2)); // its virtual channels take turns
  sinks.path = [](MessageId, std::span<const ChannelId>) {};
  EXPECT_FALSE(on_threads("worm", 2));
}

TEST_F(StepsOfAnAlgorithm, AreBatchesWhereTheyStartTogether)
{
  const Schedule schedule = schedule_of("recursive_doubling", 100);
  resolve_for(network, *topology);
  const auto batches = [&](const RunParameters& run) {
    return make_schedule_source(*topology, schedule, network, run)->batch_count();
  };
  EXPECT_EQ(batches({}), step_count(schedule));
  EXPECT_EQ(batches({.mode = Mode::self_timed}), 0U);
  EXPECT_EQ(batches({.start_jitter = Time{1000}}), 0U);
  const RunParameters jittered{.start_jitter = Time{1000}, .threads = 2};
  EXPECT_THAT([&] { simulate_core(*topology, schedule, network, jittered); },
              ::testing::ThrowsMessage<InputError>(::testing::HasSubstr(
                  "run.threads: found 2, but router \"wormhole\" runs on one thread, except for schedules in lockstep "
                  "whose messages of a step start together, expected 1")));
}

} // namespace
} // namespace wormcast
