// What an MPI program says of its messages, of its time and of what its ranks wait for.

#include "tests/experiments/mpi/mpi_command.hpp"
#include "wormcast/algorithms/schedule/spoken_schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

class Words : public Mpi {
protected:
  /// The message of a program that comes to a stop.
  std::string stop(const std::string& what, int ranks = 4) const
  {
    const ProgramRun run =
        mpi({"--ranks", std::to_string(ranks), "--json", "r.json"}, {example("words_program"), what});
    EXPECT_EQ(run.exit_code, 4) << run.err;
    return run.err;
  }

  /// How many messages each group has.
  static std::map<std::string, int> groups(const SpokenSchedule& list, WordGroup group)
  {
    std::map<std::string, int> counts;
    for (const MessageWords& words : list.words->messages) {
      ++counts[list.words->group_name(words, group)];
    }
    return counts;
  }
};

TEST_F(Words, ARingOfReceivesNamesItsCycle)
{
  const std::string error = stop("ring");
  EXPECT_THAT(error, HasSubstr("came to a stop at 0 us: rank 0 waits for rank 1, which waits for rank 2, which waits "
                               "for rank 3, which waits for rank 0\n"));
  EXPECT_THAT(error, HasSubstr("\n  rank 1: MPI_Recv from rank 2, tag 99, MPI_COMM_WORLD (words_program.cpp:"));
  const nlohmann::json waiting = json("r.json")["waiting"];
  EXPECT_EQ(waiting["cycle"], nlohmann::json({0, 1, 2, 3}));
  EXPECT_EQ(waiting["ranks"].size(), 4);
  EXPECT_EQ(waiting["ranks"][3]["requests"][0], nlohmann::json({{"call", "MPI_Recv"},
                                                                {"direction", "receive"},
                                                                {"peer", 0},
                                                                {"tag", 99},
                                                                {"communicator", "MPI_COMM_WORLD"}}));
}

TEST_F(Words, TheLineIsThatOfTheCall)
{
  const std::string source = read_file(std::string(WORMCAST_TEST_DATA) + "/experiments/mpi/words_program.cpp");
  const auto lines =
      std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(source.find("// line of the ring")),
                 '\n') +
      1;
  EXPECT_THAT(stop("ring"), HasSubstr("(words_program.cpp:" + std::to_string(lines) + ")\n"));
}

TEST_F(Words, LargeSendsBothWaysWaitForEachOther)
{
  EXPECT_THAT(stop("big", 2), AllOf(HasSubstr("rank 0 waits for rank 1, which waits for rank 0\n"),
                                    HasSubstr("rank 0: MPI_Send to rank 1, tag 3, MPI_COMM_WORLD")));
}

TEST_F(Words, ABarrierAgainstAReduceNamesTheRankThatLeft)
{
  EXPECT_THAT(stop("mismatch"), AllOf(HasSubstr("rank 1 waits for rank 0, which has left MPI"),
                                      HasSubstr("rank 2: MPI_Barrier 1 of MPI_COMM_WORLD, for a message from rank")));
  EXPECT_EQ(json("r.json")["waiting"]["cycle"], nlohmann::json::array());
}

TEST_F(Words, WaitsNameTheirRequests)
{
  EXPECT_THAT(stop("wait"), HasSubstr("rank 2: MPI_Wait of MPI_Irecv from rank 3, tag 7, MPI_COMM_WORLD"));
  EXPECT_THAT(stop("waitall"), HasSubstr("rank 1: MPI_Waitall of MPI_Irecv from rank 0, tag 6, MPI_COMM_WORLD; "
                                         "MPI_Irecv from any rank, any tag, MPI_COMM_WORLD"));
}

TEST_F(Words, RanksOfACommunicatorAreNamedAsOfTheWorld)
{
  EXPECT_THAT(stop("half"), AllOf(HasSubstr("rank 0 waits for rank 2, which waits for rank 0\n"),
                                  HasSubstr("rank 3: MPI_Recv from rank 1, tag 4, odd")));
}

TEST_F(Words, OfManyRanksSomeAreShown)
{
  const std::string error = stop("ring", 64);
  EXPECT_THAT(error, AllOf(HasSubstr("and so on by 56 more"), HasSubstr("and 48 more ranks, which --json lists")));
  EXPECT_THAT(error, Not(HasSubstr("rank 16:")));
  EXPECT_EQ(json("r.json")["waiting"]["ranks"].size(), 64);
}

