// MPI programs on the network: known times, their messages run once more as a list, and what goes wrong said clearly.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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
  EXPECT_THAT(run.out, HasSubstr("bcast of 4096 bytes among 64 ranks: 13236.0100 us")); // 6 * (150 + 4112 * 0.5)
  const ProgramRun bare =
      mpi({"--bcast", "binomial_tree", "--set", "mpi.envelope=0"}, {example("collectives"), "bcast", "4096"});
  EXPECT_THAT(bare.out, HasSubstr("13188.0100 us")); // 6 * (150 + 4096 * 0.5), as recursive_doubling
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
  EXPECT_THAT(read_file(directory.path() / "out.txt"), HasSubstr("13236.0100 us"));
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

TEST_F(Mpi, InputQueuedRoutersCarryProgramsAndReplayThem)
{
  const std::string routers =
      "[network]\nrouter = \"input_queued\"\nstartup = \"0us\"\nper_byte = \"1ns\"\nflit_bytes = 4\n";
  directory.write("c.toml", "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n" + routers);
  directory.write("list.toml", "[algorithm]\nname = \"schedule\"\nfile = \"m.json\"\n" + routers);
  const ProgramRun run =
      mpi({"--json", "r.json", "--messages", "m.json", "--explain"}, {example("collectives"), "alltoall", "100"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("switch traversal"));
  const ProgramRun again = run_program({"run", "list.toml", "--json", "l.json"}, directory.path());
  ASSERT_EQ(again.exit_code, 0) << again.err;
  const nlohmann::json result = json("r.json");
  EXPECT_EQ(result["engine"], "cycle");
  EXPECT_GT(result["contention"]["step"], 0);
  for (const char* key : {"latency_us", "messages", "bytes_sent", "contention"}) {
    EXPECT_EQ(json("l.json")[key], result[key]) << key;
  }
}

class PollingMpi : public Mpi {
protected:
  void SetUp() override
  {
    directory.write("c.toml", "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[network]\nstartup = \"1us\"\n"
                              "per_byte = \"0.1ns\"\nper_hop = \"5ns\"\nflit_bytes = 32\nbuffer_flits = 8\n");
  }

  // The time in which rank 1 receives, in microseconds.
  double received(const std::string& how, const std::string& bytes, std::vector<std::string> options = {}) const
  {
    options.insert(options.end(), {"--ranks", "2"});
    const ProgramRun run = mpi(options, {example("odd_program"), "poll", how, bytes});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::size_t at = run.out.find("received in ");
    EXPECT_NE(at, std::string::npos) << run.out;
    return at == std::string::npos ? 0 : std::atof(run.out.c_str() + at + std::strlen("received in "));
  }
};

TEST_F(PollingMpi, TakesTheTimeOfWaiting)
{
  for (const char* bytes : {"1000", "100000"}) {
    const double waited = received("wait", bytes);
    for (const char* how : {"test", "probe"}) {
      const double polled = received(how, bytes);
      EXPECT_GE(polled, waited) << how;
      EXPECT_LE(polled, waited + 1.12 + 0.05) << how; // after a probe the message is sent only when it is received
    }
    EXPECT_LE(received("test", bytes), waited * 1.05);
  }
  EXPECT_GE(received("test", "1000", {"--set", "mpi.test=100us"}), 100);
}

TEST_F(PollingMpi, OverheadsAreTheRanks)
{
  const double plain = received("wait", "1000");
  EXPECT_NEAR(received("wait", "1000", {"--set", "mpi.send_overhead=3us"}) - plain, 3, 0.001);
  EXPECT_NEAR(received("wait", "1000", {"--set", "mpi.receive_overhead=2us"}) - plain, 2, 0.001);
}

TEST_F(PollingMpi, OtherSettingsReachSimGrid)
{
  EXPECT_GT(received("wait", "1000", {"--set", "mpi.simgrid=[\"smpi/wtime:0.001\"]"}), 900);
  const auto refused = [&](const std::string& setting, const std::string& text) {
    const ProgramRun run = mpi({"--ranks", "2", "--set", "mpi.simgrid=[\"" + setting + "\"]"},
                               {example("odd_program"), "poll", "wait", "8"});
    EXPECT_EQ(run.exit_code, 2) << setting;
    EXPECT_THAT(run.err, AllOf(HasSubstr("mpi.simgrid: found \"" + setting + "\""), HasSubstr(text)));
  };
  refused("contexts/stack-size", "expected a setting and its value");
  refused("smpi/test:1", "mpi.test determines it");
  refused("smpi/bcast:mpich", "mpi.bcast determines it");
  refused("network/model:CM02", "the network is that of the configuration");
}

TEST_F(Mpi, WhatAProgramReturnsTakesNothingAway)
{
  const ProgramRun run = mpi({"--ranks", "2", "--json", "r.json", "--messages", "m.json", "--trace", "t.jsonl"},
                             {example("odd_program"), "return", "5"});
  EXPECT_EQ(run.exit_code, 5);
  EXPECT_THAT(run.out, HasSubstr("last delivery"));
  EXPECT_THAT(run.err, HasSubstr("ended with exit code 5"));
  EXPECT_EQ(json("r.json")["exit_code"], 5);
  EXPECT_EQ(json("r.json")["messages"], 1);
  EXPECT_EQ(json("m.json")["messages"].size(), 1);
  EXPECT_EQ(run_program({"contention", "t.jsonl"}, directory.path()).exit_code, 0);
}

TEST_F(Mpi, AnAbortIsNoDeadlock)
{
  const ProgramRun run = mpi({"--ranks", "4", "--json", "r.json"}, {example("odd_program"), "abort"});
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, AllOf(HasSubstr("called MPI_Abort"), Not(HasSubstr("came to a stop"))));
  EXPECT_EQ(json("r.json")["aborted"], true);
  EXPECT_EQ(json("r.json")["stuck"], false);
}

