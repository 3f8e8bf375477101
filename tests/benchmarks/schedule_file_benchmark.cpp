// Schedules written to files and read from them, all in memory.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/file.hpp"

#include <benchmark/benchmark.h>

#include <sstream>
#include <streambuf>

namespace wormcast {
namespace {

// Takes everything and keeps nothing.
class NoBuffer : public std::streambuf {
protected:
  int_type overflow(int_type character) override { return traits_type::not_eof(character); }
  std::streamsize xsputn(const char*, std::streamsize size) override { return size; }
};

Schedule message_list(std::uint32_t messages, std::uint32_t waits)
{
  constexpr std::uint32_t nodes = 256;
  std::vector<testing::Send> sends;
  for (std::uint32_t id = 0; id < messages; ++id) {
    const std::uint32_t source = id * 7919 % nodes;
    sends.push_back({source, (source + 1 + id % 97) % nodes, 1 + id % 4096, std::int64_t{id} * 10'000});
    for (std::uint32_t earlier = 1; earlier <= waits && earlier <= id; ++earlier) {
      sends.back().after.push_back(id - earlier);
    }
  }
  return testing::plain_schedule(testing::grid("mesh", {16, 16}), sends);
}

Schedule recursion_based(std::int64_t side)
{
  const auto topology = make_topology(testing::grid("mesh", {side, side}));
  ScheduleRequest request;
  request.message_bytes = 4096;
  return make_schedule(find_algorithm("recursion_based"), *topology, request);
}

void measure_writing(benchmark::State& state, const Schedule& schedule)
{
  NoBuffer nowhere;
  std::ostream out(&nowhere);
  for (auto _ : state) {
    write_schedule(schedule, out);
  }
  state.counters["messages"] =
      benchmark::Counter(static_cast<double>(schedule.messages.size()), benchmark::Counter::kIsIterationInvariantRate);
}

void measure_reading(benchmark::State& state, const Schedule& schedule)
{
  std::stringstream file;
  write_schedule(schedule, file);
  for (auto _ : state) {
    file.clear();
    file.seekg(0);
    if (read_schedule(file, "benchmark").messages.size() != schedule.messages.size()) {
      state.SkipWithError("not all was read");
    }
  }
  state.counters["messages"] =
      benchmark::Counter(static_cast<double>(schedule.messages.size()), benchmark::Counter::kIsIterationInvariantRate);
}

constexpr std::uint32_t million = 1'000'000;

void write_message_list(benchmark::State& state)
{
  measure_writing(state, message_list(million, static_cast<std::uint32_t>(state.range(0))));
}
BENCHMARK(write_message_list)->ArgName("after")->Arg(0)->Arg(2)->Unit(benchmark::kMillisecond);

void read_message_list(benchmark::State& state)
{
  measure_reading(state, message_list(million, static_cast<std::uint32_t>(state.range(0))));
}
BENCHMARK(read_message_list)->ArgName("after")->Arg(0)->Arg(2)->Unit(benchmark::kMillisecond);

void write_recursion_based(benchmark::State& state)
{
  measure_writing(state, recursion_based(state.range(0)));
}
BENCHMARK(write_recursion_based)->ArgName("side")->Arg(256)->Unit(benchmark::kMillisecond);

void read_recursion_based(benchmark::State& state)
{
  measure_reading(state, recursion_based(state.range(0)));
}
BENCHMARK(read_recursion_based)->ArgName("side")->Arg(256)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace wormcast
