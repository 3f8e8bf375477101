// The built program as ranks of Open MPI's mpirun.
#include "tests/experiments/commands/printing_program.hpp"
#include "tests/experiments/commands/program.hpp"
#include "tests/experiments/commands/shell.hpp"
#include "tests/experiments/commands/stored_points.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

/// Three ranks: one hands out, two compute. `options` are mpirun's.
std::string three_ranks(const std::string& arguments, const std::string& options = "")
{
  return fmt::format("export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n"
                     "mpirun --oversubscribe {} -n 3 \"$wormcast\" {}\n",
                     options, arguments);
}

/// All files below a folder but databases, which say how long each point took.
std::map<std::string, std::string> texts_in(const std::filesystem::path& folder)
{
  std::map<std::string, std::string> texts;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() != ".sqlite") {
      texts[std::filesystem::relative(entry.path(), folder).string()] = read_file(entry.path());
    }
  }
  return texts;
}

const std::string command_sweep =
    command_config(R"(["sh", "mine.sh"])") + "[sweep]\n\"message.bytes\" = [500, 1000, 1500, 2000, 2500, 3000]\n";

const std::string small_load = R"([topology]
kind = "mesh"
dims = [4, 4]
[network]
startup = "1us"
per_hop = "20ns"
per_byte = "10ns"
buffer_flits = 4
[traffic]
pattern = "uniform"
bytes = { from = 16, to = 48 }
warm_up = 200
measure = 1000
[sweep]
"traffic.pattern" = ["uniform", "transpose"]
)";

class Mpirun : public ::testing::Test {
protected:
  void SetUp() override
  {
    if (!std::filesystem::exists(WORMCAST_RENDEZVOUS) || std::system("mpirun --version >/dev/null 2>&1") != 0) {
      GTEST_SKIP() << "there is no mpirun, or the program was built without MPI";
    }
  }

  /// Writes c.toml and runs `arguments` in one process and as three ranks; all that is written must be the same.
  static void expect_the_same(const std::string& config, const std::string& arguments)
  {
    const TemporaryDirectory alone;
    const TemporaryDirectory together;
    alone.write("c.toml", config);
    together.write("c.toml", config);
    const ProgramRun expected = run_script("\"$wormcast\" " + arguments + " --jobs 1\n", alone.path());
    const ProgramRun found = run_script(three_ranks(arguments), together.path());
    EXPECT_EQ(expected.exit_code, 0) << expected.err;
    EXPECT_EQ(found.exit_code, 0) << found.err;
    EXPECT_EQ(found.err, expected.err);
    EXPECT_EQ(found.out, expected.out);
    EXPECT_EQ(texts_in(together.path()), texts_in(alone.path()));
  }

  ProgramRun sweep_commands(const std::string& first, const std::string& options = "")
  {
    folder_.write("c.toml", command_sweep);
    folder_.write("mine.sh", first + "\n" + printing_script);
    return run_script(three_ranks("sweep c.toml --out out --resume", options), folder_.path());
  }

  /// What a sweep without accidents writes.
  static std::map<std::string, std::string> undisturbed()
  {
    const TemporaryDirectory folder;
    folder.write("c.toml", command_sweep);
    folder.write("mine.sh", printing_script);
    EXPECT_EQ(run_program({"sweep", "c.toml", "--out", "out", "--jobs", "1"}, folder.path()).exit_code, 0);
    return texts_in(folder.path() / "out");
  }

  TemporaryDirectory folder_;
};

TEST_F(Mpirun, SweepsToTheSameBytes)
{
  expect_the_same(small_config + R"([sweep]
"message.bytes" = [1024, 4096, 16384]
"algorithm.name" = ["recursive_doubling", "recursion_based"]
)",
                  "sweep c.toml --out out");
}

TEST_F(Mpirun, MeasuresLoadsToTheSameBytes)
{
  expect_the_same(small_load, "load c.toml --out out --json curves.json");
}

TEST_F(Mpirun, ComparesToTheSameBytes)
{
  expect_the_same(small_config, "compare c.toml --lengths 64..4KiB --fluid --json all.json --csv table.csv");
}

TEST_F(Mpirun, ReproducesToTheSameBytes)
{
  expect_the_same("", "reproduce zhuang_liberatore.contention_free_in_steps --out out");
}

TEST_F(Mpirun, GivesThePointOfALostRankToAnother)
{
  const ProgramRun run = sweep_commands(R"(
if mkdir struck 2>/dev/null; then
  read -r pid name state rank rest < /proc/$PPID/stat
  kill -9 $rank
  sleep 60
fi)",
                                        "--enable-recovery");
  EXPECT_THAT(run.err, AllOf(HasSubstr("warning: rank "), HasSubstr(" is lost; what it computed is given to others")));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "struck"));
  EXPECT_EQ(texts_in(folder_.path() / "out"), undisturbed());
}

