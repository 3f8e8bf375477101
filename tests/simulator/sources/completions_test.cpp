// What nodes do with messages before they can use them: additions, copies, calls, the latency of a start-up. Times are
// those of small_network(): 1000 ps for a start-up, 5 for a hop, 10 for a byte, so that 100 bytes to a neighbour take
// 1000 + 5 + 100 * 10 = 2005 ps.

#include "tests/simulator/critical_path/explained_run.hpp"
#include "tests/simulator/engines/plain_schedule.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/algorithms/schedule/ready_messages.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

namespace wormcast {
namespace {

using testing::explained_run;
using testing::ExplainedRun;
using testing::grid;
using testing::small_network;

// One block of 100 bytes.
Schedule one_block(const TopologyDescription& topology, Operation operation, std::vector<Message> messages)
{
  Schedule schedule;
  schedule.topology = topology;
  schedule.operation = operation;
  schedule.message_bytes = 100;
  const BlockSetId block = schedule.block_sets.intern({0, 1});
  for (Message& message : messages) {
    message.blocks = block;
  }
  schedule.messages = std::move(messages);
  return schedule;
}

RunParameters adding(Mode mode, Additions additions = Additions::serial)
{
  RunParameters run;
  run.mode = mode;
  run.computation.reduce = read_time_table("100B 300ps");
  run.computation.additions = additions;
  return run;
}

Time sum_of(const CriticalPath& path)
{
  return std::accumulate(path.sums.begin(), path.sums.end(), Time{}, [](Time a, Time b) { return a + b; });
}

const TopologyDescription line_of_2 = grid("mesh", {2});
const TopologyDescription line_of_3 = grid("mesh", {3});

// Two neighbours send to a root with two ports: both arrive at 2005.
TEST(Additions, OfANodeAreSerialOrParallel)
{
  const auto topology = make_topology(line_of_3);
  Schedule schedule = one_block(line_of_3, Operation::reduce, {{0, NodeId{0}, NodeId{1}}, {0, NodeId{2}, NodeId{1}}});
  schedule.source = NodeId{1};
  NetworkParameters network = small_network();
  network.ports.count = 2;
  for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
    const ExplainedRun serial = explained_run(*topology, schedule, network, adding(mode));
    EXPECT_EQ(serial.result.latency, Time{2005 + 300 + 300});
    EXPECT_EQ(serial.result.completed, (std::vector<Time>{Time{2305}, Time{2605}})); // in the order of their ids
    EXPECT_EQ(serial.result.computed.count, 2U);
    EXPECT_EQ(serial.result.computed.time, TotalTime(Time{600}));
    EXPECT_EQ((*serial.path)[PathCause::addition_wait], Time{300});
    EXPECT_EQ((*serial.path)[PathCause::addition], Time{300});
    EXPECT_EQ(sum_of(*serial.path), serial.result.latency);
    const ExplainedRun parallel = explained_run(*topology, schedule, network, adding(mode, Additions::parallel));
    EXPECT_EQ(parallel.result.latency, Time{2305});
    EXPECT_EQ((*parallel.path)[PathCause::addition_wait], Time{});
  }
}

TEST(Additions, DelayWhatCarriesTheirResults)
{
  const auto topology = make_topology(line_of_3);
  const Schedule schedule =
      one_block(line_of_3, Operation::reduce, {{0, NodeId{2}, NodeId{1}}, {1, NodeId{1}, NodeId{0}}});
  for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
    const ExplainedRun run = explained_run(*topology, schedule, small_network(), adding(mode));
    EXPECT_EQ(run.result.delivered[1], Time{2005 + 300 + 2005});
    EXPECT_EQ(run.result.latency, Time{2005 + 300 + 2005 + 300});
    EXPECT_EQ((*run.path)[PathCause::addition], Time{600});
    EXPECT_EQ(sum_of(*run.path), run.result.latency);
  }
}

// 1 -> 0 brings what is added, 0 -> 1 the complete result, which replaces what node 1 has.
TEST(Additions, AreNotMadeOfCompleteResults)
{
  const auto topology = make_topology(line_of_2);
  const Schedule schedule =
      one_block(line_of_2, Operation::all_reduce, {{0, NodeId{1}, NodeId{0}}, {1, NodeId{0}, NodeId{1}}});
  const SimulationResult result = simulate_core(*topology, schedule, small_network(), adding(Mode::lockstep));
  EXPECT_EQ(result.latency, Time{2005 + 300 + 2005});
  EXPECT_EQ(result.computed.count, 1U);
}

