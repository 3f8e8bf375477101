// What router "input_queued" records: waits of headers, the critical path, dependencies of channels.

#include "tests/simulator/critical_path/explained_run.hpp"
#include "tests/simulator/engines/input_queued/slow_runs.hpp"
#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/simulator/engines/input_queued/grid_ports.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/grid.hpp"

#include <boost/range/iterator_range.hpp>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace wormcast {
namespace {

using testing::network_of;
using testing::random_slow_messages;
using testing::random_slow_network;
using testing::schedule_of;
using testing::slow_cycle;
using testing::SlowMessage;
using testing::SlowNetwork;
using testing::topology_of;

// A long message holds the last channel of a line, the next two fill the buffer before it, so that the fourth is
// allocated the channel to that buffer without a slot: the second message, at its front, is in the way.
TEST(InputQueuedRouter, NamesTheFrontOfTheBufferThatHasNoSlot)
{
  SlowNetwork slow;
  slow.dims = {4};
  slow.buffer_flits = 4;
  const TopologyDescription line = topology_of(slow);
  const Schedule schedule = testing::plain_schedule(line, {{2, 3, 40, 0}, {1, 3, 2, 0}, {1, 3, 2, 0}, {1, 3, 2, 0}});
  std::vector<ContentionRecord> for_slots;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) {
    const bool here = record.resource.kind == Resource::Kind::external && record.resource.node == NodeId{1};
    if (here && record.cause == WaitCause::slot && record.waiting == MessageId{3}) {
      for_slots.push_back(record);
    }
  };
  simulate_core(*make_topology(line), schedule, network_of(slow), {}, sinks);
  ASSERT_EQ(for_slots.size(), 1U);
  EXPECT_EQ(for_slots.front().holding, MessageId{1});
}

// The third message reaches the front of its buffer in the cycle in which the speculative head of the fourth takes the
// only virtual channel that it wants; the first keeps the second, ahead of it, from leaving the buffer.
TEST(InputQueuedRouter, RecordsAWaitThatBeginsWhileASpeculativeHeadTakesTheChannel)
{
  SlowNetwork slow;
  slow.dims = {3};
  slow.buffer_flits = 4;
  slow.speculative = true;
  slow.vc_allocator = "piggyback";
  for (const char* allocator : {"islip", "separable_input_first"}) {
    slow.allocator = allocator;
    const NetworkParameters network = network_of(slow);
    const TopologyDescription line = topology_of(slow);
    const auto topology = make_topology(line);
    for (std::int64_t start = 0; start < 30; ++start) {
      const Schedule schedule = testing::plain_schedule(
          line, {{2, 1, 8, 0}, {0, 1, 2, 2 * slow_cycle}, {0, 2, 2, 2 * slow_cycle}, {1, 2, 3, start * slow_cycle}});
      std::array<Time, 4> waited;
      RecordSinks sinks;
      sinks.contention = [&](const ContentionRecord& record) { waited.at(index(record.waiting)) += record.wait; };
      sinks.delivery = [&](const DeliveryRecord& record) {
        const std::int64_t hops = topology->distance(record.source, record.destination);
        const std::int64_t cycles = network.pipeline.end_cycles() + hops * network.pipeline.hop_cycles();
        EXPECT_EQ(record.flits->head_ejected - record.ready,
                  cycles * Time{slow_cycle} + waited.at(index(record.message)))
            << allocator << ", message " << index(record.message) << ", start " << start;
      };
      simulate_core(*topology, schedule, network, {}, sinks);
    }
  }
}

// Two messages reach the second router of a line in one cycle, for the same channel. Where the loser has a second step
// in the cycle it loses none by the crossbar if both get through before the cycle ends, but then the channel carries
// one.
TEST(InputQueuedRouter, NamesWhatAHeaderWaitsForByTheStepsOfACycle)
{
  SlowNetwork slow;
  slow.dims = {3};
  slow.virtual_channels = 2;
  slow.speculative = true;
  slow.vc_allocator = "piggyback";
  for (const auto& [steps, cause] :
       {std::pair(1, WaitCause::crossbar), {2, WaitCause::crossbar}, {3, WaitCause::output_queue}}) {
    slow.internal_speedup = steps;
    const TopologyDescription line = topology_of(slow);
    const std::int64_t start = steps == 1 ? 3 : 2; // a hop takes three cycles with one step, two with several
    const Schedule schedule = testing::plain_schedule(line, {{0, 2, 1, 0}, {1, 2, 1, start * slow_cycle}});
    std::vector<ContentionRecord> waits;
    RecordSinks sinks;
    sinks.contention = [&](const ContentionRecord& record) { waits.push_back(record); };
    simulate_core(*make_topology(line), schedule, network_of(slow), {}, sinks);
    ASSERT_EQ(waits.size(), 1U) << steps;
    EXPECT_EQ(waits.front().cause, cause) << steps;
    EXPECT_EQ(waits.front().wait, Time{slow_cycle}) << steps;
    EXPECT_EQ(waits.front().resource.kind, Resource::Kind::external) << steps;
    EXPECT_EQ(waits.front().resource.node, NodeId{1}) << steps;
    EXPECT_NE(waits.front().holding, waits.front().waiting) << steps;
  }
}

