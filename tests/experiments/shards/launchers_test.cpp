// The program started by launchers, each where it is installed.
#include "tests/experiments/program/commands/printing_program.hpp"
#include "tests/experiments/program/commands/shell.hpp"
#include "tests/experiments/sanitizer.hpp"
#include "tests/experiments/shards/written_results.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

bool is_installed(const std::string& programs)
{
  const TemporaryDirectory folder;
  return run_script("for name in " + programs + "; do command -v $name > /dev/null || exit 1; done", folder.path())
             .exit_code == 0;
}

/// How often `part` is in `text`.
std::size_t times_in(const std::string& part, const std::string& text)
{
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// The block of shell commands in docs/cluster.md that has `part` in it.
std::string block_of_page(const std::string& part)
{
  const std::string page = read_file(std::filesystem::path(WORMCAST_CONFIGS).parent_path() / "docs/cluster.md");
  const std::string start = "```sh\n";
  for (std::size_t at = page.find(start); at != std::string::npos; at = page.find(start, at + 1)) {
    const std::string block = page.substr(at + start.size(), page.find("```\n", at + 3) - at - start.size());
    if (block.find(part) != std::string::npos) {
      return block;
    }
  }
  return "exit 1 # docs/cluster.md has no such block\n";
}

class Launched : public ::testing::Test {
protected:
  /// Runs a block of docs/cluster.md behind `before`, as a user with wormcast in his PATH; its sweep, in out/NAME, must
  /// be that of one process.
  static void expect_page_holds(const std::string& part, const std::string& name, const std::string& before = "")
  {
    const TemporaryDirectory folder;
    std::filesystem::copy(WORMCAST_CONFIGS, folder.path() / "configs");
    const ProgramRun run = run_script(
        before + "mkdir bin; ln -s \"$wormcast\" bin/wormcast; export PATH=$PWD/bin:$PATH\n" + block_of_page(part),
        folder.path());
    EXPECT_EQ(run.exit_code, 0) << run.err;
    ASSERT_EQ(run_script("\"$wormcast\" sweep configs/figure4.toml --out whole", folder.path()).exit_code, 0);
    EXPECT_EQ(written_results(folder.path() / "out" / name), written_results(folder.path() / "whole")) << run.err;
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "out" / name / "shards"));
  }

  /// Runs `script`, which starts "$wormcast" with `arguments` as "$@" by some launcher, and the program alone in
  /// another folder; all that is written must be the same.
  static void expect_the_same(const std::string& config, const std::string& arguments, const std::string& script)
  {
    const TemporaryDirectory alone;
    const TemporaryDirectory together;
    alone.write("c.toml", config);
    together.write("c.toml", config);
    const ProgramRun expected = run_script("\"$wormcast\" " + arguments, alone.path());
    const ProgramRun found = run_script("set -- " + arguments + "\n" + script, together.path());
    EXPECT_EQ(expected.exit_code, 0) << expected.err;
    EXPECT_EQ(found.exit_code, 0) << found.err;
    EXPECT_EQ(found.out, expected.out);
    EXPECT_EQ(written_results(together.path() / "out"), written_results(alone.path() / "out")) << found.err;
  }
};

const std::string as_root = "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n"
                            "export OMPI_MCA_rmaps_base_oversubscribe=1\n";
const std::string three_ranks = as_root + "mpirun -n 3 \"$wormcast\" \"$@\"\n";

class Mpirun : public Launched {
protected:
  void SetUp() override
  {
    if (!is_installed("mpirun")) {
      GTEST_SKIP() << "mpirun is not installed";
    }
  }

  TemporaryDirectory folder_;
};

TEST_F(Mpirun, SweepsToTheSameBytes)
{
  expect_the_same(small_sweep, "sweep c.toml --out out", three_ranks);
}

TEST_F(Mpirun, MeasuresLoadsToTheSameBytes)
{
  expect_the_same(searched_load, "load c.toml --out out", three_ranks);
}

TEST_F(Mpirun, ComparesToTheSameBytes)
{
  if (has_address_sanitizer) {
    GTEST_SKIP() << stacks_unknown_to_the_sanitizer;
  }
  expect_the_same(small_config, "compare c.toml --lengths 64..4KiB --fluid --json out/all.json --out out", three_ranks);
}

TEST_F(Mpirun, ChoosesToTheSameBytes)
{
  expect_the_same(small_config, "choose c.toml --json out/all.json --out out", three_ranks);
}

TEST_F(Mpirun, ReproducesToTheSameBytes)
{
  expect_the_same("", "reproduce zhuang_liberatore.contention_free_in_steps --out out", three_ranks);
}

TEST_F(Mpirun, SaysOnceWhatIsWrong)
{
  folder_.write("c.toml", small_config + "[sweep]\n\"message.bites\" = [1, 2]\n");
  for (const std::string arguments : {"sweep c.toml", "sweep missing.toml", "load c.toml", "sweeep", "--bogus"}) {
    const ProgramRun alone = run_script("\"$wormcast\" " + arguments, folder_.path());
    const ProgramRun run = run_script("set -- " + arguments + "\n" + three_ranks, folder_.path());
    EXPECT_EQ(run.exit_code, 2) << arguments;
    EXPECT_EQ(run.out, "") << arguments;
    EXPECT_THAT(run.err, HasSubstr(alone.err));
    EXPECT_EQ(times_in("wormcast: error:", run.err), 1U) << run.err;
  }
}

