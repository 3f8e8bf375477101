// Means over clusters: intervals hold the true mean as often as they say, on data of which the true mean is known.

#include "wormcast/experiments/study/cluster_bootstrap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

namespace wormcast {
namespace {

/// Nearly normal, mean 0, standard deviation 1.
double deviate(std::mt19937_64& random)
{
  double sum = -6;
  for (int i = 0; i < 12; ++i) {
    sum += static_cast<double>(random() >> 11U) / 9007199254740992.0;
  }
  return sum;
}

/// Broadcasts from sources: what a source adds is common to its broadcasts.
std::vector<std::vector<double>> by_source(std::mt19937_64& random, int sources, int of_each)
{
  std::vector<std::vector<double>> values;
  for (int source = 0; source < sources; ++source) {
    const double common = deviate(random);
    values.emplace_back();
    for (int i = 0; i < of_each; ++i) {
      values.back().push_back(common + deviate(random));
    }
  }
  return values;
}

bool holds_zero(const ClusteredMean& mean)
{
  return mean.low <= 0 && 0 <= mean.high;
}

TEST(ClusteredMeans, CoverWhereBroadcastsTakenForIndependentDoNot)
{
  std::mt19937_64 random(7);
  constexpr int studies = 200;
  int covered = 0;
  int covered_as_independent = 0;
  for (int study = 0; study < studies; ++study) {
    std::vector<double> means;
    std::vector<double> all;
    for (const std::vector<double>& values : by_source(random, 20, 6)) {
      means.push_back(std::accumulate(values.begin(), values.end(), 0.0) / 6);
      all.insert(all.end(), values.begin(), values.end());
    }
    covered += holds_zero(clustered_means(std::vector<std::vector<double>>{means})[0]) ? 1 : 0;
    covered_as_independent += holds_zero(clustered_means(std::vector<std::vector<double>>{all})[0]) ? 1 : 0;
  }
  EXPECT_GE(covered, studies * 90 / 100);
  EXPECT_LE(covered_as_independent, studies * 75 / 100);
}

TEST(ClusteredMeans, OfAllSettingsTogetherCoverAllOfThemAtOnce)
{
  std::mt19937_64 random(8);
  constexpr int studies = 100;
  constexpr int settings = 30;
  int all_covered = 0;
  int all_covered_one_by_one = 0;
  for (int study = 0; study < studies; ++study) {
    std::vector<std::vector<double>> values(settings);
    for (std::vector<double>& setting : values) {
      std::generate_n(std::back_inserter(setting), 40, [&] { return deviate(random); });
    }
    const std::vector<ClusteredMean> means = clustered_means(values);
    const auto together = [](const ClusteredMean& mean) { return mean.low_of_all <= 0 && 0 <= mean.high_of_all; };
    all_covered += std::ranges::all_of(means, together) ? 1 : 0;
    all_covered_one_by_one += std::ranges::all_of(means, holds_zero) ? 1 : 0;
  }
  EXPECT_GE(all_covered, studies * 90 / 100);
  EXPECT_LE(all_covered_one_by_one, studies / 2);
}

TEST(ClusteredMeans, AreTheSameAgain)
{
  const std::vector<std::vector<double>> settings = {{1, 2, 3, 10}, {0, 0, 0, 0}};
  const std::vector<ClusteredMean> first = clustered_means(settings);
  const std::vector<ClusteredMean> second = clustered_means(settings);
  EXPECT_EQ(first[0].mean, 4);
  EXPECT_EQ(first[0].low, second[0].low);
  EXPECT_EQ(first[0].high_of_all, second[0].high_of_all);
  EXPECT_LT(first[0].low_of_all, first[0].mean);
  EXPECT_EQ(first[1].low_of_all, 0);
  EXPECT_EQ(first[1].high, 0);
}

TEST(ClusteredMeans, NeedClusters)
{
  EXPECT_THROW(clustered_means(std::vector<std::vector<double>>{}), std::logic_error);
  EXPECT_THROW(clustered_means(std::vector<std::vector<double>>{{1}}), std::logic_error);
  EXPECT_THROW(clustered_means(std::vector<std::vector<double>>{{1, 2}, {1, 2, 3}}), std::logic_error);
}

} // namespace
} // namespace wormcast
