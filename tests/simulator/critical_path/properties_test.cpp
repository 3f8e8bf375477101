// Whatever runs, its critical path accounts for the latency to the picosecond.

#include "tests/simulator/critical_path/explained_run.hpp"
#include "tests/simulator/engines/golden_scenario.hpp"
#include "tests/simulator/engines/random_traffic.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/verifier/possession.hpp"
#include "wormcast/simulator/model/flit_counts.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace wormcast {
namespace {

using testing::explained_run;
using testing::ExplainedRun;

// Buffers that do not cover the hop latency and several virtual channels as well.
NetworkParameters any_network()
{
  NetworkParameters network = testing::random_network();
  network.virtual_channels = *rc::gen::element<std::uint32_t>(1, 1, 2, 3, 4);
  if (*rc::gen::inRange(0, 3) == 0) {
    network.per_hop = Time{*rc::gen::inRange<std::int64_t>(0, 100)};
  }
  return network;
}

// Random gossip: in every step random nodes send on some of what they hold.
Schedule random_gossip(const TopologyDescription& description, std::uint32_t nodes)
{
  Schedule schedule;
  schedule.topology = description;
  schedule.operation = Operation::multinode_broadcast;
  schedule.blocks = nodes;
  schedule.message_bytes = *rc::gen::element<std::uint64_t>(1, 5, 20);
  Possession possession(schedule, nodes);
  const auto steps = *rc::gen::inRange<std::uint32_t>(1, 6);
  for (std::uint32_t step = 0; step < steps; ++step) {
    const std::size_t first = schedule.messages.size();
    const auto count = *rc::gen::inRange(0, 12);
    for (int i = 0; i < count; ++i) {
      const auto source = *rc::gen::inRange<std::uint32_t>(0, nodes);
      const auto destination = (source + *rc::gen::inRange<std::uint32_t>(1, nodes)) % nodes;
      std::vector<BlockRange> blocks;
      for (std::uint32_t block = 0; block < nodes; ++block) {
        const BlockRange range{block, block + 1};
        if (possession.holds(NodeId{source}, std::span(&range, 1)) && *rc::gen::inRange(0, 2) == 0) {
          blocks.push_back(range);
        }
      }
      if (blocks.empty()) {
        blocks.push_back({source, source + 1});
      }
      schedule.messages.push_back({step, NodeId{source}, NodeId{destination}, schedule.block_sets.intern(blocks)});
    }
    for (std::size_t i = first; i < schedule.messages.size(); ++i) {
      possession.add(schedule.messages[i].destination, schedule.messages[i].blocks);
    }
  }
  return schedule;
}

// What is true of the segments of one message of a path.
void check_message(const PathMessage& message, const Schedule& schedule, const NetworkParameters& network,
                   const PathRecords& records)
{
  const NodeId sender = schedule.messages[index(message.message)].source;
  Time startup;
  Time storing;
  std::uint32_t hops = 0;
  std::uint64_t flits = 0;
  for (const PathSegment& segment : message.segments) {
    const Time length = segment.to - segment.from;
    RC_ASSERT(length > Time{0});
    switch (segment.cause) {
    case PathCause::startup:
      startup += length;
      break;
    case PathCause::hops:
      RC_ASSERT(length == segment.hops * network.per_hop);
      hops += segment.hops;
      break;
    case PathCause::bytes:
      RC_ASSERT(length == static_cast<std::int64_t>(segment.flits) * network.flit_time());
      flits += segment.flits;
      break;
    case PathCause::storing:
      storing += length;
      break;
    case PathCause::own_port_startup:
    case PathCause::own_port_hops:
    case PathCause::own_port_bytes:
    case PathCause::own_port_wait: {
      RC_ASSERT(segment.port_held_by && *segment.port_held_by != message.message);
      RC_ASSERT(schedule.messages[index(*segment.port_held_by)].source == sender);
      const PathRecords::PortUse& port = records.sender_ports[index(*segment.port_held_by)];
      RC_ASSERT(port.granted <= segment.from && segment.to <= port.released);
      RC_ASSERT(segment.cause == PathCause::own_port_wait || !segment.wait);
      if (segment.wait) {
        RC_ASSERT(segment.wait->waiting == *segment.port_held_by);
      }
      break;
    }
    case PathCause::port_wait:
      if (segment.wait && segment.wait->resource.kind == Resource::Kind::injection &&
          segment.wait->resource.node == sender) {
        RC_ASSERT(network.duplex == Duplex::half); // messages that come in held the port
        RC_ASSERT(segment.wait->from <= segment.from && segment.to <= segment.wait->to);
        break;
      }
      [[fallthrough]];
    case PathCause::step_wait:
    case PathCause::depth_wait:
      RC_ASSERT(segment.wait.has_value());
      RC_ASSERT(segment.wait->waiting == message.message);
      RC_ASSERT(segment.wait->from == segment.from && segment.wait->to == segment.to);
      RC_ASSERT(std::ranges::count(records.waits, *segment.wait) == 1);
      break;
    case PathCause::sharing:
      RC_ASSERT(network.virtual_channels > 1);
      break;
    case PathCause::buffers:
      RC_ASSERT(!closed_form_holds(network));
      break;
    case PathCause::startup_latency: // the nodes of these runs do nothing beside sending
    case PathCause::addition_wait:
    case PathCause::addition:
    case PathCause::copy:
    case PathCause::call:
    case PathCause::routing:
    case PathCause::virtual_channel_allocation:
    case PathCause::switch_allocation:
    case PathCause::switch_traversal:
    case PathCause::link:
    case PathCause::pipeline:
      RC_FAIL("only routers with a pipeline have this");
      break;
    case PathCause::start_delay:
    case PathCause::start_time:
      RC_ASSERT(segment.from == Time{0} && !message.follows);
      break;
    case PathCause::other_port_wait:
    case PathCause::other_wait:
      RC_FAIL("there is one schedule");
      break;
    case PathCause::program:
      RC_ASSERT(segment.to == message.ready);
      RC_ASSERT(message.reason == (message.follows ? PathReason::program : PathReason::start));
      break;
    }
  }
  RC_ASSERT(startup == network.startup);
  RC_ASSERT(flits >= 1 && flits <= message.flits);
  if (!message.until_port_free || network.hold == Hold::path) {
    RC_ASSERT(flits == message.flits);
    RC_ASSERT(hops == (network.per_hop == Time{0} ? 0 : message.hops));
    const std::int64_t stored = network.switching == Switching::store_and_forward ? message.hops - 1 : 0;
    RC_ASSERT(storing == stored * static_cast<std::int64_t>(message.flits) * network.flit_time());
  }
}

void check_path(const ExplainedRun& run, const Schedule& schedule, const NetworkParameters& network)
{
  RC_ASSERT(run.path.has_value());
  const CriticalPath& path = *run.path;
  RC_ASSERT(path.latency == run.result.latency);
  RC_ASSERT(path.messages.empty() == schedule.messages.empty());
  Time now;
  Time sum;
  std::optional<MessageId> before;
  for (const PathMessage& message : path.messages) {
    RC_ASSERT(message.follows == before);
    RC_ASSERT((message.reason == PathReason::start) == !before.has_value());
    RC_ASSERT(!before || message.ready == now || (message.reason == PathReason::program && message.ready > now));
    for (const PathSegment& segment : message.segments) {
      RC_ASSERT(segment.from == now);
      now = segment.to;
      sum += segment.to - segment.from;
    }
    RC_ASSERT(message.until == now);
    RC_ASSERT(message.until_port_free || run.result.delivered[index(message.message)] == now);
    check_message(message, schedule, network, run.records);
    before = message.message;
  }
  RC_ASSERT(sum == path.latency);
  Time sums;
  for (const Time time : path.sums) {
    sums += time;
  }
  RC_ASSERT(sums == path.latency);
}

void classify(const ExplainedRun& run)
{
  RC_CLASSIFY(run.result.deadlock.has_value(), "deadlock");
  if (!run.path) {
    return;
  }
  const auto has = [&](PathReason reason) {
    return std::ranges::any_of(run.path->messages, [&](const auto& message) { return message.reason == reason; });
  };
  RC_CLASSIFY(has(PathReason::port), "port");
  RC_CLASSIFY(has(PathReason::blocks), "blocks");
  RC_CLASSIFY(has(PathReason::turn), "turn");
  RC_CLASSIFY((*run.path)[PathCause::sharing] > Time{0}, "sharing");
  RC_CLASSIFY((*run.path)[PathCause::buffers] > Time{0}, "buffers");
  RC_CLASSIFY((*run.path)[PathCause::depth_wait] > Time{0}, "depth wait");
  RC_CLASSIFY((*run.path)[PathCause::own_port_startup] > Time{0}, "own port");
  RC_CLASSIFY((*run.path)[PathCause::own_port_wait] > Time{0}, "own port, wait");
}

RunParameters random_run()
{
  return {.mode = *rc::gen::element(Mode::lockstep, Mode::self_timed, Mode::self_timed),
          .seed = *rc::gen::inRange<std::uint64_t>(0, 1000),
          .start_jitter = Time{*rc::gen::element(0, 0, 50, 500)}};
}

RC_GTEST_PROP(CriticalPaths, AccountForTheLatencyOfRandomLists, ())
{
  const TopologyDescription description = testing::random_grid();
  const NetworkParameters network = any_network();
  const auto topology = make_topology(description, network.routing);
  const Schedule schedule = testing::plain_schedule(description, testing::random_sends(topology->node_count()));
  const ExplainedRun run = explained_run(*topology, schedule, network, random_run());
  classify(run);
  RC_ASSERT(run.path.has_value() != run.result.deadlock.has_value());
  if (run.path) {
    check_path(run, schedule, network);
  }
}

RC_GTEST_PROP(CriticalPaths, AccountForTheLatencyOfRandomPrograms, ())
{
  const TopologyDescription description = testing::random_grid();
  const NetworkParameters network = any_network();
  const auto topology = make_topology(description, network.routing);
  std::vector<testing::Send> sends = testing::random_sends(topology->node_count());
  std::ranges::stable_sort(sends, {}, &testing::Send::start);
  for (testing::Send& send : sends) {
    send.after.clear();
  }
  const Schedule schedule = testing::plain_schedule(description, sends);
  const ExplainedRun run = explained_run(*topology, schedule, network, {}, FixedStarts::by_program);
  RC_ASSERT(run.path.has_value() != run.result.deadlock.has_value());
  if (run.path) {
    RC_CLASSIFY((*run.path)[PathCause::program] > Time{0}, "program");
    check_path(run, schedule, network);
  }
}

RC_GTEST_PROP(CriticalPaths, AccountForTheLatencyOfRandomGossip, ())
{
  const TopologyDescription description = testing::random_grid();
  const NetworkParameters network = any_network();
  const auto topology = make_topology(description, network.routing);
  const Schedule schedule = random_gossip(description, topology->node_count());
  const ExplainedRun run = explained_run(*topology, schedule, network, random_run());
  classify(run);
  RC_ASSERT(run.path.has_value() != run.result.deadlock.has_value());
  if (run.path) {
    check_path(run, schedule, network);
  }
}

// The messages, reasons and segments of a path.
bool same_path(const CriticalPath& a, const CriticalPath& b)
{
  const auto same_segment = [](const PathSegment& x, const PathSegment& y) {
    return std::tie(x.cause, x.from, x.to, x.hops, x.flits, x.wait) ==
           std::tie(y.cause, y.from, y.to, y.hops, y.flits, y.wait);
  };
  const auto same_message = [&](const PathMessage& x, const PathMessage& y) {
    return std::tie(x.message, x.reason, x.follows, x.ready, x.until, x.until_port_free) ==
               std::tie(y.message, y.reason, y.follows, y.ready, y.until, y.until_port_free) &&
           std::ranges::equal(x.segments, y.segments, same_segment);
  };
  return a.latency == b.latency && std::ranges::equal(a.messages, b.messages, same_message);
}

RC_GTEST_PROP(CriticalPaths, AreTheSameOfBothEngines, ())
{
  const TopologyDescription description = testing::random_grid();
  const NetworkParameters network = testing::random_network();
  const auto topology = make_topology(description, network.routing);
  const Schedule schedule = random_gossip(description, topology->node_count());
  RunParameters parameters = random_run();
  parameters.engine = EngineChoice::worm;
  const ExplainedRun worm = explained_run(*topology, schedule, network, parameters);
  parameters.engine = EngineChoice::flit;
  const ExplainedRun flit = explained_run(*topology, schedule, network, parameters);
  RC_ASSERT(worm.path.has_value() == flit.path.has_value());
  if (worm.path) { // RC_ASSERT evaluates both sides of an "or"
    RC_ASSERT(same_path(*worm.path, *flit.path));
  }
}

// Virtual channels that nobody shares change nothing, though their times are found in another way.
RC_GTEST_PROP(CriticalPaths, AreTheSameWithVirtualChannelsThatNobodyShares, ())
{
  const TopologyDescription description = testing::random_grid();
  NetworkParameters network = testing::random_network();
  const auto topology = make_topology(description, network.routing);
  const Schedule schedule = testing::plain_schedule(
      description,
      {{0, *rc::gen::inRange<std::uint32_t>(1, topology->node_count()), *rc::gen::inRange<std::uint64_t>(1, 50)}});
  const ExplainedRun one = explained_run(*topology, schedule, network, {});
  network.virtual_channels = 4;
  const ExplainedRun four = explained_run(*topology, schedule, network, {});
  RC_ASSERT(four.result.engine == "worm");
  RC_ASSERT(same_path(*one.path, *four.path));
}

class GoldenPaths : public ::testing::TestWithParam<EngineChoice> {};

TEST_P(GoldenPaths, AddUpToTheMakespan)
{
  for (const testing::GoldenScenario& scenario : testing::golden_scenarios()) {
    SCOPED_TRACE(scenario.file);
    const auto topology = make_topology(scenario.topology);
    const ExplainedRun run = explained_run(*topology, scenario.schedule, scenario.network, {.engine = GetParam()});
    ASSERT_TRUE(run.path);
    Time sum;
    for (const Time time : run.path->sums) {
      sum += time;
    }
    EXPECT_EQ(sum, scenario.makespan);
    EXPECT_EQ(run.path->messages.back().until, scenario.makespan);
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, GoldenPaths, ::testing::Values(EngineChoice::worm, EngineChoice::flit),
                         [](const auto& engine) { return engine.param == EngineChoice::worm ? "worm" : "flit"; });

// Fig. 4 of Zhuang & Liberatore at one point: without contention and hop latency, startups and bytes are all.
TEST(CriticalPathOfABroadcast, HasTheTermsOfItsCost)
{
  const auto description = testing::grid("mesh", {8, 8});
  const auto topology = make_topology(description);
  ScheduleRequest request;
  request.message_bytes = 4096;
  const Schedule schedule = make_schedule(find_algorithm("recursion_based"), *topology, request);
  NetworkParameters network = testing::small_network();
  network.per_hop = Time{0};
  const ExplainedRun run = explained_run(*topology, schedule, network, {});
  ASSERT_TRUE(run.path);
  // alpha = 3n = 9, beta = 2.5 - 1/2^(n-1) = 2.25.
  EXPECT_EQ((*run.path)[PathCause::startup], 9 * network.startup);
  EXPECT_EQ((*run.path)[PathCause::bytes], time_of_bytes(network.per_byte, 9216));
  EXPECT_EQ((*run.path)[PathCause::startup] + (*run.path)[PathCause::bytes], run.result.latency);
}

} // namespace
} // namespace wormcast