// The header's time is what it needs without anybody in its way, and its waits. Only a wait that begins with a deadlock
// has no length.
RC_GTEST_PROP(InputQueuedRouter, RecordsEveryCycleThatAHeaderWaits, ())
{
  SlowNetwork slow = random_slow_network();
  slow.routing_delay = std::min(slow.routing_delay, 1); // beyond, heads wait for units without a record
  slow.switch_delay = 1;
  const std::vector<SlowMessage> messages = random_slow_messages(slow);
  const NetworkParameters network = network_of(slow);
  const auto topology = make_topology(topology_of(slow), network.routing);
  std::vector<Time> waited(messages.size());
  std::vector<Time> at_source(messages.size());
  std::vector<DeliveryRecord> deliveries;
  ContentionTotals totals;
  std::vector<std::uint32_t> channels(messages.size());
  std::optional<Time> stop;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) {
    totals.add(record.kind, record.wait);
    if (record.wait == Time{0}) {
      stop = record.to;
    }
    RC_ASSERT(record.wait >= Time{0});
    RC_ASSERT(record.cause != WaitCause::channel);
    if (record.kind == ContentionKind::sharing) {
      RC_ASSERT(record.wait <= record.to - record.from);
      RC_ASSERT(slow.virtual_channels > 1);
      return;
    }
    RC_ASSERT(record.wait == record.to - record.from);
    waited[index(record.waiting)] += record.wait;
  };
  sinks.occupancy = [&](const OccupancyRecord& record) {
    RC_ASSERT(record.from < record.to);
    ++channels[index(record.message)];
  };
  std::vector<std::vector<ChannelId>> paths(messages.size());
  sinks.path = [&](MessageId message, std::span<const ChannelId> path) {
    RC_ASSERT(slow.routing != "dimension_order");
    paths[index(message)].assign(path.begin(), path.end());
  };
  sinks.delivery = [&](const DeliveryRecord& record) {
    at_source[index(record.message)] = record.granted - record.ready;
    deliveries.push_back(record);
  };
  const SimulationResult result = simulate_core(*topology, schedule_of(slow, messages), network, {}, sinks);
  RC_ASSERT(!stop || (result.deadlock && result.deadlock->at == *stop));
  RC_ASSERT(totals == result.contention);
  RC_ASSERT(simulate_core(*topology, schedule_of(slow, messages), network, {}).contention == totals);
  for (const DeliveryRecord& record : deliveries) {
    const std::size_t i = index(record.message);
    const std::int64_t hops = has_two_phases(network.pipeline.routing)
                                  ? paths[i].size()
                                  : topology->distance(record.source, record.destination);
    const std::int64_t cycles = network.pipeline.end_cycles() + hops * network.pipeline.hop_cycles();
    RC_ASSERT(record.flits->head_ejected - record.ready == cycles * Time{slow_cycle} + waited[i]);
    RC_ASSERT(at_source[i] <= waited[i]);
    RC_ASSERT(result.deadlock || channels[i] == static_cast<std::uint32_t>(hops) + 2);
    if (slow.routing != "dimension_order") { // its path leads from source to destination
      NodeId node = record.source;
      for (const ChannelId channel : paths[i]) {
        RC_ASSERT(topology->channel_source(channel) == node);
        node = topology->channel_target(channel);
      }
      RC_ASSERT(node == record.destination);
      RC_ASSERT(paths[i].size() == static_cast<std::size_t>(hops));
    }
  }
}

Time sum_of(const CriticalPath& path)
{
  Time sum;
  for (const Time part : path.sums) {
    sum += part;
  }
  return sum;
}

