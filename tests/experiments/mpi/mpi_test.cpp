// MPI programs on the network: known times, their messages run once more as a list, and what goes wrong said clearly.

#include "tests/experiments/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string network_8x8 = R"([topology]
kind = "mesh"
dims = [8, 8]
[network]
startup = "150us"
per_byte = "0.5us"
)";

class Mpi : public ::testing::Test {
protected:
  void SetUp() override
  {
    directory.write("c.toml", network_8x8);
    directory.write("list.toml", "[algorithm]\nname = \"schedule\"\nfile = \"m.json\"\n"
                                 "[network]\nstartup = \"150us\"\nper_byte = \"0.5us\"\n");
  }

  static std::string example(const std::string& name) { return std::string(WORMCAST_EXAMPLES) + "/" + name; }

  // wormcast mpi c.toml OPTIONS -- PROGRAM
  ProgramRun mpi(std::vector<std::string> options, const std::vector<std::string>& program) const
  {
    options.insert(options.begin(), {"mpi", "c.toml"});
    options.emplace_back("--");
    options.insert(options.end(), program.begin(), program.end());
    return run_program(options, directory.path());
  }

  nlohmann::json json(const std::string& file) const
  {
    return nlohmann::json::parse(read_file(directory.path() / file));
  }

  TemporaryDirectory directory;
};

