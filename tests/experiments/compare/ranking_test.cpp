// Which candidate is the fastest, and when that is not decided.

#include "wormcast/experiments/compare/ranking.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Ranking, OfExactLatenciesTheLeastIsTheFastest)
{
  const std::vector<SeedLatencies> candidates = {{}, {30}, {20}, {21}, {20}};
  const auto ranking = rank_candidates(candidates, LatencyKind::exact, 3);
  ASSERT_TRUE(ranking);
  EXPECT_EQ(ranking->best, 2U);
  EXPECT_THAT(ranking->equal, ElementsAre(4));
  EXPECT_TRUE(ranking->decided());
  EXPECT_FALSE(rank_candidates(std::vector<SeedLatencies>(3), LatencyKind::exact, 2));
}

// Differences 1, 2, 3, 4: mean 2.5, standard error 0.645497; t(3) is 3.182446 at 97.5 % and 4.176535 at 98.75 %.
TEST(Ranking, IntervalsAreStudentsTAndHoldTogether)
{
  const SeedLatencies base = {1000, 2000, 3000, 4000};
  const SeedLatencies other = {1001, 2002, 3003, 4004};
  const PairedMean alone = paired_mean(base, other, 1);
  EXPECT_DOUBLE_EQ(alone.mean, 2.5);
  EXPECT_NEAR(alone.interval->low, 2.5 - 3.182446 * 0.6454972, 1e-5);
  EXPECT_NEAR(alone.interval->high, 2.5 + 3.182446 * 0.6454972, 1e-5);
  EXPECT_NEAR(paired_mean(base, other, 2).interval->low, 2.5 - 4.176535 * 0.6454972, 1e-5);

  const std::vector<SeedLatencies> two = {base, other};
  EXPECT_TRUE(rank_candidates(two, LatencyKind::drawn, 1)->decided());
  EXPECT_THAT(rank_candidates(two, LatencyKind::drawn, 2)->undecided, ElementsAre(1)); // one more rival, as much doubt
}

TEST(Ranking, OneDrawDecidesNothing)
{
  const std::vector<SeedLatencies> candidates = {{10}, {1000}, {10}};
  const auto ranking = rank_candidates(candidates, LatencyKind::drawn, 2);
  EXPECT_THAT(ranking->equal, ElementsAre(2));
  EXPECT_THAT(ranking->undecided, ElementsAre(1));
}

// Runs differ far more from seed to seed than the candidates do, but with the same seed always in the same way.
TEST(Ranking, PairsSeeThroughWhatSeedsDo)
{
  const std::vector<SeedLatencies> candidates = {{1005, 9007, 4005, 3006}, {1000, 9001, 4000, 3000}};
  const auto ranking = rank_candidates(candidates, LatencyKind::drawn, 1);
  EXPECT_EQ(ranking->best, 1U);
  EXPECT_THAT(ranking->undecided, IsEmpty());
}

// Ten candidates of the same distribution: hardly ever may one of them be called the fastest.
TEST(Ranking, EqualsAreSeldomTold)
{
  std::mt19937_64 random(7);
  std::normal_distribution<double> draw(1e6, 1e4);
  int decided = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<SeedLatencies> candidates(10, SeedLatencies(20));
    for (SeedLatencies& latencies : candidates) {
      std::ranges::generate(latencies, [&] { return std::llround(draw(random)); });
    }
    decided += rank_candidates(candidates, LatencyKind::drawn, 9)->decided() ? 1 : 0;
  }
  EXPECT_LE(decided, 10); // 2.5 % of 400
}

TEST(Ranking, MeansAreRoundedToWholePicoseconds)
{
  EXPECT_EQ(mean_latency({1, 2}), 2);
  EXPECT_EQ(mean_latency({1, 1, 2}), 1);
  const std::int64_t large = std::int64_t{1} << 62;
  EXPECT_EQ(mean_latency({large, large, large}), large);
}

} // namespace
} // namespace wormcast
