// What SimGrid's actors send travels as worms: schedules give the times of the engines, random programs those of the
// same messages in a plain list, and what else actors do has the times computed by hand.

#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/simulator/simgrid/platform.hpp"
#include "wormcast/simulator/simgrid/schedule_actors.hpp"
#include "wormcast/simulator/simgrid/wormhole_model.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simgrid/Exception.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>

namespace wormcast {
namespace {

namespace s4u = simgrid::s4u;
using testing::grid;
using testing::plain_schedule;
using testing::small_network;

class WormholeModels : public ::testing::Test {
protected:
  void SetUp() override
  {
    if (!WormholeModel::what_is_missing().empty()) {
      GTEST_SKIP() << WormholeModel::what_is_missing();
    }
  }
};

// A broadcast of 4000 bytes from node 0.
Schedule broadcast(const Topology& topology, const std::string& algorithm)
{
  ScheduleRequest request;
  request.message_bytes = 4000;
  return make_schedule(find_algorithm(algorithm), topology, request);
}

struct ScheduleCase {
  TopologyDescription topology;
  std::string algorithm;
  Mode mode;
  std::uint32_t virtual_channels = 1;
};

class SchedulesByActors : public ::testing::TestWithParam<ScheduleCase> {};

TEST_P(SchedulesByActors, TakeTheTimesOfTheEngine)
{
  if (!WormholeModel::what_is_missing().empty()) {
    GTEST_SKIP() << WormholeModel::what_is_missing();
  }
  const auto topology = make_topology(GetParam().topology);
  const Schedule schedule = broadcast(*topology, GetParam().algorithm);
  NetworkParameters network = small_network();
  network.virtual_channels = GetParam().virtual_channels;
  const SimulationResult batch = simulate_core(*topology, schedule, network, {.mode = GetParam().mode});

  SimGridPlatform platform(*topology, network);
  const WormholeModel model(platform, network);
  const ScheduleActors actors(platform, schedule, {.mode = GetParam().mode});
  platform.run();
  EXPECT_EQ(actors.delivered(), batch.delivered);
  EXPECT_EQ(model.network().message_count(), schedule.messages.size());
  EXPECT_EQ(model.network().undelivered(), 0U);
  EXPECT_EQ(model.last_delivery(), batch.latency);
}

INSTANTIATE_TEST_SUITE_P(WithoutContention, SchedulesByActors,
                         ::testing::Values(ScheduleCase{grid("mesh", {8, 8}), "recursive_doubling", Mode::lockstep},
                                           ScheduleCase{grid("mesh", {8, 8}), "recursive_doubling", Mode::self_timed},
                                           ScheduleCase{grid("mesh", {8, 8}), "recursion_based", Mode::lockstep},
                                           ScheduleCase{grid("mesh", {8, 8}), "recursion_based", Mode::self_timed},
                                           ScheduleCase{grid("mesh", {8, 8}), "scatter_collect", Mode::lockstep},
                                           ScheduleCase{grid("mesh", {8, 8}), "scatter_collect", Mode::self_timed},
                                           ScheduleCase{grid("mesh", {12, 5}), "recursive_doubling", Mode::self_timed},
                                           ScheduleCase{grid("torus", {8, 8}), "recursive_doubling", Mode::self_timed,
                                                        2}));

// Programs in which every node sends messages to others one after the other; numbers from a generator.
struct RandomProgram {
  TopologyDescription topology;
  NetworkParameters network;
  int each = 0;
  unsigned seed = 0;
};

struct Carried {
  std::vector<SentMessage> sent; // by id
  std::vector<std::optional<Time>> delivered;
};

// All that the network carried. The actors are made, and so run, in an order of `actor_order`.
Carried run_program(const RandomProgram& program, unsigned actor_order)
{
  const auto topology = make_topology(program.topology);
  SimGridPlatform platform(*topology, program.network);
  Carried carried;
  const auto sent = [&](const SentMessage& message) {
    EXPECT_EQ(index(message.message), carried.sent.size());
    carried.sent.push_back(message);
    carried.delivered.emplace_back();
  };
  const auto delivered = [&](const DeliveryRecord& record) {
    carried.delivered.at(index(record.message)) = record.delivered;
  };
  const WormholeModel model(platform, program.network, {.sinks = {.delivery = delivered}, .sent = sent});
  platform.complete();
  std::vector<std::uint32_t> nodes(topology->node_count());
  std::iota(nodes.begin(), nodes.end(), 0U);
  std::shuffle(nodes.begin(), nodes.end(), std::mt19937(actor_order));
  for (const std::uint32_t node : nodes) {
    s4u::Actor::create("sends", &platform.host(NodeId{node}), [&platform, &program, &topology, node] {
      std::mt19937 random(program.seed * 1000 + node);
      for (int i = 0; i < program.each; ++i) {
        const auto to = static_cast<std::uint32_t>(random() % topology->node_count());
        s4u::Comm::sendto(&platform.host(NodeId{node}), &platform.host(NodeId{to}), random() % 300);
        if (random() % 4 == 0) {
          s4u::this_actor::sleep_for(1e-12 * static_cast<double>(random() % 5000));
        }
      }
    });
  }
  platform.run();
  EXPECT_EQ(model.network().undelivered(), 0U);
  return carried;
}

std::vector<std::optional<Time>> replay(const RandomProgram& program, const Carried& carried, EngineChoice engine)
{
  std::vector<testing::Send> sends;
  for (const SentMessage& message : carried.sent) {
    sends.push_back({index(message.source), index(message.destination), message.bytes, message.start.picoseconds, {}});
  }
  const auto topology = make_topology(program.topology);
  return simulate_core(*topology, plain_schedule(program.topology, sends), program.network, {.engine = engine})
      .delivered;
}

TEST_F(WormholeModels, RandomProgramsTakeTheTimesOfTheirMessagesInAPlainList)
{
  for (unsigned seed = 1; seed <= 20; ++seed) {
    RandomProgram program{grid("mesh", {6, 5}), small_network(), 20, seed};
    program.network.per_hop = Time{seed % 3 == 0 ? 0 : 5};
    if (seed % 2 == 0) {
      program.topology = grid("torus", {5, 4});
      program.network.virtual_channels = 2;
    }
    const Carried carried = run_program(program, seed);
    ASSERT_GT(carried.sent.size(), 300U);
    EXPECT_EQ(replay(program, carried, EngineChoice::flit), carried.delivered) << seed;
    if (program.network.virtual_channels == 1) {
      EXPECT_EQ(replay(program, carried, EngineChoice::worm), carried.delivered) << seed;
    }
  }
}

TEST_F(WormholeModels, TheOrderInWhichActorsRunDoesNotMatter)
{
  const RandomProgram program{grid("mesh", {8, 8}), small_network(), 10, 1};
  const auto summary = [&](unsigned actor_order) {
    std::vector<std::vector<std::uint64_t>> all;
    const Carried carried = run_program(program, actor_order);
    for (const SentMessage& message : carried.sent) {
      all.push_back({index(message.source), index(message.destination), message.bytes,
                     static_cast<std::uint64_t>(message.start.picoseconds),
                     static_cast<std::uint64_t>(carried.delivered[index(message.message)]->picoseconds)});
    }
    return all;
  };
  const auto first = summary(1);
  EXPECT_EQ(summary(2), first);
  EXPECT_EQ(summary(3), first);
}

// A mesh of 4 nodes in a row; a message of L bytes over d channels takes 1000 + 5 * d + 10 * L ps.
class ActorsOnARow : public WormholeModels {
protected:
  ActorsOnARow() { platform_.complete(); }

