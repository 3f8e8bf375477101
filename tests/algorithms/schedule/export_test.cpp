// Schedules as DOT and GOAL.

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/schedule/export.hpp"
#include "wormcast/values/input_error.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace wormcast {
namespace {

using testing::grid;
using ::testing::HasSubstr;
using testing::schedule_of;
using ::testing::ThrowsMessage;

std::string goal(const Topology& topology, const Schedule& schedule)
{
  std::ostringstream out;
  write_schedule_goal(topology, schedule, out);
  return out.str();
}

TEST(ScheduleExport, DotHasAnEdgeForEachMessage)
{
  const auto mesh = make_topology(grid("mesh", {2, 2}));
  std::ostringstream out;
  write_schedule_dot(*mesh, schedule_of("recursive_doubling", *mesh, NodeId{0}, 2048), out);
  EXPECT_EQ(out.str(), R"dot(digraph schedule {
  n0 [label="(0, 0)"];
  n1 [label="(1, 0)"];
  n2 [label="(0, 1)"];
  n3 [label="(1, 1)"];
  n0 -> n1 [label="0: 2 KiB"];
  n0 -> n2 [label="1: 2 KiB"];
  n1 -> n3 [label="1: 2 KiB"];
}
)dot");
}

TEST(ScheduleExport, DotIsReadByBoostGraph)
{
  const auto mesh = make_topology(grid("mesh", {4, 4}));
  const Schedule schedule = schedule_of("recursion_based", *mesh, NodeId{5}, 64);
  std::stringstream dot;
  write_schedule_dot(*mesh, schedule, dot);
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph;
  boost::dynamic_properties properties(boost::ignore_other_properties);
  ASSERT_TRUE(boost::read_graphviz(dot, graph, properties));
  EXPECT_EQ(boost::num_vertices(graph), 16U);
  EXPECT_EQ(boost::num_edges(graph), schedule.messages.size());
}

TEST(ScheduleExport, GoalOfASmallBroadcast)
{
  const auto line = make_topology(grid("mesh", {4}));
  EXPECT_EQ(goal(*line, schedule_of("recursive_doubling", *line, NodeId{0}, 10)), R"(num_ranks 4

rank 0 {
s0: send 10b to 2 tag 0
s1: send 10b to 1 tag 1
s1 requires s0
}

rank 1 {
r1: recv 10b from 0 tag 1
}

rank 2 {
r0: recv 10b from 0 tag 0
s2: send 10b to 3 tag 2
s2 requires r0
}

rank 3 {
r2: recv 10b from 2 tag 2
}
)");
}

Schedule plain_list(const Topology& topology, const std::vector<std::array<std::uint32_t, 2>>& ends)
{
  Schedule schedule;
  schedule.topology = topology.description();
  schedule.operation = Operation::none;
  for (const auto& [from, to] : ends) {
    schedule.messages.push_back({0, NodeId{from}, NodeId{to}, {}});
    schedule.plain.push_back({.bytes = 8, .start = {}});
  }
  return schedule;
}

// Message 0 waits for the answer 2 to message 1: in the order of ids nothing could ever be sent.
TEST(ScheduleExport, GoalOfAPlainListHasNoOrderButAfter)
{
  const auto line = make_topology(grid("mesh", {2}));
  Schedule schedule = plain_list(*line, {{0, 1}, {0, 1}, {1, 0}});
  schedule.after.set(0, std::array{MessageId{2}, MessageId{1}});
  schedule.after.set(2, std::array{MessageId{1}});
  EXPECT_EQ(goal(*line, schedule), R"(num_ranks 2

rank 0 {
r2: recv 8b from 1 tag 2
s0: send 8b to 1 tag 0
s1: send 8b to 1 tag 1
s0 requires r2
s0 requires s1
}

rank 1 {
r0: recv 8b from 0 tag 0
r1: recv 8b from 0 tag 1
s2: send 8b to 0 tag 2
s2 requires r1
}
)");
}

TEST(ScheduleExport, GoalCannotWaitForAStrangersMessage)
{
  const auto line = make_topology(grid("mesh", {4}));
  Schedule schedule = plain_list(*line, {{0, 1}, {2, 3}});
  schedule.after.set(1, std::array{MessageId{0}});
  EXPECT_THAT([&] { goal(*line, schedule); },
              ThrowsMessage<InputError>(HasSubstr("message 1 from node 2 waits for message 0")));
}

