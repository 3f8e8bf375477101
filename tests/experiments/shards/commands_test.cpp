// Commands in shards: what they write in the end is what one process writes.
#include "tests/experiments/program/commands/printing_program.hpp"
#include "tests/experiments/program/commands/shell.hpp"
#include "tests/experiments/program/commands/stored_points.hpp"
#include "tests/experiments/sanitizer.hpp"
#include "tests/experiments/shards/written_results.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <map>
#include <ostream>
#include <string>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

/// A command that shards can share. `arguments` have "OUT" where the folder's name stands.
struct SharedRun {
  std::string name;
  std::string config;
  std::string arguments;
};

void PrintTo(const SharedRun& run, std::ostream* out)
{
  *out << run.name;
}

class SharedCommands : public ::testing::TestWithParam<SharedRun> {
protected:
  void SetUp() override
  {
    if (has_address_sanitizer && GetParam().name == "compare") {
      GTEST_SKIP() << stacks_unknown_to_the_sanitizer;
    }
    if (has_address_sanitizer && GetParam().name == "collectives") {
      GTEST_SKIP() << "SMPI's program that loads our library is made without sanitizers";
    }
    folder_.write("c.toml", GetParam().config);
    whole_ = run("whole", "");
    if (whole_.err.find("smpirun: not found") != std::string::npos ||
        whole_.err.find("wormhole model") != std::string::npos) {
      GTEST_SKIP() << "no MPI program can run here";
    }
    ASSERT_EQ(whole_.exit_code, 0) << whole_.err;
    expected_ = written_results(folder_.path() / "whole");
  }

  ProgramRun run(const std::string& out, const std::string& more)
  {
    std::string arguments = GetParam().arguments;
    for (std::size_t place = arguments.find("OUT"); place != std::string::npos; place = arguments.find("OUT")) {
      arguments.replace(place, 3, out);
    }
    return run_script(fmt::format("\"$wormcast\" {} {}", arguments, more), folder_.path());
  }

  void shard(const std::string& out, const std::string& text)
  {
    const ProgramRun one = run(out, "--shard " + text);
    EXPECT_EQ(one.exit_code, 0) << one.err;
    EXPECT_EQ(one.out, "");
    EXPECT_THAT(one.err, HasSubstr("wormcast: info: shard " + text + ": "));
  }

  /// The command without --shard gives what one process has given.
  void expect_the_same(const std::string& out, const std::string& more = "")
  {
    const ProgramRun merged = run(out, more);
    EXPECT_EQ(merged.exit_code, 0) << merged.err;
    EXPECT_EQ(merged.err, whole_.err);
    std::string said = whole_.out;
    for (std::size_t place = said.find("whole"); place != std::string::npos; place = said.find("whole")) {
      said.replace(place, 5, out);
    }
    EXPECT_EQ(merged.out, said);
    EXPECT_EQ(written_results(folder_.path() / out), expected_);
  }

  TemporaryDirectory folder_;
  ProgramRun whole_;
  std::map<std::string, std::string> expected_;
};

TEST_P(SharedCommands, InShardsGiveTheSameBytes)
{
  for (const char* text : {"3/3", "1/3", "2/3"}) {
    shard("all", text);
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "all/results.sqlite"));
  expect_the_same("all");
  expect_the_same("all"); // once more, from what is there
}

TEST_P(SharedCommands, TakeWhatShardsOfAnyNumberHave)
{
  shard("mixed", "2/2");
  shard("mixed", "3/5");
  const ProgramRun nothing = run("mixed", "--no-run");
  EXPECT_EQ(nothing.exit_code, 5) << nothing.err;
  EXPECT_EQ(nothing.out, "");
  EXPECT_THAT(nothing.err, AllOf(HasSubstr(" are missing, the first: "),
                                 HasSubstr("shards that are not complete: 1/2, 1/5, 2/5, 4/5, 5/5")));
  for (const auto& [name, text] : written_results(folder_.path() / "mixed")) {
    EXPECT_EQ(name, "results.sqlite");
  }
  expect_the_same("mixed"); // computes what is missing
  expect_the_same("mixed", "--no-run");
}

