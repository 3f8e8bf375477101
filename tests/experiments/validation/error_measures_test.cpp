#include "wormcast/experiments/validation/error_measures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace wormcast {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

// A row of one group that was measured to take `measured` ps, in a range of 2 % to each side.
MeasuredRow row(const std::string& algorithm, std::int64_t measured, std::uint64_t bytes = 1024)
{
  return {.of = {.collective = "bcast", .shape = "2x2", .algorithm = algorithm, .bytes = bytes},
          .ports = 1,
          .median = {measured},
          .low = {measured - measured / 50},
          .high = {measured + measured / 50}};
}

TEST(ErrorMeasures, QuantilesAreLinearBetweenValues)
{
  EXPECT_DOUBLE_EQ(quantile({3}, 0.9), 3);
  EXPECT_DOUBLE_EQ(quantile({4, 1, 2, 3}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(quantile({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 0.9), 10);
  EXPECT_DOUBLE_EQ(quantile({0, 10}, 0.9), 9);
  EXPECT_DOUBLE_EQ(quantile({0, 10}, 1), 10);
}

TEST(ErrorMeasures, AreTheMedianAndNinetyPercentOfRelativeErrors)
{
  const std::vector<MeasuredRow> measured = {row("a", 1000), row("b", 2000), row("c", 4000)};
  // Errors -10 %, +20 %, 0.
  const ErrorMeasures measures =
      error_measures(std::vector<PredictedRow>{{&measured[0], {900}}, {&measured[1], {2400}}, {&measured[2], {4000}}});
  EXPECT_EQ(measures.rows, 3U);
  EXPECT_THAT(*measures.median, DoubleNear(0.1, 1e-12));
  EXPECT_THAT(*measures.ninety_percent, DoubleNear(0.18, 1e-12)); // 0, 0.1, 0.2: at 1.8
  EXPECT_THAT(*measures.signed_median, DoubleNear(0, 1e-12));
}

TEST(ErrorMeasures, TauCountsPairsThatWereMeasuredToDiffer)
{
  // b and c overlap: 2 % of 2000 and of 2010.
  const std::vector<MeasuredRow> measured = {row("a", 1000), row("b", 2000), row("c", 2010), row("d", 4000)};
  const auto tau = [&](std::array<std::int64_t, 4> predicted) {
    std::vector<PredictedRow> rows;
    for (std::size_t i = 0; i < measured.size(); ++i) {
      rows.push_back({&measured[i], {predicted[i]}});
    }
    return error_measures(rows).order;
  };
  EXPECT_EQ(tau({1, 2, 3, 4}).pairs, 5U);
  EXPECT_DOUBLE_EQ(*tau({1, 2, 3, 4}).tau, 1);
  EXPECT_DOUBLE_EQ(*tau({1, 3, 2, 4}).tau, 1);
  EXPECT_DOUBLE_EQ(*tau({4, 3, 2, 1}).tau, -1);
  EXPECT_DOUBLE_EQ(*tau({2, 1, 3, 4}).tau, 0.6); // a and b change places: 4 right, 1 wrong
  EXPECT_DOUBLE_EQ(*tau({1, 1, 3, 4}).tau, 0.8); // a and b cannot be told apart: 4 right of 5
}

TEST(ErrorMeasures, TauIsTheMeanOfTheGroups)
{
  const std::vector<MeasuredRow> measured = {row("a", 1000), row("b", 2000), row("a", 1000, 8), row("b", 2000, 8),
                                             row("a", 1000, 16)};
  const ErrorMeasures measures = error_measures(std::vector<PredictedRow>{
      {&measured[0], {1}}, {&measured[1], {2}}, {&measured[2], {2}}, {&measured[3], {1}}, {&measured[4], {1}}});
  EXPECT_EQ(measures.order.groups, 2U);
  EXPECT_EQ(measures.order.pairs, 2U);
  EXPECT_DOUBLE_EQ(*measures.order.tau, 0);
}

TEST(ErrorMeasures, LossIsOfTheAlgorithmThatTheModelWouldChoose)
{
  const std::vector<MeasuredRow> measured = {row("a", 1000), row("b", 1100), row("c", 1300)};
  const auto choice = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
    return error_measures(std::vector<PredictedRow>{{&measured[0], {a}}, {&measured[1], {b}}, {&measured[2], {c}}})
        .choice;
  };
  EXPECT_DOUBLE_EQ(*choice(1, 2, 3).mean_loss, 0);
  EXPECT_THAT(*choice(3, 2, 1).mean_loss, DoubleNear(0.3, 1e-12));
  EXPECT_THAT(*choice(3, 1, 1).mean_loss, DoubleNear(0.2, 1e-12)); // b or c
  EXPECT_EQ(choice(1, 2, 3).groups, 1U);
}

TEST(ErrorMeasures, OfOneAlgorithmThereIsNoOrder)
{
  const MeasuredRow measured = row("a", 1000);
  const ErrorMeasures measures = error_measures(std::vector<PredictedRow>{{&measured, {1000}}});
  EXPECT_FALSE(measures.order.tau);
  EXPECT_FALSE(measures.choice.mean_loss);
  EXPECT_FALSE(error_measures({}).median);
}

TEST(ErrorMeasures, SelectionsThatSelectAllOrNothingAreLeftOut)
{
  const auto names = [](std::span<const MeasuredRow> rows) {
    std::vector<std::string> all;
    for (const RowSelection& selection : usual_selections(rows)) {
      all.push_back(selection.name);
    }
    return all;
  };
  EXPECT_THAT(names(std::vector<MeasuredRow>{row("a", 1000)}), ElementsAre("all"));
  MeasuredRow other = row("b", 1000, 1 << 20);
  other.ports = 6;
  other.of.shape = "4x4";
  EXPECT_THAT(names(std::vector<MeasuredRow>{row("a", 1000), other}),
              ElementsAre("all", "from 1 MiB on", "below 1 MiB", "one port", "several ports", "on 2x2", "on 4x4"));
  other.ports = {};
  EXPECT_THAT(names(std::vector<MeasuredRow>{row("a", 1000), other}),
              ElementsAre("all", "from 1 MiB on", "below 1 MiB", "one port", "on 2x2", "on 4x4"));
}

} // namespace
} // namespace wormcast
