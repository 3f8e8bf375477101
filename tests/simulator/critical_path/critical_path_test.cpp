// Critical paths that follow from the rules by hand.

#include "tests/simulator/critical_path/explained_run.hpp"
#include "tests/simulator/engines/plain_schedule.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace wormcast {
namespace {

using testing::explained_run;
using testing::ExplainedRun;
using testing::grid;
using testing::plain_schedule;
using testing::Send;
using testing::small_network;

// "startup 0 1000": cause, from, to; of a wait also who holds, of hops and bytes how many, of a held port by whom.
std::string text(const PathSegment& segment)
{
  std::string line =
      fmt::format("{} {} {}", path_cause_names.text(segment.cause), segment.from.picoseconds, segment.to.picoseconds);
  if (segment.wait) {
    line += fmt::format(" held by {}", index(segment.wait->holding));
  }
  if (segment.port_held_by) {
    line += fmt::format(" of {}", index(*segment.port_held_by));
  }
  if (segment.hops > 0) {
    line += fmt::format(" hops {}", segment.hops);
  }
  if (segment.flits > 0) {
    line += fmt::format(" flits {}", segment.flits);
  }
  return line;
}

// One line a message, then its segments.
std::vector<std::string> text(const CriticalPath& path)
{
  std::vector<std::string> lines;
  for (const PathMessage& message : path.messages) {
    lines.push_back(fmt::format("{}: {}{}{}", index(message.message), path_reason_names.text(message.reason),
                                message.follows ? fmt::format(" {}", index(*message.follows)) : "",
                                message.until_port_free ? ", until its port is free" : ""));
    for (const PathSegment& segment : message.segments) {
      lines.push_back(text(segment));
    }
  }
  return lines;
}

using Lines = std::vector<std::string>;

class Path : public ::testing::TestWithParam<EngineChoice> {
protected:
  Lines of(const Schedule& schedule, const NetworkParameters& network = small_network(), RunParameters run = {},
           FixedStarts starts = FixedStarts::given)
  {
    run.engine = GetParam();
    const auto topology = make_topology(schedule.topology, network.routing);
    const ExplainedRun explained = explained_run(*topology, schedule, network, run, starts);
    return explained.path ? text(*explained.path) : Lines{"none"};
  }
  Lines of(const TopologyDescription& topology, const std::vector<Send>& sends,
           const NetworkParameters& network = small_network())
  {
    return of(plain_schedule(topology, sends), network);
  }
};

INSTANTIATE_TEST_SUITE_P(Engines, Path, ::testing::Values(EngineChoice::worm, EngineChoice::flit),
                         [](const auto& engine) { return engine.param == EngineChoice::worm ? "worm" : "flit"; });

TEST_P(Path, OfOneMessage)
{
  EXPECT_EQ(of(grid("mesh", {4}), {{0, 3, 100}}),
            (Lines{"0: start", "startup 0 1000", "hops 1000 1015 hops 3", "bytes 1015 2015 flits 100"}));
}

TEST_P(Path, OfNoMessage)
{
  EXPECT_EQ(of(grid("mesh", {4}), {}), Lines{});
}

TEST_P(Path, AFixedStartBeginsIt)
{
  EXPECT_EQ(
      of(grid("mesh", {4}), {{0, 1, 1, 0}, {1, 2, 1, 40}}),
      (Lines{"1: start", "start_time 0 40", "startup 40 1040", "hops 1040 1045 hops 1", "bytes 1045 1055 flits 1"}));
}

TEST_P(Path, GoesThroughWhatAMessageComesAfter)
{
  EXPECT_EQ(of(grid("mesh", {4}), {{0, 1, 1}, {1, 2, 2, 5, {0}}}),
            (Lines{"0: start", "startup 0 1000", "hops 1000 1005 hops 1", "bytes 1005 1015 flits 1", "1: after 0",
                   "startup 1015 2015", "hops 2015 2020 hops 1", "bytes 2020 2040 flits 2"}));
}

// Message 0 comes to node 1 at 1025, which computes until 1110; node 2 answers at once what it gets at 2125.
TEST_P(Path, FollowsAProgramFromMessageToMessage)
{
  const TopologyDescription line = grid("mesh", {4});
  const Schedule program = plain_schedule(line, {{0, 1, 1, 10}, {1, 2, 1, 1110}, {2, 1, 1, 2125}, {3, 2, 1, 2125}});
  EXPECT_EQ(of(program, small_network(), {}, FixedStarts::by_program),
            (Lines{"0: start", "program 0 10", "startup 10 1010", "hops 1010 1015 hops 1", "bytes 1015 1025 flits 1",
                   "1: program 0", "program 1025 1110", "startup 1110 2110", "hops 2110 2115 hops 1",
                   "bytes 2115 2125 flits 1", "2: program 1", "startup 2125 3125", "hops 3125 3130 hops 1",
                   "bytes 3130 3140 flits 1"}));
}

// The sender of message 1 had no part in any message before, but its receiver had.
TEST_P(Path, FollowsTheReceiverOfAProgramsMessageToo)
{
  const Schedule program = plain_schedule(grid("mesh", {4}), {{0, 1, 1}, {2, 1, 1, 1015}});
  EXPECT_EQ(of(program, small_network(), {}, FixedStarts::by_program).at(4), "1: program 0");
}

// Message 1 has 1->2 from 1000 to h_2 + 1000 = 2005; message 0 is there at 1305.
TEST_P(Path, StaysWithAMessageThatWaits)
{
  EXPECT_EQ(of(grid("mesh", {4}), {{0, 3, 100, 300}, {1, 2, 100, 0}}),
            (Lines{"0: start", "start_time 0 300", "startup 300 1300", "hops 1300 1305 hops 1",
                   "step_wait 1305 2005 held by 1", "hops 2005 2015 hops 2", "bytes 2015 3015 flits 100"}));
}

TEST_P(Path, PortWaitComesBeforeTheStartup)
{
  EXPECT_EQ(of(grid("mesh", {3, 3}), {{4, 5, 100}, {4, 3, 100}}),
            (Lines{"1: start", "own_port_startup 0 1000 of 0", "own_port_bytes 1000 2000 of 0", "startup 2000 3000",
                   "hops 3000 3005 hops 1", "bytes 3005 4005 flits 100"}));
}

// Message 2 waits for message 1, which waited for message 0; it asks when message 0 is in the middle of its start-up.
TEST_P(Path, PortWaitIsDividedAmongAllThatHeldThePort)
{
  EXPECT_EQ(of(grid("mesh", {3, 3}), {{4, 5, 100}, {4, 3, 100, 100}, {4, 1, 100, 400}}),
            (Lines{"2: start", "start_time 0 400", "own_port_startup 400 1000 of 0", "own_port_bytes 1000 2000 of 0",
                   "own_port_startup 2000 3000 of 1", "own_port_bytes 3000 4000 of 1", "startup 4000 5000",
                   "hops 5000 5005 hops 1", "bytes 5005 6005 flits 100"}));
}

// Message 1 holds the port of node 0 while it waits for 2->3; see APortIsFreeWhenTheTailHasMovedOn.
TEST_P(Path, PortWaitHasTheWaitsOfTheMessageThatHeldThePort)
{
  EXPECT_EQ(of(grid("mesh", {4}), {{2, 3, 5}, {0, 3, 5}, {0, 1, 5}}),
            (Lines{"2: start", "own_port_startup 0 1000 of 1", "own_port_hops 1000 1010 of 1",
                   "own_port_wait 1010 1055 held by 0 of 1", "own_port_bytes 1055 1065 of 1", "startup 1065 2065",
                   "hops 2065 2070 hops 1", "bytes 2070 2120 flits 5"}));
}

// Of two ports the one of message 1 is free first.
TEST_P(Path, PortWaitFollowsThePortThatWasFreeFirst)
{
  NetworkParameters network = small_network();
  network.ports.count = 2;
  EXPECT_EQ(of(grid("mesh", {3, 3}), {{4, 5, 100}, {4, 3, 50}, {4, 1, 100}}, network),
            (Lines{"2: start", "own_port_startup 0 1000 of 1", "own_port_bytes 1000 1500 of 1", "startup 1500 2500",
                   "hops 2500 2505 hops 1", "bytes 2505 3505 flits 100"}));
}

// Every channel has a port of its own: message 1 holds another one.
TEST_P(Path, PortWaitIsForThePortOfTheChannel)
{
  NetworkParameters network = small_network();
  network.ports.count = PortModel::all;
  EXPECT_EQ(of(grid("mesh", {3, 3}), {{4, 5, 100}, {4, 3, 100}, {4, 5, 100}}, network),
            (Lines{"2: start", "own_port_startup 0 1000 of 0", "own_port_bytes 1000 2000 of 0", "startup 2000 3000",
                   "hops 3000 3005 hops 1", "bytes 3005 4005 flits 100"}));
}

// Message 0 comes in over the port of node 1 from 1005 on: a wait for a message of another sender.
TEST_P(Path, PortWaitBehindAMessageThatComesInRemains)
{
  NetworkParameters network = small_network();
  network.duplex = Duplex::half;
  EXPECT_EQ(of(grid("mesh", {3}), {{0, 1, 100}, {1, 2, 1, 1006}}, network),
            (Lines{"1: start", "start_time 0 1006", "port_wait 1006 2005 held by 0", "startup 2005 3005",
                   "hops 3005 3010 hops 1", "bytes 3010 3020 flits 1"}));
}

// Every node sends seven messages at once, and seven more when it has got seven. Start-ups are most of the time, but
// six of seven are those of messages before in the same port.
TEST_P(Path, TellsWhatAShorterStartupWouldSave)
{
  std::vector<Send> sends;
  const auto round = [&](std::uint32_t first) {
    for (std::uint32_t node = 0; node < 8; ++node) {
      std::vector<std::uint32_t> after;
      for (std::uint32_t i = 0; i < sends.size() && first > 0; ++i) {
        if (i >= first - 56 && i < first && sends[i].destination == node) {
          after.push_back(i);
        }
      }
      for (std::uint32_t offset = 1; offset < 8; ++offset) {
        sends.push_back({node, node ^ offset, 20, 0, after});
      }
    }
  };
  for (const std::uint32_t first : {0U, 56U, 112U}) {
    round(first);
  }
  const Schedule schedule = plain_schedule(grid("mesh", {2, 2, 2}), sends);
  NetworkParameters network = small_network();
  const auto path_of = [&] {
    return *explained_run(*make_topology(schedule.topology), schedule, network, {.engine = GetParam()}).path;
  };
  const CriticalPath path = path_of();
  const double startups =
      static_cast<double>((path[PathCause::startup] + path[PathCause::own_port_startup]).picoseconds);
  const auto latency = static_cast<double>(path.latency.picoseconds);
  network.startup = Time{network.startup.picoseconds / 2};
  EXPECT_NEAR(static_cast<double>(path_of().latency.picoseconds), latency - startups / 2, 0.05 * latency);
  EXPECT_GT(path[PathCause::own_port_startup], 4 * path[PathCause::startup]);
}

TEST_P(Path, EjectionPortIsWaitedForLast)
{
  // Message 0 takes the ejection port of node 1 at 1005; message 1 is there 7 later.
  EXPECT_EQ(of(grid("mesh", {3}), {{0, 1, 100}, {2, 1, 1, 7}}),
            (Lines{"1: start", "start_time 0 7", "startup 7 1007", "hops 1007 1012 hops 1",
                   "port_wait 1012 2005 held by 0", "bytes 2005 2015 flits 1"}));
}

TEST_P(Path, StoreAndForwardStoresInEveryRouterButTheLast)
{
  NetworkParameters network = small_network();
  network.switching = Switching::store_and_forward;
  EXPECT_EQ(of(grid("mesh", {4}), {{0, 3, 10}}, network),
            (Lines{"0: start", "startup 0 1000", "storing 1000 1100 flits 10", "hops 1100 1105 hops 1",
                   "storing 1105 1205 flits 10", "hops 1205 1215 hops 2", "bytes 1215 1315 flits 10"}));
}

// Every node has a block of its own; message_bytes each.
Schedule exchange(std::uint64_t bytes, std::vector<Message> messages, BlockSets block_sets)
{
  Schedule schedule;
  schedule.topology = grid("mesh", {4});
  schedule.operation = Operation::multinode_broadcast;
  schedule.blocks = 4;
  schedule.message_bytes = bytes;
  schedule.messages = std::move(messages);
  schedule.block_sets = std::move(block_sets);
  return schedule;
}

// Message 0 blocks message 1 on 2->3 until 1055, and with it the port of node 0: c_0 is free at
// max(h_1 + 50, h_2 + 30, h_3 + 10) = 1055 + 10, since a buffer holds two flits.
TEST_P(Path, APortIsFreeWhenTheTailHasMovedOn)
{
  BlockSets sets;
  const BlockSetId of_0 = sets.intern({0, 1});
  const BlockSetId of_2 = sets.intern({2, 3});
  const Schedule schedule = exchange(
      5, {{0, NodeId{2}, NodeId{3}, of_2}, {0, NodeId{0}, NodeId{3}, of_0}, {1, NodeId{0}, NodeId{1}, of_0}}, sets);
  EXPECT_EQ(of(schedule, small_network(), {.mode = Mode::self_timed}),
            (Lines{"1: start, until its port is free", "startup 0 1000", "hops 1000 1010 hops 2",
                   "step_wait 1010 1055 held by 0", "bytes 1055 1065 flits 1", "2: port 1", "startup 1065 2065",
                   "hops 2065 2070 hops 1", "bytes 2070 2120 flits 5"}));
  NetworkParameters network = small_network();
  network.hold = Hold::path;
  EXPECT_EQ(of(schedule, network, {.mode = Mode::self_timed}),
            (Lines{"1: start, until its port is free", "startup 0 1000", "hops 1000 1010 hops 2",
                   "step_wait 1010 1055 held by 0", "hops 1055 1060 hops 1", "bytes 1060 1110 flits 5", "2: port 1",
                   "startup 1110 2110", "hops 2110 2115 hops 1", "bytes 2115 2165 flits 5"}));
}

TEST_P(Path, LockstepFollowsTheLastDeliveryOfTheStepBefore)
{
  BlockSets sets;
  const BlockSetId of_0 = sets.intern({0, 1});
  const BlockSetId of_3 = sets.intern({3, 4});
  // Step 1 is empty. Message 1 is the slower of step 0, although message 2 has nothing to do with it.
  const Schedule schedule = exchange(
      5, {{0, NodeId{0}, NodeId{1}, of_0}, {0, NodeId{3}, NodeId{1}, of_3}, {2, NodeId{0}, NodeId{1}, of_0}}, sets);
  const Lines path = of(schedule);
  EXPECT_EQ(path, (Lines{"1: start", "startup 0 1000", "hops 1000 1010 hops 2", "port_wait 1010 1055 held by 0",
                         "bytes 1055 1105 flits 5", "2: step 1", "startup 1105 2105", "hops 2105 2110 hops 1",
                         "bytes 2110 2160 flits 5"}));
}

// Both deliveries to node 1 end at 1055; message 2 carries the block of message 1 only.
TEST_P(Path, BlocksComeFromTheMessageThatBroughtThem)
{
  BlockSets sets;
  const BlockSetId of_0 = sets.intern({0, 1});
  const BlockSetId of_2 = sets.intern({2, 3});
  const Schedule schedule = exchange(
      5, {{0, NodeId{0}, NodeId{1}, of_0}, {0, NodeId{2}, NodeId{1}, of_2}, {1, NodeId{1}, NodeId{3}, of_2}}, sets);
  NetworkParameters network = small_network();
  network.ports.count = 2;
  const Lines path = of(schedule, network, {.mode = Mode::self_timed});
  ASSERT_GE(path.size(), 5U);
  EXPECT_EQ(path[0], "1: start");
  EXPECT_EQ(path[4], "2: blocks 1");
}

// A block that comes a second time is no news: what message 3 waited for was its port.
TEST_P(Path, BlocksThatArrivedBeforeExplainNothing)
{
  BlockSets sets;
  const BlockSetId of_0 = sets.intern({0, 1});
  const BlockSetId of_1 = sets.intern({1, 2});
  // Node 1 gets block 0 at 1055 and again at 2110, at the instant at which its own message 1 leaves its port.
  NetworkParameters network = small_network();
  network.hold = Hold::path;
  Schedule schedule = exchange(5,
                               {{0, NodeId{0}, NodeId{1}, of_0},
                                {0, NodeId{1}, NodeId{2}, of_1},
                                {1, NodeId{0}, NodeId{1}, of_0},
                                {1, NodeId{1}, NodeId{2}, of_1},
                                {2, NodeId{1}, NodeId{2}, of_0}},
                               sets);
  const Lines path = of(schedule, network, {.mode = Mode::self_timed});
  EXPECT_EQ(path, (Lines{"1: start, until its port is free", "startup 0 1000", "hops 1000 1005 hops 1",
                         "bytes 1005 1055 flits 5", "3: port 1, until its port is free", "startup 1055 2055",
                         "hops 2055 2060 hops 1", "bytes 2060 2110 flits 5", "4: port 3", "startup 2110 3110",
                         "hops 3110 3115 hops 1", "bytes 3115 3165 flits 5"}));
}

// Two ports: message 2 could go at once, but comes after message 1, which waits for block 0.
TEST_P(Path, MessagesOfAPortKeepTheirTurn)
{
  BlockSets sets;
  const BlockSetId of_0 = sets.intern({0, 1});
  const BlockSetId of_1 = sets.intern({1, 2});
  NetworkParameters network = small_network();
  network.ports.count = 2;
  const Schedule schedule = exchange(
      5, {{0, NodeId{0}, NodeId{1}, of_0}, {1, NodeId{1}, NodeId{2}, of_0}, {2, NodeId{1}, NodeId{3}, of_1}}, sets);
  const Lines path = of(schedule, network, {.mode = Mode::self_timed});
  ASSERT_GE(path.size(), 5U);
  EXPECT_EQ(path[0], "0: start");
  EXPECT_EQ(path[4], "2: turn 0");
}

TEST_P(Path, StartsLateWhereTheJitterSaysSo)
{
  const Schedule schedule = plain_schedule(grid("mesh", {4}), {{2, 3, 1}});
  const RunParameters run{.seed = 3, .start_jitter = Time{5000}};
  const std::int64_t delay = start_delays(4, run.start_jitter, run.seed)[2];
  ASSERT_GT(delay, 0);
  EXPECT_EQ(of(schedule, small_network(), run)[1], fmt::format("start_delay 0 {}", delay));
}

TEST_P(Path, ThereIsNoneToADeadlock)
{
  std::vector<Send> ring;
  for (std::uint32_t node = 0; node < 6; ++node) {
    ring.push_back({node, (node + 2) % 6, 100});
  }
  EXPECT_EQ(of(grid("torus", {6}), ring), Lines{"none"});
}

// B * tau = 20 < T_f = 50. A slot of a buffer is free again T_f after its flit has started, so a pair of flits
// passes in T_f: flits 0 and 1 start over the last external channel at 0 and 10 of its time, 2 and 3 at 50 and 60.
TEST(PathOfFlits, TellsWhatSmallBuffersCost)
{
  NetworkParameters network = small_network();
  network.per_hop = Time{50};
  const Schedule schedule = plain_schedule(grid("mesh", {4}), {{0, 1, 4}});
  const ExplainedRun run = explained_run(*make_topology(schedule.topology), schedule, network, {});
  EXPECT_EQ(run.result.engine, "flit");
  EXPECT_EQ(text(*run.path), (Lines{"0: start", "startup 0 1000", "hops 1000 1050 hops 1", "bytes 1050 1090 flits 4",
                                    "buffers 1090 1120"}));
}

// Both worms have a virtual channel of 1->2 from 1005 on. Message 1 comes from node 1 itself, 5 earlier.
TEST(PathOfFlits, TellsWhatSharingCosts)
{
  NetworkParameters network = small_network();
  network.virtual_channels = 2;
  network.ports.count = 2;
  const Schedule schedule = plain_schedule(grid("mesh", {4}), {{0, 3, 10}, {1, 3, 10}});
  const ExplainedRun run = explained_run(*make_topology(schedule.topology), schedule, network, {});
  ASSERT_TRUE(run.path);
  const CriticalPath& path = *run.path;
  EXPECT_GT(run.result.contention[ContentionKind::sharing].count, 0U);
  EXPECT_EQ(path[PathCause::startup], Time{1000});
  EXPECT_EQ(path[PathCause::bytes], Time{100});
  EXPECT_GT(path[PathCause::sharing], Time{0});
  EXPECT_EQ(path[PathCause::sharing] + path[PathCause::hops] + Time{1100}, path.latency);
  // The header of message 0 comes while flit 0 of message 1 is on the channel until 1010.
  ASSERT_EQ(path.messages.size(), 1U);
  const auto& segments = path.messages[0].segments;
  ASSERT_EQ(text(segments[1]), "hops 1000 1005 hops 1");
  EXPECT_EQ(text(segments[2]), "sharing 1005 1010 held by 1");
  const auto topology = make_topology(schedule.topology);
  ASSERT_TRUE(segments[2].channel);
  EXPECT_EQ(topology->channel_source(*segments[2].channel), NodeId{1});
  EXPECT_EQ(topology->channel_target(*segments[2].channel), NodeId{2});
}

} // namespace
} // namespace wormcast