TEST_F(Mpirun, APointWhoseProcessDiesIsComputedAgainByResume)
{
  const ProgramRun first = sweep_commands("if mkdir struck 2>/dev/null; then kill -9 $PPID; sleep 60; fi");
  EXPECT_EQ(first.exit_code, 1);
  EXPECT_THAT(first.err, HasSubstr("1 of 6 points failed; the first: its process was ended by signal 9"));
  const ProgramRun second = sweep_commands("if mkdir struck 2>/dev/null; then kill -9 $PPID; sleep 60; fi");
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(texts_in(folder_.path() / "out"), undisturbed());
}

TEST_F(Mpirun, AnInterruptKeepsWhatIsThere)
{
  for (const std::string signal : {"INT", "TERM"}) {
    std::filesystem::remove_all(folder_.path() / "out");
    // The fourth point ends mpirun, the parent of its rank; none ends after it.
    const std::string script = fmt::format(R"(
mkdir "ran$$"
if [ -e stop ] && [ $(ls -d ran* | wc -l) -ge 4 ]; then
  read -r pid name state rank rest < /proc/$PPID/stat
  read -r pid name state mpirun rest < /proc/$rank/stat
  mkdir once 2>/dev/null && kill -{} $mpirun
  sleep 60
fi)",
                                           signal);
    folder_.write("stop", "");
    const ProgramRun first = sweep_commands(script);
    EXPECT_NE(first.exit_code, 0);
    EXPECT_THAT(first.err, AllOf(HasSubstr("wormcast: error: interrupted ("), HasSubstr("; go on with --resume")));
    EXPECT_GE(stored_points(folder_.path() / "out"), 1);
    EXPECT_LT(stored_points(folder_.path() / "out"), 6);
    std::filesystem::remove(folder_.path() / "stop");
    const ProgramRun second = sweep_commands(script);
    EXPECT_EQ(second.exit_code, 0) << second.err;
    EXPECT_EQ(texts_in(folder_.path() / "out"), undisturbed());
    run_script("rm -r ran* once", folder_.path());
  }
}

/// How often `part` is in `text`.
std::size_t count_of(const std::string& part, const std::string& text)
{
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST_F(Mpirun, SaysOnceWhatIsWrong)
{
  folder_.write("c.toml", small_config + "[sweep]\n\"message.bites\" = [1, 2]\n");
  for (const std::string arguments : {"sweep c.toml", "sweep missing.toml", "load c.toml", "sweeep", "--bogus"}) {
    const ProgramRun alone = run_script("\"$wormcast\" " + arguments, folder_.path());
    const ProgramRun run = run_script(three_ranks(arguments), folder_.path());
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_THAT(run.err, HasSubstr(alone.err));
    EXPECT_EQ(count_of("wormcast: error:", run.err), 1U) << run.err;
  }
}

TEST_F(Mpirun, OneRankDoesWhatHasNoPoints)
{
  folder_.write("c.toml", small_config);
  const ProgramRun run = run_script(three_ranks("run c.toml"), folder_.path());
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, run_program({"run", "c.toml"}, folder_.path()).out);
  EXPECT_EQ(run.err, "wormcast: warning: run is the work of one process: the other 2 ranks have nothing to do\n");
  const ProgramRun one = run_script(with(three_ranks("run c.toml"), "-n 3", "-n 1"), folder_.path());
  EXPECT_EQ(one.out, run.out);
  EXPECT_EQ(one.err, "");
}

TEST_F(Mpirun, RanksMustFindTheSame)
{
  folder_.write("c.toml", small_config + "[sweep]\n\"message.bytes\" = [1024, 2048]\n");
  const std::string other_input_of_rank_2 = R"(cat > rank <<'END'
#!/bin/sh
test $OMPI_COMM_WORLD_RANK = 2 && set -- "$@" --set network.startup=1us
exec "$program" "$@"
END
chmod +x rank
export program=$wormcast
wormcast=./rank
)";
  const ProgramRun other = run_script(other_input_of_rank_2 + three_ranks("sweep c.toml --out out"), folder_.path());
  EXPECT_THAT(other.err, AllOf(HasSubstr("wormcast: error: rank 2 on "),
                               HasSubstr(" found other input than rank 0, expected the same configuration")));
  EXPECT_EQ(other.exit_code, 2);
}

// A launcher's variables without a launcher that knows them.
TEST_F(Mpirun, AnotherMpiIsAnError)
{
  folder_.write("c.toml", small_config);
  const ProgramRun run = run_script("PMI_RANK=0 PMI_SIZE=4 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
                                    "\"$wormcast\" run c.toml",
                                    folder_.path());
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("started as 4 ranks, found 1 in MPI: expected mpirun of the MPI that wormcast was "
                                 "built with"));
}

// As processes of a batch script of Slurm, which is no rank.
TEST_F(Mpirun, AVariableOfSlurmAloneMeansNothing)
{
  folder_.write("c.toml", small_config);
  const ProgramRun run =
      run_script("SLURM_PROCID=0 SLURM_NTASKS=64 SLURM_STEP_NUM_TASKS=64 \"$wormcast\" run c.toml", folder_.path());
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
}

} // namespace
} // namespace wormcast::testing
