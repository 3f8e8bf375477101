// The program as ranks, by the variables of all launchers, without a launcher.
#include "tests/experiments/program/commands/printing_program.hpp"
#include "tests/experiments/program/commands/shell.hpp"
#include "tests/experiments/shards/written_results.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

/// How the ranks of a launch ended, sorted by exit code.
struct RankRun {
  int exit_code = 0;
  std::string out;
  std::string err;
};

class Ranks : public ::testing::Test {
protected:
  void SetUp() override { folder_.write("c.toml", small_sweep); }

  /// Starts three ranks side by side. `variables` has "%" where the rank stands; `id` tells one launch from another.
  std::vector<RankRun> launch(const std::string& variables, const std::string& arguments, const std::string& id = "")
  {
    std::string script;
    for (int rank = 0; rank < 3; ++rank) {
      std::string own = variables;
      std::ranges::replace(own, '%', static_cast<char>('0' + rank));
      script += fmt::format("(env {} {} \"$wormcast\" {} > {}.out 2> {}.err; echo $? > {}.code) &\n", own, id,
                            arguments, rank, rank, rank);
    }
    run_script(script + "wait", folder_.path());
    std::vector<RankRun> ranks;
    for (int rank = 0; rank < 3; ++rank) {
      const auto text = [&](const char* ending) {
        return read_file(folder_.path() / fmt::format("{}.{}", rank, ending));
      };
      ranks.push_back({std::stoi("0" + text("code")), text("out"), text("err")});
    }
    std::ranges::sort(ranks, {}, [](const RankRun& run) { return std::tuple(run.exit_code, run.out, run.err); });
    return ranks;
  }

  ProgramRun whole(const std::string& arguments = "sweep c.toml --out whole")
  {
    return run_script("\"$wormcast\" " + arguments, folder_.path());
  }

  TemporaryDirectory folder_;
};

constexpr const char* open_mpi = "OMPI_COMM_WORLD_RANK=% OMPI_COMM_WORLD_SIZE=3";

TEST_F(Ranks, OfEveryLauncherAreShardsThatTheLastOnePutsTogether)
{
  const ProgramRun alone = whole();
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  int launches = 0;
  for (const std::string variables :
       {"OMPI_COMM_WORLD_RANK=% OMPI_COMM_WORLD_SIZE=3 PMIX_NAMESPACE=7", "PMI_RANK=% PMI_SIZE=3",
        "PMIX_RANK=% SLURM_STEP_NUM_TASKS=3 SLURM_JOB_ID=5 SLURM_STEP_ID=0",
        "SLURM_PROCID=% SLURM_NTASKS=3 SLURM_STEP_NUM_TASKS=3 SLURM_JOB_ID=5 SLURM_STEP_ID=0"}) {
    const std::string out = fmt::format("o{}", launches++);
    const auto ranks = launch(variables, "sweep c.toml --out " + out);
    for (const RankRun& rank : ranks) {
      EXPECT_EQ(rank.exit_code, 0) << variables << rank.err;
      EXPECT_EQ(rank.err, "") << variables;
    }
    EXPECT_EQ(ranks[0].out + ranks[1].out, "") << variables;
    std::string said = alone.out;
    for (std::size_t at = said.find("whole"); at != std::string::npos; at = said.find("whole")) {
      said.replace(at, 5, out);
    }
    EXPECT_EQ(ranks[2].out, said) << variables;
    EXPECT_EQ(written_results(folder_.path() / out), written_results(folder_.path() / "whole")) << variables;
  }
}

TEST_F(Ranks, StartedAgainPutTogetherOnceMore)
{
  launch(open_mpi, "sweep c.toml --out out", "PMIX_NAMESPACE=1");
  const auto ranks = launch(open_mpi, "sweep c.toml --out out", "PMIX_NAMESPACE=2");
  EXPECT_EQ(ranks[0].out + ranks[1].out, "");
  EXPECT_THAT(ranks[2].out, HasSubstr("out/results.csv"));
}

TEST_F(Ranks, SayOnceWhatIsToBeSaid)
{
  folder_.write("c.toml", with(small_sweep, "[network]\n", "[network]\nper_hop = \"1ms\"\n"));
  const ProgramRun alone = whole();
  const auto ranks = launch(open_mpi, "sweep c.toml --out out", "PMIX_NAMESPACE=1");
  EXPECT_EQ(ranks[0].err + ranks[1].err + ranks[2].err, alone.err);
}

TEST_F(Ranks, OfWorkThatCannotBeSharedTheFirstDoesAll)
{
  folder_.write("c.toml", small_config);
  const auto run = launch(open_mpi, "run c.toml");
  EXPECT_EQ(run[0].out + run[1].out, "");
  EXPECT_EQ(run[2].out, whole("run c.toml").out);
  EXPECT_EQ(run[2].err, "wormcast: warning: run is the work of one process: the other 2 ranks have nothing to do\n");
  const auto compare = launch(open_mpi, "compare c.toml --lengths none");
  EXPECT_EQ(compare[0].out + compare[1].out, "");
  EXPECT_EQ(compare[2].out, whole("compare c.toml --lengths none").out);
  EXPECT_EQ(compare[2].err,
            "wormcast: warning: without --out DIR nothing is shared: the other 2 ranks have nothing to do\n");
}

