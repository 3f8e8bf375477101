#include "tests/simulator/engines/input_queued/slow_runs.hpp"

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/simulator/engines/input_queued/grid_ports.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/random/seeded_random.hpp"
#include "wormcast/topologies/grid.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <sstream>
#include <utility>

namespace wormcast::testing {

namespace {

constexpr std::uint64_t routing_seed = 5;

void show(const SlowTimes& time, std::ostream& out)
{
  out << time.head_injected << ' ' << time.tail_injected << ' ' << time.head_ejected << ' ' << time.tail_ejected;
}

int node_between(const SlowNetwork& network, const SlowMessage& message, int number)
{
  const GridRouting routing = grid_routing_names.read(network.routing);
  if (!has_two_phases(routing)) {
    return -1;
  }
  const auto grid = make_topology(topology_of(network), network_of(network).routing);
  return static_cast<int>(index(intermediate_node(routing, dynamic_cast<const Grid&>(*grid),
                                                  NodeId{static_cast<std::uint32_t>(message.source)},
                                                  NodeId{static_cast<std::uint32_t>(message.destination)},
                                                  seeded_number(routing_seed, static_cast<std::uint64_t>(number)))));
}

} // namespace

NetworkParameters network_of(const SlowNetwork& slow)
{
  NetworkParameters network;
  network.router = &find_router("input_queued");
  network.startup = Time{slow.startup * slow_cycle};
  network.per_byte = Time{slow_cycle};
  network.virtual_channels = static_cast<std::uint32_t>(slow.virtual_channels);
  network.buffer_flits = static_cast<std::uint64_t>(slow.buffer_flits);
  network.routing.tie = slow.ties_go_up ? "positive" : "no_wrap";
  PipelineParameters& pipeline = network.pipeline;
  pipeline.speculative = slow.speculative;
  pipeline.piggyback = slow.vc_allocator == "piggyback";
  if (!pipeline.piggyback) {
    pipeline.virtual_channel_allocator = allocator_names.read(slow.vc_allocator);
  }
  pipeline.switch_allocator = allocator_names.read(slow.allocator);
  pipeline.islip_iterations = static_cast<std::uint32_t>(slow.iterations);
  pipeline.input_speedup = static_cast<std::uint32_t>(slow.input_speedup);
  pipeline.internal_speedup = static_cast<std::uint32_t>(slow.internal_speedup);
  pipeline.priority = flit_priority_names.read(slow.priority);
  pipeline.releases_at_credit = slow.tail_credit;
  pipeline.routing_delay = static_cast<std::uint32_t>(slow.routing_delay);
  pipeline.switch_delay = static_cast<std::uint32_t>(slow.switch_delay);
  pipeline.credit_delay = static_cast<std::uint32_t>(slow.credit_delay);
  pipeline.link_delay = static_cast<std::uint32_t>(slow.link_delay);
  pipeline.routing = grid_routing_names.read(slow.routing);
  network.routing_seed = routing_seed;
  return network;
}

TopologyDescription topology_of(const SlowNetwork& slow)
{
  return grid(slow.torus ? "torus" : "mesh", {slow.dims.begin(), slow.dims.end()});
}

Schedule schedule_of(const SlowNetwork& slow, const std::vector<SlowMessage>& messages)
{
  std::vector<Send> sends;
  for (const SlowMessage& message : messages) {
    sends.push_back({.source = static_cast<std::uint32_t>(message.source),
                     .destination = static_cast<std::uint32_t>(message.destination),
                     .bytes = static_cast<std::uint64_t>(message.flits),
                     .start = message.earliest * slow_cycle,
                     .after = {message.after.begin(), message.after.end()}});
  }
  Schedule schedule = plain_schedule(topology_of(slow), sends);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    schedule.plain[i].priority = static_cast<std::uint8_t>(messages[i].priority);
  }
  return schedule;
}

std::vector<SlowTimes> times_of(const SimulationResult& result)
{
  std::vector<SlowTimes> times(result.delivered.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (result.delivered[i]) {
      times[i] = {result.flits[i].head_injected.picoseconds / slow_cycle,
                  result.flits[i].tail_injected.picoseconds / slow_cycle,
                  result.flits[i].head_ejected.picoseconds / slow_cycle, result.delivered[i]->picoseconds / slow_cycle};
    }
  }
  return times;
}

SimulationResult run_engine(const SlowNetwork& slow, const std::vector<SlowMessage>& messages, EngineChoice choice)
{
  const NetworkParameters network = network_of(slow);
  const auto topology = make_topology(topology_of(slow), network.routing);
  return simulate_core(*topology, schedule_of(slow, messages), network, {.engine = choice});
}

