// The papers' printed numbers, transcribed for the claims, against rules that do not use the transcription.

#include "wormcast/experiments/reproduction/cang_wu/printed_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>

namespace wormcast::cang_wu {
namespace {

TEST(PrintedValues, EyeDistancesFollowTheRecursion)
{
  EXPECT_EQ(printed_eye_distances[0], 1);
  for (std::size_t i = 1; i < printed_eye_distances.size(); ++i) {
    EXPECT_EQ(printed_eye_distances[i] + printed_eye_distances[i - 1], std::int64_t{1} << i);
  }
}

TEST(PrintedValues, EyesAreMirrorImagesAtTheirDistance)
{
  for (std::size_t i = 0; i < printed_eye_coordinates.size(); ++i) {
    const auto [low, high] = printed_eye_coordinates[i];
    EXPECT_EQ(low + high, (std::int64_t{2} << i) - 1);
    EXPECT_EQ(high - low, printed_eye_distances[i]);
  }
}

TEST(PrintedValues, TcdsFromEyesFollowTheirRecursions)
{
  EXPECT_EQ(printed_eye_tcds_2d[0], 3);
  for (std::size_t i = 1; i < printed_eye_tcds_2d.size(); ++i) {
    EXPECT_EQ(printed_eye_tcds_2d[i], 3 * printed_eye_distances[i] + 4 * printed_eye_tcds_2d[i - 1]);
  }
  EXPECT_EQ(printed_eye_tcds_3d[0], 7);
  for (std::size_t i = 1; i < printed_eye_tcds_3d.size(); ++i) {
    EXPECT_EQ(printed_eye_tcds_3d[i], 7 * printed_eye_distances[i] + 8 * printed_eye_tcds_3d[i - 1]);
  }
}

// MD_k(0,0) = 5 * 2^(k-1) - 2 - 2 a_(k-1) + MD_(k-1)(0,0) + 3 MD_(k-1)(E_(k-1)), from MD_1(0,0) = 3 on.
TEST(PrintedValues, TcdsFromTheCornerFollowTheirRecursion)
{
  std::int64_t corner = 3;
  for (std::size_t i = 0; i < printed_corner_tcds.size(); ++i) {
    corner += 5 * (std::int64_t{2} << i) - 2 - 2 * printed_eye_distances[i] + 3 * printed_eye_tcds_2d[i];
    EXPECT_EQ(printed_corner_tcds[i], corner);
  }
}

TEST(PrintedValues, StepsFromTheCornerAddUpToTheTcds)
{
  const auto sum = [](const auto& steps) { return std::accumulate(steps.begin(), steps.end(), std::int64_t{0}); };
  EXPECT_EQ(sum(printed_corner_steps[0]), 3);
  EXPECT_EQ(sum(printed_corner_steps[1]), printed_corner_tcds[0]);
  EXPECT_EQ(sum(printed_corner_steps[2]), printed_corner_tcds[1]);
  EXPECT_EQ(printed_corner_steps[1][2], 4 * 3);
  EXPECT_EQ(printed_corner_steps[2][2], 18 + 3 * 15);
}

// Hops by hand, and 18, 16, 15 in a quadrant that is entered at a corner, a side, the middle.
TEST(PrintedValues, CornerExamplesAreSums)
{
  EXPECT_EQ(printed_corner_examples[0], 4 + (4 + 4) + 4 * 18);
  EXPECT_EQ(printed_corner_examples[1], 5 + (5 + 4) + 18 + 3 * 16);
  EXPECT_EQ(printed_corner_examples[2], 6 + (6 + 4) + 18 + 3 * 15);
}

TEST(PrintedValues, Figure5CountsOuterCoordinates)
{
  std::map<std::int64_t, int> count;
  const auto is_outer = [](std::size_t x) { return x == 0 || x == 3 ? 1 : 0; };
  for (std::size_t y = 0; y < 4; ++y) {
    for (std::size_t z = 0; z < 4; ++z) {
      for (std::size_t x = 0; x < 4; ++x) {
        const std::int64_t value = printed_figure_5[y][z][x];
        EXPECT_EQ(value, 63 + 3 * (is_outer(x) + is_outer(y) + is_outer(z))) << x << ' ' << y << ' ' << z;
        EXPECT_EQ(value, printed_figure_5[z][x][y]) << "axes changed";
        EXPECT_EQ(value, printed_figure_5[3 - y][z][x]) << "mirrored";
        ++count[value];
      }
    }
  }
  EXPECT_EQ(count, (std::map<std::int64_t, int>{{63, 8}, {66, 24}, {69, 24}, {72, 8}}));
}

} // namespace
} // namespace wormcast::cang_wu
