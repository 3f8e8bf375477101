// The whole program, start-up and SimGrid platform included: wall time and peak memory of one command.

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

// Runs `wormcast run` on a config with its output thrown away. Peak resident memory in MB, or -1 if it failed.
double run_program(const std::filesystem::path& config)
{
  const pid_t child = fork();
  if (child == 0) {
    const int sink = open("/dev/null", O_WRONLY);
    dup2(sink, STDOUT_FILENO);
    execl(WORMCAST_PROGRAM, "wormcast", "run", config.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? static_cast<double>(usage.ru_maxrss) / 1024 : -1;
}

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
    peak = std::max(peak, run_program(config));
    if (peak < 0) {
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