  // SimGrid's clock goes on from test to test.
  std::int64_t now() const { return std::llround((s4u::Engine::get_clock() - start_) * 1e12); }
  static void sleep(std::int64_t picoseconds) { s4u::this_actor::sleep_for(simgrid_seconds(picoseconds)); }

  s4u::Host* host(std::uint32_t node) { return &platform_.host(NodeId{node}); }
  void add(std::uint32_t node, const std::function<void()>& does) { s4u::Actor::create("actor", host(node), does); }
  static s4u::Mailbox* box() { return s4u::Mailbox::by_name("box"); }

  // Great times would leave the clock too coarse for the tests that follow.
  void in_its_own_process(const std::function<void()>& test)
  {
    EXPECT_EXIT(
        {
          test();
          std::_Exit(HasFailure() ? 1 : 0);
        },
        ::testing::ExitedWithCode(0), "");
    platform_.run(); // SimGrid allows another one only after a run
  }

  std::vector<std::int64_t> log_;
  int payload_ = 42;

  NetworkParameters network_ = small_network();
  std::unique_ptr<Topology> topology_ = make_topology(grid("mesh", {4}));
  SimGridPlatform platform_{*topology_, network_};
  WormholeModel model_{platform_, network_};
  double start_ = s4u::Engine::get_clock();
};

TEST_F(ActorsOnARow, AMessageStartsWhenSenderAndReceiverHaveMet)
{
  add(0, [&] {
    box()->put(&payload_, 100);
    log_.push_back(now());
  });
  add(3, [&] {
    sleep(500);
    EXPECT_EQ(*box()->get<int>(), 42);
    log_.push_back(now());
  });
  platform_.run();
  EXPECT_EQ(log_, (std::vector<std::int64_t>{500 + 2015, 500 + 2015}));
}

TEST_F(ActorsOnARow, MessagesOfOneSenderQueueAtItsPort)
{
  add(0, [&] {
    const auto first = s4u::Comm::sendto_async(host(0), host(3), 100);
    const auto second = s4u::Comm::sendto_async(host(0), host(1), 10);
    EXPECT_FALSE(first->test());
    first->wait();
    log_.push_back(now());
    second->wait();
    log_.push_back(now());
  });
  platform_.run();
  // The tail leaves the injection channel at 1000 + 100 * 10: buffers cover a hop.
  EXPECT_EQ(log_, (std::vector<std::int64_t>{2015, 2000 + 1000 + 5 + 100}));
}

TEST_F(ActorsOnARow, ComputingGoesOnBesideMessages)
{
  add(0, [&] {
    const auto message = s4u::Comm::sendto_async(host(0), host(3), 100);
    s4u::this_actor::execute(1); // 1 ns
    log_.push_back(now());
    message->wait();
    log_.push_back(now());
    s4u::this_actor::execute(2);
    s4u::Comm::sendto(host(0), host(1), 1);
    log_.push_back(now());
  });
  platform_.run();
  EXPECT_EQ(log_, (std::vector<std::int64_t>{1000, 2015, 2015 + 2000 + 1015}));
}

TEST_F(ActorsOnARow, AnActorWakesBetweenDeliveriesToThePicosecond)
{
  add(0, [&] {
    s4u::Comm::sendto(host(0), host(3), 100);
    log_.push_back(now());
  });
  for (const std::int64_t time : {2014, 2015, 2016}) {
    add(1, [&, time] {
      sleep(time);
      log_.push_back(now());
    });
  }
  platform_.run();
  EXPECT_EQ(log_, (std::vector<std::int64_t>{2014, 2015, 2015, 2016}));
}

TEST_F(ActorsOnARow, AnAnswerAtTheTimeOfADeliveryStartsAtIt)
{
  add(0, [&] {
    s4u::Comm::sendto(host(0), host(1), 100); // until 2005
    s4u::Comm::sendto(host(1), host(0), 100);
    log_.push_back(now());
  });
  add(2, [&] {
    sleep(5);
    s4u::Comm::sendto(host(2), host(3), 100); // until 2010, when the engine has been at 2005
    log_.push_back(now());
  });
  platform_.run();
  EXPECT_EQ(log_, (std::vector<std::int64_t>{2010, 4010}));
}

TEST_F(ActorsOnARow, WaitAnyGivesTheFirstDelivery)
{
  add(0, [&] {
    std::vector<s4u::CommPtr> messages{s4u::Comm::sendto_async(host(1), host(3), 100),
                                       s4u::Comm::sendto_async(host(0), host(1), 10)};
    EXPECT_EQ(s4u::Comm::wait_any(messages), 1);
    log_.push_back(now());
    messages[0]->wait();
    log_.push_back(now());
  });
  platform_.run();
  EXPECT_EQ(log_, (std::vector<std::int64_t>{1105, 2010}));
}

TEST_F(ActorsOnARow, AWormGoesOnAfterATimeoutOrACancel)
{
  add(0, [&] {
    const auto late = s4u::Comm::sendto_async(host(0), host(3), 100);
    EXPECT_THROW(late->wait_for(simgrid_seconds(300)), simgrid::TimeoutException);
    log_.push_back(now());
    const auto cancelled = s4u::Comm::sendto_async(host(0), host(1), 10);
    sleep(10);
    cancelled->cancel();
    log_.push_back(now());
    s4u::Comm::sendto(host(0), host(1), 1);
    log_.push_back(now());
  });
  platform_.run();
  // The port is free of the first worm at 2000, of the second at 2000 + 1000 + 100.
  EXPECT_EQ(log_, (std::vector<std::int64_t>{300, 310, 3100 + 1015}));
  EXPECT_EQ(model_.network().message_count(), 3U);
  EXPECT_EQ(model_.network().undelivered(), 0U);
}

TEST_F(ActorsOnARow, AWormOutlivesItsSender)
{
  const auto victim = s4u::Actor::create("victim", host(0), [&] {
    s4u::Comm::sendto(host(0), host(3), 100);
    log_.push_back(-1);
  });
  add(1, [&] {
    sleep(200);
    victim->suspend();
    sleep(200);
    victim->resume();
    victim->kill();
    log_.push_back(now());
  });
  platform_.run();
  EXPECT_EQ(log_, (std::vector<std::int64_t>{400}));
  EXPECT_EQ(model_.network().message_count(), 1U);
  EXPECT_EQ(model_.network().undelivered(), 0U);
  EXPECT_EQ(model_.last_delivery(), Time{2015});
  EXPECT_EQ(now(), 2015);
}

TEST_F(ActorsOnARow, AMessageOfANodeToItselfTakesNoTime)
{
  add(2, [&] {
    sleep(10);
    const auto under_way = s4u::Comm::sendto_async(host(2), host(3), 100);
    s4u::Comm::sendto(host(2), host(2), 1'000'000);
    log_.push_back(now());
    under_way->wait();
    log_.push_back(now());
  });
  platform_.run();
  EXPECT_EQ(log_, (std::vector<std::int64_t>{10, 10 + 2005}));
  EXPECT_EQ(model_.network().message_count(), 1U);
}

TEST_F(ActorsOnARow, TimesThatNoMessageCanSeeDoNotStopMessages)
{
  in_its_own_process([&] {
    add(0, [&] {
      const auto message = s4u::Comm::sendto_async(host(0), host(3), 100);
      message->wait_for(1e9);
      log_.push_back(now());
    });
    add(1, [] { s4u::this_actor::sleep_for(1e9); });
    platform_.run();
    EXPECT_EQ(log_, (std::vector<std::int64_t>{2015}));
  });
}

TEST_F(ActorsOnARow, MessagesTravelWhereTheClockIsCoarserThanAPicosecond)
{
  in_its_own_process([&] {
    add(0, [&] {
      s4u::this_actor::sleep_for(9000);
      for (int i = 0; i < 100; ++i) {
        s4u::Comm::sendto(host(0), host(3), 100);
      }
      log_.push_back(now());
    });
    add(2, [&] {
      s4u::this_actor::sleep_for(9000);
      for (int i = 0; i < 100; ++i) {
        s4u::Comm::sendto(host(2), host(3), 7);
      }
    });
    platform_.run();
    EXPECT_EQ(model_.network().undelivered(), 0U);
    EXPECT_EQ(model_.network().message_count(), 200U);
    EXPECT_NEAR(static_cast<double>(log_.at(0)), 9e15 + 100 * 2015, 100 * 2015);
  });
}

TEST_F(ActorsOnARow, ActorsComeAndGo)
{
  add(0, [&] {
    for (int i = 0; i < 3; ++i) {
      s4u::Actor::create("child", host(1), [&] {
        s4u::Comm::sendto(host(1), host(2), 100);
        log_.push_back(now());
      });
      sleep(2500);
    }
  });
  platform_.run();
  EXPECT_EQ(log_, (std::vector<std::int64_t>{2005, 4505, 7005}));
}

TEST_F(WormholeModels, AddsBytesToMessagesOrTakesThemAway)
{
  for (const std::int64_t added : {-16, 16}) {
    const auto topology = make_topology(grid("mesh", {4}));
    const NetworkParameters network = small_network();
    SimGridPlatform platform(*topology, network);
    std::vector<std::uint64_t> bytes;
    const WormholeModel model(platform, network, {.added_bytes = added, .sent = [&](const SentMessage& message) {
                                                    bytes.push_back(message.bytes);
                                                  }});
    simgrid::s4u::Host* const from = &platform.host(NodeId{0});
    simgrid::s4u::Host* const to = &platform.host(NodeId{1});
    s4u::Actor::create("sends", from, [&] {
      s4u::Comm::sendto(from, to, 100);
      s4u::Comm::sendto(from, to, 7);
    });
    platform.run();
    EXPECT_EQ(bytes, (added < 0 ? std::vector<std::uint64_t>{84, 1} : std::vector<std::uint64_t>{116, 23}));
  }
}

TEST_F(WormholeModels, GiveTheRecordsOfTheNetwork)
{
  const auto topology = make_topology(grid("mesh", {4}));
  const NetworkParameters network = small_network();
  SimGridPlatform platform(*topology, network);
  std::vector<ContentionRecord> waits;
  std::vector<OccupancyRecord> held;
  const WormholeModel model(platform, network,
                            {.sinks = {.contention = [&](const ContentionRecord& record) { waits.push_back(record); },
                                       .occupancy = [&](const OccupancyRecord& record) { held.push_back(record); }}});
  simgrid::s4u::Host* const last = &platform.host(NodeId{3});
  for (const std::uint32_t node : {0U, 1U}) {
    simgrid::s4u::Host* const from = &platform.host(NodeId{node});
    s4u::Actor::create("sends", from, [from, last] { s4u::Comm::sendto(from, last, 100); });
  }
  platform.run();
  ASSERT_EQ(waits.size(), 1U); // message 1 has the channel from node 1 to node 2 first
  EXPECT_EQ(waits[0].waiting, MessageId{0});
  EXPECT_EQ(waits[0].holding, MessageId{1});
  EXPECT_EQ(held.size(), 5U + 4U);
}

TEST_F(WormholeModels, LeaveLinksAndRoutesAsTheyAre)
{
  const auto topology = make_topology(grid("torus", {4, 4}));
  const NetworkParameters network = small_network();
  SimGridPlatform platform(*topology, network);
  const WormholeModel model(platform, network);
  platform.complete();
  std::vector<simgrid::s4u::Link*> links;
  double latency = 0;
  platform.host(NodeId{0}).route_to(&platform.host(NodeId{10}), links, &latency);
  EXPECT_EQ(links.size(), 4U);
  EXPECT_NEAR(latency, 20e-12, 1e-20);
}

} // namespace
} // namespace wormcast