TEST_P(SharedCommands, GoOnByThemselves)
{
  shard("again", "1/2");
  const std::int64_t points = stored_points(folder_.path() / "again/shards/1-of-2");
  EXPECT_GT(points, 0);
  const ProgramRun twice = run("again", "--shard 1/2");
  EXPECT_EQ(twice.exit_code, 0) << twice.err;
  EXPECT_THAT(twice.err, ContainsRegex("shard 1/2: 0 [a-z ]+ computed, [1-9][0-9]* kept from before"));
  EXPECT_EQ(stored_points(folder_.path() / "again/shards/1-of-2"), points);
}

INSTANTIATE_TEST_SUITE_P(
    Shards, SharedCommands,
    ::testing::Values(
        SharedRun{"sweep", small_sweep, "sweep c.toml --out OUT"},
        SharedRun{"sweep_seeds",
                  with(small_config, "per_byte", "per_hop = \"20ns\"\nper_byte") +
                      "[run]\nstart_jitter = \"5us\"\n[sweep]\n\"message.bytes\" = [64, 256]\n",
                  "sweep c.toml --repeat 4 --out OUT"},
        SharedRun{"load", listed_load, "load c.toml --out OUT --json -"},
        SharedRun{"load_search", searched_load, "load c.toml --repeat 2 --out OUT"},
        SharedRun{"compare", small_config,
                  "compare c.toml --lengths 64..4KiB --fluid --out OUT --json OUT/all.json --csv OUT/table.csv"},
        SharedRun{"compare_seeds", small_config + "[run]\nstart_jitter = \"5us\"\n",
                  "compare c.toml --lengths 64..512 --repeat 3 --out OUT --json OUT/all.json"},
        SharedRun{"choose", small_config + "[run]\nmode = \"self_timed\"\n",
                  "choose c.toml --lengths 64..4KiB --out OUT --json OUT/choice.json"},
        SharedRun{"collectives", small_config,
                  "collectives c.toml --ranks 4 --lengths 64,4KiB --out OUT --json OUT/all.json"},
        SharedRun{"reproduce", "", "reproduce zhuang_liberatore.contention_free_in_steps --out OUT"}),
    [](const ::testing::TestParamInfo<SharedRun>& run) { return run.param.name; });

class ShardedSweep : public ::testing::Test {
protected:
  void SetUp() override { folder_.write("c.toml", small_sweep); }

  ProgramRun sweep(const std::string& more)
  {
    return run_script("\"$wormcast\" sweep c.toml --out out " + more, folder_.path());
  }

  TemporaryDirectory folder_;
};

TEST_F(ShardedSweep, RefusesWhatIsNoShard)
{
  for (const std::string text : {"0/3", "4/3", "a/b", "3", "1/", "/2", "-1/2", "1/2/3", "1.5/2", "1/100001", "1 /2",
                                 "99999999999999999999/99999999999999999999"}) {
    const ProgramRun run = sweep("--shard '" + text + "'");
    EXPECT_EQ(run.exit_code, 2) << text;
    EXPECT_THAT(run.err, HasSubstr("--shard: found \"" + text + "\", expected I/N with 1 <= I <= N <= 100000"));
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));
  }
}

TEST_F(ShardedSweep, RefusesOptionsThatDoNotFit)
{
  EXPECT_THAT(sweep("--shard 1/2 --no-run").err,
              HasSubstr("--no-run: computes nothing, so that it cannot be combined with"));
  EXPECT_THAT(sweep("--no-run").err, HasSubstr("out: holds no results, and with --no-run none are computed"));
  for (const std::string option : {"--shard 1/2", "--no-run", "--resume"}) {
    const ProgramRun run = run_script("\"$wormcast\" compare c.toml --unset sweep " + option, folder_.path());
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr(": needs --out DIR, the folder for the results"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));
}

