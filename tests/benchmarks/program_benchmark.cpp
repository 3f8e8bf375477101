// The whole program, start-up and SimGrid platform included: wall time and peak memory of one command.

#include "tests/benchmarks/child_process.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace {

void program_run(benchmark::State& state, const std::string& algorithm)
{
  const std::string side = std::to_string(state.range(0));
  const auto config =
      std::filesystem::temp_directory_path() / ("wormcast_benchmark_" + std::to_string(getpid()) + ".toml");
  std::ofstream(config) << "[topology]\nkind = \"mesh\"\ndims = [" << side << ", " << side
                        << "]\n[network]\nstartup = \"150us\"\nper_byte = \"0.5us\"\n[algorithm]\nname = \""
                        << algorithm << "\"\n[message]\nbytes = \"4KiB\"\n";
  double peak = 0;
  for (auto _ : state) {
    const wormcast::testing::ProcessCost cost = wormcast::testing::run_program({"run", config});
    peak = std::max(peak, cost.peak_megabytes);
    if (!cost.ok) {
      state.SkipWithError("the program failed");
    }
  }
  state.counters["peak_MB"] = peak;
  std::filesystem::remove(config);
}
BENCHMARK_CAPTURE(program_run, recursive_doubling, "recursive_doubling")
    ->ArgName("side")
    ->Arg(4)
    ->Arg(32)
    ->Arg(512)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(program_run, scatter_collect, "scatter_collect")
    ->ArgName("side")
    ->Arg(32)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(program_run, recursion_based, "recursion_based")
    ->ArgName("side")
    ->Arg(32)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace
