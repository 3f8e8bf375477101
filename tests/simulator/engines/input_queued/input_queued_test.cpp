// Router "input_queued" against BookSim2's own runs (tests/golden/booksim.json) and against a slow program that follows
// docs/routers.md word for word (slow_router.hpp).

#include "tests/simulator/critical_path/explained_run.hpp"
#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/simulator/engines/slow_router.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/simulator/engines/input_queued/grid_ports.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/random/seeded_random.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/sources/online_network.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/values/input_error.hpp"

#include <boost/range/iterator_range.hpp>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace wormcast {
namespace {

using testing::SlowMessage;
using testing::SlowNetwork;
using testing::SlowTimes;

constexpr std::int64_t cycle = 7; // picoseconds
constexpr std::uint64_t routing_seed = 5;

NetworkParameters network_of(const SlowNetwork& slow)
{
  NetworkParameters network;
  network.router = &find_router("input_queued");
  network.startup = Time{slow.startup * cycle};
  network.per_byte = Time{cycle};
  network.virtual_channels = static_cast<std::uint32_t>(slow.virtual_channels);
  network.buffer_flits = static_cast<std::uint64_t>(slow.buffer_flits);
  network.routing.tie = slow.ties_go_up ? "positive" : "no_wrap";
  const auto kind = [](const std::string& name) {
    return name == "separable_input_first"    ? AllocatorKind::separable_input_first
           : name == "separable_output_first" ? AllocatorKind::separable_output_first
                                              : AllocatorKind::islip;
  };
  PipelineParameters& pipeline = network.pipeline;
  pipeline.speculative = slow.speculative;
  pipeline.piggyback = slow.vc_allocator == "piggyback";
  pipeline.virtual_channel_allocator = kind(slow.vc_allocator);
  pipeline.switch_allocator = kind(slow.allocator);
  pipeline.islip_iterations = static_cast<std::uint32_t>(slow.iterations);
  pipeline.priority = slow.priority == "none"        ? FlitPriority::none
                      : slow.priority == "local_age" ? FlitPriority::local_age
                                                     : FlitPriority::age;
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
  return testing::grid(slow.torus ? "torus" : "mesh", {slow.dims.begin(), slow.dims.end()});
}

Schedule schedule_of(const SlowNetwork& slow, const std::vector<SlowMessage>& messages)
{
  std::vector<testing::Send> sends;
  for (const SlowMessage& message : messages) {
    sends.push_back({.source = static_cast<std::uint32_t>(message.source),
                     .destination = static_cast<std::uint32_t>(message.destination),
                     .bytes = static_cast<std::uint64_t>(message.flits),
                     .start = message.earliest * cycle,
                     .after = {message.after.begin(), message.after.end()}});
  }
  return testing::plain_schedule(topology_of(slow), sends);
}

std::vector<SlowTimes> times_of(const SimulationResult& result)
{
  std::vector<SlowTimes> times(result.delivered.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (result.delivered[i]) {
      times[i] = {result.flits[i].head_injected.picoseconds / cycle, result.flits[i].tail_injected.picoseconds / cycle,
                  result.flits[i].head_ejected.picoseconds / cycle, result.delivered[i]->picoseconds / cycle};
    }
  }
  return times;
}

SimulationResult run_engine(const SlowNetwork& slow, const std::vector<SlowMessage>& messages,
                            EngineChoice choice = EngineChoice::cycle)
{
  const NetworkParameters network = network_of(slow);
  const auto topology = make_topology(topology_of(slow), network.routing);
  return simulate_core(*topology, schedule_of(slow, messages), network, {.engine = choice});
}

// Of messages that have not arrived no times are known.
void leave_out_undelivered(std::vector<SlowTimes>& times)
{
  for (SlowTimes& time : times) {
    time = time.tail_ejected < 0 ? SlowTimes{} : time;
  }
}

void show(const SlowTimes& time, std::ostream& out)
{
  out << time.head_injected << ' ' << time.tail_injected << ' ' << time.head_ejected << ' ' << time.tail_ejected;
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

struct GoldenRun {
  std::string name;
  SlowNetwork network;
  std::vector<SlowMessage> messages;
  std::vector<SlowTimes> times;
};

std::vector<GoldenRun> booksim_runs()
{
  const nlohmann::json golden = nlohmann::json::parse(std::ifstream(WORMCAST_TEST_DATA "/golden/booksim.json"));
  std::vector<GoldenRun> runs;
  for (const auto& list : golden["lists"]) {
    GoldenRun run;
    for (const auto& message : list["messages"]) {
      run.messages.push_back({message[0], message[1], message[2], message[3], message[4].get<std::vector<int>>()});
    }
    for (const auto& made : list["runs"]) {
      const auto& setting = made["setting"];
      run.name = list["name"].get<std::string>() + " " + setting.dump();
      run.network = {.dims = list["dims"].get<std::vector<int>>(), .buffer_flits = setting[1]};
      run.network.speculative = setting[0] == 1;
      run.network.vc_allocator = setting[0] == 1 ? "piggyback" : setting[3] == 1 ? "separable_input_first" : "islip";
      run.network.allocator = setting[3] == 1 ? "separable_input_first" : "islip";
      run.network.priority = setting[3] == 1 ? "local_age" : "none";
      run.network.tail_credit = setting[2] == 1;
      run.times.clear();
      const auto& times = made["results"];
      for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const long head = times[4 * i];
        const long at_node = head + times[4 * i + 2].get<long>();
        run.times.push_back(
            {head, head + times[4 * i + 1].get<long>(), at_node, at_node + times[4 * i + 3].get<long>()});
      }
      runs.push_back(run);
    }
  }
  return runs;
}

TEST(InputQueuedRouter, IsBookSim2sInEveryRecordedTime)
{
  const std::vector<GoldenRun> runs = booksim_runs();
  EXPECT_EQ(runs.size(), 320U);
  std::size_t by_worms = 0;
  for (const GoldenRun& run : runs) {
    EXPECT_EQ(difference(times_of(run_engine(run.network, run.messages)), run.times), "") << run.name;
    const SimulationResult chosen = run_engine(run.network, run.messages, EngineChoice::automatic);
    EXPECT_EQ(difference(times_of(chosen), run.times), "") << run.name;
    by_worms += chosen.engine == "worm" ? 1 : 0;
  }
  EXPECT_EQ(by_worms, 40U); // eight flits in a buffer, and tail_credit
}

TEST(InputQueuedRouter, IsBookSim2sInTheSlowProgramToo)
{
  const std::vector<GoldenRun> runs = booksim_runs();
  for (std::size_t i = 0; i < runs.size(); i += 7) { // all settings, each with some lists: the others take their time
    const GoldenRun& run = runs[i];
    EXPECT_EQ(difference(testing::run_slowly(run.network, run.messages), run.times), "") << run.name;
  }
}

// One that router "input_queued" has on this network.
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

SlowNetwork random_network()
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
  network.vc_allocator = *rc::gen::element<std::string>("islip", "separable_input_first", "separable_output_first");
  if (network.speculative && *rc::gen::arbitrary<bool>()) {
    network.vc_allocator = "piggyback";
  }
  network.allocator = *rc::gen::element<std::string>("islip", "separable_input_first", "separable_output_first");
  network.iterations = *rc::gen::element(1, 1, 2, 3);
  network.priority = *rc::gen::element<std::string>("none", "local_age", "age");
  network.tail_credit = *rc::gen::arbitrary<bool>();
  network.routing_delay = *rc::gen::element(0, 0, 1, 2, 4);
  network.switch_delay = *rc::gen::element(1, 1, 1, 2, 3);
  network.credit_delay = *rc::gen::element(0, 0, 1, 3);
  network.link_delay = *rc::gen::element(1, 1, 2, 5);
  network.startup = *rc::gen::element(0, 0, 10);
  network.routing = random_routing(network);
  return network;
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

std::vector<SlowMessage> random_messages(const SlowNetwork& network)
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
    if (i > 0 && *rc::gen::inRange(0, 5) == 0) {
      message.after.push_back(*rc::gen::inRange(0, i));
    }
    messages.push_back(message);
  }
  return messages;
}

// Of the other routings none comes to a deadlock, whatever the messages.
RC_GTEST_PROP(InputQueuedRouter, FindsPathsAsTheSlowProgramDoes, ())
{
  SlowNetwork network = random_network();
  if (!network.torus) {
    network.dims.resize(2, 4);
    RC_PRE(network.dims[0] * network.dims[1] > 1);
  }
  network.virtual_channels = network.torus ? *rc::gen::element(3, 4, 4, 8) : *rc::gen::element(1, 2, 2, 4, 6);
  network.routing = random_routing(network);
  RC_PRE(network.routing != "dimension_order");
  const std::vector<SlowMessage> messages = random_messages(network);
  const std::vector<SlowTimes> expected = testing::run_slowly(network, messages);
  const std::string found = difference(times_of(run_engine(network, messages)), expected);
  RC_LOG() << found;
  RC_ASSERT(found.empty());
  RC_ASSERT(std::ranges::all_of(expected, [](const SlowTimes& time) { return time.tail_ejected >= 0; }));
  RC_CLASSIFY(network.routing == "minimal_adaptive", "minimal adaptive");
  RC_CLASSIFY(network.routing == "odd_even", "odd-even");
  RC_CLASSIFY(network.torus, "torus");
}

RC_GTEST_PROP(InputQueuedRouter, MovesFlitsAsTheSlowProgramDoes, ())
{
  const SlowNetwork network = random_network();
  const std::vector<SlowMessage> messages = random_messages(network);
  const SimulationResult result = run_engine(network, messages);
  std::vector<SlowTimes> expected = testing::run_slowly(network, messages);
  leave_out_undelivered(expected);
  const std::string found = difference(times_of(result), expected);
  RC_LOG() << found;
  RC_ASSERT(found.empty());
  const bool all = std::ranges::all_of(expected, [](const SlowTimes& time) { return time.tail_ejected >= 0; });
  RC_CLASSIFY(!all, "deadlock");
  RC_ASSERT(all == !result.deadlock.has_value());
  if (result.deadlock) {
    // A cycle, or messages that wait for others that do.
    const std::vector<WaitingLink>& links = result.deadlock->cycle;
    RC_ASSERT(!links.empty());
    for (std::size_t i = 0; i < links.size(); ++i) {
      RC_ASSERT(links[i].holding == links[(i + 1) % links.size()].waiting);
      RC_ASSERT(!result.delivered[index(links[i].waiting)].has_value());
    }
  }
}

