// Speed of the engines: header hops (worm) and flit hops (flit) per second on one core, and that the cost of a
// broadcast under `worm` does not depend on its length.

#include "tests/benchmarks/uniform_traffic.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <benchmark/benchmark.h>

namespace wormcast {
namespace {

using testing::grid;
using testing::network_in_ns;
using testing::uniform_traffic;

void report(benchmark::State& state, const char* unit, std::uint64_t hops)
{
  const auto total = static_cast<double>(hops);
  state.counters[std::string(unit) + "/s"] = benchmark::Counter(total, benchmark::Counter::kIsRate);
  state.counters[std::string("ns/") + unit] =
      benchmark::Counter(total / 1e9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void random_worms(benchmark::State& state, bool simgrid)
{
  const auto description = grid("mesh", {32, 32});
  const auto topology = make_topology(description);
  const Schedule schedule = uniform_traffic(200'000, 64, 50'000);
  const NetworkParameters network = network_in_ns(1, 1, 1);
  std::uint64_t hops = 0;
  for (auto _ : state) {
    const RunParameters run{.engine = EngineChoice::worm};
    const SimulationResult result =
        simgrid ? simulate(*topology, schedule, network, run) : simulate_core(*topology, schedule, network, run);
    hops += result.header_hops;
  }
  report(state, "header_hop", hops);
}

void worm_random_traffic_on_simgrid(benchmark::State& state)
{
  random_worms(state, true);
}
BENCHMARK(worm_random_traffic_on_simgrid)->Unit(benchmark::kMillisecond)->UseRealTime();

void worm_random_traffic_engine_alone(benchmark::State& state)
{
  random_worms(state, false);
}
BENCHMARK(worm_random_traffic_engine_alone)->Unit(benchmark::kMillisecond)->UseRealTime();

void random_flits(benchmark::State& state, std::uint32_t virtual_channels)
{
  const auto description = grid("mesh", {32, 32});
  const auto topology = make_topology(description);
  const Schedule schedule = uniform_traffic(5'000, 64, 50'000);
  NetworkParameters network = network_in_ns(1, 1, 1);
  network.virtual_channels = virtual_channels;
  std::uint64_t hops = 0;
  for (auto _ : state) {
    hops += simulate(*topology, schedule, network, {.engine = EngineChoice::flit}).flit_hops;
  }
  report(state, "flit_hop", hops);
}

void flit_random_traffic(benchmark::State& state)
{
  random_flits(state, static_cast<std::uint32_t>(state.range(0)));
}
BENCHMARK(flit_random_traffic)
    ->ArgName("virtual_channels")
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Steps full of contention, by as many threads.
void all_to_all_in_lockstep(benchmark::State& state)
{
  const auto topology = make_topology(grid("mesh", {48, 48}));
  ScheduleRequest request;
  request.message_bytes = 64;
  const Schedule schedule = make_schedule(find_algorithm("pairwise_exchange"), *topology, request);
  const RunParameters run{.engine = EngineChoice::worm, .threads = static_cast<std::uint32_t>(state.range(0))};
  std::uint64_t hops = 0;
  for (auto _ : state) {
    hops += simulate_core(*topology, schedule, network_in_ns(1000, 1, 1), run).header_hops;
  }
  report(state, "header_hop", hops);
}
BENCHMARK(all_to_all_in_lockstep)->ArgName("threads")->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

// One broadcast to 1024 nodes, schedule included; the times of 64 B and 1 GiB are to be the same.
void broadcast_1024(benchmark::State& state, const std::string& algorithm)
{
  const auto topology = make_topology(grid("mesh", {32, 32}));
  ScheduleRequest request;
  request.message_bytes = static_cast<std::uint64_t>(state.range(0));
  const NetworkParameters network = network_in_ns(1500, 1, 1);
  for (auto _ : state) {
    const Schedule schedule = make_schedule(find_algorithm(algorithm), *topology, request);
    benchmark::DoNotOptimize(simulate(*topology, schedule, network, {.engine = EngineChoice::worm}).latency);
  }
}

void lengths(benchmark::internal::Benchmark* benchmark)
{
  benchmark->ArgName("bytes")->Arg(64)->Arg(1 << 30)->Unit(benchmark::kMillisecond)->UseRealTime();
}
BENCHMARK_CAPTURE(broadcast_1024, recursive_doubling, "recursive_doubling")->Apply(lengths);
BENCHMARK_CAPTURE(broadcast_1024, scatter_collect, "scatter_collect")->Apply(lengths);
BENCHMARK_CAPTURE(broadcast_1024, recursion_based, "recursion_based")->Apply(lengths);

} // namespace
} // namespace wormcast
