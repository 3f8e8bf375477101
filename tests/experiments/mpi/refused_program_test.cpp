// What wormcast mpi says before a program starts, and limits of time.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class RefusedProgram : public ::testing::Test {
protected:
  // wormcast mpi c.toml OPTIONS -- PROGRAM
  ProgramRun mpi(std::vector<std::string> options, const std::vector<std::string>& program) const
  {
    directory.write("c.toml", "[topology]\nkind = \"mesh\"\ndims = [4]\n[network]\nstartup = \"10us\"\nper_byte = "
                              "\"10ns\"\n");
    options.insert(options.begin(), {"mpi", "c.toml"});
    options.emplace_back("--");
    options.insert(options.end(), program.begin(), program.end());
    return run_program(options, directory.path());
  }

  static std::string example(const std::string& name) { return std::string(WORMCAST_EXAMPLES) + "/" + name; }

  TemporaryDirectory directory;
};

TEST_F(RefusedProgram, IsOneOfAnotherCompiler)
{
  const ProgramRun run = mpi({}, {"true"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err,
              HasSubstr("true: the program does not use SimGrid's library (libsimgrid), expected one that smpicc, "
                        "smpicxx or smpif90 made\n"));
}

TEST_F(RefusedProgram, AsksForAnAlgorithmThatIsNotThere)
{
  for (const char* collective : {"allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast",
                                 "gather", "reduce", "scatter", "reduce_scatter"}) {
    const ProgramRun run = mpi({std::string("--") + collective, "nosuch"}, {example("ping_pong")});
    EXPECT_EQ(run.exit_code, 2) << collective;
    EXPECT_THAT(run.err, HasSubstr(std::string("mpi.") + collective + ": found \"nosuch\", expected one of default, "));
  }
  const ProgramRun run =
      mpi({"--bcast", "binomial_trees", "--allreduce", "also_wrong"}, {example("collectives"), "bcast", "64"});
  EXPECT_THAT(run.err, ::testing::AnyOf(HasSubstr("did you mean \"binomial_tree\"?"), HasSubstr("also_wrong")));
  EXPECT_EQ(mpi({"--bcast", "binomial_tree", "--allreduce", "rdb"}, {example("collectives"), "bcast", "64"}).exit_code,
            0);
}

TEST_F(RefusedProgram, SampledLoopsTakeNoTimeWhereComputingIsOff)
{
  const ProgramRun run = mpi({}, {example("odd_program"), "sample"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("sampled for 0.0"));
  const ProgramRun measured = mpi({"--set", "mpi.computation=measured"}, {example("odd_program"), "sample"});
  EXPECT_EQ(measured.exit_code, 0) << measured.err;
  EXPECT_THAT(measured.out, Not(HasSubstr("sampled for 0.0")));
}

TEST_F(RefusedProgram, AnAlgorithmThatTakesTooLongIsGivenUp)
{
  directory.write("c.toml", "[topology]\nkind = \"mesh\"\ndims = [16, 16]\n[network]\nstartup = \"10us\"\nper_byte = "
                            "\"10ns\"\n");
  const ProgramRun run = run_program({"collectives", "c.toml", "--collective", "alltoall", "--algorithms",
                                      "basic_linear", "--lengths", "1MiB,2MiB", "--time-limit", "1", "--json", "-"},
                                     directory.path());
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto json = nlohmann::ordered_json::parse(run.out);
  for (const auto& length : json["algorithms"][0]["runs"]) {
    EXPECT_EQ(length["state"], "timeout");
    EXPECT_EQ(length["error"], "took more than 1 s of processor time");
    EXPECT_TRUE(length["latency_us"].is_null());
  }
  EXPECT_THAT(run_program({"collectives", "c.toml", "--time-limit", "0"}, directory.path()).err,
              HasSubstr("--time-limit: found 0, expected a whole number of seconds from 1"));
}

} // namespace
} // namespace wormcast::testing
