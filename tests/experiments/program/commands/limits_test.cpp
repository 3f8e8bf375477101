// Limits of the machine, of files and of numbers.

#include "tests/experiments/program/commands/shell.hpp"
#include "tests/experiments/sanitizer.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Limits : public ::testing::Test {
protected:
  ProgramRun shell(const std::string& script) const { return run_script(script, directory.path()); }
  ProgramRun wormcast(const std::vector<std::string>& arguments) const
  {
    return run_program(arguments, directory.path());
  }
  void expect_error(const ProgramRun& run, const std::string& text) const
  {
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_THAT(run.err, AllOf(StartsWith("wormcast: error: "), HasSubstr(text), Not(HasSubstr("filesystem error"))));
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }

  TemporaryDirectory directory;
};

/// Many seconds of work.
const std::string long_run =
    "[topology]\nkind = \"mesh\"\ndims = [192, 192]\n[network]\nstartup = \"150us\"\nper_byte = "
    "\"0.5us\"\n[algorithm]\nname = \"scatter_collect\"\n[message]\nbytes = \"1MiB\"\n";

/// Latency-load curves of 16 nodes.
const std::string small_load = "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[network]\nstartup = \"0us\"\nper_byte = "
                               "\"1ns\"\nflit_bytes = 4\n[traffic]\npattern = \"uniform\"\nbytes = 64\n";

TEST_F(Limits, OfProcessorTimeLeaveNoFiles)
{
  directory.write("c.toml", long_run);
  for (const char* limit : {"-S -t 1", "-t 2"}) { // of both kinds the harder one kills at once
    const ProgramRun run =
        shell(fmt::format("ulimit {}; \"$wormcast\" run c.toml --json j.json --trace t.jsonl --force", limit));
    EXPECT_EQ(run.exit_code, 1) << limit << run.err;
    EXPECT_EQ(run.err, "wormcast: error: interrupted (the limit of processor time, ulimit -t, is reached)\n") << limit;
    EXPECT_THAT(directory.names(), ElementsAre("c.toml")) << limit;
  }
}

TEST_F(Limits, OfProcessorTimeAreNamedWhereTheyEndAPoint)
{
  directory.write("c.toml", long_run + "[sweep]\n\"network.startup\" = [\"1us\"]\n");
  const ProgramRun run = shell("ulimit -t 2; \"$wormcast\" sweep c.toml --out s --jobs 1");
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_THAT(run.err, AllOf(HasSubstr("it had used up its processor time (ulimit -t)"), Not(HasSubstr("memory"))));
}

TEST_F(Limits, OfLinesAreThoseOfEveryReader)
{
  directory.write("c.toml", small_config);
  directory.write("l.toml", small_load);
  shell("truncate -s 200M zeros; ln -s /dev/zero endless");
  expect_error(wormcast({"contention", "zeros"}), "zeros:1: a line of more than 64 MiB");
  expect_error(wormcast({"contention", "zeros", "--perfetto", "p.perfetto.json"}),
               "zeros:1: a line of more than 64 MiB");
  expect_error(wormcast({"run", "c.toml", "--set", "run.noise.distribution=file", "--set", "run.noise.file=zeros"}),
               "zeros:1: a line of more than 64 MiB");
  expect_error(wormcast({"load", "l.toml", "--set", "traffic.pattern=file", "--set", "traffic.file=zeros"}),
               "zeros:1: a line of more than 64 MiB");
  directory.write("g.toml", small_config.substr(0, small_config.find("[algorithm]")) +
                                "[algorithm]\nname = \"schedule\"\nfile = \"zeros\"\n");
  expect_error(wormcast({"run", "g.toml"}), "zeros");
}

