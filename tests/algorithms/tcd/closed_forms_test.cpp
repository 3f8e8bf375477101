#include "tests/algorithms/tcd/golden.hpp"
#include "wormcast/algorithms/tcd/closed_forms.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>

namespace wormcast {
namespace {

TEST(TcdClosedForms, AreTheGoldenValues)
{
  const auto& forms = testing::tcd_golden()["closed_forms"];
  int compared = 0;
  for (const auto& [d, by_level] : forms["OD"].items()) {
    for (const auto& [k, od] : by_level.items()) {
      EXPECT_EQ(optimal_tcd(testing::number(d), testing::number(k)), od.get<std::int64_t>()) << d << " " << k;
      ++compared;
    }
  }
  for (const auto& [k, corner] : forms["corner_2d"].items()) {
    EXPECT_EQ(corner_tcd_2d(testing::number(k)), corner.get<std::int64_t>());
    ++compared;
  }
  EXPECT_EQ(compared, 4 * 8 + 8);
}

TEST(TcdClosedForms, FollowTheRecursions)
{
  for (unsigned d = 1; d <= 8; ++d) {
    EXPECT_EQ(optimal_tcd(d, 0), 0);
    EXPECT_EQ(optimal_tcd(d, 1), unit_mesh_tcd(d)); // 1998 (11), 2000 (14)
    for (unsigned k = 2; d * k <= 54; ++k) {
      EXPECT_EQ(optimal_tcd(d, k), next_optimal_tcd(d, k, optimal_tcd(d, k - 1))) << d << " " << k; // 1998 (12)
    }
  }
  EXPECT_EQ(unit_mesh_tcd(3), 7); // not 3, as 2000 (12) has it
  for (unsigned k = 1; k <= 27; ++k) {
    EXPECT_EQ(optimal_tcd_2d(k), optimal_tcd(2, k)); // 1998 (10)
  }
  for (unsigned k = 1; k <= 18; ++k) {
    EXPECT_EQ(optimal_tcd_3d(k), optimal_tcd(3, k)); // 1998 (14)
  }
  EXPECT_EQ(corner_tcd_2d(1), 3);
  for (unsigned k = 2; k <= 27; ++k) {
    EXPECT_EQ(corner_tcd_2d(k), next_corner_tcd_2d(k, corner_tcd_2d(k - 1), optimal_tcd_2d(k - 1))); // 1998 (8), (9)
  }
}

TEST(TcdClosedForms, SayWhatDoesNotFit)
{
  EXPECT_EQ(optimal_tcd(8, 7), next_optimal_tcd(8, 7, optimal_tcd(8, 6)));
  EXPECT_THROW(optimal_tcd(8, 8), std::overflow_error);
  EXPECT_THROW(corner_tcd_2d(32), std::overflow_error);
  EXPECT_THROW(optimal_tcd(0, 3), std::out_of_range);
}

// The papers' regions against the sum over the axes; 2000 crosses x, z, y, and its theorem 1 has nine cases.
TEST(TcdClosedForms, LevelExcessIsThePapersByRegion)
{
  for (unsigned k = 1; k <= 5; ++k) {
    const std::int64_t half = std::int64_t{1} << (k - 1);
    for (std::int64_t x = 0; x < half; ++x) {
      for (std::int64_t y = 0; y < half; ++y) {
        const std::int64_t u = eye_offset(x, k);
        const std::int64_t v = eye_offset(y, k);
        EXPECT_EQ(level_excess(std::array{u, v}, k), level_excess_2d(u, v, k));
        EXPECT_GE(level_excess_2d(u, v, k), 0); // 1998 (6)
        for (std::int64_t z = 0; z < half; ++z) {
          const std::int64_t w = eye_offset(z, k);
          const std::int64_t excess = level_excess(std::array{u, v, w}, k);
          EXPECT_EQ(excess, level_excess_3d(u, v, w, k));
          EXPECT_EQ(excess, theorem_1_excess(u, v, w, k));
          EXPECT_GE(excess, std::abs(u) + std::abs(v) + std::abs(w)); // 2000 (9), and only eyes have 0
        }
      }
    }
  }
}

RC_GTEST_PROP(TcdClosedForms, BestOrderHasTheLeastExcessOfAllOrders, ())
{
  const auto k = *rc::gen::inRange(2U, 7U);
  auto offsets = *rc::gen::container<std::vector<std::int64_t>>(
      *rc::gen::inRange(1, 6), rc::gen::map(rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << k),
                                            [k](std::int64_t position) { return eye_offset(position, k); }));
  std::vector<std::int64_t> best;
  const auto order = crossing_order(AxisOrder::best, offsets, k);
  for (const std::size_t axis : order.view()) {
    best.push_back(offsets[axis]);
  }
  std::ranges::sort(offsets);
  std::int64_t least = level_excess(offsets, k);
  while (std::ranges::next_permutation(offsets).found) {
    least = std::min(least, level_excess(offsets, k));
  }
  RC_ASSERT(level_excess(best, k) == least);
  RC_ASSERT(level_excess(best, k) <= naive_level_excess(offsets));
}

// 1998 (4): D_k(S) = f_k + 3 a_k + D_(k-1)(S) + 3 D_(k-1)(E_(k-1)), where S goes on in its submesh.
TEST(TcdClosedForms, SourceTcdFollowsLemma1)
{
  for (unsigned k = 2; k <= 6; ++k) {
    const std::int64_t side = std::int64_t{1} << k;
    for (std::int64_t x = 0; x < side; ++x) {
      for (std::int64_t y = 0; y < side; ++y) {
        const std::int64_t excess = level_excess_2d(eye_offset(x, k), eye_offset(y, k), k);
        const std::int64_t within = source_tcd(std::array{x % (side / 2), y % (side / 2)}, k - 1, AxisOrder::paper);
        EXPECT_EQ(source_tcd(std::array{x, y}, k, AxisOrder::paper),
                  excess + 3 * eye_distance(k) + within + 3 * optimal_tcd_2d(k - 1));
      }
    }
  }
}

TEST(TcdClosedForms, CornersAreEquationNine)
{
  for (unsigned k = 1; k <= 12; ++k) {
    const std::int64_t last = (std::int64_t{1} << k) - 1;
    for (const AxisOrder order : {AxisOrder::paper, AxisOrder::best}) {
      EXPECT_EQ(source_tcd(std::array{last, std::int64_t{0}}, k, order), corner_tcd_2d(k));
    }
  }
}

// 1998, appendix: FD and SD, for a source in the upper left submesh and any three nodes in the others.
RC_GTEST_PROP(TcdClosedForms, FirstTwoStepsAreThoseOfTheAppendix, ())
{
  const auto k = *rc::gen::inRange(1U, 8U);
  const std::int64_t half = std::int64_t{1} << (k - 1);
  struct Node {
    std::int64_t x = 0;
    std::int64_t y = 0;
  };
  const auto node = [half](bool right, bool low) {
    return Node{*rc::gen::inRange<std::int64_t>(0, half) + (right ? half : 0),
                *rc::gen::inRange<std::int64_t>(0, half) + (low ? half : 0)};
  };
  const Node s = node(false, false);
  const Node n2 = node(true, false);
  const Node n3 = node(false, true);
  const Node n4 = node(true, true);
  const auto [low, high] = eye_coordinates(k);
  const EyeOffsets2d source = {low - s.x, low - s.y};
  const EyeOffsets2d second = {n2.y - low, high - n2.x};
  const EyeOffsets2d third = {high - n3.y, n3.x - low};
  const EyeOffsets2d fourth = {high - n4.x, high - n4.y};
  const auto hops = [](Node from, Node to) { return std::abs(from.x - to.x) + std::abs(from.y - to.y); };
  RC_ASSERT(two_step_distance(source, second, third, fourth, k) == hops(s, n2) + hops(s, n3) + hops(n2, n4));
}

} // namespace
} // namespace wormcast
