#include "wormcast/experiments/sweep/curve_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wormcast::testing {
namespace {

using ::testing::ElementsAre;

TEST(CurveChoice, TakesTheLowestSomewhereThenTheNearest)
{
  const std::vector<CurveValues> curves = {
      {{1, 50}, {2, 60}},  // far
      {{1, 10}, {2, 40}},  // the lowest at 1
      {{1, 13}, {2, 24}},  // near
      {{1, 90}, {2, 20}},  // the lowest at 2, far from it at 1
      {{1, 11}, {2, 100}}, // touches nothing
  };
  EXPECT_THAT(curves_near_envelope(curves, 2), ElementsAre(1, 3));
  EXPECT_THAT(curves_near_envelope(curves, 3), ElementsAre(1, 2, 3));
  EXPECT_THAT(curves_near_envelope(curves, 4), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(curves_near_envelope(curves, 12), ElementsAre(0, 1, 2, 3, 4));
}

TEST(CurveChoice, KnowsCurvesOfZerosAndOfDifferentLengths)
{
  const std::vector<CurveValues> curves = {{{1, 5}}, {{1, 0}, {2, 0}}, {{2, 1}}, {}};
  EXPECT_THAT(curves_near_envelope(curves, 1), ElementsAre(1));
  EXPECT_THAT(curves_near_envelope(curves, 3), ElementsAre(1, 2, 3));
  EXPECT_TRUE(curves_near_envelope({}, 3).empty());
}

} // namespace
} // namespace wormcast::testing
