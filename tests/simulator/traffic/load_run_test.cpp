// Networks under load against queues with known answers and against BookSim2's numbers.

#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/simulator/traffic/expected_load.hpp"
#include "wormcast/simulator/traffic/traffic_source.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <tuple>

namespace wormcast {
namespace {

using testing::booksim_network;
using testing::grid_of;
using testing::plain_network;
using testing::seeded;
using testing::traffic_of;

using Sent = std::tuple<std::int64_t, std::uint32_t, std::uint32_t, std::uint64_t>;

/// What a node sends until `end`.
std::vector<Sent> sent_by(std::uint32_t node, const Topology& topology, const NetworkParameters& network,
                          const TrafficParameters& traffic, double load, std::int64_t end, std::uint64_t seed = 1)
{
  const TrafficClasses classes(topology, traffic, seed);
  std::vector<Sent> sent;
  TrafficSource source(topology, network, traffic, classes, load, seeded(seed),
                       {.created = [&](const TrafficMessage& message, MessageId) {
                         if (index(message.source) == node) {
                           sent.emplace_back(message.created, index(message.source), index(message.destination),
                                             message.bytes);
                         }
                       }});
  std::vector<NewMessage> messages;
  while (source.next_time() < end) {
    source.pop(source.next_time(), messages);
  }
  return sent;
}

TEST(TrafficSource, MessagesOfANodeDependOnSeedAndNodeAlone)
{
  const auto mesh = grid_of("mesh", {4, 4});
  const auto torus = grid_of("torus", {4, 4});
  TrafficParameters traffic = traffic_of("uniform", 1);
  traffic.lengths = MessageLengths::between(1, 9);
  NetworkParameters slow = plain_network();
  slow.startup = Time{70'000};
  slow.virtual_channels = 4;
  const std::vector<Sent> sent = sent_by(5, *mesh, plain_network(), traffic, 0.3, 1'000'000);
  EXPECT_GT(sent.size(), 30U);
  EXPECT_EQ(sent, sent_by(5, *torus, slow, traffic, 0.3, 1'000'000));
  EXPECT_NE(sent, sent_by(5, *mesh, plain_network(), traffic, 0.3, 1'000'000, 2));
  EXPECT_NE(sent, sent_by(6, *mesh, plain_network(), traffic, 0.3, 1'000'000));
}

TEST(TrafficSource, OffersTheLoadThatWasAskedFor)
{
  const auto mesh = grid_of("mesh", {4, 4});
  for (const Arrival arrival : {Arrival::poisson, Arrival::bernoulli, Arrival::periodic, Arrival::on_off}) {
    TrafficParameters traffic = traffic_of("uniform", 5, arrival);
    traffic.burst = 8;
    traffic.duty = 0.25;
    double bytes = 0;
    for (std::uint32_t node = 0; node < 4; ++node) {
      for (const Sent& sent : sent_by(node, *mesh, plain_network(), traffic, 0.2, 400'000'000)) {
        bytes += static_cast<double>(std::get<3>(sent));
      }
    }
    EXPECT_NEAR(bytes / (4 * 400'000.0), 0.2, 0.01) << static_cast<int>(arrival);
  }
}

TEST(TrafficSource, BernoulliKeepsToFlitTimesAndPeriodicToItsPeriod)
{
  const auto mesh = grid_of("mesh", {2});
  NetworkParameters network = plain_network();
  network.flit_bytes = 4;
  std::int64_t last = -1;
  for (const Sent& sent : sent_by(0, *mesh, network, traffic_of("uniform", 4, Arrival::bernoulli), 0.7, 1'000'000)) {
    EXPECT_EQ(std::get<0>(sent) % 4000, 0);
    EXPECT_GT(std::get<0>(sent), last); // one at most
    last = std::get<0>(sent);
  }
  // 4 bytes at load 0.3: 13333 1/3 ps, which must not drift.
  const auto periodic = sent_by(0, *mesh, network, traffic_of("uniform", 4, Arrival::periodic), 0.3, 400'000'000);
  EXPECT_NEAR(static_cast<double>(std::get<0>(periodic[29'000]) - std::get<0>(periodic[0])), 29'000 * 40'000.0 / 3,
              1.5);
}

TEST(TrafficSource, RefusesWhatCannotBeSent)
{
  const auto mesh = grid_of("mesh", {4});
  const auto error = [&](const NetworkParameters& network, const TrafficParameters& traffic, double load) {
    try {
      simulate_load(*mesh, network, traffic, load, {});
    } catch (const InputError& refused) {
      return std::string(refused.what());
    }
    return std::string("none");
  };
  EXPECT_NE(error(plain_network(), traffic_of("uniform", 1, Arrival::bernoulli), 1.5)
                .find("more than one message in a flit time"),
            std::string::npos);
  TrafficParameters self = traffic_of("uniform", 1);
  self.include_self = true;
  NetworkParameters network = plain_network();
  network.duplex = Duplex::half;
  EXPECT_NE(error(network, self, 0.1).find("include_self: "), std::string::npos);
  network = plain_network();
  network.ports.count = PortModel::all;
  EXPECT_NE(error(network, self, 0.1).find("include_self: "), std::string::npos);
}

/// Node 0 to itself alone, at equal distances: nothing ever waits.
TEST(LoadRun, SelfMessagesGoThroughTheOwnRouter)
{
  const auto mesh = grid_of("mesh", {3, 3});
  TrafficParameters traffic = traffic_of("transpose", 6, Arrival::periodic);
  traffic.include_self = true;
  traffic.warm_up = Time{0};
  traffic.measure = std::uint64_t{1000};
  struct Case {
    NetworkParameters network;
    EngineChoice engine = EngineChoice::automatic;
    const char* name = "";
  };
  for (const Case& engine :
       {Case{plain_network(), EngineChoice::worm, "worm"}, Case{plain_network(), EngineChoice::flit, "flit"},
        Case{booksim_network(1, false, true), EngineChoice::worm, "worm"},
        Case{booksim_network(2, true, false), EngineChoice::cycle, "cycle"}}) {
    NetworkParameters network = engine.network;
    resolve_for(network, *mesh);
    RunParameters run;
    run.engine = engine.engine;
    const LoadResult result = simulate_load(*mesh, network, traffic, 0.01, run);
    EXPECT_EQ(result.engine, engine.name);
    EXPECT_TRUE(result.stable());
    EXPECT_EQ(result.idle_nodes, 0U);
    // Three of nine nodes lie on the diagonal: their messages are the fastest.
    const auto fastest = result.latency.histogram.buckets().front();
    const double expected = empty_network_picoseconds(network, 0, 6);
    EXPECT_NEAR(static_cast<double>(fastest.low), expected, expected / 128) << engine.name;
    EXPECT_GT(fastest.count, 300U);
  }
}

// A mesh 2 x 2 whose links in y have half the rate: each channel carries two thirds of a node's messages.
TEST(LoadRun, SlowLinksAreBusyForLonger)
{
  const auto mesh = grid_of("mesh", {2, 2});
  NetworkParameters network = plain_network();
  network.link_per_byte = {Time{1000}, Time{2000}};
  const TrafficParameters traffic = traffic_of("uniform", 4);
  const LoadResult stable = simulate_load(*mesh, network, traffic, 0.3, seeded(1));
  EXPECT_EQ(stable.engine, "flit");
  EXPECT_TRUE(stable.stable());
  EXPECT_NEAR(stable.busy_most, 0.3 * 4 / 3, 0.02);
  EXPECT_NEAR(stable.busy_mean, 0.3 * (2.0 / 3 + 4.0 / 3) / 2, 0.02);
  EXPECT_EQ(mesh->link_class(stable.busiest), 1U);
  const LoadResult idle = simulate_load(*mesh, network, traffic, 0.001, seeded(1));
  const double alone = expected_load(*mesh, network, TrafficClasses(*mesh, traffic, 1)).zero_load_picoseconds;
  EXPECT_NEAR(idle.latency.mean, alone, 0.02 * alone);
  const LoadResult full = simulate_load(*mesh, network, traffic, 0.8, seeded(1));
  EXPECT_EQ(full.verdict, LoadVerdict::saturated);
  EXPECT_LT(full.accepted, 0.75);
  EXPECT_LE(full.busy_most, 1.0001);
}

// M/D/1: two nodes that send to each other over a channel of their own; fixed lengths, Poisson arrivals. The mean wait
// is rho / (2 (1 - rho)) service times (Pollaczek & Khinchine).
double time_of_pair(double rho)
{
  constexpr double service = 8000; // picoseconds
  return service * (1 + rho / (2 * (1 - rho)));
}

/// How many windows of equal kind have an interval, and how many of these intervals hold the mean of theory.
struct Coverage {
  int intervals = 0;
  int held = 0;
  int saturated = 0;
  double sum = 0; // of all means
};

Coverage coverage_of_pair(double rho, const TrafficParameters& traffic, std::uint64_t seeds)
{
  const auto pair = grid_of("mesh", {2});
  const double expected = time_of_pair(rho);
  Coverage coverage;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const LoadResult result = simulate_load(*pair, plain_network(), traffic, rho, seeded(seed));
    coverage.saturated += result.verdict == LoadVerdict::saturated ? 1 : 0;
    coverage.sum += result.latency.mean;
    EXPECT_LE(result.accepted, result.offered);
    if (const std::optional<double> half = result.latency.half_interval) {
      ++coverage.intervals;
      coverage.held += std::abs(result.latency.mean - expected) <= *half ? 1 : 0;
    }
  }
  return coverage;
}

// An interval of 95 % is given where it holds the mean as often, and else none.
TEST(LoadRun, IntervalsHoldTheWaitOfASingleQueue)
{
  struct Case {
    double rho = 0;
    std::uint64_t messages = 0;
    bool long_enough = true;
  };
  constexpr std::uint64_t seeds = 100;
  for (const Case& window : {Case{0.5, 2000}, Case{0.5, 10'000}, Case{0.8, 2000, false}, Case{0.8, 20'000},
                             Case{0.9, 2000, false}, Case{0.9, 60'000}}) {
    TrafficParameters traffic = traffic_of("uniform", 8);
    traffic.warm_up = std::uint64_t{5000};
    traffic.measure = window.messages;
    const Coverage coverage = coverage_of_pair(window.rho, traffic, seeds);
    EXPECT_EQ(coverage.saturated, 0) << window.rho << " " << window.messages;
    if (!window.long_enough) {
      EXPECT_EQ(coverage.intervals, 0) << window.rho << " " << window.messages;
      continue;
    }
    EXPECT_GE(coverage.intervals, 0.95 * seeds) << window.rho << " " << window.messages;
    EXPECT_GE(coverage.held, 0.89 * coverage.intervals) << window.rho << " " << window.messages;
    EXPECT_LE(coverage.held, 0.99 * coverage.intervals) << window.rho << " " << window.messages;
    EXPECT_NEAR(coverage.sum / seeds / time_of_pair(window.rho), 1, 0.02) << window.rho << " " << window.messages;
  }
}

// The same of windows that end when their interval is small enough: the end must not pick small intervals.
TEST(LoadRun, AutomaticIntervalsHoldTheWaitOfASingleQueue)
{
  constexpr std::uint64_t seeds = 100;
  for (const double rho : {0.5, 0.8, 0.9}) {
    TrafficParameters traffic = traffic_of("uniform", 8);
    traffic.precision = 0.2;
    const Coverage coverage = coverage_of_pair(rho, traffic, seeds);
    EXPECT_GE(coverage.intervals, 0.98 * seeds) << rho;
    EXPECT_GE(coverage.held, 0.89 * coverage.intervals) << rho;
    EXPECT_LE(coverage.held, 0.99 * coverage.intervals) << rho;
  }
}

TEST(LoadRun, AutomaticMeasurementReachesItsPrecision)
{
  const auto pair = grid_of("mesh", {2});
  TrafficParameters traffic = traffic_of("uniform", 8);
  for (const double rho : {0.3, 0.6, 0.8}) {
    const double expected = 8000 * (1 + rho / (2 * (1 - rho)));
    const LoadResult result = simulate_load(*pair, plain_network(), traffic, rho, seeded(3));
    EXPECT_TRUE(result.stable()) << rho;
    EXPECT_LE(result.latency.half_interval.value_or(1e9), 0.02 * result.latency.mean) << rho;
    EXPECT_NEAR(result.latency.mean / expected, 1, 0.04) << rho;
    EXPECT_GE(result.batches, 8U);
  }
}

/// Messages of 8 ns to each other in bursts of twice a channel's rate: 50 messages on average in a tenth of the time.
TrafficParameters bursts_of_pair()
{
  TrafficParameters traffic = traffic_of("uniform", 8, Arrival::on_off);
  traffic.burst = 50;
  traffic.duty = 0.1;
  traffic.precision = 0.1;
  return traffic;
}

// Batches are long enough for the bursts in them: the interval holds what a long run says as often as it claims to,
// and a burst at the end of a window is not taken for a queue that grows.
TEST(LoadRun, BatchesAreLongerThanBursts)
{
  const auto pair = grid_of("mesh", {2});
  constexpr double rho = 0.2;
  TrafficParameters traffic = bursts_of_pair();
  traffic.warm_up = std::uint64_t{5000};
  traffic.measure = std::uint64_t{1'000'000};
  double expected = 0;
  for (std::uint64_t seed = 1001; seed <= 1003; ++seed) {
    expected += simulate_load(*pair, plain_network(), traffic, rho, seeded(seed)).latency.mean / 3;
  }
  int within = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const LoadResult result = simulate_load(*pair, plain_network(), bursts_of_pair(), rho, seeded(seed));
    EXPECT_TRUE(result.stable()) << seed;
    // A burst and its pause: 50 messages of 8 ns at a fifth of the rate.
    EXPECT_GE(static_cast<double>(result.measured.picoseconds) / result.batches, 10 * 50 * 8000 / rho);
    within += std::abs(result.latency.mean - expected) <= result.latency.half_interval.value_or(0) ? 1 : 0;
  }
  EXPECT_GE(within, 53); // of intervals of 95 %
}

// A window of given length has 64 batches; where these are too short for the bursts in them several make one mean.
TEST(LoadRun, ShortBatchesOfAFixedWindowAreJoined)
{
  const auto pair = grid_of("mesh", {2});
  TrafficParameters traffic = bursts_of_pair();
  traffic.warm_up = std::uint64_t{2000};
  // 200 bursts of 50 messages of each of the two nodes, one message in 40 ns: 12.5 for each mean.
  const std::vector<Extent> windows = {Extent(Time{400'000'000}), Extent(std::uint64_t{20'000})};
  for (const Extent& window : windows) {
    traffic.measure = window;
    const LoadResult result = simulate_load(*pair, plain_network(), traffic, 0.2, seeded(2));
    EXPECT_GE(result.batches, 8U);
    EXPECT_LE(result.batches, 16U);
    EXPECT_GT(result.latency.half_interval.value_or(0), 0);
  }
  traffic.arrival = Arrival::poisson;
  EXPECT_EQ(simulate_load(*pair, plain_network(), traffic, 0.2, seeded(2)).batches, 32U);
  // Bursts longer than all that is measured: an end, and no interval.
  TrafficParameters endless = bursts_of_pair();
  endless.burst = 1e6;
  endless.duty = 0.5;
  const LoadResult result = simulate_load(*pair, plain_network(), endless, 0.2, seeded(2));
  EXPECT_LT(result.all_messages, 20'000'000U);
  EXPECT_FALSE(result.latency.half_interval);
  EXPECT_FALSE(result.stable());
}

TEST(LoadRun, SaturationOfASingleQueueIsAtItsRate)
{
  const auto pair = grid_of("mesh", {2});
  TrafficParameters traffic = traffic_of("uniform", 8);
  traffic.precision = 0.05;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_TRUE(simulate_load(*pair, plain_network(), traffic, 0.9, seeded(seed)).stable()) << seed;
    const LoadResult above = simulate_load(*pair, plain_network(), traffic, 1.05, seeded(seed));
    EXPECT_EQ(above.verdict, LoadVerdict::saturated) << seed;
    EXPECT_LE(above.accepted, 1.05) << seed;
    EXPECT_NEAR(above.delivered, 1, 0.01) << seed;
    EXPECT_NEAR(above.accepted, 1, 0.025) << seed; // as far as what was generated is what was offered
  }
}

// Next to and at the load that a queue carries, windows are too short for either verdict.
TEST(LoadRun, AWindowThatIsTooShortDecidesNothing)
{
  const auto pair = grid_of("mesh", {2});
  TrafficParameters traffic = traffic_of("uniform", 8);
  traffic.measure = std::uint64_t{2000};
  int undecided = 0;
  for (const double rho : {0.95, 0.99, 1.0}) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const LoadResult result = simulate_load(*pair, plain_network(), traffic, rho, seeded(seed));
      EXPECT_FALSE(result.stable()) << rho << " " << seed;
      EXPECT_LE(result.accepted, rho);
      undecided += result.verdict == LoadVerdict::undecided ? 1 : 0;
    }
  }
  EXPECT_GE(undecided, 118); // of 120
  // A handful of messages: whatever happens to them.
  traffic.measure = Time{1'000'000};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const LoadResult result = simulate_load(*pair, plain_network(), traffic, 0.2, seeded(seed));
    EXPECT_EQ(result.verdict, LoadVerdict::undecided) << seed;
    EXPECT_EQ(result.undecided_by, UndecidedBy::messages) << seed;
  }
}

TEST(LoadRun, AShortDrainIsNoSaturation)
{
  const auto mesh = grid_of("mesh", {4, 4});
  NetworkParameters network = plain_network();
  network.startup = Time{100'000}; // about six messages are in flight at any time
  TrafficParameters traffic = traffic_of("uniform", 8);
  traffic.drain = Time{0};
  traffic.measure = std::uint64_t{10'000};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const LoadResult result = simulate_load(*mesh, network, traffic, 0.03, seeded(seed));
    EXPECT_EQ(result.verdict, LoadVerdict::undecided) << seed;
    EXPECT_EQ(result.undecided_by, UndecidedBy::drain) << seed;
  }
}

TEST(LoadRun, PeriodicMessagesOfASingleQueueNeverWait)
{
  const auto pair = grid_of("mesh", {2});
  TrafficParameters traffic = traffic_of("uniform", 8, Arrival::periodic);
  traffic.measure = Time{100'000'000};
  const LoadResult result = simulate_load(*pair, plain_network(), traffic, 0.95, {});
  EXPECT_EQ(result.latency.largest, 8000);
  EXPECT_EQ(result.latency.mean, 8000);
  EXPECT_TRUE(result.stable());
  EXPECT_EQ(result.accepted, 0.95);
  EXPECT_NEAR(result.delivered, 0.95, 0.001);
  EXPECT_NEAR(result.busy_most, 0.95, 0.001);
  EXPECT_EQ(result.hops, 1);
  EXPECT_TRUE(result.waits.none());
}

TEST(LoadRun, ARingWithOneVirtualChannelComesToAStop)
{
  const auto ring = grid_of("torus", {8});
  TrafficParameters traffic = traffic_of("tornado", 64);
  const LoadResult stopped = simulate_load(*ring, plain_network(), traffic, 0.4, {});
  ASSERT_TRUE(stopped.deadlock);
  EXPECT_GE(stopped.deadlock->cycle.size(), 2U);
  NetworkParameters two = plain_network();
  two.virtual_channels = 2;
  EXPECT_FALSE(simulate_load(*ring, two, traffic, 0.1, {}).deadlock);
}

// Two engines, the same times.
TEST(LoadRun, EnginesAgree)
{
  const auto mesh = grid_of("mesh", {4, 4});
  TrafficParameters traffic = traffic_of("uniform", 12);
  traffic.include_self = true;
  traffic.warm_up = std::uint64_t{500};
  traffic.measure = std::uint64_t{5000};
  const auto run = [&](const NetworkParameters& network, EngineChoice engine) {
    RunParameters parameters;
    parameters.engine = engine;
    return simulate_load(*mesh, network, traffic, 0.3, parameters);
  };
  const LoadResult worm = run(plain_network(), EngineChoice::worm);
  const LoadResult flit = run(plain_network(), EngineChoice::flit);
  EXPECT_EQ(worm.latency.mean, flit.latency.mean);
  EXPECT_EQ(worm.latency.largest, flit.latency.largest);
  EXPECT_EQ(worm.waits, flit.waits);
  const NetworkParameters pipeline = booksim_network(1, false, true);
  traffic.measure = std::uint64_t{1000};
  const LoadResult closed_form = run(pipeline, EngineChoice::worm);
  const LoadResult cycles = run(pipeline, EngineChoice::cycle);
  EXPECT_EQ(closed_form.latency.mean, cycles.latency.mean);
  EXPECT_EQ(closed_form.accepted, cycles.accepted);
}

// BookSim2 (git 28f43299): 8 x 8 mesh, uniform (its figures fit traffic without messages to
// the sender itself), bernoulli, buffers of 8 flits.
struct BookSimCase {
  std::uint32_t virtual_channels;
  std::uint64_t flits;
  bool speculative;
  bool tail_credit;
  double load;
  double expected;
};

LoadResult simulate_booksim(const BookSimCase& run, std::int64_t cycles)
{
  const auto mesh = grid_of("mesh", {8, 8});
  TrafficParameters traffic = traffic_of("uniform", run.flits, Arrival::bernoulli);
  traffic.warm_up = Time{2'000'000};
  traffic.measure = Time{cycles * 1000};
  traffic.drain = Time{1'000'000};
  return simulate_load(*mesh, booksim_network(run.virtual_channels, run.speculative, run.tail_credit), traffic,
                       run.load, {});
}

TEST(LoadRun, AcceptsAsMuchAsBookSim)
{
  for (const BookSimCase& run :
       {BookSimCase{1, 1, true, false, 0.45, 0.375}, BookSimCase{1, 1, true, true, 0.08, 0.055},
        BookSimCase{1, 1, false, false, 0.25, 0.192}, BookSimCase{4, 1, true, false, 0.45, 0.418},
        BookSimCase{1, 5, true, false, 0.36, 0.306}, BookSimCase{4, 5, true, false, 0.45, 0.399}}) {
    const LoadResult result = simulate_booksim(run, 5000);
    EXPECT_EQ(result.verdict, LoadVerdict::saturated) << run.expected;
    EXPECT_NEAR(result.accepted / run.expected, 1, 0.02) << run.expected;
  }
}

TEST(LoadRun, TakesAsLongAsBookSim)
{
  for (const BookSimCase& run : {BookSimCase{1, 1, true, false, 0.15, 21.5}, BookSimCase{4, 5, true, false, 0.2, 31.1},
                                 BookSimCase{4, 5, true, false, 0.35, 48.3}}) {
    const LoadResult result = simulate_booksim(run, 12'000);
    EXPECT_TRUE(result.stable());
    EXPECT_NEAR(result.latency.mean / 1000 / run.expected, 1, 0.03) << run.expected;
  }
}

} // namespace
} // namespace wormcast