TEST(Additions, AreMadeOfTheIncompletePartOfAMessage)
{
  // Two blocks of 50 bytes on three nodes. Node 1 has block 0 complete and block 1 not when it sends both to node 2.
  const auto topology = make_topology(line_of_3);
  Schedule schedule = one_block(line_of_3, Operation::all_reduce, {});
  schedule.blocks = 2;
  const BlockSetId first = schedule.block_sets.intern({0, 1});
  const BlockSetId both = schedule.block_sets.intern({0, 2});
  schedule.messages = {
      {0, NodeId{0}, NodeId{1}, first}, {1, NodeId{2}, NodeId{1}, first}, {2, NodeId{1}, NodeId{2}, both}};
  const SimulationResult result = simulate_core(*topology, schedule, small_network(), adding(Mode::lockstep));
  // 50 bytes take 1505 ps and are added in 150; 100 bytes take 2005, of which 50 are added.
  EXPECT_EQ(result.completed, (std::vector<Time>{Time{1655}, Time{3310}, Time{3310 + 2005 + 150}}));
}

TEST(Additions, AreRoundedUpToCyclesOfAnInputQueuedRouter)
{
  const auto topology = make_topology(line_of_2);
  const Schedule schedule = one_block(line_of_2, Operation::reduce, {{0, NodeId{1}, NodeId{0}}});
  NetworkParameters network = small_network();
  network.router = &find_router("input_queued");
  const Time without = *simulate_core(*topology, schedule, network, {}).latency;
  RunParameters run = adding(Mode::lockstep);
  run.computation.reduce = read_time_table("100B 301ps"); // cycles of 10 ps
  const ExplainedRun with = explained_run(*topology, schedule, network, run);
  EXPECT_EQ(with.result.latency, without + Time{310});
  EXPECT_EQ((*with.path)[PathCause::addition], Time{310});
}

TEST(Call, ComesBeforeAllElseAndCopiesAtTheStartOrTheEnd)
{
  const auto topology = make_topology(line_of_2);
  const Schedule schedule =
      one_block(line_of_2, Operation::all_reduce, {{0, NodeId{1}, NodeId{0}}, {1, NodeId{0}, NodeId{1}}});
  for (const CopyTime when : {CopyTime::start, CopyTime::end}) {
    for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
      RunParameters run = adding(mode);
      run.computation.call = Time{50};
      run.computation.copy = read_time_table("100B 70ps");
      run.computation.copy_time = when;
      const ExplainedRun explained = explained_run(*topology, schedule, small_network(), run);
      const std::int64_t before = when == CopyTime::start ? 50 + 70 : 50;
      EXPECT_EQ(explained.result.delivered[0], Time{before + 2005});
      EXPECT_EQ(explained.result.latency, Time{50 + 70 + 2005 + 300 + 2005});
      EXPECT_EQ((*explained.path)[PathCause::call], Time{50});
      EXPECT_EQ((*explained.path)[PathCause::copy], Time{70});
      EXPECT_EQ(sum_of(*explained.path), explained.result.latency);
    }
  }
}

// Of a broadcast the message, of an all-gather those of all nodes.
TEST(Copies, AreOfTheOperationsBuffer)
{
  const auto topology = make_topology(line_of_2);
  RunParameters run;
  run.computation.copy = read_time_table("100B 70ps");
  const Schedule broadcast = one_block(line_of_2, Operation::broadcast, {{0, NodeId{0}, NodeId{1}}});
  EXPECT_EQ(simulate_core(*topology, broadcast, small_network(), run).latency, Time{2005 + 70});
  Schedule gather = one_block(line_of_2, Operation::multinode_broadcast, {});
  gather.blocks = 2;
  gather.messages = {{0, NodeId{0}, NodeId{1}, gather.block_sets.intern({0, 1})},
                     {0, NodeId{1}, NodeId{0}, gather.block_sets.intern({1, 2})}};
  EXPECT_EQ(simulate_core(*topology, gather, small_network(), run).latency, Time{2005 + 140});
}

