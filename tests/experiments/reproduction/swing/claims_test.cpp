// What the claims of Swing are proved with: sums over the steps, against an independent count of loads and hops
// (tests/golden/torus-all-reduce.json).

#include "wormcast/experiments/reproduction/swing/cases.hpp"

#include <gtest/gtest.h>

namespace wormcast::swing {
namespace {

TEST(SwingSums, AreTheLoadsOfTheLinksInUnitsOfTheVectorOverTheDimensions)
{
  EXPECT_EQ(swing_load({8}), Fraction(9, 8));
  EXPECT_EQ(swing_load({16}), Fraction(23, 16));
  EXPECT_EQ(swing_load({4, 4}), Fraction(15, 16));
  EXPECT_EQ(swing_load({8, 8}), Fraction(69, 64));
  EXPECT_EQ(swing_load({16, 16}), Fraction(291, 256));
  EXPECT_EQ(swing_load({64, 64}), Fraction(4851, 4096));
  EXPECT_EQ(swing_load({4, 8}), Fraction(9, 8));
  EXPECT_EQ(swing_load({4, 16}), Fraction(41, 32));
}

TEST(SwingSums, HaveTheHopsOfTheLongestWays)
{
  EXPECT_EQ(swing_hops({8, 8}), 10);
  EXPECT_EQ(swing_hops({4, 8}), 7);
  EXPECT_EQ(swing_hops({4, 16}), 12);
  EXPECT_EQ(swing_hops({64, 64}), 84);
}

TEST(SwingSums, LoadBucketMoreOnRectangles)
{
  EXPECT_EQ(bucket_load({8, 8}), Fraction(63, 64));
  EXPECT_EQ(bucket_load({4, 8}), Fraction(35, 32));
  EXPECT_EQ(bucket_steps({4, 8}), 28);
}

TEST(SwingPattern, PairsTheNodesOfARing)
{
  EXPECT_EQ(peer(0, 0, 16), 1);
  EXPECT_EQ(peer(0, 1, 16), 15);
  EXPECT_EQ(peer(0, 2, 16), 3);
  EXPECT_EQ(peer(3, 2, 16), 0);
}

} // namespace
} // namespace wormcast::swing