TEST_F(Mpi, AProgramWhoseRanksWaitForNothingIsADeadlock)
{
  const ProgramRun run = mpi({"--json", "r.json"}, {example("odd_program"), "wait_for_nothing"});
  EXPECT_EQ(run.exit_code, 4);
  EXPECT_THAT(run.err, HasSubstr("came to a stop at 0 us: ranks wait for messages that nobody sends"));
  EXPECT_EQ(json("r.json")["stuck"], true);
}

// All of a ring send the long way at once: each holds a channel that another one wants.
TEST_F(Mpi, ADeadlockOfTheNetworkShowsItsCycle)
{
  const ProgramRun run =
      mpi({"--set", "topology.kind=torus", "--set", "topology.dims=[8]", "--set", "network.startup=0us", "--alltoall",
           "basic_linear", "--json", "r.json", "--trace", "t.jsonl", "--messages", "m.json"},
          {example("collectives"), "alltoall", "4096"});
  EXPECT_EQ(run.exit_code, 4) << run.out;
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("messages cannot be delivered; these wait for each other:"),
                    HasSubstr("waits for 6 -> 5, held by message"), ::testing::Not(HasSubstr("came to a stop"))));
  EXPECT_TRUE(json("r.json")["latency_us"].is_null());
  EXPECT_GT(json("r.json")["undelivered"], 0);
  EXPECT_EQ(run_program({"contention", "t.jsonl"}, directory.path()).exit_code, 0);
  const ProgramRun again = run_program({"run", "list.toml", "--set", "network.startup=0us"}, directory.path());
  EXPECT_EQ(again.exit_code, 4);
}

