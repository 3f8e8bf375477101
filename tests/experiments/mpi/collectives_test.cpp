// `wormcast collectives`: the algorithms of SMPI and of wormcast side by side.

#include "tests/experiments/mpi/mpi_command.hpp"
#include "tests/experiments/program/commands/shell.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <map>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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
                    HasSubstr("wormcast:msbt segments=best: msbt needs a hypercube"), HasSubstr("1.62 times as long")));
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
            "bcast,wormcast:msbt,segments=best,64,left_out,,msbt needs a hypercube; the topology is mesh 8 x 8\n"
            "bcast,wormcast:msbt,segments=best,4096,left_out,,msbt needs a hypercube; the topology is mesh 8 x 8\n");
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

// The line of an algorithm goes through the pipe while the next one hangs, and is in all files after the interrupt.
TEST_F(Mpi, LinesOfCollectivesComeWhenTheyAreKnownAndSurviveAnInterrupt)
{
  directory.write("slow.sh", "#!/bin/sh\nsleep 30\n");
  const auto interrupted = [&](const std::string& options) {
    return run_script(R"sh(
chmod +x slow.sh; rm -f pipe out.txt; mkfifo pipe; cat pipe >out.txt & reader=$!
"$wormcast" collectives c.toml --set topology.dims=[2,2] --lengths 64,128 --jobs 1 \
  --algorithms 'binomial_tree,wormcast:command command=["./slow.sh"]' )sh" +
                          options +
                          R"sh( >pipe & program=$!
until grep -q binomial_tree out.txt; do sleep 0.01; done
kill -TERM $program; wait $program; code=$?
wait $reader; cat out.txt; exit $code
)sh",
                      directory.path());
  };
  const ProgramRun table = interrupted("--json c.json --csv c.csv");
  EXPECT_EQ(table.exit_code, 1);
  EXPECT_THAT(table.err, HasSubstr("interrupted (Terminated)"));
  EXPECT_THAT(table.out, AllOf(HasSubstr("algorithm, us "), HasSubstr("\nbinomial_tree "), HasSubstr("\n128 B "),
                               Not(HasSubstr("command"))));
  const nlohmann::json result = json("c.json");
  EXPECT_EQ(result["interrupted"], true);
  ASSERT_EQ(result["algorithms"].size(), 1);
  EXPECT_EQ(result["algorithms"][0]["runs"].size(), 2);
  const std::string csv = read_file(directory.path() / "c.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3) << csv;
  EXPECT_EQ(interrupted("--csv -").out, csv);
}

TEST_F(Mpi, WithoutATimeThereIsNoPicture)
{
  const ProgramRun run = run_program({"collectives", "c.toml", "--algorithms", "wormcast:petersen_broadcast",
                                      "--lengths", "64", "--picture", "t.svg", "--out", "o"},
                                     directory.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.out, HasSubstr("\nno time\n  wormcast:petersen_broadcast: "));
  EXPECT_THAT(run.err, HasSubstr("--picture: there is nothing to draw: no algorithm has a time\n"));
  const ProgramRun plot = run_program({"plot", "o"}, directory.path());
  EXPECT_EQ(plot.exit_code, 2);
  EXPECT_THAT(plot.err, HasSubstr("there is no figure: --picture: there is nothing to draw"));
}

TEST_F(Mpi, APictureIsDrawnAgain)
{
  const ProgramRun run =
      run_program({"collectives", "c.toml", "--algorithms", "binomial_tree,wormcast:recursive_doubling", "--lengths",
                   "64,256", "--picture", "t.svg", "--out", "o"},
                  directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const ProgramRun plot = run_program({"plot", "o"}, directory.path());
  ASSERT_EQ(plot.exit_code, 0) << plot.err;
  EXPECT_EQ(read_file(directory.path() / "o/collectives.svg"), read_file(directory.path() / "t.svg"));
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

} // namespace
} // namespace wormcast::testing
