// What goes wrong with MPI programs, said clearly.

#include "tests/experiments/mpi/mpi_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace wormcast::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

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
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const ProgramRun run = mpi({}, {example("ping_pong")});
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_THAT(run.err, HasSubstr("smpirun: not found in PATH"));
}

} // namespace
} // namespace wormcast::testing
