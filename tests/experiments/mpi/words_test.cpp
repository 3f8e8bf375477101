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
using ::testing::ContainsRegex;
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

// In the trace, who waits for whom, the critical path, events for viewers, and the page.
TEST_F(Words, AreWhereverMessagesAreNamed)
{
  ASSERT_EQ(mpi({"--ranks", "8", "--set", "topology.dims=[2,4]", "--messages", "m.json", "--trace", "t.jsonl",
                 "--trace", "t.perfetto.json", "--explain", "--json", "r.json"},
                {example("programs"), "halo_cube"})
                .exit_code,
            0);
  EXPECT_THAT(read_file(directory.path() / "t.jsonl"),
              ContainsRegex(R"re("bytes":[0-9]+,"mpi":\{"sender":0,"receiver":[1-7],"call":"MPI_Isend","tag":[0-9]+,)re"
                            R"re("communicator":"MPI_COMM_WORLD"\}\})re"));
  const ProgramRun waits =
      run_program({"contention", "t.jsonl", "--map", "none", "--json", "w.json"}, directory.path());
  ASSERT_EQ(waits.exit_code, 0) << waits.err;
  EXPECT_THAT(waits.out,
              ContainsRegex(R"re(message [0-9]+ \(\([01], [0-3]\) to \([01], [0-3]\), MPI_Isend from rank [0-7] )re"
                            R"re(to rank [0-7], tag [0-9]+, MPI_COMM_WORLD\) waited )re"));
  for (const nlohmann::json& wait : json("w.json")["waits"]) {
    for (const char* message : {"waiting", "holding"}) {
      EXPECT_EQ(wait[message]["mpi"]["sender"], wait[message]["src"]) << wait;
      EXPECT_EQ(wait[message]["mpi"]["receiver"], wait[message]["dst"]) << wait;
    }
  }
  ASSERT_EQ(run_program({"contention", "t.jsonl", "--perfetto", "again.perfetto.json"}, directory.path()).exit_code, 0);
  const std::string events = read_file(directory.path() / "again.perfetto.json");
  EXPECT_THAT(events, ContainsRegex(R"re("holding_mpi":"MPI_Isend from rank )re"));
  // The title has no name of an algorithm there.
  EXPECT_EQ(events.substr(events.find("thread_name")),
            read_file(directory.path() / "t.perfetto.json")
                .substr(read_file(directory.path() / "t.perfetto.json").find("thread_name")));
  const nlohmann::json path = json("r.json")["critical_path"];
  EXPECT_EQ(path["messages"][0]["mpi"]["communicator"], "MPI_COMM_WORLD");
  ASSERT_GE(path["groups"].size(), 3U);
  EXPECT_EQ(path["groups"][0]["title"], "by rank that sends");
  EXPECT_EQ(path["groups"][1]["title"], "by pair of ranks");
  for (const nlohmann::json& grouping : path["groups"]) {
    double sum = 0;
    for (const nlohmann::json& group : grouping["groups"]) {
      sum += group["time_us"].get<double>();
    }
    EXPECT_NEAR(sum, path["latency_us"].get<double>(), 1e-9) << grouping["title"];
  }
  // The list of messages knows as much.
  ASSERT_EQ(run_program({"run", "list.toml", "--explain", "--json", "l.json"}, directory.path()).exit_code, 0);
  const nlohmann::json of_list = json("l.json")["critical_path"];
  EXPECT_EQ(of_list["groups"][2]["title"], "by MPI function");
  EXPECT_EQ(of_list["messages"].back()["mpi"], path["messages"].back()["mpi"]);
  ASSERT_EQ(run_program({"view", "list.toml", "--out", "v.html"}, directory.path()).exit_code, 0);
  EXPECT_THAT(read_file(directory.path() / "v.html"), HasSubstr("\"mpi\":[\"MPI_Isend from rank "));
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