TEST_F(ShardedSweep, WithoutAnOutputFolderUsesTheConfigurationsName)
{
  EXPECT_EQ(run_script("\"$wormcast\" sweep c.toml --shard 1/2", folder_.path()).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "out/c/shards/1-of-2/results.sqlite"));
}

TEST_F(ShardedSweep, SharesAllPointsEvenly)
{
  std::int64_t points = 0;
  for (int i = 1; i <= 5; ++i) {
    EXPECT_EQ(sweep(fmt::format("--shard {}/5", i)).exit_code, 0);
    const std::int64_t own = stored_points(folder_.path() / fmt::format("out/shards/{}-of-5", i));
    EXPECT_GE(own, 2);
    EXPECT_LE(own, 3);
    points += own;
  }
  EXPECT_EQ(points, 12);
}

TEST_F(ShardedSweep, IsRefusedWhileAnotherProcessDoesTheSameShard)
{
  folder_.write("slow.toml", command_config(R"(["sh", "slow.sh"])") + "[sweep]\n\"message.bytes\" = [500]\n");
  folder_.write("slow.sh", "touch began; while [ ! -e go ]; do sleep 0.05; done\n" + printing_script);
  const ProgramRun run = run_script(R"("$wormcast" sweep slow.toml --out out --shard 1/1 &
while [ ! -e began ]; do sleep 0.05; done
"$wormcast" sweep slow.toml --out out --shard 1/1; echo "second $?"
touch go; wait $!; echo "first $?"
)",
                                    folder_.path());
  EXPECT_EQ(run.out, "second 2\nfirst 0\n") << run.err;
  EXPECT_THAT(run.err, HasSubstr("out/shards/1-of-1: another process computes shard 1/1"));
}