// One virtual channel, tail_credit, buffers that cover the way of a credit.
SlowNetwork random_network_for_worms()
{
  SlowNetwork network = random_network();
  network.routing = "dimension_order";
  network.virtual_channels = 1;
  network.tail_credit = true;
  network.switch_delay = 1;
  network.routing_delay = std::min(network.routing_delay, 1);
  if (network.speculative) {
    network.vc_allocator = "piggyback";
  }
  const int needed = std::max(2 * (1 + network.link_delay) + 1, 5) + network.credit_delay;
  network.buffer_flits = needed + *rc::gen::element(0, 0, 1, 10, 50);
  return network;
}

// Everything that a run tells, by message where the engines make records at different instants.
struct Told {
  SimulationResult result;
  std::vector<ContentionRecord> waits;
  std::vector<OccupancyRecord> occupancies;
  std::vector<DeliveryRecord> deliveries;
};

Told told_by(const SlowNetwork& slow, const std::vector<SlowMessage>& messages, EngineChoice choice)
{
  const NetworkParameters network = network_of(slow);
  const auto topology = make_topology(topology_of(slow), network.routing);
  Told told;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) { told.waits.push_back(record); };
  sinks.occupancy = [&](const OccupancyRecord& record) { told.occupancies.push_back(record); };
  sinks.delivery = [&](const DeliveryRecord& record) { told.deliveries.push_back(record); };
  told.result = simulate_core(*topology, schedule_of(slow, messages), network, {.engine = choice}, sinks);
  std::ranges::stable_sort(told.waits, {}, &ContentionRecord::waiting);
  std::ranges::sort(told.occupancies, {}, [](const OccupancyRecord& record) {
    return std::pair(index(record.message), record.from.picoseconds);
  });
  return told;
}