TEST(StartupLatency, HoldsNoPort)
{
  const auto topology = make_topology(line_of_2);
  const Schedule puts = testing::plain_schedule(line_of_2, {{0, 1, 100}, {0, 1, 100}, {0, 1, 100}});
  NetworkParameters network = small_network();
  network.startup_latency = Time{400};
  // The port is held for 1000 ps of start-up and 100 bytes: 2000 ps a message.
  const ExplainedRun run = explained_run(*topology, puts, network, {});
  EXPECT_EQ(run.result.delivered[2], Time{3 * 2000 + 5});
  EXPECT_EQ(run.result.latency, Time{3 * 2000 + 5 + 400});
  EXPECT_EQ((*run.path)[PathCause::startup_latency], Time{400});
  EXPECT_EQ(sum_of(*run.path), run.result.latency);
}

TEST(StartupLatency, IsPaidByEachMessageOfAChain)
{
  const auto topology = make_topology(line_of_3);
  NetworkParameters network = small_network();
  network.startup_latency = Time{400};
  const Schedule chain =
      one_block(line_of_3, Operation::broadcast, {{0, NodeId{0}, NodeId{1}}, {1, NodeId{1}, NodeId{2}}});
  for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
    RunParameters run;
    run.mode = mode;
    const ExplainedRun explained = explained_run(*topology, chain, network, run);
    EXPECT_EQ(explained.result.latency, Time{std::int64_t{2} * (2005 + 400)});
    EXPECT_EQ((*explained.path)[PathCause::startup_latency], Time{800});
    EXPECT_EQ(sum_of(*explained.path), explained.result.latency);
  }
  const Schedule list = testing::plain_schedule(line_of_3, {{0, 1, 100}, {1, 2, 100, 0, {0}}});
  EXPECT_EQ(simulate_core(*topology, list, network, {}).latency, Time{std::int64_t{2} * (2005 + 400)});
}

// The same run, in which the latency is an addition of every message: nodes that add in parallel cannot tell.
TEST(StartupLatency, IsAnAdditionOfTheSameTime)
{
  const auto topology = make_topology(line_of_3);
  const Schedule chain =
      one_block(line_of_3, Operation::reduce, {{0, NodeId{2}, NodeId{1}}, {1, NodeId{1}, NodeId{0}}});
  NetworkParameters network = small_network();
  network.startup_latency = Time{300};
  const SimulationResult with_latency = simulate_core(*topology, chain, network, {});
  const SimulationResult with_additions =
      simulate_core(*topology, chain, small_network(), adding(Mode::lockstep, Additions::parallel));
  EXPECT_EQ(with_latency.delivered, with_additions.delivered);
  EXPECT_EQ(with_latency.latency, with_additions.latency);
}

TEST(PlainLists, ComputeAfterAMessage)
{
  const auto topology = make_topology(line_of_2);
  Schedule list = testing::plain_schedule(line_of_2, {{0, 1, 100}, {1, 0, 100, 0, {0}}});
  list.plain[0].compute = Time{300};
  EXPECT_EQ(simulate_core(*topology, list, small_network(), {}).latency, Time{2005 + 300 + 2005});
  list.plain[1].compute = Time{500};
  const ExplainedRun run = explained_run(*topology, list, small_network(), {});
  EXPECT_EQ(run.result.latency, Time{2005 + 300 + 2005 + 500});
  EXPECT_EQ((*run.path)[PathCause::addition], Time{800});
}

Schedule program_of(const std::string& text)
{
  std::istringstream in(text);
  Schedule schedule = program_schedule(read_program(in, "test"), {NodeId{0}, NodeId{1}});
  schedule.topology = line_of_2;
  return schedule;
}

TEST(Programs, EndWithWhatTheyComputeAfterTheLastMessage)
{
  const auto topology = make_topology(line_of_2);
  const Schedule program = program_of("num_ranks 2\nrank 0 {\ns: send 100b to 1 tag 0\n}\nrank 1 {\n"
                                      "r: recv 100b from 0 tag 0\nc: calc 7\nc requires r\n}\n");
  const SimulationResult result = simulate_core(*topology, program, small_network(), {});
  EXPECT_EQ(result.latency, Time{2005 + 7000});
  EXPECT_EQ(result.computed.count, 1U);
  EXPECT_EQ(result.computed.time, TotalTime(Time{7000}));
  NetworkParameters network = small_network();
  network.startup_latency = Time{400};
  RunParameters run;
  run.computation.call = Time{50};
  EXPECT_EQ(simulate_core(*topology, program, network, run).latency, Time{50 + 2005 + 400 + 7000});
}

