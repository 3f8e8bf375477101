// The study without synchronised steps: its verdict follows from what is measured.

#include "wormcast/experiments/reproduction/frame/mutation.hpp"
#include "wormcast/experiments/reproduction/zhuang_liberatore/depth_study.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace wormcast::zhuang_liberatore {
namespace {

TEST(CostThresholds, TurnWhereTheyPassTheEndOfAnInterval)
{
  const std::vector<ClusteredMean> costs = {
      {.mean = 8, .low = 5.3, .high = 10.8, .low_of_all = 3.5, .high_of_all = 12.5},
      {.mean = 0.2, .low = 0.1, .high = 0.3, .low_of_all = 0.05, .high_of_all = 0.35}};
  constexpr double least_step = 0.001;
  EXPECT_EQ(weighed(costs, 3.5 - least_step).verdict, Verdict::confirmed);
  EXPECT_EQ(weighed(costs, 3.5 + least_step).verdict, Verdict::ambiguous);
  EXPECT_EQ(weighed(costs, 12.5 - least_step).verdict, Verdict::ambiguous);
  EXPECT_EQ(weighed(costs, 12.5 + least_step).verdict, Verdict::refuted);
  const CostThreshold one = weighed(costs, 1);
  EXPECT_EQ(one.above, 1U);
  EXPECT_EQ(one.below, 1U);
}

/// The study's RB cells on 16 x 16 with these routers.
std::vector<DepthCell> cells_with(std::size_t part)
{
  const std::vector<nlohmann::ordered_json> found = {depth_study_parts().at(part)()};
  return depth_cells(found);
}

TEST(DepthStudy, FindsNoCostWhereNoChannelIsHeld)
{
  constexpr std::size_t longest_hop_tail_hold = 6;
  const auto largest = [](const std::vector<DepthCell>& cells) {
    double most = 0;
    for (const DepthCell& cell : cells) {
      EXPECT_EQ(cell.setting.algorithm, "RB");
      EXPECT_EQ(cell.setting.exponent, 4);
      EXPECT_EQ(cell.setting.routers.hop, Time{15'000'000});
      for (const std::vector<double>& costs : cell.costs) {
        most = std::max(most, *std::ranges::max_element(costs));
      }
    }
    return most;
  };
  EXPECT_GT(largest(cells_with(longest_hop_tail_hold)), 5);
  const MutationScope mutation(Mutation::data_changed);
  for (const DepthCell& cell : cells_with(longest_hop_tail_hold)) {
    EXPECT_EQ(cell.depth_waits, 0);
    EXPECT_GT(cell.port_waits, 0);
    for (const std::vector<double>& costs : cell.costs) {
      EXPECT_EQ(*std::ranges::max_element(costs), 0);
      EXPECT_EQ(*std::ranges::min_element(costs), 0);
    }
  }
}

TEST(MeanStep, IsThatOfTheClosedForm)
{
  // n = 5: alpha 15, beta 5/2 - 1/16.
  EXPECT_EQ(mean_step(5, 16384).picoseconds, 150'000'000 + 16384LL * 500'000 * 39 / 240);
}

} // namespace
} // namespace wormcast::zhuang_liberatore
