// The least latency of a schedule bounds what the engines measure, and is it where nobody waits for a channel.

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/experiments/compare/least_latency.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/registry.hpp"

#include <gtest/gtest.h>

namespace wormcast {
namespace {

std::shared_ptr<const Topology> mesh(std::vector<std::int64_t> dims)
{
  TopologyDescription description;
  description.kind = "mesh";
  description.parameters.set("dims", std::move(dims));
  return make_topology(description);
}

NetworkParameters network_of(std::uint64_t buffer_flits)
{
  NetworkParameters network;
  network.startup = Time{1'200'000};
  network.per_byte = Time{100};
  network.per_hop = Time{30'000};
  network.flit_bytes = 16;
  network.buffer_flits = buffer_flits;
  return network;
}

Schedule schedule_of(const Topology& topology, const std::string& algorithm, std::uint64_t bytes)
{
  ScheduleRequest request;
  request.message_bytes = bytes;
  const Algorithm& made = find_algorithm(algorithm);
  for (const Parameter& parameter : made.parameters) {
    if (parameter.fallback) {
      request.parameters.set(parameter.name, *parameter.fallback);
    }
  }
  return make_schedule(made, topology, request);
}

class LeastLatency : public ::testing::TestWithParam<std::tuple<std::string, std::uint64_t, Mode>> {};

TEST_P(LeastLatency, IsNotAboveTheLatency)
{
  const auto& [algorithm, buffer_flits, mode] = GetParam();
  const auto topology = mesh({6, 5});
  const NetworkParameters network = network_of(buffer_flits);
  for (const std::uint64_t bytes : {1U, 16U, 17U, 400U, 4096U, 20000U}) {
    const Schedule schedule = schedule_of(*topology, algorithm, bytes);
    RunParameters run;
    run.mode = mode;
    run.engine = EngineChoice::flit;
    const SimulationResult result = simulate_core(*topology, schedule, network, run);
    ASSERT_TRUE(result.latency) << algorithm << " " << bytes;
    const auto bound = least_latency(*topology, schedule, network, run);
    ASSERT_TRUE(bound);
    EXPECT_LE(*bound, result.latency->picoseconds) << algorithm << " " << bytes;
    EXPECT_GT(*bound, result.latency->picoseconds / 4) << algorithm << " " << bytes;
    if (result.contention.none()) {
      EXPECT_EQ(*bound, result.latency->picoseconds) << algorithm << " " << bytes;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Broadcasts, LeastLatency,
    ::testing::Combine(::testing::Values("binomial_tree", "recursive_doubling", "scatter_collect", "flooding"),
                       ::testing::Values(2, 16, 19), ::testing::Values(Mode::lockstep, Mode::self_timed)));

TEST(LeastLatencyOf, OneMessageIsWhatItTakesAlone)
{
  const auto topology = mesh({8});
  for (const std::uint64_t buffer_flits : {2U, 4U, 16U, 19U}) {
    const NetworkParameters network = network_of(buffer_flits);
    for (const std::uint64_t flits : {1U, 2U, 3U, 16U, 17U, 18U, 33U, 100U, 1000U}) {
      for (const std::uint32_t hops : {1U, 2U, 5U}) {
        Schedule schedule;
        schedule.topology = topology->description();
        schedule.message_bytes = 16 * flits;
        Message message;
        message.source = NodeId{0};
        message.destination = NodeId{hops};
        message.blocks = schedule.block_sets.intern(BlockRange{0, 1});
        schedule.messages.push_back(message);
        RunParameters run;
        run.engine = EngineChoice::flit;
        const SimulationResult result = simulate_core(*topology, schedule, network, run);
        EXPECT_EQ(result.latency->picoseconds, port_time_alone(network, hops, flits) + std::int64_t{30'000} * hops);
        EXPECT_EQ(least_latency(*topology, schedule, network, run), result.latency->picoseconds);
      }
    }
  }
}

TEST(LeastLatencyOf, RandomRunsIsNotKnown)
{
  const auto topology = mesh({4, 4});
  RunParameters run;
  run.start_jitter = Time{1000};
  EXPECT_FALSE(least_latency(*topology, schedule_of(*topology, "binomial_tree", 64), network_of(16), run));
}

} // namespace
} // namespace wormcast
