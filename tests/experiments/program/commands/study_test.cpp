// wormcast study: the same answers whatever the jobs, shards and interruptions; errors that name file and line.

#include "tests/experiments/program/commands/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace wormcast::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* small_study = R"([study]
question = "Which of two broadcasts is faster?"
cluster = "algorithm.source"

[topology]
kind = "mesh"
dims = [4, 4]

[network]
startup = "10us"
per_byte = "10ns"

[message]
bytes = 64

[run]
mode = "self_timed"
noise = { distribution = "exponential", mean = 1 }

[quick.sweep]
"algorithm.name" = ["recursive_doubling", "scatter_collect"]
"algorithm.source" = [0, 1, 2, 3, 4, 5, 6, 7]

[full]

[[question]]
name = "slower"
text = "Is scatter-collect more than 10 % slower?"
value = "latency_from_source_us"
between = "algorithm.name"
first = "recursive_doubling"
second = "scatter_collect"
paired_on = ["algorithm.source", "run.seed"]
difference = "relative"
unit = "%"
statistic = "mean"
threshold = "10 %"
side = "above"
)";

class StudyCommand : public ::testing::Test {
protected:
  ProgramRun study(std::vector<std::string> arguments) const
  {
    arguments.insert(arguments.begin(), "study");
    return run_program(arguments, directory.path());
  }

  /// What is said of the study with a text in the place of another one.
  std::string error(const std::string& from, const std::string& to) const
  {
    std::string text = small_study;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    directory.write("wrong.toml", text.replace(at, from.size(), to));
    const ProgramRun run = study({"wrong.toml", "--out", "wrong"});
    EXPECT_EQ(run.exit_code, 2) << run.out;
    EXPECT_FALSE(std::filesystem::exists(directory.path() / "wrong"));
    return run.err;
  }

  TemporaryDirectory directory;
};

TEST_F(StudyCommand, AnswersTheSameForAnyJobsShardsAndStoredRuns)
{
  directory.write("s.toml", small_study);
  const ProgramRun whole = study({"s.toml", "--out", "whole", "--jobs", "1"});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("16 runs; intervals by algorithm.source"));
  EXPECT_THAT(whole.out, HasSubstr("\n  holds: of 1 cell, 1 lies above 10 % and 0 below; the mean is "));
  EXPECT_EQ(study({"s.toml", "--out", "whole"}).exit_code, 2); // the folder has results
  EXPECT_EQ(study({"s.toml", "--out", "parts", "--shard", "1/2"}).exit_code, 0);
  EXPECT_EQ(study({"s.toml", "--out", "parts", "--no-run"}).exit_code, 5);
  EXPECT_EQ(study({"s.toml", "--out", "parts", "--jobs", "3"}).exit_code, 0);
  EXPECT_EQ(study({"s.toml", "--runs", "whole/runs.csv", "--out", "again"}).exit_code, 0);
  for (const char* file : {"runs.csv", "study.json", "study.md"}) {
    const std::string expected = read_file(directory.path() / "whole" / file);
    EXPECT_FALSE(expected.empty());
    for (const char* folder : {"parts", "again"}) {
      EXPECT_EQ(read_file(directory.path() / folder / file), expected) << folder << " " << file;
    }
  }
}

TEST_F(StudyCommand, NamesWhatIsWrong)
{
  EXPECT_THAT(
      study({"unsynchronized_broadcast"}).err,
      HasSubstr("unsynchronized_broadcast: unknown study, expected one of contention_by_distance, "
                "contention_by_network, contention_by_noise_and_node, cost_of_synchronising, "
                "onset_of_depth_contention, order_in_both_routers, "
                "recursion_elsewhere, recursion_today, slowdown_by_distance, slowdown_of_random_trees, "
                "unsynchronised_broadcast, or a file that ends in .toml; did you mean \"unsynchronised_broadcast\"?"));
  EXPECT_THAT(error("paired_on = [\"algorithm.source\", \"run.seed\"]", "paired_on = [\"algorithm.sourc\"]"),
              HasSubstr("wrong.toml:33:13: question.paired_on: \"algorithm.sourc\" is no key of the study's "
                        "configurations; did you mean \"algorithm.source\"?"));
  EXPECT_THAT(error("\"run.seed\"]", "\"network.hold\"]"),
              HasSubstr("question.paired_on: \"network.hold\" does not vary at scale quick: all runs have tail"));
  EXPECT_THAT(error("\"latency_from_source_us\"", "\"latency_from_sorce_us\""),
              HasSubstr("question.value: \"latency_from_sorce_us\" is no column of results.csv; did you mean"));
  EXPECT_THAT(error("second = \"scatter_collect\"", "second = \"scatter_colect\""),
              HasSubstr("question.second: no run has algorithm.name \"scatter_colect\", but recursive_doubling, "
                        "scatter_collect"));
  EXPECT_THAT(error("dims = [4, 4]", "dim = [4, 4]"), HasSubstr("wrong.toml:7:1: topology.dim"));
  directory.write("sweep.toml", "[sweep]\n\"message.bytes\" = [1, 2]\n");
  EXPECT_THAT(study({"sweep.toml"}).err, HasSubstr("sweep.toml: [study]: missing, expected a study with its question; "
                                                   "\"wormcast sweep\" runs a sweep"));
  directory.write("s.toml", small_study);
  EXPECT_THAT(study({"s.toml", "--scale", "full"}).err, HasSubstr("[full]: found no factor, expected [sweep]"));
  directory.write("runs.csv", "a,state\n1,done\n");
  EXPECT_THAT(study({"s.toml", "--runs", "runs.csv"}).err, HasSubstr("runs.csv:1: found the columns a, expected"));
}

TEST_F(StudyCommand, ListsStudiesWithTheirQuestions)
{
  EXPECT_THAT(study({}).out, HasSubstr("\nunsynchronised_broadcast\n  Broadcasts are made of steps"));
}

} // namespace
} // namespace wormcast::testing
