#include "wormcast/experiments/sweep/repetitions.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Statistics, AreThoseOfASample)
{
  const Statistics statistics = statistics_of({4, 1, 3, 2});
  EXPECT_EQ(statistics.count, 4U);
  EXPECT_DOUBLE_EQ(statistics.mean, 2.5);
  EXPECT_DOUBLE_EQ(statistics.median, 2.5);
  EXPECT_DOUBLE_EQ(statistics.smallest, 1);
  EXPECT_DOUBLE_EQ(statistics.largest, 4);
  EXPECT_NEAR(statistics.deviation.value(), 1.2909944487358056, 1e-15); // sqrt(5/3)
  EXPECT_DOUBLE_EQ(statistics_of({5, 1, 2}).median, 2);
}

/// Quantiles of Student's t at 0.975 as printed in statistical tables: 1, 2, 9 and 29 degrees of freedom.
TEST(Statistics, HaveTheIntervalOfStudentsT)
{
  const std::vector<std::pair<std::size_t, double>> quantiles = {{2, 12.7062}, {3, 4.3027}, {10, 2.2622}, {30, 2.0452}};
  for (const auto& [count, quantile] : quantiles) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(static_cast<double>(i * i % 7));
    }
    const Statistics statistics = statistics_of(values);
    const double half = statistics.interval.value().high - statistics.mean;
    EXPECT_NEAR(half * std::sqrt(static_cast<double>(count)) / *statistics.deviation, quantile, 5e-5) << count;
    EXPECT_NEAR(statistics.mean - statistics.interval->low, half, 1e-12);
  }
}

TEST(Statistics, OfOneValueHaveNoInterval)
{
  const Statistics statistics = statistics_of({7.5});
  EXPECT_DOUBLE_EQ(statistics.mean, 7.5);
  EXPECT_FALSE(statistics.deviation.has_value());
  EXPECT_FALSE(statistics.interval.has_value());
  EXPECT_THAT(statistics_cells(statistics), ElementsAre("7.5", "7.5", "", "", "", "7.5", "7.5"));
}

TEST(Statistics, OfEqualValuesHaveNoWidth)
{
  const Statistics statistics = statistics_of(std::vector<double>(30, 0.1));
  EXPECT_EQ(statistics.mean, 0.1);
  EXPECT_EQ(statistics.deviation, 0);
  EXPECT_EQ(statistics.interval, (Interval{0.1, 0.1}));
}

/// Runs of two algorithms with the same seeds.
RunTable runs()
{
  RunTable table;
  for (const char* name : {"network.ports", "algorithm.name", "run.seed"}) {
    table.columns.push_back({name, RunTable::Origin::axis});
  }
  table.columns.push_back({"latency_from_source_us", RunTable::Origin::quantity});
  table.columns.push_back({"engine", RunTable::Origin::quantity});
  const auto add = [&](const char* ports, const char* name, int seed, const char* latency) {
    table.rows.push_back({.state = PointState::done,
                          .key = fmt::format("{}", table.rows.size()),
                          .error = {},
                          .cells = {ports, name, fmt::format("{}", seed), latency, "worm"}});
  };
  for (int seed = 1; seed <= 3; ++seed) {
    add("1", "a", seed, fmt::format("{}", 100 * seed).c_str());
    add("1", "b", seed, fmt::format("{}", 100 * seed - 10 - seed).c_str());
    add("2", "a", seed, "50");
    add("2", "b", seed, seed == 2 ? "40" : "60");
  }
  return table;
}

TEST(Repetitions, AreGroupedBySetting)
{
  EXPECT_TRUE(has_repetitions(runs()));
  const std::vector<RepeatedRuns> groups = repeated_runs(runs());
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_THAT(groups[1].setting, ElementsAre("1", "b"));
  EXPECT_THAT(values_of(runs(), groups[1], 3), ElementsAre(89, 188, 287));
}

TEST(Repetitions, AreSummedUpForEachQuantityThatIsANumber)
{
  RunTable table = runs();
  table.rows[4].state = PointState::deadlock; // a, seed 2
  EXPECT_THAT(statistics_csv(table),
              ::testing::StartsWith(
                  "network.ports,algorithm.name,quantity,runs,not_done,mean,median,standard_deviation,interval_low,"
                  "interval_high,smallest,largest\n"
                  "1,a,latency_from_source_us,2,1,200,200,141.4213562,-1070.620474,1470.620474,100,300\n"
                  "1,b,latency_from_source_us,3,0,188,188,99,"));
  EXPECT_THAT(statistics_csv(table), ::testing::Not(HasSubstr("engine")));
}

TEST(Repetitions, ArePairedBySeed)
{
  const std::vector<PairedDifference> differences = paired_differences(runs());
  ASSERT_EQ(differences.size(), 2U);
  EXPECT_THAT(differences[0].setting, ElementsAre("1"));
  EXPECT_EQ(differences[0].first, "a");
  EXPECT_EQ(differences[0].second, "b");
  // -11, -12, -13 while the latencies themselves are 100 apart.
  EXPECT_DOUBLE_EQ(differences[0].difference.value().mean, -12);
  EXPECT_DOUBLE_EQ(differences[0].difference->deviation.value(), 1);
  const std::string csv = differences_csv(runs(), differences);
  EXPECT_THAT(csv,
              HasSubstr("1,latency_from_source_us,a,b,3,0,200,-12,-12,1,-14.48413771,-9.515862288,-13,-11,-6,b\n"));
  EXPECT_THAT(
      csv,
      HasSubstr(
          "2,latency_from_source_us,a,b,3,0,50,3.333333333,10,11.54700538,-25.3510182,32.01768486,-10,10,6.667,\n"));
  EXPECT_THAT(differences_listing(runs(), differences), HasSubstr("not decided"));
}

TEST(Repetitions, LeaveOutSeedsThatOnlyOneHas)
{
  RunTable table = runs();
  table.rows[5].state = PointState::died; // b, seed 2
  const std::vector<PairedDifference> differences = paired_differences(table);
  EXPECT_EQ(differences[0].difference.value().count, 2U);
  EXPECT_EQ(differences[0].unpaired, 1U);
  for (RunTable::Row& row : table.rows) {
    row.state = PointState::died;
  }
  EXPECT_FALSE(paired_differences(table)[0].difference.has_value());
  EXPECT_THAT(differences_csv(table, paired_differences(table)),
              HasSubstr("1,latency_from_source_us,a,b,0,3,,,,,,,,,,\n"));
}

} // namespace
} // namespace wormcast
