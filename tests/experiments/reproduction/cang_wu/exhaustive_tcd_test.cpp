#include "tests/algorithms/tcd/golden.hpp"
#include "wormcast/algorithms/tcd/closed_forms.hpp"
#include "wormcast/algorithms/tcd/recursive_halving_tcd.hpp"
#include "wormcast/experiments/reproduction/cang_wu/exhaustive_tcd.hpp"
#include "wormcast/experiments/reproduction/cang_wu/fixed_order_halving.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace wormcast {
namespace {

using Tcds = std::vector<std::int64_t>;

Tcds halving_tcds(const Grid& grid)
{
  const auto tcds = recursive_halving_tcds(grid);
  return {tcds.begin(), tcds.end()};
}

TEST(ExhaustiveTcd, IsTheGoldenMinimumOf4x4)
{
  const testing::GridTopology mesh("mesh", {4, 4});
  EXPECT_EQ(exhaustive_minimum_tcds(*mesh), testing::tcd_golden()["true_minimum"]["4x4"]["values"].get<Tcds>());
}

// 1 node: no message; 2: one; a ring of 4: three messages between neighbours; a torus: every node is an eye.
TEST(ExhaustiveTcd, OfSmallNetworks)
{
  EXPECT_EQ(exhaustive_minimum_tcds(*testing::GridTopology("mesh", {1})), (Tcds{0}));
  EXPECT_EQ(exhaustive_minimum_tcds(*testing::GridTopology("mesh", {2})), (Tcds{1, 1}));
  EXPECT_EQ(exhaustive_minimum_tcds(*testing::GridTopology("mesh", {4})), (Tcds{4, 3, 3, 4}));
  EXPECT_EQ(exhaustive_minimum_tcds(*testing::GridTopology("torus", {4})), (Tcds{3, 3, 3, 3}));
  EXPECT_EQ(exhaustive_minimum_tcds(*testing::GridTopology("torus", {4, 4})), Tcds(16, 15));
}

// Recursive halving is one way to broadcast, so it has no less; the optimum of a line is known.
TEST(ExhaustiveTcd, OfLinesIsAtMostThatOfRecursiveHalving)
{
  for (const std::int64_t size : {8, 16}) {
    const testing::GridTopology line("mesh", {size});
    const Tcds least = exhaustive_minimum_tcds(*line);
    const Tcds halving = halving_tcds(*line);
    for (std::size_t node = 0; node < least.size(); ++node) {
      EXPECT_LE(least[node], halving[node]) << node;
    }
    EXPECT_EQ(*std::ranges::min_element(least), optimal_tcd_line(size == 8 ? 3 : 4));
  }
}

TEST(ExhaustiveTcd, RefusesOtherSizes)
{
  EXPECT_THROW(exhaustive_minimum_tcds(*testing::GridTopology("mesh", {6})), std::logic_error);
  EXPECT_THROW(exhaustive_minimum_tcds(*testing::GridTopology("mesh", {4, 8})), std::logic_error);
}

// With one axis there is one order only.
TEST(FixedOrderHalving, OnALineIsRecursiveHalving)
{
  const std::vector<std::size_t> crossed = {0};
  for (unsigned k = 0; k <= 7; ++k) {
    EXPECT_EQ(fixed_order_halving_tcds(crossed, k),
              halving_tcds(*testing::GridTopology("mesh", {std::int64_t{1} << k})));
  }
}

// (1, 0) of 4 x 4: 17 where x is crossed first, 16 where y is.
TEST(FixedOrderHalving, DependsOnTheOrder)
{
  const std::vector<std::size_t> x_first = {0, 1};
  const std::vector<std::size_t> y_first = {1, 0};
  EXPECT_EQ(fixed_order_halving_tcds(x_first, 2)[1], 17);
  EXPECT_EQ(fixed_order_halving_tcds(y_first, 2)[1], 16);
  EXPECT_EQ(fixed_order_halving_tcds(x_first, 3), testing::tcd_golden()["matrices"]["8x8"]["paper_order"].get<Tcds>());
}

} // namespace
} // namespace wormcast
