// Messages sent while the network runs, against the same messages known from the start.

#include "tests/simulator/engines/random_traffic.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/simulator/sources/online_network.hpp"
#include "wormcast/simulator/sources/schedule_sources.hpp"
#include "wormcast/values/input_error.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

namespace wormcast {
namespace {

using testing::grid;
using testing::small_network;

// What a network did, in its own numbering.
struct Log {
  std::vector<testing::Send> sent; // by number; start: when it asked for its port
  std::vector<std::optional<Time>> delivered;
  std::vector<ContentionRecord> waits;
};

// Lets a source decide, delivery by delivery, what is sent: as a program would. `shuffle` permutes the order in which
// the senders of one instant are called. A self-timed source is told that the port is free as soon as a message is
// sent: the next one then waits in the network for what its own port is still busy with.
Log run_online(const Topology& topology, const NetworkParameters& network, EngineChoice choice, MessageSource& source,
               const Schedule& schedule, bool shuffle)
{
  Log log;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) { log.waits.push_back(record); };
  OnlineNetwork online(topology, network, choice, sinks);
  std::vector<MessageId> scheduled(schedule.messages.size()); // what a tag points to
  for (std::uint32_t i = 0; i < scheduled.size(); ++i) {
    scheduled[i] = MessageId{i};
  }
  std::map<MessageId, std::pair<std::uint32_t, std::int64_t>> numbers; // by scheduled message
  std::vector<NewMessage> messages;
  while (true) {
    const std::int64_t next_send = source.next_time();
    const std::int64_t next = online.next_event_time().value_or(never);
    if (next_send <= next && next_send != never) {
      messages.clear();
      while (source.next_time() == next_send) {
        const std::size_t begin = messages.size();
        source.pop(next_send, messages);
        for (std::size_t i = begin; i < messages.size() && source.wants_port_releases(); ++i) {
          source.port_released(messages[i].message, next_send);
        }
      }
      // One sender's calls have an order, those of different senders have none.
      std::ranges::stable_sort(messages, {}, &NewMessage::message);
      std::ranges::stable_sort(messages, {}, [&](const NewMessage& message) {
        return shuffle ? ~index(message.source) : index(message.source);
      });
      for (const NewMessage& message : messages) {
        const std::uint64_t bytes = message.flits * network.flit_bytes;
        online.send(message.source, message.destination, bytes, next_send, &scheduled[index(message.message)]);
      }
      std::ranges::stable_sort(messages, {}, &NewMessage::source);
      for (const NewMessage& message : messages) {
        log.sent.push_back(
            {index(message.source), index(message.destination), message.flits * network.flit_bytes, next_send, {}});
      }
      online.commit();
      continue;
    }
    if (next == never) {
      break;
    }
    std::vector<Delivery> arrived;
    for (const OnlineNetwork::Delivery& delivery : online.advance(std::min(next_send, next + 1))) {
      log.delivered.resize(log.sent.size());
      log.delivered[index(delivery.message)] = Time{online.now()};
      arrived.push_back({*static_cast<MessageId*>(delivery.tag), 0});
    }
    std::ranges::sort(arrived, {}, &Delivery::message);
    source.delivered(arrived, online.now());
  }
  log.delivered.resize(log.sent.size());
  if (online.undelivered() != 0) {
    online.explain_deadlock(); // makes the records of the waits that never ended
  }
  EXPECT_EQ(online.message_count(), log.sent.size());
  return log;
}

// The same messages as a plain list in the order of their numbers.
Log run_batch(const Topology& topology, const NetworkParameters& network, EngineChoice choice,
              const std::vector<testing::Send>& sent)
{
  Log log;
  log.sent = sent;
  RecordSinks sinks;
  sinks.contention = [&](const ContentionRecord& record) { log.waits.push_back(record); };
  const Schedule list = testing::plain_schedule(topology.description(), sent);
  log.delivered = simulate_core(topology, list, network, {.engine = choice}, sinks).delivered;
  return log;
}

Schedule schedule_of(const std::string& name, const Topology& topology, NodeId source, std::uint64_t bytes)
{
  ScheduleRequest request;
  request.source = source;
  request.message_bytes = bytes;
  return make_schedule(find_algorithm(name), topology, request);
}

void expect_online_as_batch(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                            const RunParameters& run)
{
  const auto source = make_schedule_source(topology, schedule, network, run);
  const Log online = run_online(topology, network, run.engine, *source, schedule, false);
  const Log batch = run_batch(topology, network, run.engine, online.sent);
  RC_ASSERT(online.delivered == batch.delivered);
  RC_ASSERT(online.waits == batch.waits);
  const auto again = make_schedule_source(topology, schedule, network, run);
  const Log shuffled = run_online(topology, network, run.engine, *again, schedule, true);
  RC_ASSERT(shuffled.delivered == online.delivered);
  RC_ASSERT(shuffled.waits == online.waits);
}

// Random messages, some after others, through a program that sends each when it may.
RC_GTEST_PROP(OnlineNetwork, GivesWhatTheSameListGivesOnRandomTraffic, ())
{
  const TopologyDescription description = testing::random_grid();
  const NetworkParameters network = testing::random_network();
  const auto topology = make_topology(description, network.routing);
  const Schedule schedule = testing::plain_schedule(description, testing::random_sends(topology->node_count()));
  expect_online_as_batch(*topology, schedule, network,
                         {.engine = *rc::gen::element(EngineChoice::worm, EngineChoice::flit)});
}

struct OnlineCase {
  std::string algorithm;
  Mode mode = Mode::lockstep;
};

class OnlineAlgorithm : public ::testing::TestWithParam<OnlineCase> {};

// Where the schedule is free of contention the numbers do not matter, and its messages arrive when those of the
// schedule do.
TEST_P(OnlineAlgorithm, GivesWhatTheScheduleGives)
{
  const auto topology = make_topology(grid("mesh", {8, 8}));
  NetworkParameters network = small_network();
  const Schedule schedule = schedule_of(GetParam().algorithm, *topology, NodeId{10}, 96);
  for (const EngineChoice engine : {EngineChoice::worm, EngineChoice::flit}) {
    const RunParameters run{.mode = GetParam().mode, .engine = engine};
    const auto source = make_schedule_source(*topology, schedule, network, run);
    const Log online = run_online(*topology, network, engine, *source, schedule, false);
    const Log batch = run_batch(*topology, network, engine, online.sent);
    EXPECT_EQ(online.delivered, batch.delivered);
    EXPECT_EQ(online.waits, batch.waits);
    const SimulationResult scheduled = simulate_core(*topology, schedule, network, run);
    if (scheduled.contention.none()) {
      std::vector<std::optional<Time>> in_time = scheduled.delivered;
      std::vector<std::optional<Time>> online_in_time = online.delivered;
      std::ranges::sort(in_time);
      std::ranges::sort(online_in_time);
      EXPECT_EQ(online_in_time, in_time);
    }
  }
}

// All algorithms that send something on an 8 x 8 mesh without being told more than the source.
std::vector<OnlineCase> cases_on_a_mesh()
{
  const auto topology = make_topology(grid("mesh", {8, 8}));
  std::vector<OnlineCase> cases;
  for (const Algorithm& algorithm : algorithms()) {
    try {
      schedule_of(algorithm.name, *topology, NodeId{10}, 96);
    } catch (const InputError&) { // another topology, or parameters without a default
      continue;
    }
    cases.push_back({algorithm.name, Mode::lockstep});
    cases.push_back({algorithm.name, Mode::self_timed});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Mesh, OnlineAlgorithm, ::testing::ValuesIn(cases_on_a_mesh()), [](const auto& tested) {
  return tested.param.algorithm + (tested.param.mode == Mode::lockstep ? "_lockstep" : "_self_timed");
});

TEST(OnlineAlgorithms, AreTriedWithMostOfTheRegistry)
{
  EXPECT_GE(cases_on_a_mesh().size(), 20U);
}

TEST(OnlineNetwork, ExecutesATimeAgainForAMessageSentAtIt)
{
  const auto topology = make_topology(grid("mesh", {4}));
  OnlineNetwork online(*topology, small_network());
  online.send(NodeId{0}, NodeId{1}, 10, 0, nullptr);
  online.commit();
  EXPECT_EQ(online.next_event_time(), 0);
  EXPECT_TRUE(online.advance().empty());
  EXPECT_EQ(online.now(), 0);
  online.send(NodeId{2}, NodeId{3}, 10, 0, nullptr);
  online.commit();
  EXPECT_EQ(online.next_event_time(), 0);
  EXPECT_TRUE(online.advance().empty());
  const auto both = online.advance(never);
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(online.now(), 1000 + 5 + 100);
  EXPECT_FALSE(online.next_event_time());
  EXPECT_EQ(online.undelivered(), 0U);
}

TEST(OnlineNetwork, StopsBeforeTheTimeItIsGiven)
{
  const auto topology = make_topology(grid("mesh", {4}));
  OnlineNetwork online(*topology, small_network());
  online.send(NodeId{0}, NodeId{3}, 1, 0, nullptr);
  online.commit();
  EXPECT_TRUE(online.advance(1005).empty());
  EXPECT_LT(online.now(), 1005);
  EXPECT_EQ(online.next_event_time(), 1005);
}

TEST(OnlineNetwork, ReturnsTagsAndDropsThem)
{
  const auto topology = make_topology(grid("mesh", {4}));
  OnlineNetwork online(*topology, small_network());
  int first = 0;
  int second = 0;
  online.send(NodeId{0}, NodeId{3}, 1, 0, &first);
  online.commit();
  online.send(NodeId{3}, NodeId{0}, 1, 0, &second);
  online.drop_tag(&second);
  online.commit();
  online.drop_tag(&first);
  const auto gone = online.advance(never);
  ASSERT_EQ(gone.size(), 2U);
  EXPECT_EQ(gone[0].tag, nullptr);
  EXPECT_EQ(gone[1].tag, nullptr);
  online.send(NodeId{0}, NodeId{3}, 1, online.now(), &second);
  online.commit();
  const auto arrived = online.advance(never);
  ASSERT_EQ(arrived.size(), 1U);
  EXPECT_EQ(arrived[0].tag, &second);
  EXPECT_EQ(arrived[0].message, MessageId{2});
}

TEST(OnlineNetwork, TakesTheFlitEngineWhereWormsMayMeet)
{
  const auto topology = make_topology(grid("torus", {4}));
  NetworkParameters network = small_network();
  EXPECT_EQ(OnlineNetwork(*topology, network).engine_name(), "worm");
  network.virtual_channels = 2;
  EXPECT_EQ(OnlineNetwork(*topology, network).engine_name(), "flit");
  EXPECT_THROW(OnlineNetwork(*topology, network, EngineChoice::worm), InputError);
}

TEST(OnlineNetwork, ExplainsADeadlock)
{
  const auto topology = make_topology(grid("torus", {6}), {.routing = "", .tie = "positive"});
  NetworkParameters network = small_network();
  network.routing.tie = "positive";
  OnlineNetwork online(*topology, network);
  for (std::uint32_t node = 0; node < 6; ++node) {
    online.send(NodeId{node}, NodeId{(node + 3) % 6}, 1000, 0, nullptr);
  }
  online.commit();
  while (!online.advance(never).empty()) {
  }
  ASSERT_EQ(online.undelivered(), 6U);
  const Deadlock deadlock = online.explain_deadlock();
  EXPECT_EQ(deadlock.undelivered, 6U);
  EXPECT_EQ(deadlock.cycle.size(), 6U);
}

} // namespace
} // namespace wormcast