TEST_F(Words, MessagesCarryTheirWords)
{
  const ProgramRun run =
      mpi({"--ranks", "4", "--messages", "m.json", "--json", "r.json"}, {example("words_program"), "speak"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const SpokenSchedule list = read_spoken_schedule(directory.path() / "m.json");
  ASSERT_TRUE(list.words);
  const auto collectives = groups(list, WordGroup::collective);
  EXPECT_EQ(collectives.at("MPI_Isend"), 4);
  EXPECT_EQ(collectives.at("MPI_Bcast 1 of MPI_COMM_WORLD"), 3);
  EXPECT_EQ(collectives.at("MPI_Bcast 2 of MPI_COMM_WORLD"), 3);
  EXPECT_EQ(collectives.at("MPI_Send"), 2);
  EXPECT_EQ(collectives.at("MPI_Send_init"), 4);
  EXPECT_EQ(groups(list, WordGroup::region).at("exchange"), 4);
  EXPECT_EQ(groups(list, WordGroup::region).at("exchange/inner"), 3);
  EXPECT_EQ(groups(list, WordGroup::tag).at("tag 5"), 4);
  EXPECT_EQ(groups(list, WordGroup::communicator).at("odd"), 1);
  EXPECT_EQ(groups(list, WordGroup::call).at("MPI_Bcast"), 6);
  std::vector<std::string> texts;
  for (const MessageWords& words : list.words->messages) {
    texts.push_back(list.words->text(words));
  }
  EXPECT_THAT(texts, IsSupersetOf({"MPI_Isend from rank 3 to rank 0, tag 5, MPI_COMM_WORLD, in exchange",
                                   "MPI_Send from rank 1 to rank 3, tag 8, odd",
                                   "MPI_Send_init from rank 0 to rank 1, tag 9, MPI_COMM_WORLD"}));
}

TEST_F(Words, AListWithWordsTakesTheSameTimes)
{
  ASSERT_EQ(mpi({"--messages", "m.json", "--json", "r.json"}, {example("words_program"), "speak"}).exit_code, 0);
  const ProgramRun again = run_program({"run", "list.toml", "--json", "l.json"}, directory.path());
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(json("l.json")["latency_us"], json("r.json")["latency_us"]);
}

TEST_F(Words, TimeIsDividedByFunction)
{
  const ProgramRun run = mpi({"--ranks", "4", "--json", "r.json"}, {example("words_program"), "speak"});
  EXPECT_THAT(run.out, HasSubstr("\nMPI function                   calls"));
  const nlohmann::json result = json("r.json");
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
  std::map<std::string, nlohmann::json> calls;
  for (const nlohmann::json& call : result["calls"]) {
    messages += call["messages"].get<std::uint64_t>();
    bytes += call["bytes_sent"].get<std::uint64_t>();
    calls[call["call"]] = call;
  }
  EXPECT_EQ(messages, result["messages"]);
  EXPECT_EQ(bytes, result["bytes_sent"]);
  EXPECT_EQ(calls["MPI_Bcast"]["count"], 8);
  EXPECT_EQ(calls["MPI_Isend"]["bytes_sent"], 4 * (4 + 16));
  EXPECT_EQ(calls["MPI_Isend"]["time_us"], 0);
  EXPECT_GT(calls["MPI_Waitall"]["longest_us"], 150);
  EXPECT_EQ(calls["MPI_Waitall"]["ranks"].size(), 4);
}

TEST_F(Words, ABroadcastOfOurOwnIsABroadcast)
{
  ASSERT_EQ(
      mpi({"--bcast", "wormcast:recursion_based", "--messages", "m.json"}, {example("collectives"), "bcast", "4096"})
          .exit_code,
      0);
  const SpokenSchedule list = read_spoken_schedule(directory.path() / "m.json");
  ASSERT_TRUE(list.words);
  EXPECT_GT(groups(list, WordGroup::collective).at("MPI_Bcast 1 of MPI_COMM_WORLD"), 63);
}

} // namespace
} // namespace wormcast::testing