RC_GTEST_PROP(InputQueuedRouter, MovesWormsAsItMovesFlits, ())
{
  const SlowNetwork slow = random_network_for_worms();
  const std::vector<SlowMessage> messages = random_messages(slow);
  const Told worm = told_by(slow, messages, EngineChoice::automatic);
  const Told flits = told_by(slow, messages, EngineChoice::cycle);
  RC_ASSERT(worm.result.engine == "worm");
  RC_ASSERT(flits.result.engine == "cycle");
  const std::string found = difference(times_of(worm.result), times_of(flits.result));
  RC_LOG() << found;
  RC_ASSERT(found.empty());
  RC_ASSERT(worm.result.deadlock.has_value() == flits.result.deadlock.has_value());
  RC_CLASSIFY(worm.result.deadlock.has_value(), "deadlock");
  RC_ASSERT(worm.deliveries == flits.deliveries);
  RC_ASSERT(worm.result.contention == flits.result.contention);
  if (!worm.result.deadlock) {
    RC_ASSERT(worm.waits == flits.waits);
    RC_ASSERT(worm.occupancies == flits.occupancies);
    RC_ASSERT(worm.result.header_hops == flits.result.header_hops);
  }
}

// The header's time is what it needs without anybody in its way, and its waits.
RC_GTEST_PROP(InputQueuedRouter, RecordsEveryCycleThatAHeaderWaits, ())
{
  SlowNetwork slow = random_network();
  slow.routing_delay = std::min(slow.routing_delay, 1); // beyond, heads wait for units without a record
  slow.switch_delay = 1;
  const std::vector<SlowMessage> messages = random_messages(slow);
  const NetworkParameters network = network_of(slow);
  const auto topology = make_topology(topology_of(slow), network.routing);
  std::vector<Time> waited(messages.size());
  std::vector<Time> at_source(messages.size());
  std::vector<DeliveryRecord> deliveries;
  ContentionTotals totals;
  std::vector<std::uint32_t> channels(messages.size());
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) {
    totals.add(record.kind, record.wait);
    RC_ASSERT(record.wait > Time{0});
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
  sinks.path = [&](MessageId message, std::uint64_t, std::span<const ChannelId> path) {
    RC_ASSERT(slow.routing != "dimension_order");
    paths[index(message)].assign(path.begin(), path.end());
  };
  sinks.delivery = [&](const DeliveryRecord& record) {
    at_source[index(record.message)] = record.granted - record.ready;
    deliveries.push_back(record);
  };
  const SimulationResult result = simulate_core(*topology, schedule_of(slow, messages), network, {}, sinks);
  RC_ASSERT(totals == result.contention);
  RC_ASSERT(simulate_core(*topology, schedule_of(slow, messages), network, {}).contention == totals);
  for (const DeliveryRecord& record : deliveries) {
    const std::size_t i = index(record.message);
    const std::int64_t hops = has_two_phases(network.pipeline.routing)
                                  ? paths[i].size()
                                  : topology->distance(record.source, record.destination);
    const std::int64_t cycles = network.pipeline.end_cycles() + hops * network.pipeline.hop_cycles();
    RC_ASSERT(record.flits->head_ejected - record.ready == cycles * Time{cycle} + waited[i]);
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
  const SlowNetwork slow = random_network();
  const NetworkParameters network = network_of(slow);
  const auto topology = make_topology(topology_of(slow), network.routing);
  const testing::ExplainedRun plain =
      testing::explained_run(*topology, schedule_of(slow, random_messages(slow)), network, {});
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
    RC_ASSERT((*broadcast.path)[PathCause::switch_allocation] > Time{0});
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
  SlowNetwork slow = random_network();
  slow.virtual_channels = *rc::gen::inRange(1, 6);
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

TEST(InputQueuedRouter, ShowsTheCycleOfADeadlock)
{
  // Four messages, each two hops round a ring without virtual channels: each holds what the next one wants.
  SlowNetwork slow{.torus = true, .dims = {4}, .ties_go_up = true, .buffer_flits = 2};
  const std::vector<SlowMessage> messages = {
      {0, 0, 2, 30, {}}, {0, 1, 3, 30, {}}, {0, 2, 0, 30, {}}, {0, 3, 1, 30, {}}};
  const SimulationResult stopped = run_engine(slow, messages);
  ASSERT_TRUE(stopped.deadlock.has_value());
  EXPECT_EQ(stopped.deadlock->undelivered, 4U);
  EXPECT_EQ(stopped.deadlock->cycle.size(), 4U);
  EXPECT_FALSE(stopped.latency.has_value());
  slow.virtual_channels = 2;
  EXPECT_FALSE(run_engine(slow, messages).deadlock.has_value());
}

TEST(InputQueuedRouter, RefusesWhatItIsNot)
{
  const auto mesh = make_topology(testing::grid("mesh", {3, 3}));
  const Schedule schedule = testing::plain_schedule(testing::grid("mesh", {3, 3}), {{0, 5, 3, 0, {}}});
  const auto run = [&](auto change, EngineChoice engine = EngineChoice::automatic) {
    NetworkParameters network = network_of({});
    change(network);
    return simulate_core(*mesh, schedule, network, {.engine = engine});
  };
  EXPECT_EQ(run([](NetworkParameters&) {}).engine, "cycle");
  EXPECT_THROW(run([](NetworkParameters& network) { network.ports.count = 2; }), InputError);
  EXPECT_THROW(run([](NetworkParameters& network) { network.duplex = Duplex::half; }), InputError);
  EXPECT_THROW(run([](NetworkParameters& network) { network.switching = Switching::cut_through; }), InputError);
  EXPECT_THROW(run([](NetworkParameters& network) { network.startup = Time{cycle + 1}; }), InputError);
  EXPECT_THROW(run([](NetworkParameters&) {}, EngineChoice::flit), InputError);
  EXPECT_THROW(run([](NetworkParameters& network) { network.router = &find_router("wormhole"); }, EngineChoice::cycle),
               InputError);
  TopologyDescription cube{.kind = "hypercube", .parameters = {}};
  cube.parameters.set("dimension", std::int64_t{3});
  NetworkParameters network = network_of({});
  EXPECT_THROW(resolve_for(network, *make_topology(cube)), InputError);
}

TEST(InputQueuedRouter, StartsInTheNextCycle)
{
  const auto mesh = make_topology(testing::grid("mesh", {3}));
  const Schedule schedule = testing::plain_schedule(testing::grid("mesh", {3}), {{0, 2, 3, 2 * cycle + 1, {}}});
  const testing::ExplainedRun run = testing::explained_run(*mesh, schedule, network_of({}), {});
  EXPECT_EQ(run.result.flits[0].head_injected, Time{3 * cycle});
  ASSERT_TRUE(run.path.has_value());
  EXPECT_EQ((*run.path)[PathCause::start_time], Time{3 * cycle});
}

// Messages that nobody knew before come as those of a list do, also in the very cycle of a delivery.
RC_GTEST_PROP(InputQueuedRouter, TakesMessagesWhileItRuns, ())
{
  const SlowNetwork slow = random_network();
  const NetworkParameters network = network_of(slow);
  const auto topology = make_topology(topology_of(slow), network.routing);
  const std::vector<SlowMessage> messages = random_messages(slow);
  // Sent in the order of their numbers: a list that is sorted by (cycle, source), each after one that came before.
  struct Sent {
    std::int64_t time = 0;
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    std::uint64_t bytes = 0;
  };
  OnlineNetwork online(*topology, network);
  std::vector<Sent> sent;
  std::vector<std::int64_t> delivered(messages.size(), -1);
  const auto send = [&](std::size_t i, std::int64_t time) {
    const SlowMessage& message = messages[i];
    online.send(NodeId{static_cast<std::uint32_t>(message.source)},
                NodeId{static_cast<std::uint32_t>(message.destination)}, static_cast<std::uint64_t>(message.flits),
                time, nullptr);
    online.commit();
    sent.push_back({time, static_cast<std::uint32_t>(message.source), static_cast<std::uint32_t>(message.destination),
                    static_cast<std::uint64_t>(message.flits)});
  };
  std::size_t next = 0;
  send(next++, 0);
  while (online.next_event_time()) {
    for (const OnlineNetwork::Delivery& delivery : online.advance()) {
      delivered[index(delivery.message)] = online.now();
      for (int more = 0; more < 2 && next < messages.size(); ++more) {
        send(next++, online.now()); // two in the place of the one that has come
      }
    }
  }
  std::vector<testing::Send> list;
  for (const Sent& message : sent) {
    list.push_back({message.source, message.destination, message.bytes, message.time, {}});
  }
  const SimulationResult batch =
      simulate_core(*topology, testing::plain_schedule(topology_of(slow), list), network, {});
  for (std::size_t i = 0; i < list.size(); ++i) {
    RC_ASSERT(batch.delivered[i].value_or(Time{-1}).picoseconds == delivered[i]);
  }
}

} // namespace
} // namespace wormcast