TEST_F(Mpi, MessagesOfAProgramAreInspectedAsThoseOfARun)
{
  const ProgramRun run = mpi({"--bcast", "flattree", "--set", "mpi.envelope=0", "--trace", "t.jsonl", "--messages",
                              "m.json", "--json", "r.json", "--explain"},
                             {example("collectives"), "bcast", "100"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const ProgramRun contention = run_program({"contention", "t.jsonl", "--json", "-"}, directory.path());
  ASSERT_EQ(contention.exit_code, 0) << contention.err;
  EXPECT_EQ(nlohmann::json::parse(contention.out)["totals"]["port"]["waits"], 62);
  EXPECT_EQ(json("r.json")["contention"]["port"], 62); // 63 messages at one port
  const ProgramRun view = run_program({"view", "list.toml", "--out", "v.html"}, directory.path());
  EXPECT_EQ(view.exit_code, 0) << view.err;
  EXPECT_THAT(read_file(directory.path() / "v.html"), HasSubstr("<html"));
}

TEST_F(Mpi, AnExplanationFollowsTheProgramBackToItsStart)
{
  const ProgramRun run = mpi(
      {"--bcast", "binomial_tree", "--reduce", "binomial", "--set", "mpi.envelope=0", "--explain", "--json", "r.json"},
      {example("collectives"), "bcast", "4096"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json path = json("r.json")["critical_path"];
  EXPECT_EQ(path["messages"].size(), 12); // six of the broadcast, six of the reduction behind it
  EXPECT_EQ(path["messages"][0]["reason"], "start");
  EXPECT_EQ(path["messages"][11]["reason"], "program");
  EXPECT_EQ(path["sums"]["startup_us"], 12 * 150);
  EXPECT_EQ(path["sums"]["bytes_us"], 6 * 2048 + 6 * 4);
  EXPECT_EQ(path["sums"]["program_us"], 1000000.03); // sleeps until 1 s; MPI_Wtime three times
  EXPECT_THAT(run.out, HasSubstr("the program sent it after message"));
}

TEST_F(Mpi, ABroadcastFromARankThatIsNotThereIsSmpisError)
{
  for (const char* algorithm : {"binomial_tree", "wormcast:recursion_based"}) {
    EXPECT_EQ(mpi({"--bcast", algorithm}, {example("odd_program"), "broadcast_from_nowhere"}).exit_code, 0)
        << algorithm;
  }
}

// More than the schedules that are kept at a time.
TEST_F(Mpi, ManyBroadcastsOfManyLengthsAreRight)
{
  EXPECT_EQ(mpi({"--bcast", "wormcast:recursion_based"}, {example("odd_program"), "many_broadcasts"}).exit_code, 0);
}

TEST_F(Mpi, OurBroadcastBySmpirunAloneNeedsItsHosts)
{
  directory.write("hosts", "n0\nn1\n");
  const std::string command = "cd '" + directory.path().string() +
                              "' && WORMCAST_CONFIG=c.toml WORMCAST_BCAST=recursion_based smpirun "
                              "-np 2 -wrapper 'env LD_PRELOAD=" WORMCAST_PLATFORM "' -platform " WORMCAST_PLATFORM
                              " -hostfile hosts --cfg=smpi/simulate-computation:no " +
                              example("collectives") + " bcast 4096 > out.txt 2> err.txt";
  EXPECT_NE(std::system(command.c_str()), 0);
  EXPECT_THAT(read_file(directory.path() / "err.txt"),
              HasSubstr("WORMCAST_BCAST = recursion_based needs WORMCAST_HOSTS, the host file of the ranks"));
}

TEST_F(Mpi, CollectivesOfAllKindsStandInOneTable)
{
  const std::vector<std::string> options = {"collectives",
                                            "c.toml",
                                            "--set",
                                            "mpi.envelope=0",
                                            "--lengths",
                                            "64,4KiB",
                                            "--algorithms",
                                            "binomial_tree,mpich,scatter_rdb_allgather,SMP_linear,"
                                            "wormcast:recursion_based,wormcast:msbt"};
  const auto table = [&](const std::vector<std::string>& others) {
    std::vector<std::string> all = options;
    all.insert(all.end(), others.begin(), others.end());
    return run_program(all, directory.path());
  };
  const ProgramRun run = table({"--jobs", "2", "--json", "two.json", "--csv", "t.csv", "--picture", "t.gnuplot"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("bcast among 64 ranks on mesh 8 x 8, mapped by block"),
                    HasSubstr("SMP_linear: not every rank gets what it must have"),
                    HasSubstr("wormcast:msbt packets=best: msbt needs a hypercube"), HasSubstr("1.62 times as long")));
  EXPECT_EQ(read_file(directory.path() / "t.csv"),
            "collective,algorithm,parameters,bytes,state,latency_us,error\n"
            "bcast,binomial_tree,,64,done,1092,\n"    // 6 * (150 + 64 * 0.5)
            "bcast,binomial_tree,,4096,done,13188,\n" // 6 * (150 + 4096 * 0.5)
            "bcast,scatter_rdb_allgather,,64,done,1917,\n"
            "bcast,scatter_rdb_allgather,,4096,done,9650,\n"
            "bcast,SMP_linear,,64,wrong,,not every rank gets what it must have\n"
            "bcast,SMP_linear,,4096,wrong,,not every rank gets what it must have\n"
            "bcast,mpich,,64,done,1092,\n" // without what it prepares once
            "bcast,mpich,,4096,done,13188,\n"
            "bcast,wormcast:recursion_based,reduction=pairwise,64,done,1422,\n" // as a schedule: wormcast run
            "bcast,wormcast:recursion_based,reduction=pairwise,4096,done,5958,\n"
            "bcast,wormcast:msbt,packets=best,64,left_out,,msbt needs a hypercube; the topology is mesh 8 x 8\n"
            "bcast,wormcast:msbt,packets=best,4096,left_out,,msbt needs a hypercube; the topology is mesh 8 x 8\n");
  const nlohmann::json result = json("two.json");
  EXPECT_EQ(result["format"], "wormcast-collectives/1");
  EXPECT_EQ(result["fastest"][1]["smpi"]["algorithm"], "scatter_rdb_allgather");
  EXPECT_EQ(result["fastest"][1]["wormcast"]["latency_us"], 5958);
  EXPECT_THAT(read_file(directory.path() / "t.gnuplot"),
              HasSubstr("set label 'wormcast:recursion_based reduction=pairwise'"));
  ASSERT_EQ(table({"--jobs", "1", "--json", "one.json"}).exit_code, 0);
  EXPECT_EQ(read_file(directory.path() / "one.json"), read_file(directory.path() / "two.json"));
}

// Each algorithm with the parameters that choose takes: L(3,0) beats the recursion whose default it is not.
TEST_F(Mpi, CollectivesTakeEveryAlgorithmWithAllItsParameters)
{
  const ProgramRun run =
      run_program({"collectives", "c.toml", "--set", "mpi.envelope=0", "--lengths", "4KiB", "--algorithms",
                   "binomial_tree,wormcast:recursion_based,wormcast:truncated_recursion,wormcast:network_partitioning "
                   "d=2,wormcast:two_trees",
                   "--json", "c.json"},
                  directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json result = json("c.json");
  const nlohmann::json& fastest = result["fastest"][0]["wormcast"];
  EXPECT_EQ(fastest["algorithm"], "wormcast:truncated_recursion");
  EXPECT_EQ(fastest["parameters"].dump(), R"({"block":0,"depth":3,"rounds":"lattice"})");
  EXPECT_EQ(fastest["latency_us"], 5702); // 9 * 150 + 17/8 * 4096 * 0.5
  std::map<std::string, int> rows;
  for (const nlohmann::json& row : result["algorithms"]) {
    ++rows[row["algorithm"].get<std::string>()];
  }
  EXPECT_GT(rows["wormcast:truncated_recursion"], 5);
  EXPECT_EQ(rows["wormcast:network_partitioning"], 1); // as named
  EXPECT_EQ(rows["wormcast:two_trees"], 1);            // its segments are chosen for each length
  EXPECT_THAT(run.out, AllOf(HasSubstr("wormcast:truncated_recursion depth=3 block=0 rounds=lattice"),
                             HasSubstr("wormcast:two_trees segments=best")));
}

TEST_F(Mpi, OnlyAlgorithmsThatRunWithoutAConfigurationAreTimed)
{
  const ProgramRun run = run_program(
      {"collectives", "c.toml", "--set", "topology.dims=[2,2]", "--ranks", "2", "--lengths", "64", "--csv", "all.csv"},
      directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string csv = read_file(directory.path() / "all.csv");
  EXPECT_THAT(csv, HasSubstr("wormcast:flooding"));
  EXPECT_THAT(csv, Not(HasSubstr("wormcast:command")));
  EXPECT_THAT(csv, Not(HasSubstr("wormcast:schedule")));
}

TEST_F(Mpi, ABroadcastOfOurOwnTakesParameters)
{
  const auto latency = [&](const std::string& name) {
    const ProgramRun run =
        mpi({"--bcast", "wormcast:" + name, "--set", "mpi.envelope=0"}, {example("collectives"), "bcast", "4096"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  };
  EXPECT_THAT(latency("truncated_recursion depth=3 rounds=lattice"), HasSubstr("among 64 ranks: 5702.0"));
  EXPECT_THAT(latency("intercom stages=My4 Sy4 Mx1"), HasSubstr("among 64 ranks: 8006.0")); // a value with blanks
}

TEST_F(Mpi, OtherCollectivesAndFewerRanksAreComparedToo)
{
  const ProgramRun run =
      run_program({"collectives", "c.toml", "--collective", "alltoall", "--ranks", "6", "--map", "random", "--lengths",
                   "100,100", "--algorithms", "ring,pair,basic_linear", "--csv", "-"},
                  directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, AllOf(HasSubstr("alltoall,ring,,100,done,"), HasSubstr("alltoall,basic_linear,,100,done,"),
                             HasSubstr("alltoall,pair,,100,died,,ended with exit code")));
}

TEST_F(Mpi, ACollectiveThatDeadlocksEndsOnlyItsOwnRow)
{
  const ProgramRun run =
      run_program({"collectives", "c.toml", "--set", "topology.kind=torus", "--set", "topology.dims=[8]", "--set",
                   "network.startup=0us", "--set", "network.buffer_flits=1", "--collective", "alltoall", "--lengths",
                   "4096", "--algorithms", "ring,basic_linear", "--csv", "-"},
                  directory.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("deadlock of the network: "));
}

TEST_F(Mpi, WrongCollectivesAreSaid)
{
  const auto error = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"collectives", "c.toml"});
    const ProgramRun run = run_program(options, directory.path());
    EXPECT_EQ(run.exit_code, 2) << run.err;
    return run.err;
  };
  EXPECT_THAT(error({"--algorithms", "wormcast:command"}), HasSubstr("mpi.bcast: command: \"command\" is missing"));
  EXPECT_THAT(error({"--algorithms", "wormcast:recursion_base"}), HasSubstr("\"wormcast:recursion_based\"?"));
  EXPECT_THAT(error({"--algorithms", "binomial_tre"}), HasSubstr("did you mean \"binomial_tree\"?"));
  EXPECT_THAT(error({"--collective", "scan"}), HasSubstr("scan"));
  EXPECT_THAT(error({"--lengths", "none"}), HasSubstr("--lengths: "));
  EXPECT_THAT(error({"--lengths", "0,64"}), HasSubstr("expected a length of at least 1 byte"));
  EXPECT_THAT(error({"--lengths", "64,32MiB"}), HasSubstr("expected lengths from 1 to 16777216 bytes"));
  EXPECT_THAT(error({"--ranks", "65"}), HasSubstr("found 65, but the topology has 64 nodes"));
  EXPECT_THAT(error({"--picture", "t.jpg"}), HasSubstr("t.jpg"));
  EXPECT_THAT(error({"--json", "-", "--csv", "-"}), HasSubstr("found - for both"));
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
  EXPECT_THAT(error({"--set", R"(mpi.simgrid=["smpi/tmpdir:two words"])"}, {program}),
              HasSubstr("found the setting \"smpi/tmpdir:two words\""));
  EXPECT_THAT(error({"--bcast", "wormcast:two_combs", "--set", "mpi.computation=measured"}, {program}),
              HasSubstr("whose planning would count as computing"));
  EXPECT_THAT(error({"--set", "run.model=fluid"}, {program}), HasSubstr("run.model"));
  EXPECT_THAT(error({"--set", "run.tie_break=source"}, {program}), HasSubstr("run.tie_break"));
  EXPECT_THAT(error({"--json", "-"}, {program}), HasSubstr("standard output is the program's"));
  EXPECT_THAT(error({"--bcast", "wormcast:recursion_base"}, {program}), HasSubstr("recursion_based"));
  // Before the program starts, in one line.
  for (const auto& [bcast, message] :
       {std::pair("command", "mpi.bcast: command: \"command\" is missing, expected a list of texts"),
        {"recursion_based reducton=ring", "did you mean \"reduction\"?"},
        {"recursion_based fast", "mpi.bcast: recursion_based: found \"fast\", expected PARAMETER=VALUE"},
        {"ring", "mpi.bcast: ring does not broadcast"},
        {"truncated_recursion depth=x", "mpi.bcast: truncated_recursion: \"depth\": "}}) {
    const std::string said = error({"--bcast", std::string("wormcast:") + bcast}, {program});
    EXPECT_THAT(said, HasSubstr(message));
    EXPECT_EQ(std::ranges::count(said, '\n'), 1) << said;
  }
  EXPECT_THAT(error({"--allreduce", "wormcast:ring"}, {program}),
              HasSubstr("mpi.allreduce: found \"wormcast:ring\", but of wormcast's own algorithms only broadcasts"));
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
  EXPECT_EQ(json("r.json")["exit_code"], 2);
  EXPECT_EQ(json("r.json")["messages"], 0);
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

const std::string pair_trace = "0 init\n0 send 1 0 1000 6\n0 bcast 100 0 6\n0 finalize\n"
                               "1 init\n1 recv 0 0 1000 6\n1 compute 5000\n1 bcast 100 0 6\n1 finalize\n";

TEST_F(Mpi, ATraceIsReplayed)
{
  directory.write("pair.ti", pair_trace);
  const ProgramRun run = run_program({"mpi", "c.toml", "--replay", "pair.ti", "--json", "r.json", "--messages",
                                      "m.json", "--explain", "--set", "mpi.envelope=0"},
                                     directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("program           replay of pair.ti\nranks             2, mapped by block\n"));
  EXPECT_THAT(run.out, HasSubstr("critical path: 2 messages"));
  const nlohmann::json result = json("r.json");
  EXPECT_EQ(result["replay"], "pair.ti");
  EXPECT_EQ(result["messages"], 2);
  EXPECT_EQ(result["bytes_sent"], 1100);
  EXPECT_NEAR(result["latency_us"].get<double>(), 2 * 150 + 1100 * 0.5 + 5, 0.1);
  const ProgramRun again = run_program({"run", "list.toml", "--json", "l.json"}, directory.path());
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(json("l.json")["latency_us"], result["latency_us"]);
}

TEST_F(Mpi, ATraceInFilesOfRanksTakesTheSameTime)
{
  directory.write("0.txt", pair_trace.substr(0, pair_trace.find("1 init")));
  directory.write("1.txt", pair_trace.substr(pair_trace.find("1 init")));
  directory.write("list.txt", "0.txt\n1.txt\n");
  directory.write("pair.ti", pair_trace);
  for (const char* trace : {"pair.ti", "list.txt"}) {
    const ProgramRun run =
        run_program({"mpi", "c.toml", "--replay", trace, "--json", std::string(trace) + ".json"}, directory.path());
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }
  EXPECT_EQ(json("pair.ti.json")["latency_us"], json("list.txt.json")["latency_us"]);
}

TEST_F(Mpi, PublishedTracesAreReplayed)
{
  const std::filesystem::path folder = std::filesystem::path(WORMCAST_FORMATS_OF_OTHERS) / "ti";
  if (!std::filesystem::exists(folder)) {
    GTEST_SKIP() << folder << " is not there (CMake variable WORMCAST_FORMATS_OF_OTHERS)";
  }
  const nlohmann::json expected = nlohmann::json::parse(read_file(folder / "expected.json"));
  for (const auto& [name, facts] : expected.items()) {
    SCOPED_TRACE(name);
    const ProgramRun run =
        run_program({"mpi", "c.toml", "--replay", (folder / name).string(), "--json", "r.json"}, directory.path());
    EXPECT_EQ(run.exit_code, facts["verdict"] == "right" ? 0 : 2) << run.err;
    if (run.exit_code == 0) {
      const nlohmann::json result = json("r.json");
      EXPECT_EQ(result["ranks"], facts["ranks"]);
      EXPECT_EQ(result["undelivered"], 0);
      if (facts["collectives_of_rank_0"].empty()) {
        EXPECT_EQ(result["messages"], facts["messages_point_to_point"]);
      }
    }
  }
}

TEST_F(Mpi, ATraceThatCannotBeReplayedIsRefused)
{
  directory.write("pair.ti", pair_trace);
  const auto error = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"mpi", "c.toml", "--replay", "pair.ti"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProgramRun run = run_program(arguments, directory.path());
    EXPECT_EQ(run.exit_code, 2);
    return run.err;
  };
  EXPECT_THAT(error({"--ranks", "3"}), HasSubstr("--ranks: found 3, but pair.ti has 2 ranks"));
  EXPECT_THAT(error({"--bcast", "wormcast:recursive_doubling"}),
              HasSubstr("mpi.bcast: found \"wormcast:recursive_doubling\", but the broadcasts of a trace are SMPI's"));
  EXPECT_THAT(error({"--", example("collectives")}), HasSubstr("--replay: found beside the program "));
  directory.write("pair.ti", with(pair_trace, "1 recv 0 0 1000 6\n", ""));
  EXPECT_THAT(error({}), HasSubstr("pair.ti: matching: from 0 to 1 with tag 0: 1 send, 0 receives"));
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
