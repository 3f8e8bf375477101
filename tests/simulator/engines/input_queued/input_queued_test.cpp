// Router "input_queued" against a slow program that follows docs/routers.md word for word (slow_router.hpp), and what
// it refuses.

#include "tests/simulator/critical_path/explained_run.hpp"
#include "tests/simulator/engines/input_queued/slow_runs.hpp"
#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/sources/online_network.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

namespace wormcast {
namespace {

using testing::difference;
using testing::network_of;
using testing::random_routing;
using testing::random_slow_messages;
using testing::random_slow_network;
using testing::run_engine;
using testing::schedule_of;
using testing::slow_cycle;
using testing::SlowMessage;
using testing::SlowNetwork;
using testing::SlowTimes;
using testing::times_of;
using testing::topology_of;

// Of messages that have not arrived no times are known.
void leave_out_undelivered(std::vector<SlowTimes>& times)
{
  for (SlowTimes& time : times) {
    time = time.tail_ejected < 0 ? SlowTimes{} : time;
  }
}

// Of the other routings none comes to a deadlock, whatever the messages.
RC_GTEST_PROP(InputQueuedRouter, FindsPathsAsTheSlowProgramDoes, ())
{
  SlowNetwork network = random_slow_network();
  if (!network.torus) {
    network.dims.resize(2, 4);
    RC_PRE(network.dims[0] * network.dims[1] > 1);
  }
  network.virtual_channels = network.torus ? *rc::gen::element(3, 4, 4, 8) : *rc::gen::element(1, 2, 2, 4, 6);
  network.input_speedup = std::min(network.input_speedup, network.virtual_channels);
  network.routing = random_routing(network);
  RC_PRE(network.routing != "dimension_order");
  const std::vector<SlowMessage> messages = random_slow_messages(network);
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
  const SlowNetwork network = random_slow_network();
  const std::vector<SlowMessage> messages = random_slow_messages(network);
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

// One virtual channel, tail_credit, buffers that cover the way of a credit; the allocator that has a choice then is no
// wavefront.
SlowNetwork random_network_for_worms()
{
  SlowNetwork network = random_slow_network();
  network.routing = "dimension_order";
  network.virtual_channels = 1;
  network.input_speedup = 1;
  network.internal_speedup = 1;
  network.tail_credit = true;
  network.switch_delay = 1;
  network.routing_delay = std::min(network.routing_delay, 1);
  if (network.speculative) {
    network.vc_allocator = "piggyback";
  }
  std::string& choosing = network.speculative ? network.allocator : network.vc_allocator;
  if (choosing.ends_with("wavefront")) {
    choosing = "islip";
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
  const std::vector<SlowMessage> messages = random_slow_messages(slow);
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

TEST(InputQueuedRouter, ShowsTheCycleOfADeadlock)
{
  // Four messages, each two hops round a ring without virtual channels: each holds what the next one wants.
  SlowNetwork slow{.torus = true, .dims = {4}, .ties_go_up = true, .buffer_flits = 2};
  const std::vector<SlowMessage> messages = {
      {0, 0, 2, 30, {}}, {0, 1, 3, 30, {}}, {0, 2, 0, 30, {}}, {0, 3, 1, 30, {}}};
  const Told told = told_by(slow, messages, EngineChoice::cycle);
  const SimulationResult& stopped = told.result;
  ASSERT_TRUE(stopped.deadlock.has_value());
  EXPECT_EQ(stopped.deadlock->undelivered, 4U);
  EXPECT_EQ(stopped.deadlock->cycle.size(), 4U);
  EXPECT_FALSE(stopped.latency.has_value());
  // All stop in the cycle that is the deadlock's, so that their waits, which never end, have no length.
  ASSERT_EQ(told.waits.size(), 4U);
  for (std::uint32_t message = 0; message < 4; ++message) {
    const ContentionRecord& record = told.waits[message];
    EXPECT_EQ(record.waiting, MessageId{message});
    EXPECT_EQ(record.holding, MessageId{(message + 1) % 4});
    EXPECT_EQ(record.from, stopped.deadlock->at);
    EXPECT_EQ(record.to, stopped.deadlock->at);
    EXPECT_EQ(record.wait, Time{0});
  }
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
  EXPECT_THROW(run([](NetworkParameters& network) { network.startup = Time{slow_cycle + 1}; }), InputError);
  EXPECT_THROW(run([](NetworkParameters&) {}, EngineChoice::flit), InputError);
  EXPECT_THROW(run([](NetworkParameters& network) { network.router = &find_router("wormhole"); }, EngineChoice::cycle),
               InputError);
  const auto with_steps = [](std::uint64_t flits, std::int64_t cycle) {
    return [=](NetworkParameters& network) {
      network.pipeline.internal_speedup = 3;
      network.startup = Time{0};
      network.virtual_channels = 2;
      network.buffer_flits = flits;
      network.per_byte = Time{cycle};
    };
  };
  EXPECT_EQ(run(with_steps(2048, 3)).engine, "cycle");
  EXPECT_THROW(run(with_steps(2049, 3)), InputError);
  EXPECT_THROW(run(with_steps(2048, 2)), InputError);
  TopologyDescription cube{.kind = "hypercube", .parameters = {}};
  cube.parameters.set("dimension", std::int64_t{3});
  NetworkParameters network = network_of({});
  EXPECT_THROW(resolve_for(network, *make_topology(cube)), InputError);
}

TEST(InputQueuedRouter, StartsInTheNextCycle)
{
  const auto mesh = make_topology(testing::grid("mesh", {3}));
  const Schedule schedule = testing::plain_schedule(testing::grid("mesh", {3}), {{0, 2, 3, 2 * slow_cycle + 1, {}}});
  const testing::ExplainedRun run = testing::explained_run(*mesh, schedule, network_of({}), {});
  EXPECT_EQ(run.result.flits[0].head_injected, Time{3 * slow_cycle});
  ASSERT_TRUE(run.path.has_value());
  EXPECT_EQ((*run.path)[PathCause::start_time], Time{3 * slow_cycle});
}

// Three messages leave one node. The last waits until the flits of the others have gone, at the node and in the buffer
// behind it; start-ups do not hold a port here.
TEST(InputQueuedRouter, HasWaitsBehindMessagesOfItsOwnNodeExplainedByThem)
{
  const TopologyDescription line = testing::grid("mesh", {4});
  const Schedule schedule = testing::plain_schedule(line, {{1, 3, 20, 0}, {1, 0, 20, 0}, {1, 2, 20, 0}});
  const testing::ExplainedRun run = testing::explained_run(*make_topology(line), schedule, network_of({}), {});
  ASSERT_TRUE(run.path.has_value());
  const CriticalPath& path = *run.path;
  EXPECT_EQ(path.messages.back().message, MessageId{2});
  EXPECT_EQ(path[PathCause::port_wait], Time{0});
  EXPECT_EQ(path[PathCause::own_port_startup], Time{0});
  EXPECT_EQ(path[PathCause::own_port_bytes], Time{40 * slow_cycle});
}

// Messages that nobody knew before come as those of a list do, also in the very cycle of a delivery.
RC_GTEST_PROP(InputQueuedRouter, TakesMessagesWhileItRuns, ())
{
  const SlowNetwork slow = random_slow_network();
  const NetworkParameters network = network_of(slow);
  const auto topology = make_topology(topology_of(slow), network.routing);
  const std::vector<SlowMessage> messages = random_slow_messages(slow);
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
