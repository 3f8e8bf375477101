// Speed of networks under load: messages and hops per second on one core, with a message source that goes on.

#include "tests/simulator/traffic/networks.hpp"

#include <benchmark/benchmark.h>

namespace wormcast {
namespace {

void count(benchmark::State& state, const LoadResult& result)
{
  state.counters["message/s"] +=
      benchmark::Counter(static_cast<double>(result.all_messages), benchmark::Counter::kIsRate);
  state.counters["header_hop/s"] +=
      benchmark::Counter(static_cast<double>(result.header_hops), benchmark::Counter::kIsRate);
  state.counters["flit_hop/s"] +=
      benchmark::Counter(static_cast<double>(result.flit_hops), benchmark::Counter::kIsRate);
}

// Arguments: flits, load in hundredths, virtual channels; 8 x 8 mesh, uniform, bernoulli, with messages to the sender.
void under_load(benchmark::State& state, const NetworkParameters& network)
{
  const auto mesh = testing::grid_of("mesh", {8, 8});
  TrafficParameters traffic =
      testing::traffic_of("uniform", static_cast<std::uint64_t>(state.range(0)), Arrival::bernoulli);
  traffic.include_self = true;
  traffic.warm_up = std::uint64_t{1000};
  traffic.measure = std::uint64_t{100'000};
  for (auto _ : state) {
    count(state, simulate_load(*mesh, network, traffic, static_cast<double>(state.range(1)) / 100, {}));
  }
}

void load_wormhole(benchmark::State& state)
{
  NetworkParameters network = testing::plain_network();
  network.virtual_channels = static_cast<std::uint32_t>(state.range(2));
  network.buffer_flits = 8;
  under_load(state, network);
}

void load_input_queued(benchmark::State& state)
{
  under_load(state, testing::booksim_network(static_cast<std::uint32_t>(state.range(2)), true, false));
}

BENCHMARK(load_wormhole)->Args({1, 15, 1})->Args({5, 15, 1})->Args({5, 15, 4})->Unit(benchmark::kMillisecond);
BENCHMARK(load_input_queued)->Args({1, 15, 1})->Args({1, 35, 1})->Args({5, 35, 4})->Unit(benchmark::kMillisecond);

} // namespace
} // namespace wormcast