TEST(ScheduleExport, GoalHasNoTimesAndPrioritiesOfMessages)
{
  const auto line = make_topology(grid("mesh", {4}));
  Schedule schedule = plain_list(*line, {{0, 1}, {2, 3}});
  schedule.plain[1].priority = 1;
  EXPECT_THAT([&] { goal(*line, schedule); },
              ThrowsMessage<InputError>(HasSubstr("a message list with \"priority\" cannot be written as GOAL")));
  schedule.plain[1].compute = Time{1};
  EXPECT_THAT([&] { goal(*line, schedule); },
              ThrowsMessage<InputError>(HasSubstr("a message list with \"compute_us\" cannot be written as GOAL")));
}

// Runs a GOAL text: an operation is done when all that it requires are, a receive also when its send is. Gives the
// sends in an order in which they can happen.
std::vector<std::uint32_t> run_goal(const std::string& text)
{
  std::map<std::string, std::set<std::string>> waits_for;
  std::istringstream in(text);
  const std::regex send("(s\\d+): send \\d+b to \\d+ tag (\\d+)");
  const std::regex recv("(r\\d+): recv \\d+b from \\d+ tag (\\d+)");
  const std::regex requirement("(\\w+) requires (\\w+)");
  std::smatch match;
  for (std::string line; std::getline(in, line);) {
    if (std::regex_match(line, match, send)) {
      waits_for[match[1]];
    } else if (std::regex_match(line, match, recv)) {
      waits_for[match[1]].insert("s" + match[2].str());
    } else if (std::regex_match(line, match, requirement)) {
      waits_for[match[1]].insert(match[2]);
    }
  }
  std::set<std::string> done;
  std::vector<std::uint32_t> sends;
  for (bool progress = true; progress;) {
    progress = false;
    for (const auto& [operation, needed] : waits_for) {
      if (!done.contains(operation) &&
          std::ranges::all_of(needed, [&](const std::string& other) { return done.contains(other); })) {
        done.insert(operation);
        progress = true;
        if (operation.starts_with("s")) {
          sends.push_back(static_cast<std::uint32_t>(std::stoul(operation.substr(1))));
        }
      }
    }
  }
  return sends;
}

// Replayed in any order that GOAL allows, every node still has the blocks that it sends, and all arrive.
RC_GTEST_PROP(ScheduleExport, GoalKeepsWhatTheScheduleNeeds, ())
{
  const auto mesh = make_topology(grid("mesh", {4, 4}));
  const auto name = *rc::gen::element<std::string>("recursive_doubling", "scatter_collect", "recursion_based",
                                                   "network_partitioning");
  const NodeId source{*rc::gen::inRange<std::uint32_t>(0, 16)};
  const Schedule schedule = schedule_of(name, *mesh, source, 64);
  const std::vector<std::uint32_t> sends = run_goal(goal(*mesh, schedule));
  RC_ASSERT(sends.size() == schedule.messages.size());
  std::vector<std::set<std::uint32_t>> held(16);
  for (std::uint32_t block = 0; block < schedule.blocks; ++block) {
    held[index(source)].insert(block);
  }
  for (const std::uint32_t id : sends) {
    const Message& message = schedule.messages[id];
    for (const BlockRange range : schedule.block_sets.ranges(message.blocks)) {
      for (std::uint32_t block = range.begin; block < range.end; ++block) {
        RC_ASSERT(held[index(message.source)].contains(block));
        held[index(message.destination)].insert(block);
      }
    }
  }
}

// A partial result leaves behind everything that has a part in it.
TEST(ScheduleExport, GoalOfAReduceWaitsForAllThatItCombines)
{
  const auto line = make_topology(grid("mesh", {4}));
  ScheduleRequest request;
  request.message_bytes = 8;
  request.parameters.set("operation", std::string("reduce"));
  const Schedule reduce = make_schedule(find_algorithm("recursive_doubling"), *line, request);
  const std::string text = goal(*line, reduce);
  for (std::size_t id = 0; id < reduce.messages.size(); ++id) {
    for (std::size_t earlier = 0; earlier < reduce.messages.size(); ++earlier) {
      const bool awaited = reduce.messages[earlier].destination == reduce.messages[id].source &&
                           reduce.messages[earlier].step < reduce.messages[id].step;
      EXPECT_EQ(text.find(fmt::format("s{} requires r{}\n", id, earlier)) != std::string::npos, awaited) << text;
    }
  }
}

} // namespace
} // namespace wormcast
