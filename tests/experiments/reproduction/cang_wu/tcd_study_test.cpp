// What the study of broadcasts with different TCD under load is made of.

#include "wormcast/algorithms/tcd/recursive_halving_tcd.hpp"
#include "wormcast/experiments/reproduction/cang_wu/broadcasts.hpp"
#include "wormcast/experiments/reproduction/cang_wu/graded_halvings.hpp"
#include "wormcast/experiments/reproduction/cang_wu/tcd_study.hpp"
#include "wormcast/experiments/reproduction/frame/broadcast_case.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace wormcast::cang_wu {
namespace {

TEST(GradedHalvings, GoFromTheLeastTcdToMuchMore)
{
  for (const std::vector<std::int64_t>& dims : {std::vector<std::int64_t>{8, 8}, std::vector<std::int64_t>{4, 4, 4}}) {
    const auto grid = grid_of({.dims = dims, .algorithm = {}});
    const std::vector<std::uint64_t> least = recursive_halving_tcds(*grid);
    for (std::uint32_t node = 0; node < grid->node_count(); ++node) {
      std::uint64_t before = 0;
      for (int quarters = 0; quarters <= most_quarters; ++quarters) {
        const Schedule schedule = graded_halving(*grid, NodeId{node}, quarters);
        const CheckReport report = check_schedule(*grid, schedule);
        ASSERT_TRUE(report.valid());
        ASSERT_TRUE(report.contention_free);
        EXPECT_EQ(report.costs.alpha, 6U);
        EXPECT_EQ(report.costs.messages, 63U);
        if (quarters == 0) {
          EXPECT_EQ(report.costs.tcd, least[node]);
        }
        EXPECT_GE(report.costs.tcd, before) << "node " << node << ", " << quarters << " quarters";
        before = report.costs.tcd;
      }
      EXPECT_GT(before, 3 * least[node] / 2);
    }
  }
}

TEST(RankCorrelation, IsKendalls)
{
  const std::array<double, 4> tcds = {10, 20, 30, 40};
  EXPECT_EQ(rank_correlation(tcds, std::array<double, 4>{1, 2, 3, 4}), 1);
  EXPECT_EQ(rank_correlation(tcds, std::array<double, 4>{4, 3, 2, 1}), -1);
  EXPECT_DOUBLE_EQ(rank_correlation(tcds, std::array<double, 4>{2, 1, 3, 4}), 4.0 / 6); // one of six pairs is reversed
  EXPECT_EQ(rank_correlation(tcds, std::array<double, 4>{5, 5, 5, 5}), 0);
  EXPECT_EQ(rank_correlation(std::array<double, 3>{7, 7, 8}, std::array<double, 3>{1, 9, 10}), 1);
  EXPECT_EQ(rank_correlation(std::array<double, 2>{7, 7}, std::array<double, 2>{1, 9}), 0);
}

TEST(GrowthPerDoubling, IsThatOfAStraightLineInTheLogarithm)
{
  const std::array<double, 3> tcds = {16, 32, 64};
  EXPECT_DOUBLE_EQ(growth_per_doubling(tcds, std::array<double, 3>{8, 10, 12}), 0.2);
  EXPECT_DOUBLE_EQ(growth_per_doubling(tcds, std::array<double, 3>{3, 3, 3}), 0);
  EXPECT_EQ(growth_per_doubling(std::array<double, 2>{5, 5}, std::array<double, 2>{1, 2}), 0);
}

TEST(Dependence, TurnsWhereAnIntervalPassesZero)
{
  const auto verdict_with_end = [](double low) {
    return dependence(std::vector<ClusteredMean>{{.mean = 0.5, .low_of_all = 0.3, .high_of_all = 0.7},
                                                 {.mean = 0.3, .low_of_all = low, .high_of_all = 0.6}});
  };
  EXPECT_EQ(verdict_with_end(0.001), Verdict::confirmed);
  EXPECT_EQ(verdict_with_end(-0.001), Verdict::ambiguous);
  EXPECT_EQ(dependence(std::vector<ClusteredMean>{{.low_of_all = -0.2, .high_of_all = 0}}), Verdict::refuted);
  EXPECT_EQ(dependence(std::vector<ClusteredMean>{{.low_of_all = -0.2, .high_of_all = 0.001}}), Verdict::ambiguous);
}

TEST(TcdStudy, FindsNothingWhereAllBroadcastsAreTheSame)
{
  const TcdSetting setting{.dims = {4, 4}, .startup_ns = 100, .saturation = 0.3, .tenths = 5, .rounds = 2};
  const auto correlations = [&] {
    double sum = 0;
    for (const std::vector<TcdMeasured>& schedules : measured_cell(setting).measured) {
      EXPECT_EQ(schedules.size(), tcd_schedule_names().size());
      std::vector<double> tcds;
      std::vector<double> contention;
      for (const TcdMeasured& one : schedules) {
        tcds.push_back(one.tcd);
        contention.push_back(one.contention());
        EXPECT_GT(one.latency, 0);
      }
      EXPECT_LT(tcds.front(), tcds[most_quarters]);
      sum += std::abs(rank_correlation(tcds, contention));
    }
    return sum;
  };
  EXPECT_GT(correlations(), 0);
  const MutationScope mutation(Mutation::data_changed);
  EXPECT_EQ(correlations(), 0);
}

} // namespace
} // namespace wormcast::cang_wu
