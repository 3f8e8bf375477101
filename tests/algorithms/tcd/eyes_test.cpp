#include "tests/algorithms/tcd/golden.hpp"
#include "tests/values/expect_input_error.hpp"
#include "wormcast/algorithms/tcd/eyes.hpp"

#include <gtest/gtest.h>

#include <set>

namespace wormcast {
namespace {

TEST(TcdEyes, DistancesAndCoordinatesAreTheGoldenOnes)
{
  const auto& forms = testing::tcd_golden()["closed_forms"];
  ASSERT_EQ(forms["a"].size(), 10U);
  for (const auto& [k, a] : forms["a"].items()) {
    EXPECT_EQ(eye_distance(static_cast<unsigned>(std::stoi(k))), a.get<std::int64_t>());
  }
  for (const auto& [k, eye] : forms["eye"].items()) {
    const EyeCoordinates expected = {eye[0].get<std::int64_t>(), eye[1].get<std::int64_t>()};
    EXPECT_EQ(eye_coordinates(static_cast<unsigned>(std::stoi(k))), expected);
  }
}

// 1998, eq. (1).
TEST(TcdEyes, DistancesFollowTheRecursion)
{
  EXPECT_EQ(eye_distance(0), 0);
  EXPECT_EQ(eye_distance(1), 1);
  for (unsigned k = 2; k <= most_tcd_level; ++k) {
    EXPECT_EQ(eye_distance(k), (std::int64_t{1} << (k - 1)) - eye_distance(k - 1));
  }
  EXPECT_THROW(eye_distance(most_tcd_level + 1), std::out_of_range);
  EXPECT_THROW(eye_offset(0, 0), std::out_of_range);
}

// 1998, definition 2: on each axis the two eyes of the halves' eyes that are closest to the centre.
TEST(TcdEyes, AreTheInnermostEyesOfTheHalves)
{
  std::set<std::int64_t> eyes = {0, 1};
  for (unsigned k = 1; k <= 12; ++k) {
    const EyeCoordinates now = eye_coordinates(k);
    EXPECT_EQ(eyes, (std::set<std::int64_t>{now.low, now.high}));
    const std::int64_t half = std::int64_t{1} << k;
    eyes = {*eyes.rbegin(), half + *eyes.begin()};
  }
}

// The papers say that each node is an eye of exactly one submesh; it is one of its aligned submeshes up to some level.
TEST(TcdEyes, AnEyeIsAnEyeOfAllItsSmallerSubmeshes)
{
  const auto grid = testing::mesh({16, 16});
  std::vector<int> nodes_by_levels(5);
  for (std::uint32_t node = 0; node < grid->node_count(); ++node) {
    int levels = 0;
    bool gap = false;
    for (unsigned k = 1; k <= 4; ++k) {
      std::vector<std::int64_t> within = grid->coordinates(NodeId{node});
      for (std::int64_t& x : within) {
        x %= std::int64_t{1} << k;
      }
      const bool eye = is_eye(within, k);
      EXPECT_FALSE(eye && gap);
      gap = !eye;
      levels += eye ? 1 : 0;
    }
    ++nodes_by_levels[static_cast<std::size_t>(levels)];
  }
  EXPECT_EQ(nodes_by_levels, (std::vector<int>{0, 192, 48, 12, 4}));
}

TEST(TcdEyes, TargetsAreEyesOfTheHalves)
{
  for (unsigned k = 1; k <= 8; ++k) {
    const std::int64_t side = std::int64_t{1} << k;
    const EyeCoordinates eyes = eye_coordinates(k);
    for (std::int64_t x = 0; x < side; ++x) {
      const AxisTargets targets = axis_targets(x, k);
      const bool low = x < side / 2;
      EXPECT_EQ(targets.near, low ? eyes.low : eyes.high);
      EXPECT_EQ(targets.mirrored, side - 1 - targets.near);
      if (k > 1) {
        const EyeCoordinates of_half = eye_coordinates(k - 1);
        const std::int64_t begin = low ? 0 : side / 2;
        EXPECT_EQ((std::set<std::int64_t>{targets.near, targets.outer}),
                  (std::set<std::int64_t>{begin + of_half.low, begin + of_half.high}));
        EXPECT_NE(std::abs(x - targets.near), std::abs(x - targets.outer));
      }
      EXPECT_EQ(std::abs(x - targets.closest), std::min(std::abs(x - targets.near), std::abs(x - targets.outer)));
      const std::int64_t u = eye_offset(x, k);
      EXPECT_EQ(std::abs(x - targets.near), std::abs(u));
      EXPECT_EQ(std::abs(x - targets.closest), closest_target_distance(u, k));
      EXPECT_GT(2 * u, -eye_distance(k));
      EXPECT_LE(2 * u, side - eye_distance(k) - 1);
      EXPECT_EQ(eye_offset(side - 1 - x, k), u);
    }
  }
}

// 1998, figure 6; 2000, figures 4b and 7, with the outermost nodes in the outermost regions.
TEST(TcdEyes, RegionsAreThePapersIntervals)
{
  for (unsigned k = 2; k <= 6; ++k) {
    const double inner = static_cast<double>(eye_distance(k)) / 2;
    const double middle = static_cast<double>(eye_distance(k - 1)) / 2;
    const double end = static_cast<double>(std::int64_t{1} << (k - 1)) - 0.5 - inner;
    const auto in = [](double from, std::int64_t u, double to) {
      return from < static_cast<double>(u) && static_cast<double>(u) <= to;
    };
    for (std::int64_t x = 0; x < std::int64_t{1} << (k - 1); ++x) {
      for (std::int64_t y = 0; y < std::int64_t{1} << (k - 1); ++y) {
        const std::int64_t u = eye_offset(x, k);
        const std::int64_t v = eye_offset(y, k);
        const std::array low = {-inner, 0.0, middle};
        const std::array high = {0.0, middle, end};
        for (std::size_t of_u = 0; of_u < 3; ++of_u) {
          EXPECT_EQ((region_2d(u, v, k) - 1) / 2 == static_cast<int>(of_u), in(low[of_u], u, high[of_u]));
          for (std::size_t of_v = 0; of_v < 3; ++of_v) {
            EXPECT_EQ(theorem_1_region(u, v, k) == static_cast<int>(1 + 3 * of_u + of_v),
                      in(low[of_u], u, high[of_u]) && in(low[of_v], v, high[of_v]));
          }
        }
        EXPECT_EQ(region_2d(u, v, k) % 2 == 0, in(0, v, end));
        EXPECT_EQ(region_3d(u, v, k) == 1, in(-inner, u, middle) && in(-inner, v, middle));
        EXPECT_EQ(region_3d(u, v, k) == 2, in(-inner, u, middle) && in(middle, v, end));
        EXPECT_EQ(region_3d(u, v, k) == 3, in(middle, u, end) && in(-inner, v, middle));
        EXPECT_EQ(region_3d(u, v, k) == 4, in(middle, u, end) && in(middle, v, end));
      }
    }
  }
}

TEST(TcdEyes, OrdersCrossTheAxesAsNamed)
{
  const auto axes = [](AxisOrder order, std::vector<std::int64_t> offsets, unsigned k) {
    const CrossingOrder crossing = crossing_order(order, offsets, k);
    return std::vector<std::size_t>(crossing.view().begin(), crossing.view().end());
  };
  using Axes = std::vector<std::size_t>;
  EXPECT_EQ(axes(AxisOrder::paper, {0, 0}, 2), (Axes{0, 1}));
  EXPECT_EQ(axes(AxisOrder::paper, {0, 0, 0}, 2), (Axes{0, 2, 1}));
  EXPECT_EQ(axes(AxisOrder::naive, {0, 0, 0}, 2), (Axes{0, 2, 1}));
  EXPECT_EQ(axes(AxisOrder::paper, {0, 0, 0, 0}, 2), (Axes{0, 1, 2, 3}));
  EXPECT_EQ(axes(AxisOrder::best, {0, 0, 0}, 2), (Axes{0, 1, 2}));
  EXPECT_EQ(axes(AxisOrder::best, {0, 1, 1}, 2), (Axes{1, 2, 0}));
  EXPECT_EQ(axes(AxisOrder::best, {1, 2, 3}, 4), (Axes{2, 1, 0})); // gains 0, 1, 3 with a_3 = 3
}

} // namespace
} // namespace wormcast