std::string difference(const std::vector<SlowTimes>& found, const std::vector<SlowTimes>& expected)
{
  std::ostringstream text;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (found[i] != expected[i]) {
      text << "message " << i << ": found ";
      show(found[i], text);
      text << ", expected ";
      show(expected[i], text);
      text << '\n';
    }
  }
  return text.str();
}

std::string random_routing(const SlowNetwork& network)
{
  std::vector<std::string> routings = {"dimension_order"};
  if (!network.torus && network.dims.size() == 2) {
    routings.insert(routings.end(), {"west_first", "odd_even"});
  }
  if (network.virtual_channels % (network.torus ? 4 : 2) == 0) {
    routings.insert(routings.end(), {"valiant", "romm"});
  }
  if (network.virtual_channels > (network.torus ? 2 : 1) && network.tail_credit) {
    routings.insert(routings.end(), {"minimal_adaptive", "minimal_adaptive"});
  }
  return *rc::gen::elementOf(routings);
}

SlowNetwork random_slow_network()
{
  SlowNetwork network;
  network.torus = *rc::gen::arbitrary<bool>();
  network.dims = *rc::gen::container<std::vector<int>>(*rc::gen::inRange(1, 4), rc::gen::inRange(1, 6));
  if (std::accumulate(network.dims.begin(), network.dims.end(), 1, std::multiplies<>()) == 1) {
    network.dims[0] = 3;
  }
  network.ties_go_up = *rc::gen::arbitrary<bool>();
  network.virtual_channels = *rc::gen::element(1, 1, 2, 3, 4, 5, 16);
  network.buffer_flits = *rc::gen::element(1, 2, 3, 5, 8, 12);
  network.speculative = *rc::gen::arbitrary<bool>();
  const auto allocator = rc::gen::elementOf(allocator_names.texts());
  network.vc_allocator = *allocator;
  if (network.speculative && *rc::gen::arbitrary<bool>()) {
    network.vc_allocator = "piggyback";
  }
  network.allocator = *allocator;
  network.iterations = *rc::gen::element(1, 1, 2, 3);
  network.input_speedup = std::min(*rc::gen::element(1, 1, 2, 3, 16), network.virtual_channels);
  network.internal_speedup = *rc::gen::element(1, 1, 1, 2, 3, 5);
  network.priority = *rc::gen::elementOf(flit_priority_names.texts());
  network.tail_credit = *rc::gen::arbitrary<bool>();
  network.routing_delay = *rc::gen::element(0, 0, 1, 2, 4);
  network.switch_delay = *rc::gen::element(1, 1, 1, 2, 3);
  network.credit_delay = *rc::gen::element(0, 0, 1, 3);
  network.link_delay = *rc::gen::element(1, 1, 2, 5);
  network.startup = *rc::gen::element(0, 0, 10);
  network.routing = random_routing(network);
  return network;
}

std::vector<SlowMessage> random_slow_messages(const SlowNetwork& network)
{
  const int nodes = std::accumulate(network.dims.begin(), network.dims.end(), 1, std::multiplies<>());
  const auto count = *rc::gen::inRange(1, 80);
  const auto longest = *rc::gen::element(1, 4, 30);
  const auto spread = *rc::gen::element(1, 30, 300);
  std::vector<SlowMessage> messages;
  for (int i = 0; i < count; ++i) {
    SlowMessage message;
    message.earliest = *rc::gen::inRange(0, spread);
    message.source = *rc::gen::inRange(0, nodes);
    message.destination = (message.source + *rc::gen::inRange(1, nodes)) % nodes;
    message.flits = *rc::gen::inRange(1, longest + 1);
    message.by = node_between(network, message, i);
    message.priority = *rc::gen::element(0, 0, 1, 7);
    if (i > 0 && *rc::gen::inRange(0, 5) == 0) {
      message.after.push_back(*rc::gen::inRange(0, i));
    }
    messages.push_back(message);
  }
  return messages;
}

std::vector<SlowMessage> crowd_of_messages(int nodes, int in_each_cycle)
{
  std::vector<SlowMessage> messages;
  for (int i = 0; i < 3000; ++i) {
    const int source = i * 37 % nodes;
    messages.push_back({.earliest = i / in_each_cycle,
                        .source = source,
                        .destination = (source + 1 + i * 59 % (nodes - 1)) % nodes,
                        .flits = 1 + i % 7 * (i % 3)});
  }
  return messages;
}

} // namespace wormcast::testing
