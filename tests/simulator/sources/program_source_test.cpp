#include "tests/simulator/traffic/networks.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/export.hpp"
#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <sstream>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using testing::grid_of;

Schedule placed(const std::string& text, const Topology& topology)
{
  std::istringstream in(text);
  std::vector<NodeId> nodes;
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    nodes.push_back(NodeId{node});
  }
  Schedule schedule = program_schedule(read_program(in, "p.goal"), nodes);
  schedule.topology = topology.description();
  return schedule;
}

/// T_s = 1000, T_f = 0, T_c = 1 ps a byte: a message of L bytes takes 1000 + L.
NetworkParameters goal_network()
{
  NetworkParameters network;
  network.startup = Time{1000};
  network.per_byte = Time{1};
  return network;
}

std::vector<std::int64_t> delivered(const std::string& text, const NetworkParameters& network = goal_network())
{
  const auto line = grid_of("mesh", {4});
  const Schedule schedule = placed(text, *line);
  std::vector<std::int64_t> times;
  for (const EngineChoice engine : {EngineChoice::worm, EngineChoice::flit}) {
    RunParameters run;
    run.engine = engine;
    const SimulationResult result = simulate_core(*line, schedule, network, run);
    std::vector<std::int64_t> now;
    for (const std::optional<Time>& time : result.delivered) {
      now.push_back(time ? time->picoseconds : -1);
    }
    EXPECT_TRUE(times.empty() || times == now);
    times = now;
  }
  return times;
}

TEST(Program, SendsWhatItRequires)
{
  EXPECT_THAT(delivered(R"(num_ranks 4
rank 0 {
a: send 100b to 1
}
rank 1 {
a: recv 100b from 0
b: calc 5
c: send 10b to 2
b requires a
c requires b
}
rank 2 {
recv 10b from 1
}
)"),
              ElementsAre(1100, 1100 + 5000 + 1010)); // calc counts nanoseconds
}

TEST(Program, BeginsASendBehindTheStartOfAnother)
{
  const std::string sends = "num_ranks 4\nrank 0 {\na: send 100b to 1 tag 1\nb: send 50b to 2 tag 0\n%}\n"
                            "rank 1 {\nrecv 100b from 0 tag 1\n}\nrank 2 {\nrecv 50b from 0 tag 0\n}\n";
  const auto with = [&](const std::string& order) {
    std::string text = sends;
    return text.replace(text.find('%'), 1, order);
  };
  EXPECT_THAT(delivered(with("")), ElementsAre(1050, 2150)); // the lower tag is the lower id, which comes first
  EXPECT_THAT(delivered(with("c: calc 1\na requires c\n")), ElementsAre(1050, 2150));
  EXPECT_THAT(delivered(with("c: calc 2\na requires c\nb irequires a\n")), ElementsAre(3050, 4150)); // both after 2 ns
  EXPECT_THAT(delivered(with("b requires a\n")), ElementsAre(2150, 1100)); // the port is free when the tail has left it
}

TEST(Program, MatchesInTheOrderOfReceivesAndOfArrivals)
{
  // Rank 2 takes any message: the first to arrive is that of rank 3, whose answer comes first.
  EXPECT_THAT(delivered(R"(num_ranks 4
rank 0 {
send 500b to 2 tag 1
}
rank 3 {
send 10b to 2 tag 0
}
rank 2 {
x: recv 10b from -1 tag -1
y: recv 10b from -1 tag -1
s: send 1b to 1 tag 2
t: send 1b to 1 tag 3
s requires x
t requires y
}
rank 1 {
recv 1b from 2 tag 2
recv 1b from 2 tag 3
}
)"),
              ElementsAre(1010, 1510, 1010 + 1001, 2 * 1001 + 1010));
  // A receive that is posted late finds the message that is there.
  EXPECT_THAT(delivered(R"(num_ranks 2
rank 0 {
send 10b to 1
recv 1b from 1 tag 1
}
rank 1 {
w: calc 9
r: recv 10b from 0
s: send 1b to 0 tag 1
r requires w
s requires r
}
)"),
              ElementsAre(1010, 9000 + 1001));
}

TEST(Program, ComputesOneAfterTheOtherOnAProcessor)
{
  const auto last = [](const std::string& cpu) {
    return delivered("num_ranks 2\nrank 0 {\na: calc 3\nb: calc 4 cpu " + cpu +
                     "\ns: send 1b to 1\ns requires a\ns requires b\n}\nrank 1 {\nrecv 1b from 0\n}\n")
        .front();
  };
  EXPECT_EQ(last("0"), 7000 + 1001);
  EXPECT_EQ(last("1"), 4000 + 1001);
}

TEST(Program, StopsWhereAMessageNeverComes)
{
  const auto line = grid_of("mesh", {2});
  const Schedule schedule = placed(R"(num_ranks 2
rank 0 {
r: recv 1b from -1
s: send 1b to 1
s requires r
}
rank 1 {
r: recv 1b from -1
s: send 1b to 0
s requires r
}
)",
                                   *line);
  const SimulationResult result = simulate_core(*line, schedule, goal_network(), {});
  ASSERT_TRUE(result.deadlock.has_value());
  EXPECT_EQ(result.deadlock->undelivered, 2U);
  EXPECT_EQ(result.deadlock->first_never_ready, MessageId{0});
}

/// What an algorithm's schedule is in GOAL, read back, is delivered at the times of the self-timed schedule.
RC_GTEST_PROP(Program, ReadBackHasTheTimesOfTheSchedule, ())
{
  const auto mesh = grid_of("mesh", {4, 4});
  const auto name = *rc::gen::element<std::string>("recursive_doubling", "scatter_collect", "recursion_based",
                                                   "bfs_tree", "scatter_all_gather");
  ScheduleRequest request;
  request.source = NodeId{*rc::gen::inRange<std::uint32_t>(0, 16)};
  request.message_bytes = *rc::gen::inRange<std::uint64_t>(1, 3000);
  NetworkParameters network = goal_network();
  network.ports.count = *rc::gen::element(PortModel::all, 1U);
  network.per_hop = Time{*rc::gen::inRange<std::int64_t>(0, 2)};
  request.ports = network.ports;
  for (const Parameter& parameter : find_algorithm(name).parameters) {
    if (parameter.fallback) {
      request.parameters.set(parameter.name, *parameter.fallback);
    }
  }
  const Schedule schedule = make_schedule(find_algorithm(name), *mesh, request);
  std::ostringstream goal;
  write_schedule_goal(*mesh, schedule, goal);
  Schedule back = placed(goal.str(), *mesh);
  back.ports = schedule.ports;
  RunParameters run;
  run.mode = Mode::self_timed;
  run.seed = *rc::gen::inRange<std::uint64_t>(1, 100);
  run.start_jitter = Time{*rc::gen::inRange<std::int64_t>(0, 5000)};
  const SimulationResult wanted = simulate_core(*mesh, schedule, network, run);
  const SimulationResult found = simulate_core(*mesh, back, network, run);
  RC_ASSERT(wanted.delivered == found.delivered);
}

} // namespace
} // namespace wormcast
