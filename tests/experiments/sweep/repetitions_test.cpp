#include "tests/experiments/program/commands/program.hpp"
#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/run/run.hpp"
#include "wormcast/experiments/sweep/columns.hpp"
#include "wormcast/experiments/sweep/repetitions.hpp"
#include "wormcast/simulator/random/random_stream.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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
      values.push_back(static_cast<double>(i) + 0.1 * static_cast<double>(i % 3));
    }
    const Statistics statistics = statistics_of(values);
    EXPECT_EQ(statistics.rule, IntervalRule::student_t);
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
  EXPECT_THAT(statistics_cells(statistics), ElementsAre("7.5", "7.5", "", "", "", "", "7.5", "7.5"));
}

TEST(Statistics, OfEqualValuesHaveNoInterval)
{
  const Statistics statistics = statistics_of(std::vector<double>(30, 0.1));
  EXPECT_EQ(statistics.mean, 0.1);
  EXPECT_EQ(statistics.deviation, 0);
  EXPECT_FALSE(statistics.interval.has_value());
}

TEST(Statistics, HaveNoIntervalWhereTooFewRunsTellTheDeviation)
{
  std::vector<double> costs(10, 0);
  costs[7] = 3;
  costs[8] = 5;
  EXPECT_FALSE(statistics_of(costs, Skew::expected).interval.has_value());
  costs[9] = 4;
  const Statistics statistics = statistics_of(costs, Skew::expected);
  EXPECT_EQ(statistics.rule, IntervalRule::bootstrap_t);
  EXPECT_LT(statistics.interval.value().low, 0);
  EXPECT_NEAR(statistics.interval->low + statistics.interval->high, 2 * statistics.mean, 1e-9);
  // A function of the values alone, in whatever order.
  std::ranges::reverse(costs);
  EXPECT_EQ(statistics_of(costs, Skew::expected).interval, statistics.interval);
}

TEST(Statistics, TakeTheRuleThatTheSampleCallsFor)
{
  EXPECT_EQ(statistics_of({1, 2, 3, 4, 5.5, 7}).rule, IntervalRule::student_t);
  EXPECT_EQ(statistics_of({1, 2, 3, 4, 5.5, 7}, Skew::expected).rule, IntervalRule::bootstrap_t);
  EXPECT_EQ(statistics_of({1, 2, 3, 4, 4, 7}).rule, IntervalRule::bootstrap_t);  // an atom
  EXPECT_EQ(statistics_of({1, 2, 3, 4, 5, 70}).rule, IntervalRule::bootstrap_t); // skewed
  EXPECT_EQ(skew_of("contention.depth_wait_us"), Skew::expected);
  EXPECT_EQ(skew_of("paired.contention_cost_us/latency_us"), Skew::expected);
  EXPECT_EQ(skew_of("paired.latency_us"), Skew::by_sample);
  EXPECT_EQ(skew_of("latency_us"), Skew::by_sample);
}

/// How often the intervals of samples cover the true mean, of those that have one.
struct Coverage {
  double as_given = 0;
  double by_student = 0; ///< where Student's t is taken for all of them
  std::size_t given = 0;
};

template <typename Draw> Coverage coverage(std::size_t size, double truth, Skew skew, Draw&& draw)
{
  constexpr std::size_t samples = 500;
  const double quantile = size == 10 ? 2.2622 : 2.0930; // 9 and 19 degrees of freedom
  Coverage coverage;
  std::size_t covered = 0;
  for (std::size_t i = 0; i < samples; ++i) {
    std::vector<double> values(size);
    std::ranges::generate(values, draw);
    const Statistics statistics = statistics_of(std::move(values), skew);
    if (statistics.interval) {
      ++coverage.given;
      covered += statistics.interval->low <= truth && truth <= statistics.interval->high ? 1 : 0;
    }
    const double half = quantile * *statistics.deviation / std::sqrt(static_cast<double>(size));
    coverage.by_student += std::abs(statistics.mean - truth) <= half ? 1.0 / samples : 0;
  }
  coverage.as_given = static_cast<double>(covered) / static_cast<double>(coverage.given);
  return coverage;
}

