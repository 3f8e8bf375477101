// What a message costs on SimGrid: the online network alone, and the same traffic by actors with mailboxes. Each node
// of a 32 x 32 mesh exchanges messages with its mirror image.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/simulator/online_network.hpp"
#include "wormcast/simulator/simgrid_platform.hpp"
#include "wormcast/simulator/wormhole_model.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <simgrid/s4u.hpp>

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
  const auto topology = make_topology(testing::grid("mesh", {32, 32}));
  const std::uint32_t nodes = topology->node_count();
  std::uint64_t messages = 0;
  for (auto _ : state) {
    OnlineNetwork network(*topology, testing::small_network());
    std::vector<int> sent(nodes, 0);
    std::vector<std::uint32_t> senders(nodes);
    const auto send = [&](std::uint32_t node, std::int64_t time) {
      senders[node] = node;
      network.send(NodeId{node}, NodeId{nodes - 1 - node}, 64, time, &senders[node]);
    };
    for (std::uint32_t node = 0; node < nodes; ++node) {
      send(node, 0);
    }
    network.commit();
    while (network.next_instant()) {
      for (const OnlineNetwork::Delivery& delivery : network.advance()) {
        const std::uint32_t node = *static_cast<std::uint32_t*>(delivery.tag);
        if (++sent[node] < rounds) {
          send(node, network.now());
        }
      }
      network.commit();
    }
    messages += network.message_count();
  }
  report_messages(state, messages);
}
BENCHMARK(exchange_without_simgrid)->Unit(benchmark::kMillisecond)->UseRealTime();

void exchange_by_mailboxes(benchmark::State& state)
{
  const auto topology = make_topology(testing::grid("mesh", {32, 32}));
  const NetworkParameters network = testing::small_network();
  const std::uint32_t nodes = topology->node_count();
  std::uint64_t messages = 0;
  static char payload = 0;
  for (auto _ : state) {
    SimGridPlatform platform(*topology, network);
    const WormholeModel model(platform, network);
    for (std::uint32_t node = 0; node < nodes; ++node) {
      simgrid::s4u::Actor::create("exchanges", &platform.host(NodeId{node}), [node, nodes] {
        auto* const out = simgrid::s4u::Mailbox::by_name(fmt::format("{}", nodes - 1 - node));
        auto* const in = simgrid::s4u::Mailbox::by_name(fmt::format("{}", node));
        for (int i = 0; i < rounds; ++i) {
          const auto going = out->put_async(&payload, 64);
          in->get<char>();
          going->wait();
        }
      });
    }
    platform.run();
    messages += model.network().message_count();
  }
  report_messages(state, messages);
}
BENCHMARK(exchange_by_mailboxes)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace wormcast