TEST_F(Limits, LoopsOfLinksAreSaidInPlainWords)
{
  shell("ln -s b a; ln -s a b");
  for (const char* loop : {"a", "a/x"}) {
    expect_error(wormcast({"contention", loop}), "Too many levels of symbolic links");
    expect_error(wormcast({"contention", loop, "--perfetto", "p.perfetto.json"}), "Too many levels of symbolic links");
    expect_error(wormcast({"run", loop}), "Too many levels of symbolic links");
    expect_error(wormcast({"plot", loop}), "holds no results");
    directory.write("g.toml", fmt::format("[topology]\nkind = \"graph\"\nfile = \"{}\"\n", loop));
    expect_error(wormcast({"topology", "g.toml"}), "");
    for (const char* ending : {".json", ".goal"}) {
      shell(fmt::format("ln -sf b{0} a{0}; ln -sf a{0} b{0}", ending));
      directory.write("c.toml", small_config.substr(0, small_config.find("[algorithm]")) +
                                    fmt::format("[algorithm]\nname = \"schedule\"\nfile = \"a{}\"\n", ending));
      expect_error(wormcast({"run", "c.toml"}), "Too many levels of symbolic links");
    }
  }
  const ProgramRun sweep = wormcast({"sweep", "c.toml", "--out", "a"});
  EXPECT_THAT(sweep.err, Not(HasSubstr("filesystem error")));
}

TEST_F(Limits, OfSmallLoadsAreTheSameForAllNumbers)
{
  directory.write("l.toml", small_load);
  for (const char* load : {"1e-300", "1e-320"}) { // the second one is denormal
    const ProgramRun run = wormcast({"load", "l.toml", "--out", load, "--set", fmt::format("load.points=[{}]", load)});
    EXPECT_EQ(run.exit_code, 2) << load;
    EXPECT_THAT(run.err, HasSubstr("that no message is generated within the longest time that can be simulated"))
        << load;
  }
}

TEST_F(Limits, OfNodesAreFoundBeforeTheNetworkIsMade)
{
  if (has_address_sanitizer) {
    GTEST_SKIP() << "the sanitizer itself needs more than any limit on the address space";
  }
  directory.write("c.toml", small_config);
  directory.write("s.json", R"({"format":"wormcast-schedule/1","topology":{"kind":"mesh","dims":[4096,4096]},)"
                            R"("operation":"broadcast","source":16777216,"blocks":1,"message_bytes":1,"messages":[]})");
  // The network itself takes more.
  const std::string run = "ulimit -v 1000000; \"$wormcast\" run c.toml --force --set topology.dims=[4096,4096] --set ";
  expect_error(shell(run + "algorithm.source=16777216"),
               "node 16777216 is outside of the mesh 4096 x 4096, expected 0 to");
  expect_error(shell(run + "algorithm.source=[0,4096]"), "its coordinate in y is 4096, expected 0 to 4095");
  expect_error(shell("ulimit -v 1000000; \"$wormcast\" check s.json --force"),
               "s.json: source: found 16777216, expected a whole number from 0 to 16777215");
  EXPECT_EQ(shell(run + "algorithm.source=16777215").exit_code, 1); // out of memory
}

// Each thread needs 8 MB of addresses for its stack.
TEST_F(Limits, OfThreadsAreNamed)
{
  if (has_address_sanitizer) {
    GTEST_SKIP() << "the sanitizer itself needs more than any limit on the address space";
  }
  directory.write("c.toml", with(small_config, "[network]", "[network]\nrouter = \"input_queued\""));
  const std::string run = "ulimit -s 8192; ulimit -v 400000; \"$wormcast\" run c.toml --set topology.dims=[16,16]";
  EXPECT_EQ(shell(run).exit_code, 0) << shell(run).err;
  expect_error(shell(run + " --set run.threads=64"), "run.threads: found 64, but the system gives ");
}

TEST_F(Limits, OfNumbersAreNamedWhereTheyAreExceeded)
{
  directory.write("c.toml", small_config);
  directory.write("l.toml", small_load);
  const std::string limit = ", and of at most 2^62 (4611686018427387904)";
  expect_error(wormcast({"run", "c.toml", "--set", "message.bytes=9223372036854775807"}), "of at least 1" + limit);
  expect_error(wormcast({"run", "c.toml", "--set", "run.seed=18446744073709551615"}), "of at least 0" + limit);
  expect_error(wormcast({"load", "l.toml", "--set", "traffic.arrival=on_off", "--set", "traffic.on_off.burst=1e300"}),
               "above 0" + limit);
  EXPECT_THAT(wormcast({"run", "c.toml", "--set", "run.seed=-1"}).err, Not(HasSubstr("2^62")));
}

} // namespace
} // namespace wormcast::testing
