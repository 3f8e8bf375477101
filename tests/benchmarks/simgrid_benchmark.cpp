// What a message costs on SimGrid: the online network alone, and the same traffic by actors with mailboxes.

#include "tests/benchmarks/exchange.hpp"

#include <benchmark/benchmark.h>

namespace wormcast {
namespace {

constexpr int rounds = 100;

void report_messages(benchmark::State& state, std::uint64_t messages)
{
  const auto total = static_cast<double>(messages);
  state.counters["us/message"] =
      benchmark::Counter(total / 1e6, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void exchange_without_simgrid(benchmark::State& state)
{
  std::uint64_t messages = 0;
  for (auto _ : state) {
    messages += testing::exchange_online(rounds);
  }
  report_messages(state, messages);
}
BENCHMARK(exchange_without_simgrid)->Unit(benchmark::kMillisecond)->UseRealTime();

void exchange_by_mailboxes(benchmark::State& state)
{
  std::uint64_t messages = 0;
  for (auto _ : state) {
    messages += testing::exchange_by_mailboxes(rounds);
  }
  report_messages(state, messages);
}
BENCHMARK(exchange_by_mailboxes)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace wormcast
