// Start-ups that take longer, against the distributions' closed forms, in all engines, and runs without contention.

#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/simulator/critical_path/critical_path.hpp"
#include "wormcast/simulator/critical_path/path_records.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/random/noise.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace wormcast {
namespace {

using testing::seeded;

constexpr int draws = 100'000;
constexpr Time microsecond{1'000'000};

std::vector<double> drawn(const Noise& noise)
{
  std::vector<double> values;
  for (int i = 0; i < draws; ++i) {
    values.push_back(static_cast<double>(noise.extra(microsecond, 1, static_cast<std::uint64_t>(i)).picoseconds) / 1e6);
  }
  return values;
}

double mean(const std::vector<double>& values)
{
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

double share_above(const std::vector<double>& values, double limit)
{
  return static_cast<double>(std::ranges::count_if(values, [&](double value) { return value > limit; })) /
         static_cast<double>(values.size());
}

TEST(Noise, IsExponential)
{
  const std::vector<double> values = drawn(Noise::exponential(0.5));
  EXPECT_NEAR(mean(values), 0.5, 0.005);
  EXPECT_NEAR(share_above(values, 1), std::exp(-2), 0.003);
}

TEST(Noise, IsUniform)
{
  const std::vector<double> values = drawn(Noise::uniform(2));
  EXPECT_NEAR(mean(values), 1, 0.01);
  EXPECT_NEAR(share_above(values, 1.5), 0.25, 0.005);
  EXPECT_LT(*std::ranges::max_element(values), 2);
}

TEST(Noise, IsPareto)
{
  const std::vector<double> values = drawn(Noise::pareto(0.3, 3));
  EXPECT_NEAR(mean(values), 0.3, 0.005);
  const double smallest = 0.2; // mean * (shape - 1) / shape
  EXPECT_GE(*std::ranges::min_element(values), smallest - 2e-6);
  EXPECT_NEAR(share_above(values, 0.4), std::pow(smallest / 0.4, 3), 0.003);
  EXPECT_NEAR(share_above(values, 1), std::pow(smallest, 3), 0.001);
}

TEST(Noise, IsDrawnFromValues)
{
  const std::vector<double> values = drawn(Noise::values({0, 0.25, 0.25, 1}));
  EXPECT_NEAR(mean(values), 0.375, 0.005);
  EXPECT_NEAR(static_cast<double>(std::ranges::count(values, 0.25)) / draws, 0.5, 0.005);
}

// Other platforms must draw the same: whole numbers alone, written down here.
TEST(Noise, IsTheSameEverywhere)
{
  const std::vector<Noise> all = {Noise::exponential(0.5), Noise::uniform(2), Noise::pareto(0.3, 3),
                                  Noise::pareto(0.3, 1.1)};
  const std::vector<std::vector<std::int64_t>> expected = {{43'031'827, 57'886'915, 15'304'343},
                                                           {172'127'309, 231'547'663, 61'217'372},
                                                           {36'322'956, 38'802'029, 32'111'578},
                                                           {6'892'025, 8'251'761, 4'924'754}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<std::int64_t> found;
    for (std::uint64_t message = 0; message < 3; ++message) {
      found.push_back(all[i].extra(Time{150 * microsecond.picoseconds}, 42, message).picoseconds);
    }
    EXPECT_EQ(found, expected[i]) << i;
  }
}

TEST(Noise, NeverOverflows)
{
  const Noise noise = Noise::pareto(1e6, 1.0001);
  for (std::uint64_t message = 0; message < 1000; ++message) {
    const Time extra = noise.extra(Time{largest_time}, 1, message);
    EXPECT_GE(extra, Time{});
    EXPECT_LE(extra, Time{std::int64_t{1} << 60});
  }
}

class NoisyRuns : public ::testing::Test {
protected:
  NoisyRuns()
  {
    network.startup = 10 * microsecond;
    network.per_byte = Time{10'000};
    request.message_bytes = 500;
    run.noise = Noise::exponential(0.4);
  }

  SimulationResult simulated(EngineChoice engine) const
  {
    RunParameters with_engine = run;
    with_engine.engine = engine;
    return simulate_core(*mesh, schedule(), network, with_engine);
  }
  Schedule schedule() const { return make_schedule(find_algorithm("recursive_doubling"), *mesh, request); }

  std::unique_ptr<const Topology> mesh = testing::grid_of("mesh", {4, 4});
  NetworkParameters network;
  ScheduleRequest request;
  RunParameters run = seeded(3);
};

TEST_F(NoisyRuns, AddsToEachStartUp)
{
  // One message a step: step 0 of recursive doubling. The others add up along a chain, too long to write down.
  Schedule first = schedule();
  std::erase_if(first.messages, [](const Message& message) { return message.step > 0; });
  ASSERT_EQ(first.messages.size(), 1U);
  const SimulationResult noisy = simulate_core(*mesh, first, network, run);
  RunParameters quiet = run;
  quiet.noise.reset();
  const SimulationResult plain = simulate_core(*mesh, first, network, quiet);
  EXPECT_EQ(*noisy.latency - *plain.latency, run.noise->extra(network.startup, run.seed, 0));
  EXPECT_GT(*noisy.latency, *plain.latency);
}

TEST_F(NoisyRuns, IsTheSameInAllEngines)
{
  for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
    run.mode = mode;
    const SimulationResult worm = simulated(EngineChoice::worm);
    EXPECT_EQ(worm.delivered, simulated(EngineChoice::flit).delivered);
    run.seed = 4;
    EXPECT_NE(worm.delivered, simulated(EngineChoice::worm).delivered);
    run.seed = 3;
  }
}

TEST_F(NoisyRuns, IsTheSameInBothEnginesOfInputQueuedRouters)
{
  network = testing::booksim_network(1, true, true);
  network.startup = Time{50'000};
  for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
    run.mode = mode;
    const SimulationResult worm = simulated(EngineChoice::worm);
    EXPECT_EQ(worm.engine, "worm");
    const SimulationResult cycle = simulated(EngineChoice::cycle);
    EXPECT_EQ(cycle.engine, "cycle");
    EXPECT_EQ(worm.delivered, cycle.delivered);
    RunParameters quiet = run;
    quiet.noise.reset();
    EXPECT_NE(worm.delivered, simulate_core(*mesh, schedule(), network, quiet).delivered);
  }
}

TEST_F(NoisyRuns, AreExplainedWithoutAGap)
{
  for (const char* name : {"wormhole", "input_queued"}) {
    const RouterModel& router = find_router(name);
    if (router.cycle) {
      network = testing::booksim_network(1, true, true);
      network.startup = Time{50'000};
    }
    const Schedule all = schedule();
    PathRecorder recorder(*mesh, all, network);
    RecordSinks sinks;
    sinks.contention = [&](const ContentionRecord& record) { recorder.contention(record); };
    sinks.occupancy = [&](const OccupancyRecord& record) { recorder.occupancy(record); };
    const SimulationResult result = simulate_core(*mesh, all, network, run, sinks);
    const auto path = critical_path(*mesh, all, network, run, result, recorder.finish(), {}); // throws at a gap
    ASSERT_TRUE(path);
    EXPECT_GT(path->sums[static_cast<std::size_t>(PathCause::startup)],
              4 * network.startup); // more than that of its four messages
  }
}

// Two messages that cross the same channel: without contention each takes what it takes alone.
TEST(ContentionFreeNetwork, LeavePortsAlone)
{
  const auto row = testing::grid_of("mesh", {4});
  NetworkParameters network;
  network.startup = microsecond;
  network.per_byte = Time{10'000};
  Schedule list;
  list.topology = row->description();
  list.operation = Operation::none;
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    list.messages.push_back({.step = 0, .source = NodeId{from}, .destination = NodeId{to}, .blocks = {}});
    list.plain.push_back({.bytes = 100, .start = Time{}});
  };
  add(0, 2);
  add(1, 3); // over the channel from 1 to 2, too
  add(0, 1); // from the same port as the first
  const Time alone = microsecond + Time{1'000'000};
  const SimulationResult crowded = simulate_core(*row, list, network, {});
  EXPECT_GT(crowded.contention[ContentionKind::step].count, 0U);
  const SimulationResult free = simulate_contention_free(*row, list, network, {});
  EXPECT_EQ(free.contention[ContentionKind::step].count, 0U);
  EXPECT_EQ(free.contention[ContentionKind::port].count, 1U);
  EXPECT_EQ(free.delivered[0], alone);
  EXPECT_EQ(free.delivered[1], alone);
  EXPECT_GT(free.delivered[2], alone);
}

TEST(ContentionFreeNetwork, AreRefusedWhereTheyAreNotExact)
{
  const auto mesh = testing::grid_of("mesh", {4, 4});
  NetworkParameters network = testing::booksim_network(1, true, true);
  ScheduleRequest request;
  request.message_bytes = 8;
  const Schedule schedule = make_schedule(find_algorithm("recursive_doubling"), *mesh, request);
  EXPECT_THROW(simulate_contention_free(*mesh, schedule, network, {}), InputError);
  network = testing::plain_network();
  network.per_hop = Time{1'000'000};
  EXPECT_THROW(simulate_contention_free(*mesh, schedule, network, {}), InputError);
}

} // namespace
} // namespace wormcast