TEST_F(Mpirun, ARankThatDiesIsDoneByTheNextRun)
{
  const std::string config =
      command_config(R"(["sh", "mine.sh"])") + "[sweep]\n\"message.bytes\" = [500, 1000, 1500, 2000, 2500, 3000]\n";
  folder_.write("c.toml", config);
  folder_.write("mine.sh", R"(
if mkdir struck 2>/dev/null; then
  read -r pid name state rank rest < /proc/$PPID/stat
  kill -9 $rank
  sleep 60
fi
)" + printing_script);
  const std::string arguments = "set -- sweep c.toml --out out\n";
  EXPECT_NE(run_script(arguments + three_ranks, folder_.path()).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out/results.csv"));
  const ProgramRun second = run_script(arguments + three_ranks, folder_.path());
  EXPECT_EQ(second.exit_code, 0) << second.err;
  ASSERT_EQ(run_script("\"$wormcast\" sweep c.toml --out whole", folder_.path()).exit_code, 0);
  EXPECT_EQ(written_results(folder_.path() / "out"), written_results(folder_.path() / "whole"));
}

TEST_F(Mpirun, OneRankIsNoShard)
{
  folder_.write("c.toml", small_config);
  const ProgramRun one = run_script("set -- run c.toml\n" + with(three_ranks, "-n 3", "-n 1"), folder_.path());
  EXPECT_EQ(one.out, run_program({"run", "c.toml"}, folder_.path()).out);
  EXPECT_EQ(one.err, "");
}

TEST_F(Mpirun, DoesWhatThePageSays)
{
  expect_page_holds("mpirun ", "mpirun", as_root);
}

class GnuParallel : public Launched {};

TEST_F(GnuParallel, DoesWhatThePageSays)
{
  if (!is_installed("parallel")) {
    GTEST_SKIP() << "GNU parallel is not installed";
  }
  expect_page_holds("parallel ", "parallel");
}

/// Starts a Slurm of one node in the current folder, which ends with the script; exit code 77 where that cannot be.
const std::string one_node = R"sh(
export SLURM_CONF=$PWD/slurm.conf
port=$((20000 + RANDOM % 10000))
mkdir -p state spool
cat > slurm.conf <<END
ClusterName=one
SlurmctldHost=$(hostname)
AuthType=auth/none
CredType=cred/none
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
NodeName=$(hostname) CPUs=8 Boards=1 SocketsPerBoard=1 CoresPerSocket=8 ThreadsPerCore=1 State=UNKNOWN
PartitionName=all Nodes=$(hostname) Default=YES MaxTime=INFINITE State=UP
END
PATH=$PATH:/usr/sbin
slurmctld -D -c -f slurm.conf > slurmctld.log 2>&1 & daemons=$!
slurmd -D -f slurm.conf > slurmd.log 2>&1 & daemons="$daemons $!"
trap 'kill $daemons; wait' EXIT
for try in $(seq 100); do
  [ "$(sinfo -h -o %t 2>/dev/null)" = idle ] && break
  sleep 0.2
done
[ "$(sinfo -h -o %t 2>/dev/null)" = idle ] || { cat slurmctld.log slurmd.log >&2; exit 77; }
)sh";

class Slurm : public Launched {
protected:
  void SetUp() override
  {
    if (!is_installed("srun sbatch sinfo") || !is_installed("/usr/sbin/slurmctld /usr/sbin/slurmd")) {
      GTEST_SKIP() << "Slurm is not installed";
    }
    const TemporaryDirectory folder;
    const ProgramRun start = run_script(one_node, folder.path());
    if (start.exit_code == 77) {
      GTEST_SKIP() << "no Slurm of one node can be started here: " << start.err;
    }
  }
};

TEST_F(Slurm, StepsOfRanksGiveTheSameBytes)
{
  expect_the_same(small_sweep, "sweep c.toml --out out", one_node + "srun -n 3 \"$wormcast\" \"$@\"");
  expect_the_same(small_sweep, "sweep c.toml --out out", one_node + "srun --mpi=pmi2 -n 3 \"$wormcast\" \"$@\"");
}

TEST_F(Slurm, DoesWhatThePageSays)
{
  expect_page_holds("sbatch ", "array", one_node);
  expect_page_holds("srun ", "srun", one_node);
}

TEST_F(Slurm, ABatchScriptWithSeveralTasksIsNoRank)
{
  expect_the_same(small_sweep, "sweep c.toml --out out", one_node + R"(
cat > batch.sh <<END
#!/bin/bash
#SBATCH --ntasks=3 --output=batch.log
"$wormcast" $*
END
sbatch --wait batch.sh >&2 && cat batch.log && [ ! -e out/shards ]
)");
}

} // namespace
} // namespace wormcast::testing
