// Speed of router "input_queued": flits over external channels per second on one core, as BookSim2 counts them, at a
// low load and at one that no network of this kind can carry.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

namespace wormcast {
namespace {

// Each of two or more nodes starts a message to a random other one in each cycle with the probability that gives `load`
// flits.
std::vector<testing::Send> uniform_load(std::uint32_t nodes, std::int64_t cycles, std::uint64_t flits, double load)
{
  std::mt19937_64 random(1);
  std::bernoulli_distribution starts(load / static_cast<double>(flits));
  std::vector<testing::Send> sends;
  for (std::int64_t cycle = 0; cycle < cycles; ++cycle) {
    for (std::uint32_t node = 0; node < nodes; ++node) {
      if (starts(random)) {
        const auto away = static_cast<std::uint32_t>(random() % nodes);
        sends.push_back({node, away == node ? (node + 1) % nodes : away, flits, cycle * 1000, {}});
      }
    }
  }
  return sends;
}

void input_queued(benchmark::State& state)
{
  const std::int64_t size = state.range(0);
  const auto description = testing::grid("mesh", {size, size});
  const auto topology = make_topology(description);
  const double load = static_cast<double>(state.range(1)) / 100;
  const std::int64_t cycles = 400'000 / (size * size);
  const Schedule schedule = testing::plain_schedule(
      description, uniform_load(topology->node_count(), cycles, static_cast<std::uint64_t>(state.range(2)), load));
  NetworkParameters network;
  network.router = &find_router("input_queued");
  network.per_byte = Time{1000};
  network.buffer_flits = 8;
  network.virtual_channels = static_cast<std::uint32_t>(state.range(3));
  std::uint64_t link_hops = 0;
  for (auto _ : state) {
    const SimulationResult result = simulate_core(*topology, schedule, network, {.engine = EngineChoice::cycle});
    benchmark::DoNotOptimize(result.latency);
    const std::uint64_t ends = 2 * schedule.messages.size() * static_cast<std::uint64_t>(state.range(2));
    link_hops += result.flit_hops - ends; // without injection and ejection
  }
  const auto total = static_cast<double>(link_hops);
  state.counters["flit_hop/s"] = benchmark::Counter(total, benchmark::Counter::kIsRate);
  state.counters["ns/flit_hop"] =
      benchmark::Counter(total / 1e9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
// Header hops of the engine `worm`, where it is exact.
void input_queued_worms(benchmark::State& state)
{
  const auto description = testing::grid("mesh", {32, 32});
  const auto topology = make_topology(description);
  const Schedule schedule = testing::plain_schedule(
      description, uniform_load(topology->node_count(), 2'000, 20, static_cast<double>(state.range(0)) / 100));
  NetworkParameters network;
  network.router = &find_router("input_queued");
  network.per_byte = Time{1000};
  network.buffer_flits = 8;
  network.pipeline.releases_at_credit = true;
  std::uint64_t hops = 0;
  for (auto _ : state) {
    hops += simulate_core(*topology, schedule, network, {.engine = EngineChoice::worm}).header_hops;
  }
  state.counters["header_hop/s"] = benchmark::Counter(static_cast<double>(hops), benchmark::Counter::kIsRate);
}
BENCHMARK(input_queued_worms)->ArgName("load_percent")->Arg(5)->Arg(60)->Unit(benchmark::kMillisecond)->UseRealTime();

BENCHMARK(input_queued)
    ->ArgNames({"size", "load_percent", "flits", "virtual_channels"})
    ->ArgsProduct({{8, 32}, {5, 60}, {1, 20}, {4}})
    ->Args({32, 5, 20, 1})
    ->Args({32, 60, 20, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace
} // namespace wormcast