// critical_path() itself throws where segments leave gaps or overlap.
RC_GTEST_PROP(InputQueuedRouter, HasItsLatencyExplained, ())
{
  const SlowNetwork slow = random_slow_network();
  const NetworkParameters network = network_of(slow);
  const auto topology = make_topology(topology_of(slow), network.routing);
  const testing::ExplainedRun plain =
      testing::explained_run(*topology, schedule_of(slow, random_slow_messages(slow)), network, {});
  RC_ASSERT(plain.path.has_value() != plain.result.deadlock.has_value());
  if (plain.path) {
    RC_ASSERT(sum_of(*plain.path) == *plain.result.latency);
  }
  ScheduleRequest request;
  request.source = NodeId{*rc::gen::inRange<std::uint32_t>(0, topology->node_count())};
  request.message_bytes = *rc::gen::inRange<std::uint64_t>(1, 100);
  const auto algorithm = *rc::gen::element<std::string>("recursive_doubling", "scatter_collect");
  RunParameters run;
  run.mode = *rc::gen::element(Mode::lockstep, Mode::self_timed);
  run.start_jitter = Time{*rc::gen::element<std::int64_t>(0, 0, 1000)};
  const testing::ExplainedRun broadcast =
      testing::explained_run(*topology, make_schedule(find_algorithm(algorithm), *topology, request), network, run);
  RC_ASSERT(broadcast.path.has_value() != broadcast.result.deadlock.has_value());
  if (broadcast.path) {
    RC_ASSERT(sum_of(*broadcast.path) == *broadcast.result.latency);
    RC_ASSERT((*broadcast.path)[PathCause::link] > Time{0});
    RC_ASSERT((*broadcast.path)[PathCause::switch_traversal] > Time{0});
    RC_ASSERT((slow.internal_speedup == 1) == ((*broadcast.path)[PathCause::switch_allocation] > Time{0}));
    if (slow.routing_delay <= 1 && slow.switch_delay == 1) {
      RC_ASSERT((*broadcast.path)[PathCause::pipeline] == Time{0});
    }
  }
}

// Pairs of vertices of grid_channel_dependencies, from the ways that the engines take.
std::set<std::pair<std::uint32_t, std::uint32_t>> dependencies_of_ways(const Grid& grid, std::uint32_t vcs,
                                                                       std::uint32_t classes)
{
  NetworkParameters network;
  network.virtual_channels = vcs;
  GridPorts ports(grid, network);
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  for (std::uint32_t from = 0; from < grid.node_count(); ++from) {
    for (std::uint32_t to = 0; to < grid.node_count(); ++to) {
      std::vector<RouterHop> hops;
      ports.append_hops(NodeId{from}, NodeId{to}, MessageId{0}, hops);
      std::uint32_t node = from;
      std::vector<std::uint32_t> before;
      for (const RouterHop& hop : hops) {
        if (hop.port == ports.node_port()) {
          break;
        }
        const std::uint32_t channel = ports.channel(node, hop.port);
        std::vector<std::uint32_t> may_take;
        for (std::uint32_t vc = hop.first; vc < std::uint32_t{hop.first} + hop.count; ++vc) {
          const std::uint32_t half = vcs / 2;
          const std::uint32_t number = classes == 1 ? 0 : vc < half ? 0 : vc < vcs - half ? 1 : classes - 1;
          may_take.push_back(channel * classes + number);
        }
        for (const std::uint32_t held : before) {
          for (const std::uint32_t wanted : may_take) {
            found.emplace(held, wanted);
          }
        }
        before = may_take;
        node = index(grid.channel_target(ChannelId{channel}));
      }
    }
  }
  return found;
}

RC_GTEST_PROP(InputQueuedRouter, HasTheDependenciesOfItsPaths, ())
{
  SlowNetwork slow = random_slow_network();
  slow.virtual_channels = *rc::gen::inRange(1, 6);
  slow.input_speedup = std::min(slow.input_speedup, slow.virtual_channels);
  const auto topology = make_topology(topology_of(slow), network_of(slow).routing);
  const Grid& grid = dynamic_cast<const Grid&>(*topology);
  const auto vcs = static_cast<std::uint32_t>(slow.virtual_channels);
  const ChannelDependencies dependencies = grid_channel_dependencies(grid, vcs, RingClasses::kept);
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  for (const auto& edge : boost::make_iterator_range(edges(dependencies.graph))) {
    found.emplace(source(edge, dependencies.graph), target(edge, dependencies.graph));
  }
  RC_ASSERT(found == dependencies_of_ways(grid, vcs, dependencies.classes));
  if (!slow.torus || slow.virtual_channels % 2 == 0) {
    RC_ASSERT(check_deadlock(dependencies).deadlock_free());
  }
}

} // namespace
} // namespace wormcast
