// `wormcast compare` where something is random: means, intervals, and what is not decided.

#include "tests/experiments/program/commands/small_comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::ordered_json;

std::string noisy(const std::string& config)
{
  return config + "[run]\nstart_jitter = \"20us\"\n[run.noise]\ndistribution = \"exponential\"\nmean = 0.5\n";
}

// Means over the seeds that `run` takes one after the other, from the source's start.
TEST_F(SmallComparison, RandomRunsAreRepeatedWithTheSameSeeds)
{
  const Json result = json(noisy(small_config), {"--algorithms", "recursive_doubling,scatter_collect", "--repeat", "4",
                                                 "--lengths", "none"});
  EXPECT_EQ(result["repeats"]["runs"], 4);
  EXPECT_EQ(result["repeats"]["random"], Json({"run.start_jitter", "run.noise"}));
  for (const Json& algorithm : result["algorithms"]) {
    double sum = 0;
    for (const char* seed : {"1", "2", "3", "4"}) {
      const ProgramRun one = run_program({"run", "c.toml", "--json", "-", "--set",
                                          "algorithm.name=" + algorithm["algorithm"].get<std::string>(), "--set",
                                          std::string("run.seed=") + seed},
                                         directory.path());
      sum += Json::parse(one.out)["latency_from_source_us"].get<double>();
    }
    EXPECT_NEAR(algorithm["latency_from_source_us"].get<double>(), sum / 4, 1e-5);
    EXPECT_NE(algorithm["latency_us"], algorithm["latency_from_source_us"]);
    EXPECT_LT(algorithm["latency_from_source_interval_us"][0], algorithm["latency_from_source_us"]);
    EXPECT_GT(algorithm["latency_from_source_interval_us"][1], algorithm["latency_from_source_us"]);
    EXPECT_TRUE(algorithm["least_by_ties_us"].is_null());
  }
}

TEST_F(SmallComparison, AWinnerNeedsADecidedDifference)
{
  const auto verdicts = [](const Json& result) {
    std::vector<std::string> found;
    for (const Json& algorithm : result["algorithms"]) {
      found.push_back(algorithm["verdict"].is_null() ? "" : algorithm["verdict"].get<std::string>());
    }
    return found;
  };
  // Near the length at which the one overtakes the other (without noise 847 bytes).
  const std::vector<std::string> close = {
      "--algorithms", "binomial_tree,scatter_collect", "--lengths", "none", "--set", "message.bytes=2336"};
  EXPECT_THAT(verdicts(json(noisy(small_config), close)), ElementsAre("not_decided", "not_decided"));
  const std::string out = compare(noisy(small_config), close).out;
  EXPECT_THAT(out, HasSubstr("not decided which of the 2 simulated is the fastest at 2336 B: "));
  EXPECT_THAT(out, Not(HasSubstr("fastest of the")));
  EXPECT_THAT(out, HasSubstr("latency_from_source us, mean"));
  EXPECT_THAT(out, HasSubstr("differences of runs with the same seed, with 95 % intervals (Student's t)\n"));
  EXPECT_THAT(out, HasSubstr("means of 20 runs, run.seed = 1 .. 20 (random: run.start_jitter, run.noise)\n"));

  const std::vector<std::string> apart = {"--algorithms", "recursion_based,bfs_tree", "--lengths", "none"};
  EXPECT_THAT(verdicts(json(noisy(small_config), apart)), ElementsAre("fastest", "slower"));
  std::vector<std::string> once = apart;
  once.insert(once.end(), {"--repeat", "1"});
  EXPECT_THAT(verdicts(json(noisy(small_config), once)), ElementsAre("not_decided", "not_decided"));
  EXPECT_THAT(
      compare(noisy(small_config), {"--algorithms", "recursion_based,bfs_tree,binomial_tree", "--lengths", "none"}).out,
      HasSubstr("; the 2 intervals hold together at 95 % (Student's t, Bonferroni)\n"));
  // Without anything random one run is all there is.
  EXPECT_THAT(verdicts(json(small_config, once)), ElementsAre("fastest", "slower"));
  EXPECT_THAT(compare(small_config, once).out, HasSubstr("fastest of the 2 simulated at 4 KiB: recursion_based"));
}

TEST_F(SmallComparison, SaysOfHowManyAndByWhatItIsTheFastest)
{
  const std::string out =
      compare(small_config, {"--algorithms", "binomial_tree,recursive_doubling,bine_tree", "--lengths", "64..1KiB"})
          .out;
  EXPECT_THAT(out, HasSubstr("per_hop = 0s, flit_bytes = 1, buffer_flits = "));
  EXPECT_THAT(out, HasSubstr("mode = lockstep\n"));
  EXPECT_THAT(out, HasSubstr("fastest of the 3 simulated at 4 KiB: recursive_doubling, 8792 us; as fast: "));
  EXPECT_THAT(out, HasSubstr("fastest by simulation, of 3"));
  // Alone nothing is the fastest.
  const std::string alone = compare(small_config, {"--algorithms", "recursive_doubling", "--lengths", "64..1KiB"}).out;
  EXPECT_THAT(alone, Not(HasSubstr("fastest")));
}

TEST_F(SmallComparison, SaysWhereTheOrderOfEqualRequestsMatters)
{
  const std::string mesh =
      "[topology]\nkind = \"mesh\"\ndims = [32, 32]\n[network]\nstartup = \"150us\"\nper_byte = \"0.5us\"\n"
      "[algorithm]\nname = \"bine_tree\"\n[message]\nbytes = \"1KiB\"\n";
  const ProgramRun run = compare(mesh, {"--algorithms", "bine_tree,recursion_based", "--lengths", "none"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("depend on who comes first of those that ask at the same instant (here by id;"));
  EXPECT_THAT(run.out, HasSubstr("  bine_tree  "));
  compare(mesh, {"--algorithms", "bine_tree,recursion_based", "--lengths", "none", "--json", "ties.json"});
  const Json algorithms = Json::parse(read_file(directory.path() / "ties.json"))["algorithms"];
  for (const Json& algorithm : algorithms) {
    const bool depends = algorithm["least_by_ties_us"] != algorithm["most_by_ties_us"];
    EXPECT_EQ(depends, algorithm["algorithm"] == "bine_tree") << algorithm.dump();
  }
}

} // namespace
} // namespace wormcast::testing