// An exchange: each node sends a report (no bytes, one flit: 1000 + 5 + 10), then its vector.
TEST(Readiness, IsAMessageFromTheReceiverBeforeTheSenders)
{
  const auto topology = make_topology(line_of_2);
  const Schedule exchange =
      one_block(line_of_2, Operation::all_reduce, {{0, NodeId{0}, NodeId{1}}, {0, NodeId{1}, NodeId{0}}});
  EXPECT_EQ(count_without_blocks(with_ready_messages(exchange, 2, 100)), 0U); // not above 100 bytes
  const Schedule ready = with_ready_messages(exchange, 2, 99);
  EXPECT_EQ(count_without_blocks(ready), 2U);
  EXPECT_EQ(ready.messages.size(), 4U);
  EXPECT_TRUE(check_schedule(*topology, ready).valid());
  for (const Mode mode : {Mode::lockstep, Mode::self_timed}) {
    const ExplainedRun run = explained_run(*topology, ready, small_network(), adding(mode));
    EXPECT_EQ(run.result.delivered[2], Time{1015});
    EXPECT_EQ(run.result.delivered[0], Time{1015 + 2005});
    EXPECT_EQ(run.result.latency, Time{1015 + 2005 + 300});
    EXPECT_EQ(sum_of(*run.path), run.result.latency);
    EXPECT_EQ(run.path->messages.back().reason, mode == Mode::lockstep ? PathReason::step : PathReason::ready);
  }
}

// 2 -> 1 -> 0: node 0 reports at once, node 1 sends when it has added.
TEST(Readiness, OfASelfTimedReceiverComesWhenItsEarlierStepsAreDone)
{
  const auto topology = make_topology(line_of_3);
  const Schedule chain =
      one_block(line_of_3, Operation::reduce, {{0, NodeId{2}, NodeId{1}}, {1, NodeId{1}, NodeId{0}}});
  const Schedule ready = with_ready_messages(chain, 3, 0);
  const RunParameters run = adding(Mode::self_timed);
  const ExplainedRun early = explained_run(*topology, ready, small_network(), run);
  EXPECT_EQ(early.result.delivered[2], Time{1015}); // 1 to 2
  EXPECT_EQ(early.result.delivered[3], Time{1015}); // 0 to 1: it waits for nothing
  EXPECT_EQ(early.result.latency, Time{1015 + 2005 + 300 + 2005 + 300});
  // In lockstep the second report is a step of its own.
  EXPECT_EQ(simulate_core(*topology, ready, small_network(), adding(Mode::lockstep)).latency,
            Time{std::int64_t{2} * (1015 + 2005 + 300)});
  // 1 -> 2 -> 0 -> 1 of one block: node 1 sends first and is then the receiver of what depends on it. Node 0 reports to
  // node 2 at once; node 1 has to receive nothing before it reports to node 0, but its port is free at 1015 + 2000.
  const auto ring = make_topology(grid("torus", {3}));
  const Schedule around =
      with_ready_messages(one_block(grid("torus", {3}), Operation::all_reduce,
                                    {{0, NodeId{1}, NodeId{2}}, {1, NodeId{2}, NodeId{0}}, {2, NodeId{0}, NodeId{1}}}),
                          3, 0);
  const SimulationResult result = simulate_core(*ring, around, small_network(), run);
  EXPECT_EQ(result.delivered[5], Time{1015 + 2000 + 1015});
}

TEST(Readiness, IsRefusedWhereDependenciesAreGiven)
{
  const Schedule list = testing::plain_schedule(line_of_2, {{0, 1, 100}});
  EXPECT_THAT(input_error([&] { with_ready_messages(list, 2, 0); }),
              ::testing::HasSubstr("says itself what its messages wait for"));
}

TEST(Broadcasts, HaveNothingToAdd)
{
  const auto topology = make_topology(line_of_2);
  const Schedule broadcast = one_block(line_of_2, Operation::broadcast, {{0, NodeId{0}, NodeId{1}}});
  const SimulationResult result = simulate_core(*topology, broadcast, small_network(), adding(Mode::lockstep));
  EXPECT_EQ(result.latency, Time{2005});
  EXPECT_TRUE(result.completed.empty());
}

} // namespace
} // namespace wormcast
