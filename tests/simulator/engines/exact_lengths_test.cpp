// Messages whose last flit takes the time of its bytes (network.last_flit = "exact"), and bytes that take fractions of
// a picosecond: a message takes ceil(L*T_c) on a channel, rounded once, whatever its flits are.

#include "tests/simulator/critical_path/explained_run.hpp"
#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

namespace wormcast {
namespace {

using testing::explained_run;
using testing::ExplainedRun;
using testing::grid;
using ::testing::HasSubstr;
using testing::plain_schedule;

const TopologyDescription line_of_4 = grid("mesh", {4});

/// 6.35 GB/s, as nearly as one decimal says it: 157.5 ps for a byte.
NetworkParameters fractional(std::uint64_t flit_bytes)
{
  NetworkParameters network;
  network.startup = Time{1000};
  network.per_hop = Time{100};
  network.per_byte = ByteTime(315, 2);
  network.flit_bytes = flit_bytes;
  network.last_flit = LastFlit::exact;
  network.buffer_flits = 8;
  return network;
}

RunParameters run_by(const char* engine)
{
  RunParameters run;
  run.engine = EngineChoice(engine);
  return run;
}

std::int64_t latency(const NetworkParameters& network, std::uint64_t bytes, const char* engine, std::uint32_t to = 3)
{
  const auto topology = make_topology(line_of_4);
  return simulate_core(*topology, plain_schedule(line_of_4, {{0, to, bytes}}), network, run_by(engine))
      .latency.value()
      .picoseconds;
}

// 1000003 bytes are 62500 flits of 16 bytes and 3 bytes.
TEST(ExactLengths, OfAMillionAndThreeBytes)
{
  NetworkParameters network = fractional(16);
  EXPECT_EQ(latency(network, 1'000'003, "worm"), 1000 + 3 * 100 + 157'500'473); // 157500472.5
  network.last_flit = LastFlit::padded;
  EXPECT_EQ(latency(network, 1'000'003, "worm"), 1000 + 3 * 100 + 157'502'520); // 62501 flits of 2520 ps
  network.per_byte = Time{158};
  network.last_flit = LastFlit::exact;
  EXPECT_EQ(latency(network, 1'000'003, "worm"), 1000 + 3 * 100 + 1'000'003 * 158);
}

TEST(ExactLengths, AMessageWithoutBytesIsAHeaderFlit)
{
  for (const char* engine : {"worm", "flit"}) {
    EXPECT_EQ(latency(fractional(16), 0, engine), 1000 + 3 * 100 + 2520);
    EXPECT_EQ(latency(fractional(16), 1, engine), 1000 + 3 * 100 + 158); // 157.5
    EXPECT_EQ(latency(fractional(16), 16, engine), 1000 + 3 * 100 + 2520);
  }
}

// Neither the size of flits nor that of buffers nor the way decides about the rounding.
RC_GTEST_PROP(ExactLengths, AreRoundedOnceByEveryEngine, ())
{
  const auto denominator = *rc::gen::element<std::int64_t>(1, 2, 4, 5, 8, 100);
  NetworkParameters network;
  network.startup = Time{*rc::gen::inRange(0, 100)};
  network.per_byte = ByteTime(*rc::gen::inRange<std::int64_t>(1, 1000), denominator);
  network.flit_bytes = static_cast<std::uint64_t>(network.per_byte.bytes()) * *rc::gen::inRange<std::uint64_t>(1, 20);
  network.last_flit = LastFlit::exact;
  network.switching = *rc::gen::element(Switching::wormhole, Switching::cut_through, Switching::store_and_forward);
  network.hold = *rc::gen::element(Hold::tail, Hold::path);
  network.per_hop = Time{*rc::gen::inRange<std::int64_t>(0, network.flit_time().picoseconds + 1)};
  const auto bytes = *rc::gen::inRange<std::uint64_t>(1, 3000);
  const auto hops = *rc::gen::inRange<std::uint32_t>(1, 4);
  // Exact arithmetic in 128 bits, apart from the library's.
  __extension__ using Wide = __int128;
  const auto length = static_cast<std::int64_t>(
      (Wide{bytes} * network.per_byte.picoseconds() + network.per_byte.bytes() - 1) / network.per_byte.bytes());
  const std::int64_t channels = network.switching == Switching::store_and_forward ? hops : 1;
  const std::int64_t expected = network.startup.picoseconds + hops * network.per_hop.picoseconds + channels * length;
  RC_ASSERT(latency(network, bytes, "worm", hops) == expected);
  RC_ASSERT(latency(network, bytes, "flit", hops) == expected);
}

// Two messages that share a port and a channel: the second starts when the first has left, to the picosecond.
TEST(ExactLengths, AreThoseOfWhatWaitsBehind)
{
  const auto topology = make_topology(line_of_4);
  const Schedule schedule = plain_schedule(line_of_4, {{0, 1, 33}, {0, 1, 33}});
  for (const char* engine : {"worm", "flit"}) {
    const SimulationResult result = simulate_core(*topology, schedule, fractional(16), run_by(engine));
    const std::int64_t length = 5198; // 33 * 157.5 = 5197.5
    EXPECT_EQ(result.delivered[0].value(), Time{1000 + 100 + length}) << engine;
    // The tail leaves the port's buffer with its crossing of the channel behind.
    EXPECT_EQ(result.delivered[1].value(), Time{1000 + length + 1000 + 100 + length}) << engine;
  }
}

TEST(ExactLengths, AreExplained)
{
  const auto topology = make_topology(line_of_4);
  const Schedule schedule = plain_schedule(line_of_4, {{0, 3, 1001}, {0, 1, 33}, {1, 3, 77}});
  for (const Switching switching : {Switching::wormhole, Switching::store_and_forward}) {
    for (const std::uint64_t buffer : {1, 8}) {
      NetworkParameters network = fractional(2);
      network.switching = switching;
      network.buffer_flits = buffer;
      network.per_hop = Time{400}; // more than one flit
      const ExplainedRun run = explained_run(*topology, schedule, network, {});
      EXPECT_EQ(std::accumulate(run.path->sums.begin(), run.path->sums.end(), Time{}), run.result.latency);
    }
  }
}

TEST(ExactLengths, NeedFlitsOfWholePicoseconds)
{
  EXPECT_THAT(
      input_error([] { latency(fractional(3), 10, "worm"); }),
      HasSubstr("flit_bytes: found 3, but with per_byte = 157.5ps a flit takes a whole number of picoseconds only "
                "if it has a multiple of 2 bytes; expected flit_bytes such as 4"));
}

} // namespace
} // namespace wormcast
