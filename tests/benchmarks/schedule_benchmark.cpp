// Making and verifying schedules.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <benchmark/benchmark.h>

namespace wormcast {
namespace {

void make_and_check(benchmark::State& state, const std::string& algorithm)
{
  const std::int64_t side = state.range(0);
  const auto topology = make_topology(testing::grid("mesh", {side, side}));
  ScheduleRequest request;
  request.message_bytes = std::uint64_t{1} << 20;
  for (auto _ : state) {
    const Schedule schedule = make_schedule(find_algorithm(algorithm), *topology, request);
    if (!check_schedule(*topology, schedule).valid()) {
      state.SkipWithError("the schedule is not valid");
    }
  }
}
BENCHMARK_CAPTURE(make_and_check, recursive_doubling, "recursive_doubling")
    ->ArgName("side")
    ->Arg(32)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(make_and_check, recursion_based, "recursion_based")
    ->ArgName("side")
    ->Arg(32)
    ->Arg(1024)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(make_and_check, pairwise_exchange, "pairwise_exchange")
    ->ArgName("side")
    ->Arg(32)
    ->Arg(48)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(make_and_check, scatter_collect, "scatter_collect")
    ->ArgName("side")
    ->Arg(32)
    ->Arg(128)
    ->Unit(benchmark::kMillisecond);

void make_and_check_total_exchange(benchmark::State& state)
{
  TopologyDescription description;
  description.kind = "hypercube";
  description.parameters.set("dimension", std::int64_t{state.range(0)});
  const auto topology = make_topology(description);
  ScheduleRequest request;
  request.ports.count = PortModel::all;
  for (auto _ : state) {
    const Schedule schedule = make_schedule(find_algorithm("total_exchange"), *topology, request);
    if (!check_schedule(*topology, schedule).valid()) {
      state.SkipWithError("the schedule is not valid");
    }
  }
}
BENCHMARK(make_and_check_total_exchange)->ArgName("dimension")->Arg(8)->Arg(10)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace wormcast
