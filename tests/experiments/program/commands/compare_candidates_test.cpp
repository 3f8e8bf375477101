// What `wormcast compare` says of multicasts, of freedom from deadlock and of the ranges of lengths.

#include "tests/experiments/program/commands/small_comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// All candidates have the destinations of the configured one, which the rows do not repeat.
TEST(CompareMulticast, HasTheMulticastsOfAllBroadcasts)
{
  const std::vector<std::string> words = {
      "compare", WORMCAST_CONFIGS "/torus_all_reduce.toml", "--set",     "algorithm.operation=multicast",
      "--set",   "algorithm.destinations=[9, 18]",          "--lengths", "none"};
  std::vector<std::string> some = words;
  some.insert(some.end(), {"--algorithms", "swing,chain_halving,recursive_doubling", "--json", "-"});
  const ProgramRun run = run_program(some);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const nlohmann::json result = nlohmann::json::parse(run.out);
  ASSERT_EQ(result["algorithms"].size(), 4U);
  for (const nlohmann::json& algorithm : result["algorithms"]) {
    EXPECT_EQ(algorithm["parameters"]["destinations"], nlohmann::json({9, 18})) << algorithm;
    EXPECT_TRUE(algorithm["valid"].get<bool>()) << algorithm;
  }
  some.resize(words.size());
  some.insert(some.end(), {"--algorithms", "chain_halving"});
  EXPECT_NE(run_program(some).out.find("\nchain_halving "), std::string::npos);

  const ProgramRun none =
      run_program({"run", WORMCAST_CONFIGS "/torus_all_reduce.toml", "--set", "algorithm.operation=multicast"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("algorithm.destinations: missing, expected the ids of the nodes"), std::string::npos)
      << none.err;
}

TEST(CompareCommand, TakesATreeDrawnAtRandomOnlyWhereItIsNamed)
{
  const std::vector<std::string> words = {"compare",   WORMCAST_CONFIGS "/torus_all_reduce.toml",
                                          "--set",     "algorithm.operation=broadcast",
                                          "--lengths", "none"};
  EXPECT_EQ(run_program(words).out.find("random_binomial_tree"), std::string::npos);
  std::vector<std::string> named = words;
  named.insert(named.end(), {"--algorithms", "random_binomial_tree"});
  EXPECT_NE(run_program(named).out.find("\nrandom_binomial_tree "), std::string::npos);
}

// On a torus exchanges of a step can wait for one another in a ring; on a mesh no schedule needs a second channel.
TEST(CompareDeadlocks, SayWithHowManyVirtualChannelsThereIsNone)
{
  const std::vector<std::string> words = {"compare",      WORMCAST_CONFIGS "/torus_all_reduce.toml",
                                          "--lengths",    "none",
                                          "--algorithms", "swing,bucket",
                                          "--set",        "algorithm.operation=broadcast"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    const ProgramRun run = run_program(more);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  };
  std::vector<std::string> verdicts;
  const nlohmann::json all = nlohmann::json::parse(with({"--json", "-"}));
  for (const nlohmann::json& one : all["algorithms"]) {
    verdicts.push_back(one["algorithm"].get<std::string>() + " " + one["deadlock_free_from"].dump() + " " +
                       one["deadlock_free"].get<std::string>());
  }
  EXPECT_THAT(verdicts, ElementsAre("bucket 1 proved", "swing 2 proved", "swing 1 proved"));
  EXPECT_THAT(with({}), HasSubstr("V: virtual channels with which no deadlock can be, of which there are 2 here"));
  EXPECT_THAT(with({"--set", "topology.kind=mesh", "--algorithms", "swing"}), Not(HasSubstr("V: virtual channels")));
  const nlohmann::json drawn =
      nlohmann::json::parse(with({"--set", "network.tie=random", "--algorithms", "recursive_doubling", "--json", "-"}));
  EXPECT_EQ(drawn["algorithms"].front()["deadlock_free"], "not_checked");
  EXPECT_TRUE(drawn["algorithms"].front()["deadlock_free_from"].is_null());
}

// Bounds rule most simulations out; the ranges are those that single runs at their ends give.
TEST(CompareLengths, AreThoseOfSingleRunsThoughBoundsRuleMostOut)
{
  const std::vector<std::string> words = {"compare", WORMCAST_CONFIGS "/torus_all_reduce.toml", "--algorithms",
                                          "swing,bucket,recursion_based,bfs_tree"};
  const auto result = [&](std::vector<std::string> more) {
    more.insert(more.begin(), words.begin(), words.end());
    more.insert(more.end(), {"--json", "-"});
    const ProgramRun run = run_program(more);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return nlohmann::json::parse(run.out);
  };
  const nlohmann::json all = result({"--lengths", "64..64KiB"});
  ASSERT_GT(all["fastest_measured"].size(), 1U);
  for (const nlohmann::json& piece : all["fastest_measured"]) {
    for (const char* end : {"from_bytes", "to_bytes"}) {
      const nlohmann::json here = result({"--lengths", "none", "--set", "message.bytes=" + piece[end].dump()});
      const nlohmann::json& winner = here["algorithms"][piece["position"].get<std::size_t>()];
      EXPECT_TRUE(winner["verdict"] == "fastest" || winner["verdict"] == "as_fast") << winner;
    }
  }
}

} // namespace
} // namespace wormcast::testing
