#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace wormcast {
namespace {

using ::testing::ElementsAre;

Program program_of(const std::string& text)
{
  std::istringstream in(text);
  return read_program(in, "p.goal");
}

std::string goal_error(const std::string& text)
{
  try {
    program_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string in_rank_0(const std::string& body)
{
  return "num_ranks 3\nrank 0 {\n" + body + "\n}\n";
}

TEST(GoalReader, ReadsAllThatTheLanguageHas)
{
  const Program program = program_of(R"(// LogGOPSim's own
num_ranks 3

rank 0 {
l1: calc 100 cpu 0
l2: send 10b to 1 tag 7 cpu 1 nic 1   /* over
two lines */
l3: recv 2b from -1 tag -1
l2 requires l1
l3 irequires l2
}
rank 2 { send 2b to 0
}
rank 1 {
  recv 10b from 0 tag 7
}
)");
  EXPECT_EQ(program.ranks, 3U);
  ASSERT_EQ(program.actions.size(), 5U);
  EXPECT_EQ(program.actions[0].kind, ProgramAction::Kind::compute);
  EXPECT_EQ(program.actions[0].duration, Time{100'000}); // LogGOPSim counts nanoseconds
  EXPECT_EQ(program.actions[1].kind, ProgramAction::Kind::send);
  EXPECT_EQ(program.actions[1].bytes, 10U);
  EXPECT_EQ(program.actions[1].peer, 1U);
  EXPECT_EQ(program.actions[1].tag, 7U);
  EXPECT_TRUE(program.actions[2].any_peer);
  EXPECT_EQ(program.actions[2].tag, std::nullopt);
  EXPECT_EQ(program.actions[3].rank, 2U);
  EXPECT_EQ(program.actions[3].tag, 0U);
  ASSERT_EQ(program.dependencies.size(), 2U);
  EXPECT_EQ(program.dependencies[0].before, 0U);
  EXPECT_EQ(program.dependencies[0].after, 1U);
  EXPECT_FALSE(program.dependencies[0].on_start);
  EXPECT_TRUE(program.dependencies[1].on_start);
  EXPECT_THAT(program.sends, ElementsAre(1, 3)); // tags 7 and 0: in the order of the file
}

TEST(GoalReader, NumbersMessagesByTagsThatAreNumbers)
{
  const Program program = program_of(R"(num_ranks 2
rank 0 {
send 1b to 1 tag 1
recv 1b from 1 tag 0
}
rank 1 {
send 1b to 0 tag 0
recv 1b from 0 tag 1
}
)");
  EXPECT_THAT(program.sends, ElementsAre(2, 0));
  const Schedule schedule = program_schedule(program, {NodeId{5}, NodeId{3}});
  EXPECT_EQ(schedule.operation, Operation::none);
  ASSERT_EQ(schedule.messages.size(), 2U);
  EXPECT_EQ(schedule.messages[0].source, NodeId{3});
  EXPECT_EQ(schedule.messages[0].destination, NodeId{5});
  EXPECT_EQ(schedule.plain[1].bytes, 1U);
}

TEST(GoalReader, SaysWhereAndWhatIsWrong)
{
  EXPECT_EQ(goal_error(""), "p.goal:1:1: found the end of the file, expected \"num_ranks\"");
  EXPECT_EQ(goal_error("num_ranks x"), "p.goal:1:11: found \"x\", expected the number of ranks");
  EXPECT_EQ(goal_error("num_ranks 0"), "p.goal:1:11: found 0 ranks, expected from 1 to 67108864");
  EXPECT_EQ(goal_error("num_ranks 2\nrank 2 {\n}\n"), "p.goal:2:6: found rank 2, expected one from 0 to 1");
  EXPECT_EQ(goal_error("num_ranks 2\nrank 1 {\n}\nrank 1 {\n}\n"),
            "p.goal:4:6: rank 1 a second time, expected each once");
  EXPECT_EQ(goal_error("num_ranks 2\nrank 1 send"), "p.goal:2:8: found \"send\", expected \"{\"");
  EXPECT_EQ(goal_error("num_ranks 2\nrank 1 {\n"),
            "p.goal:3:1: found the end of the file, expected send, recv, calc, a label, or \"}\"");
  EXPECT_EQ(goal_error(in_rank_0("send 5 to 1")), "p.goal:3:8: found \"to\", expected \"b\"");
  EXPECT_EQ(goal_error(in_rank_0("send 5b from 1")), "p.goal:3:9: found \"from\", expected \"to\"");
  EXPECT_EQ(goal_error(in_rank_0("send -1b to 1")), "p.goal:3:6: found -1 bytes, expected 0 or more");
  EXPECT_EQ(goal_error(in_rank_0("send 5b to 3")), "p.goal:3:12: found rank 3, expected one from 0 to 2");
  EXPECT_EQ(goal_error(in_rank_0("send 5b to -1")), "p.goal:3:12: found -1, expected a rank");
  EXPECT_EQ(goal_error(in_rank_0("send 5b to 0")), "p.goal:3:12: rank 0 sends to itself, expected another rank");
  EXPECT_EQ(goal_error(in_rank_0("recv 5b from -2")), "p.goal:3:14: found -2, expected a rank or -1");
  EXPECT_EQ(goal_error(in_rank_0("send 5b to 1 tag -1")), "p.goal:3:18: found -1, expected a tag");
  EXPECT_EQ(goal_error(in_rank_0("send 5b to 1 flag 3")),
            "p.goal:3:14: found \"flag\", expected \"tag\", \"cpu\", \"nic\" or the end of the line");
  EXPECT_EQ(goal_error(in_rank_0("a: calc 1\na: calc 2")), "p.goal:4:1: the label \"a\" a second time in this rank");
  EXPECT_EQ(goal_error(in_rank_0("a: calc 1\na requires b")),
            "p.goal:4:12: no action of this rank has the label \"b\"");
  EXPECT_EQ(goal_error(in_rank_0("a wants b")),
            "p.goal:3:3: found \"wants\", expected \":\", \"requires\" or \"irequires\"");
  EXPECT_EQ(goal_error(in_rank_0("a: calc 1\nb: calc 2\na requires b\nb irequires a")),
            "p.goal:3:1: this action waits, directly or through others, for one that waits for it");
  EXPECT_EQ(goal_error(in_rank_0("calc 4611686018427387905")), "p.goal:3:6: a number above 2^62");
  EXPECT_EQ(goal_error(in_rank_0("calc 4611686018427388")),
            "p.goal:3:6: found 4611686018427388, expected a number of nanoseconds up to 4611686018427387");
  EXPECT_EQ(goal_error("num_ranks 2 /* "), "p.goal:1:13: a comment without an end");
  EXPECT_EQ(goal_error("num_ranks 2\n\x01"), "p.goal:2:1: found the byte 1, expected a word or a number");
}

TEST(GoalReader, CountsSendsAndReceives)
{
  EXPECT_EQ(goal_error(in_rank_0("send 5b to 1 tag 3")),
            "p.goal:3:1: rank 0 sends 1 messages with tag 3 to rank 1, which receives 0");
  EXPECT_EQ(goal_error(in_rank_0("recv 5b from 1 tag 3")),
            "p.goal:3:1: rank 1 sends 0 messages with tag 3 to rank 0, which receives 1");
  EXPECT_EQ(goal_error(in_rank_0("recv 5b from -1")),
            "no error"); // who takes any message says nothing about their number
}

TEST(GoalReader, ReportsFilesThatCannotBeRead)
{
  EXPECT_THROW(read_program(std::filesystem::path("/nowhere.goal")), FileError);
  EXPECT_THROW(read_program(std::filesystem::path("/")), FileError);
}

} // namespace
} // namespace wormcast