TEST_F(ShardedSweep, DoesNotMixWithResultsOfAnEarlierSweep)
{
  ASSERT_EQ(sweep("").exit_code, 0);
  const ProgramRun shard = sweep("--shard 1/2");
  EXPECT_EQ(shard.exit_code, 2);
  EXPECT_THAT(shard.err, HasSubstr("out: holds the results of an earlier run; go on with --resume, or name another"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out/shards"));
  EXPECT_EQ(sweep("--shard 1/2 --resume").exit_code, 0);
}

TEST_F(ShardedSweep, TakesNoResultsOfOtherInput)
{
  ASSERT_EQ(sweep("--shard 1/1 --set network.startup=1us").exit_code, 0);
  const ProgramRun merged = sweep("--no-run");
  EXPECT_EQ(merged.exit_code, 5);
  EXPECT_THAT(merged.err, HasSubstr("out: 12 points are missing, the first: 64, recursive_doubling"));
}

TEST_F(ShardedSweep, IgnoresAStoreOfAnotherVersionWithAWarning)
{
  ASSERT_EQ(sweep("--shard 1/2").exit_code, 0);
  ASSERT_EQ(sweep("--shard 2/2").exit_code, 0);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((folder_.path() / "out/shards/1-of-2/results.sqlite").c_str(), &database), SQLITE_OK);
  ASSERT_EQ(
      sqlite3_exec(database, "UPDATE points SET version = '0.0.1', key = 'old' || key", nullptr, nullptr, nullptr),
      SQLITE_OK);
  sqlite3_close(database);
  const ProgramRun merged = sweep("--no-run");
  EXPECT_EQ(merged.exit_code, 5);
  EXPECT_THAT(merged.err,
              AllOf(HasSubstr("warning: out/shards/1-of-2/results.sqlite: results of wormcast 0.0.1 are not "
                              "taken; this is " WORMCAST_VERSION),
                    HasSubstr("6 points are missing")));
  EXPECT_EQ(sweep("").exit_code, 0);
}

TEST_F(ShardedSweep, NamesADamagedStoreAndComputesItsPointsAgain)
{
  ASSERT_EQ(sweep("--shard 1/2").exit_code, 0);
  ASSERT_EQ(sweep("--shard 2/2").exit_code, 0);
  folder_.write("out/shards/1-of-2/results.sqlite", std::string(5000, 'x'));
  const ProgramRun shard = sweep("--shard 1/2");
  EXPECT_EQ(shard.exit_code, 2);
  EXPECT_THAT(shard.err,
              AllOf(HasSubstr("out/shards/1-of-2/results.sqlite: not a usable SQLite database"),
                    HasSubstr("or remove out/shards/1-of-2: what this shard has computed is computed again")));
  const ProgramRun merged = sweep("");
  EXPECT_EQ(merged.exit_code, 0);
  EXPECT_THAT(merged.err, HasSubstr("warning: out/shards/1-of-2/results.sqlite: not a usable SQLite database"));
  const ProgramRun whole = run_script("\"$wormcast\" sweep c.toml --out whole", folder_.path());
  EXPECT_EQ(written_results(folder_.path() / "out"), written_results(folder_.path() / "whole"));
}

TEST_F(ShardedSweep, FailedPointsAreToldOnceAllIsTogether)
{
  folder_.write("c.toml", command_config(R"(["sh", "mine.sh"])") + "[sweep]\n\"message.bytes\" = [500, 1000, 1500]\n");
  folder_.write("mine.sh", "if [ -e fail ]; then kill -9 $PPID; sleep 60; fi\n" + printing_script);
  folder_.write("fail", "");
  EXPECT_EQ(sweep("--shard 1/2").exit_code, 0);
  const ProgramRun kept = sweep("--shard 2/2");
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  const ProgramRun as_it_is = sweep("--no-run");
  EXPECT_EQ(as_it_is.exit_code, 1);
  EXPECT_THAT(as_it_is.err, HasSubstr("3 of 3 points failed; the first: its process was ended by signal 9"));
  std::filesystem::remove(folder_.path() / "fail");
  EXPECT_EQ(sweep("").exit_code, 0); // failed points are tried again
}

TEST_F(ShardedSweep, AnInterruptedShardGoesOn)
{
  folder_.write("c.toml", command_config(R"(["sh", "mine.sh"])") +
                              "[sweep]\n\"message.bytes\" = [500, 1000, 1500, 2000, 2500, 3000]\n");
  folder_.write("mine.sh", R"(
if [ -e stop ] && ! mkdir first 2>/dev/null; then
  read -r pid name state shard rest < /proc/$PPID/stat
  kill -TERM $shard
  sleep 60
fi
)" + printing_script);
  folder_.write("stop", "");
  const ProgramRun first = sweep("--shard 1/2 --jobs 1");
  EXPECT_EQ(first.exit_code, 1);
  EXPECT_THAT(first.err, HasSubstr("interrupted (Terminated): 1 of 3 points are kept "
                                   "in out/shards/1-of-2; the same command goes on"));
  std::filesystem::remove(folder_.path() / "stop");
  const ProgramRun second = sweep("--shard 1/2 --jobs 1");
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_THAT(second.err, HasSubstr("shard 1/2: 2 points computed, 1 kept from before"));
}

TEST_F(ShardedSweep, StudiesGoOnWithResume)
{
  folder_.write("c.toml", small_config);
  const std::string compare = "\"$wormcast\" compare c.toml --lengths 64..256 --out kept";
  const ProgramRun first = run_script(compare, folder_.path());
  EXPECT_EQ(first.exit_code, 0) << first.err;
  const ProgramRun refused = run_script(compare, folder_.path());
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("kept: holds the results of an earlier sweep; go on with --resume"));
  const ProgramRun second = run_script(compare + " --resume --verbose", folder_.path());
  EXPECT_EQ(second.out, first.out);
  EXPECT_THAT(second.err, HasSubstr(" 0 runs computed, "));
}

} // namespace
} // namespace wormcast::testing