TEST(Statistics, CoverTheMeanOfASkewedQuantity)
{
  RandomStream random(7, 1);
  // 0 in 80 % of the runs, else of an exponential distribution with mean 5.
  const auto draw = [&] {
    const bool waits = random.chance(0.2);
    const RandomStream::Exponential wait = random.exponential();
    return waits ? 5 * (static_cast<double>(wait.whole) + static_cast<double>(wait.fraction) * 0x1p-64) : 0;
  };
  const Coverage ten = coverage(10, 1, Skew::expected, draw);
  EXPECT_GE(ten.as_given, 0.90);
  EXPECT_LT(ten.by_student, 0.85);
  EXPECT_GT(ten.given, 100U);
  const Coverage twenty = coverage(20, 1, Skew::expected, draw);
  EXPECT_GE(twenty.as_given, 0.90);
  EXPECT_LT(twenty.by_student, 0.90);
  EXPECT_GT(twenty.given, 300U);
}

TEST(Statistics, CoverTheMeanOfANearlyNormalQuantity)
{
  RandomStream random(7, 2);
  const auto draw = [&] {
    double sum = 0;
    for (int i = 0; i < 6; ++i) {
      sum += static_cast<double>(random.below(1'000'000'007));
    }
    return sum / 1e9;
  };
  for (const std::size_t size : {10, 20}) {
    const Coverage normal = coverage(size, 3.00000002, Skew::by_sample, draw);
    EXPECT_GE(normal.as_given, 0.93);
    EXPECT_LE(normal.as_given, 0.98);
    EXPECT_EQ(normal.given, 500U);
  }
}

/// What contention costs recursion_based on an 8 x 8 mesh whose nodes start late.
TEST(Statistics, CoverTheMeanCostOfContention)
{
  const testing::TemporaryDirectory directory;
  Experiment experiment = make_experiment(read_config(directory.write("c.toml", R"([topology]
kind = "mesh"
dims = [8, 8]
[network]
startup = "150us"
per_byte = "0.5us"
[algorithm]
name = "recursion_based"
source = [0, 0]
[message]
bytes = 4096
[run]
mode = "self_timed"
start_jitter = "10ms"
paired = true
)")));
  const Schedule schedule = experiment_schedule(experiment);
  std::vector<double> costs;
  for (experiment.run.seed = 1; experiment.run.seed <= 300; ++experiment.run.seed) {
    const RunOutcome outcome = run_experiment(experiment, schedule, {}, RunClock::engine);
    costs.push_back(static_cast<double>((*outcome.simulation.latency - *outcome.free->latency).picoseconds) / 1e6);
  }
  const double mean = statistics_of(costs).mean;
  RandomStream random(7, 3);
  const auto draw = [&] { return costs[random.below(costs.size())]; };
  const Coverage ten = coverage(10, mean, Skew::expected, draw);
  EXPECT_GE(ten.as_given, 0.90);
  EXPECT_LT(ten.by_student, 0.85); // including those that are all 0
  EXPECT_GE(coverage(20, mean, Skew::expected, draw).as_given, 0.90);
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
                          .cells = {Cell::read(ports), Cell::read(name), Cell::read(fmt::format("{}", seed)),
                                    Cell::read(latency), Cell::read("worm")}});
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
                  "interval_high,interval,smallest,largest\n"
                  "1,a,latency_from_source_us,2,1,200,200,141.4213562,-1070.620474,1470.620474,student_t,100,300\n"
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
  EXPECT_THAT(
      csv,
      HasSubstr("1,latency_from_source_us,a,b,3,0,200,-12,-12,1,-14.48413771,-9.515862288,student_t,-13,-11,-6,b\n"));
  EXPECT_THAT(csv, HasSubstr("2,latency_from_source_us,a,b,3,0,50,3.333333333,10,11.54700538,,,,-10,10,6.667,\n"));
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
              HasSubstr("1,latency_from_source_us,a,b,0,3,,,,,,,,,,,\n"));
}

TEST(Repetitions, AreDecidedBySignsWhereThereIsNoInterval)
{
  const auto faster = [](std::size_t seeds, double last) {
    BySeed first;
    BySeed second;
    for (std::size_t seed = 0; seed < seeds; ++seed) {
      first[fmt::format("{}", seed)] = 100;
      second[fmt::format("{}", seed)] = seed + 1 == seeds ? last : 90;
    }
    const PairedDifference paired = paired_difference(first, second);
    EXPECT_FALSE(paired.difference.value().interval.has_value());
    return faster_of(paired);
  };
  EXPECT_EQ(faster(6, 90), Faster::second);
  EXPECT_EQ(faster(6, 95), Faster::second);
  EXPECT_EQ(faster(5, 90), Faster::not_decided);
  EXPECT_EQ(faster(6, 101), Faster::not_decided);
  EXPECT_EQ(faster_of({}), Faster::not_decided);
}

} // namespace
} // namespace wormcast