TEST_F(Mpi, ABinomialBroadcastTakesSixMessagesOneAfterTheOther)
{
  const ProgramRun run = mpi({"--bcast", "binomial_tree"}, {example("collectives"), "bcast", "4096"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("bcast of 4096 bytes among 64 ranks: 13236.010 us")); // 6 * (150 + 4112 * 0.5)
  const ProgramRun bare =
      mpi({"--bcast", "binomial_tree", "--set", "mpi.envelope=0"}, {example("collectives"), "bcast", "4096"});
  EXPECT_THAT(bare.out, HasSubstr("13188.010 us")); // 6 * (150 + 4096 * 0.5), as recursive_doubling
}

TEST_F(Mpi, TheMessagesOfAnAlltoallTakeTheSameTimesInARunOfTheirOwn)
{
  const ProgramRun run = mpi({"--alltoall", "ring", "--json", "r.json", "--messages", "m.json", "--trace", "t.jsonl"},
                             {example("collectives"), "alltoall", "1000"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json result = json("r.json");
  EXPECT_EQ(result["format"], "wormcast-mpi/1");
  EXPECT_EQ(result["ranks"], 64);
  EXPECT_GE(result["messages"], 4032);
  EXPECT_GT(result["contention"]["step"], 4000);
  for (const char* engine : {"worm", "flit"}) {
    const ProgramRun again = run_program({"run", "list.toml", "--set", std::string("run.engine=") + engine, "--json",
                                          "l.json", "--deliveries", std::string(engine) + ".json"},
                                         directory.path());
    ASSERT_EQ(again.exit_code, 0) << again.err;
    const nlohmann::json list = json("l.json");
    for (const char* key : {"latency_us", "messages", "bytes_sent", "tcd", "max_channel_load", "contention"}) {
      EXPECT_EQ(list[key], result[key]) << engine << ' ' << key;
    }
  }
  EXPECT_EQ(read_file(directory.path() / "worm.json"), read_file(directory.path() / "flit.json"));
  EXPECT_THAT(run_program({"contention", "t.jsonl"}, directory.path()).out, HasSubstr("mesh 8 x 8, 64 nodes"));
}

TEST_F(Mpi, ABroadcastOfOurOwnTakesTheTimeOfItsSchedule)
{
  for (const auto& [algorithm, time] :
       {std::pair("recursion_based", "5958.0"), {"scatter_collect", "7032.0"}, {"recursive_doubling", "13188.0"}}) {
    const ProgramRun run = mpi({"--bcast", std::string("wormcast:") + algorithm, "--set", "mpi.envelope=0"},
                               {example("collectives"), "bcast", "4096"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr(std::string("bcast of 4096 bytes among 64 ranks: ") + time)) << algorithm;
  }
  EXPECT_EQ(
      mpi({"--bcast", "wormcast:recursion_based", "--map", "random"}, {example("collectives"), "bcast", "5"}).exit_code,
      0);
}

TEST_F(Mpi, ABroadcastOfOurOwnChoosesItsBestParameters)
{
  const ProgramRun run =
      mpi({"--bcast", "wormcast:two_combs", "--set", "mpi.envelope=0"}, {example("collectives"), "bcast", "4096"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  directory.write("schedule.toml", network_8x8 + "[algorithm]\nname = \"two_combs\"\n[message]\nbytes = 4096\n"
                                                 "[run]\nmode = \"self_timed\"\n");
  ASSERT_EQ(run_program({"run", "schedule.toml", "--json", "s.json"}, directory.path()).exit_code, 0);
  EXPECT_THAT(run.out, HasSubstr("among 64 ranks: " + json("s.json")["latency_us"].dump()));
}

TEST_F(Mpi, ARunThatPassesAllTimesSaysSo)
{
  const ProgramRun run = mpi({"--set", "network.startup=2000000s"}, {example("collectives"), "bcast", "4096"});
  EXPECT_EQ(run.exit_code, 2) << run.out;
  EXPECT_THAT(run.err, HasSubstr("wormcast: error: the simulated time exceeds"));
}

TEST_F(Mpi, AMapFileOfFewerLinesThanNodesGivesTheNumberOfRanks)
{
  directory.write("map", "n3\nn1\n");
  const ProgramRun run = mpi({"--map", "map", "--json", "r.json"}, {example("ping_pong"), "100", "1"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(json("r.json")["ranks"], 2);
}

TEST_F(Mpi, ProgramsAreFoundInPathAndLibrariesOfTheUserAreLoaded)
{
  ::setenv("PATH", (std::string(WORMCAST_EXAMPLES) + ":" + std::getenv("PATH")).c_str(), 1);
  ::setenv("LD_PRELOAD", "libm.so.6 libpthread.so.0", 1);
  const ProgramRun run =
      mpi({"--bcast", "wormcast:recursion_based", "--set", "mpi.envelope=0"}, {"collectives", "bcast", "4096"});
  ::unsetenv("LD_PRELOAD");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("5958.0"));
}

TEST_F(Mpi, EveryRunGivesTheSame)
{
  for (const char* file : {"a.json", "b.json"}) {
    ASSERT_EQ(mpi({"--messages", file}, {example("collectives"), "allreduce", "500"}).exit_code, 0);
  }
  EXPECT_EQ(read_file(directory.path() / "a.json"), read_file(directory.path() / "b.json"));
}

TEST_F(Mpi, APingPongTakesTheTimeOfAMessage)
{
  const ProgramRun run = mpi({"--set", "mpi.envelope=0", "--set", "network.per_hop=1us", "--explain"},
                             {example("ping_pong"), "1000", "5"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("1000 bytes one way: 664.00")); // 150 + 14 * 1 + 1000 * 0.5, and 10 ns of MPI_Wtime
  EXPECT_THAT(run.out, AllOf(HasSubstr("ranks             64, mapped by block"), HasSubstr("critical path")));
}

TEST_F(Mpi, ComputingTakesTheTimeOfItsOperations)
{
  const std::vector<std::string> program = {example("halo_exchange"), "8", "100", "3", "1000000"};
  const ProgramRun fast = mpi({"--set", "mpi.flops=1000000000"}, program);
  const ProgramRun slow = mpi({"--set", "mpi.flops=500000000"}, program);
  EXPECT_EQ(fast.exit_code, 0) << fast.err;
  const auto microseconds = [](const std::string& out) { return std::atof(out.c_str() + out.find(": ") + 2); };
  EXPECT_NEAR(microseconds(slow.out) - microseconds(fast.out), 3000, 0.01);
}

TEST_F(Mpi, EagerMessagesAndMapsAreTaken)
{
  directory.write("map", "# two ranks\nn63\n\n 0 \n");
  const ProgramRun run =
      mpi({"--map", "map", "--ranks", "2", "--messages", "m.json"}, {example("ping_pong"), "100", "1"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(json("m.json")["messages"][0]["src"], 63);
  EXPECT_EQ(json("m.json")["messages"][0]["dst"], 0);
  EXPECT_EQ(mpi({"--map", "random", "--ranks", "4"}, {example("ping_pong")}).exit_code, 0);
  EXPECT_EQ(mpi({"--map", "round_robin", "--ranks", "70"}, {example("ping_pong")}).exit_code, 0);
}

TEST_F(Mpi, SmpirunAloneRunsProgramsAndTheirTraces)
{
  std::string hosts;
  for (int node = 0; node < 64; ++node) {
    hosts += "n" + std::to_string(node) + "\n";
  }
  directory.write("hosts", hosts);
  const std::string smpirun = "cd '" + directory.path().string() +
                              "' && WORMCAST_CONFIG=c.toml WORMCAST_END=end.json smpirun -np 64 -platform " +
                              WORMCAST_PLATFORM + " -hostfile hosts --cfg=smpi/simulate-computation:no ";
  ASSERT_EQ(std::system(
                (smpirun + "-trace-ti -trace-file t.txt " + example("collectives") + " bcast 4096 > out.txt 2> err.txt")
                    .c_str()),
            0);
  EXPECT_THAT(read_file(directory.path() / "out.txt"), HasSubstr("13236.010 us"));
  const nlohmann::json program = json("end.json");
  ASSERT_EQ(std::system((smpirun + "-replay t.txt > out.txt 2> err.txt").c_str()), 0)
      << read_file(directory.path() / "err.txt");
  const nlohmann::json replayed = json("end.json");
  EXPECT_EQ(replayed["messages"], program["messages"]);
  EXPECT_EQ(replayed["undelivered"], 0);
}

TEST_F(Mpi, VirtualChannelsTakeTheFlitEngine)
{
  const ProgramRun run = mpi({"--set", "topology.kind=torus", "--set", "network.virtual_channels=2", "--messages",
                              "m.json", "--json", "r.json"},
                             {example("collectives"), "alltoall", "10"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("flit"));
}

TEST_F(Mpi, ErrorsAreSaid)
{
  const std::string program = example("ping_pong");
  const auto error = [&](const std::vector<std::string>& options, const std::vector<std::string>& words) {
    const ProgramRun run = mpi(options, words);
    EXPECT_EQ(run.exit_code, 2) << run.err;
    return run.err;
  };
  EXPECT_THAT(error({"--ranks", "65"}, {program}), HasSubstr("found 65, but the topology has 64 nodes"));
  EXPECT_THAT(error({"--ranks", "0"}, {program}), HasSubstr("--ranks: found 0"));
  EXPECT_THAT(error({"--ranks", "-5"}, {program}), HasSubstr("--ranks: found -5"));
  EXPECT_THAT(error({"--ranks", "9000000000000000000", "--map", "round_robin"}, {program}),
              HasSubstr("expected a whole number from 1 to 1048576"));
  EXPECT_THAT(error({}, {"./nothing"}), HasSubstr("./nothing: no such program"));
  EXPECT_THAT(error({}, {}), HasSubstr("no program, expected one behind"));
  EXPECT_THAT(error({}, {program, "two words"}), HasSubstr("smpirun passes no words that are empty, or have blanks"));
  for (const char* word : {"--help", "--help-models", "--version", "--cfg=tracing:1"}) {
    EXPECT_THAT(error({}, {program, word}), HasSubstr("which SimGrid would take for its own")) << word;
  }
  EXPECT_THAT(error({"--bcast", "two words"}, {program}), HasSubstr("found the setting \"smpi/bcast:two words\""));
  EXPECT_THAT(error({"--bcast", "wormcast:two_combs", "--set", "mpi.computation=measured"}, {program}),
              HasSubstr("whose planning would count as computing"));
  EXPECT_THAT(error({"--set", "run.model=fluid"}, {program}), HasSubstr("run.model"));
  EXPECT_THAT(error({"--set", "run.tie_break=source"}, {program}), HasSubstr("run.tie_break"));
  EXPECT_THAT(error({"--json", "-"}, {program}), HasSubstr("standard output is the program's"));
  EXPECT_THAT(error({"--bcast", "wormcast:recursion_base"}, {program}), HasSubstr("recursion_based"));
  EXPECT_THAT(error({"--bcast", "wormcast:recursion_based", "--ranks", "8"}, {program}),
              HasSubstr("need one rank on each of the 64 nodes"));
  directory.write("map", "n64\n");
  EXPECT_THAT(error({"--map", "map"}, {program}), HasSubstr("map:1: found \"n64\", expected a node from 0 to 63"));
  EXPECT_THAT(error({"--set", "mpi.envelop=1"}, {program}), HasSubstr("did you mean \"mpi.envelope\"?"));
}

TEST_F(Mpi, TheExitCodeOfAProgramThatFailsIsItsOwn)
{
  const ProgramRun run = mpi({"--json", "r.json"}, {example("collectives"), "nonsense", "1"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, AllOf(HasSubstr("usage: collectives"), HasSubstr("collectives ended with exit code 2")));
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "r.json"));
}

TEST_F(Mpi, AProgramThatNeverRunsOnTheNetworkIsAnError)
{
  const ProgramRun run = mpi({"--json", "r.json"}, {"/bin/true"});
  EXPECT_NE(run.exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(directory.path() / "r.json"));
}

TEST_F(Mpi, AFolderForTemporaryFilesWithABlankIsRefused)
{
  const std::filesystem::path folder = directory.path() / "two words";
  std::filesystem::create_directory(folder);
  ::setenv("TMPDIR", folder.c_str(), 1);
  const ProgramRun run = mpi({}, {example("ping_pong")});
  ::unsetenv("TMPDIR");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("TMPDIR"));
}

TEST_F(Mpi, WithoutSmpiItIsSaid)
{
  ::setenv("PATH", "/nowhere", 1);
  const ProgramRun run = mpi({}, {example("ping_pong")});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("smpirun: not found in PATH"));
}

TEST(Examples, ActorsBroadcastByASchedule)
{
  const TemporaryDirectory directory;
  const std::string out = (directory.path() / "out").string();
  EXPECT_EQ(std::system((WORMCAST_EXAMPLES "/broadcast_by_actors > " + out).c_str()), 0);
  EXPECT_EQ(read_file(out), "the last node has the message at 5958 us\n");
}

} // namespace
} // namespace wormcast::testing