TEST_F(Ranks, DoAnExplicitShardWhereOneIsGiven)
{
  const ProgramRun run = run_script(
      "OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=3 \"$wormcast\" sweep c.toml --out out --shard 4/5", folder_.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "out/shards/4-of-5/results.sqlite"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out/shards/2-of-3"));
}

// A batch script of Slurm with --ntasks has these, though it is no rank of a step.
TEST_F(Ranks, ABatchScriptIsNone)
{
  const ProgramRun run =
      run_script("SLURM_PROCID=0 SLURM_NTASKS=3 SLURM_JOB_ID=5 \"$wormcast\" sweep c.toml --out whole", folder_.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "whole/shards"));
}

TEST_F(Ranks, VariablesThatAreNoRankMeanNothing)
{
  for (const std::string variables : {"PMI_RANK=3 PMI_SIZE=3", "PMI_RANK=x PMI_SIZE=3", "PMI_RANK=1",
                                      "PMI_RANK= PMI_SIZE=3", "PMI_RANK=-1 PMI_SIZE=3", "PMI_RANK=0 PMI_SIZE=1"}) {
    std::filesystem::remove_all(folder_.path() / "whole");
    const ProgramRun run = run_script(variables + " \"$wormcast\" sweep c.toml --out whole", folder_.path());
    EXPECT_EQ(run.exit_code, 0) << variables << run.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "whole/shards")) << variables;
  }
}

// The program of a schedule is no rank, whatever started wormcast.
TEST_F(Ranks, ProgramsThatItStartsAreNone)
{
  folder_.write("c.toml", command_config(R"(["sh", "mine.sh"])"));
  folder_.write("mine.sh", "env > environment\n" + printing_script);
  const ProgramRun run = run_script(
      "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 PMI_RANK=0 PMI_SIZE=2 \"$wormcast\" run c.toml", folder_.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string environment = read_file(folder_.path() / "environment");
  EXPECT_EQ(environment.find("OMPI_COMM_WORLD"), std::string::npos);
  EXPECT_EQ(environment.find("PMI_"), std::string::npos);
}

class DyingRanks : public Ranks {
protected:
  void SetUp() override
  {
    folder_.write("c.toml", command_config(R"(["sh", "mine.sh"])") +
                                "[sweep]\n\"message.bytes\" = [500, 1000, 1500, 2000, 2500, 3000]\n");
    folder_.write("mine.sh", R"(
if mkdir struck 2>/dev/null; then
  read -r pid name state rank rest < /proc/$PPID/stat
  kill -9 $rank
  sleep 60
fi
)" + printing_script);
  }
};

TEST_F(DyingRanks, AreMissedByTheLastOneAndCompletedByAnotherLaunch)
{
  const auto first = launch(open_mpi, "sweep c.toml --out out", "PMIX_NAMESPACE=1");
  EXPECT_EQ(first[0].exit_code, 0) << first[0].err;
  EXPECT_EQ(first[1].exit_code, 5) << first[1].err;
  EXPECT_EQ(first[2].exit_code, 137);
  EXPECT_EQ(first[0].out + first[1].out + first[2].out, "");
  EXPECT_THAT(first[1].err, AllOf(HasSubstr("out: 1 of 3 shards are missing: "),
                                  HasSubstr("/3; the same command computes them, the other ones are kept")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out/results.csv"));
  const auto second = launch(open_mpi, "sweep c.toml --out out", "PMIX_NAMESPACE=2");
  EXPECT_EQ(second[2].exit_code, 0) << second[2].err;
  ASSERT_EQ(whole().exit_code, 0);
  EXPECT_EQ(written_results(folder_.path() / "out"), written_results(folder_.path() / "whole"));
}

TEST_F(DyingRanks, AreReplacedByOneProcess)
{
  launch(open_mpi, "sweep c.toml --out out", "PMIX_NAMESPACE=1");
  const ProgramRun rest = whole("sweep c.toml --out out --verbose");
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_THAT(rest.err, AnyOf(HasSubstr("2 points computed, 4 kept from before"),
                              HasSubstr("1 points computed, 5 kept from before")));
  ASSERT_EQ(whole().exit_code, 0);
  EXPECT_EQ(written_results(folder_.path() / "out"), written_results(folder_.path() / "whole"));
}

TEST_F(Ranks, WithOtherInputAreNamed)
{
  folder_.write("rank", R"(#!/bin/sh
test $OMPI_COMM_WORLD_RANK = 2 && set -- "$@" --set network.startup=1us
exec "$program" "$@"
)");
  std::string script = "chmod +x rank; export program=$wormcast PMIX_NAMESPACE=1 OMPI_COMM_WORLD_SIZE=3\n";
  for (int rank = 0; rank < 3; ++rank) {
    script += fmt::format("OMPI_COMM_WORLD_RANK={} ./rank sweep c.toml --out out &\n", rank);
  }
  const ProgramRun run = run_script(script + "wait", folder_.path());
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("(it has read another configuration, or files with other contents)"));
}

} // namespace
} // namespace wormcast::testing
