// MPI programs on the network: known times, and their messages run once more as a list.

#include "tests/experiments/mpi/mpi_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <cstring>
#include <tuple>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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

TEST_F(Mpi, ProgramsRunOnPlatformsOfSimGridWithTheTimesOfTheirMessages)
{
  directory.write("cluster.xml", "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM "
                                 "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\"><cluster id=\"c\" "
                                 "prefix=\"n\" radical=\"0-7\" suffix=\"\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" "
                                 "topology=\"TORUS\" topo_parameters=\"4,2\"/></platform>\n");
  directory.write("c.toml", "[topology]\nkind = \"simgrid\"\nfile = \"cluster.xml\"\n[network]\nstartup = \"1us\"\n"
                            "per_byte = \"1ns\"\nvirtual_channels = 2\n");
  const ProgramRun run = mpi({"--alltoall", "ring", "--json", "r.json", "--messages", "m.json", "--explain"},
                             {example("collectives"), "alltoall", "1000"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out,
              AllOf(HasSubstr("among 8 ranks"), HasSubstr("platform cluster.xml"), HasSubstr("critical path")));
  directory.write("list.toml", "[algorithm]\nname = \"schedule\"\nfile = \"m.json\"\n[network]\nstartup = \"1us\"\n"
                               "per_byte = \"1ns\"\nvirtual_channels = 2\n");
  const ProgramRun again = run_program({"run", "list.toml", "--json", "l.json"}, directory.path());
  ASSERT_EQ(again.exit_code, 0) << again.err;
  for (const char* key : {"latency_us", "messages", "bytes_sent", "contention"}) {
    EXPECT_EQ(json("l.json")[key], json("r.json")[key]) << key;
  }
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
  EXPECT_THAT(
      run.err,
      HasSubstr(
          "came to a stop at 0 us: 64 ranks wait for messages that nobody sends\n  rank 0: MPI_Recv from any rank, "
          "tag 0, MPI_COMM_WORLD"));
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
  const ProgramRun run = mpi({"--bcast", "binomial_tree", "--reduce", "binomial", "--set", "mpi.envelope=0",
                              "--explain=all", "--json", "r.json"},
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
  EXPECT_THAT(run.out, HasSubstr("\nby rank that sends\n  program "));
  EXPECT_THAT(run.out, HasSubstr("\n  rank 0 "));
  EXPECT_THAT(run.out, HasSubstr("\nby pair of ranks\n"));
}

// 63 messages of 100 bytes from rank 0, in the order of a map that is not that of the nodes; a sum at the end.
TEST_F(Mpi, PicturesShowWhoSendsWhatToWhom)
{
  directory.write("map", "n3\nn1\nn0\n");
  const ProgramRun run = mpi({"--map", "map", "--bcast", "flattree", "--set", "mpi.envelope=0", "--matrix", "m.csv",
                              "--matrix", "m.gnuplot", "--timeline", "t.gnuplot"},
                             {example("collectives"), "bcast", "100"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string csv = read_file(directory.path() / "m.csv");
  EXPECT_TRUE(csv.starts_with("from_rank,to_rank,messages,bytes\n0,1,")) << csv;
  EXPECT_THAT(csv, HasSubstr("\n0,2,"));
  EXPECT_THAT(csv, HasSubstr("\n1,0,"));
  EXPECT_EQ(csv.find("\n3,"), std::string::npos);
  const std::string matrix = read_file(directory.path() / "m.gnuplot");
  EXPECT_THAT(matrix,
              AllOf(HasSubstr("collectives, 3 ranks"), HasSubstr("'from rank'"), HasSubstr("set title 'bytes'")));
  const std::string timeline = read_file(directory.path() / "t.gnuplot");
  EXPECT_THAT(timeline, AllOf(HasSubstr("$startups << END"), HasSubstr("$receives << END"), HasSubstr("$path << END")));

  directory.write("shared", "n3\nn3\nn0\n");
  ASSERT_EQ(mpi({"--map", "shared", "--matrix", "n.csv"}, {example("collectives"), "bcast", "100"}).exit_code, 0);
  EXPECT_TRUE(read_file(directory.path() / "n.csv").starts_with("from_node,to_node,messages,bytes\n0,3,"));
}

TEST_F(Mpi, PicturesThatCannotBeDrawnAreRefusedBeforeTheRun)
{
  for (const auto& [option, file, message] :
       {std::tuple(
            "--matrix", "m.txt",
            "m.txt: expected a picture's name that ends in .svg, .png, .pdf or .gnuplot, or in .csv for a table"),
        std::tuple("--timeline", "t.csv", "t.csv: expected a picture's name that ends in")}) {
    const ProgramRun run = mpi({option, file}, {example("collectives"), "bcast", "100"});
    EXPECT_EQ(run.exit_code, 2) << option;
    EXPECT_THAT(run.err, HasSubstr(message));
    EXPECT_EQ(run.out, "");
  }
  const ProgramRun many =
      mpi({"--set", "topology.dims=[17,16]", "--timeline", "t.svg"}, {example("collectives"), "bcast", "100"});
  EXPECT_EQ(many.exit_code, 2);
  EXPECT_THAT(many.err, HasSubstr("--timeline: found 272 ranks, but a picture shows at most 256"));
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

TEST(Examples, ActorsBroadcastByASchedule)
{
  const TemporaryDirectory directory;
  const std::string out = (directory.path() / "out").string();
  EXPECT_EQ(std::system((WORMCAST_EXAMPLES "/broadcast_by_actors > " + out).c_str()), 0);
  EXPECT_EQ(read_file(out), "the last node has the message at 5958 us\n");
}

} // namespace
} // namespace wormcast::testing
