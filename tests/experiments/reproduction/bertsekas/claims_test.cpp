// What the claims of Bertsekas et al. are proved with, on cases small enough to be seen through.

#include "wormcast/experiments/reproduction/bertsekas/orders.hpp"
#include "wormcast/experiments/reproduction/bertsekas/phases.hpp"
#include "wormcast/experiments/reproduction/bertsekas/printed_tables.hpp"
#include "wormcast/experiments/reproduction/bertsekas/trees.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace wormcast::bertsekas {
namespace {

using ::testing::ElementsAre;

std::vector<Order> orders(std::uint32_t dimension, const OrderRules& rules)
{
  std::vector<Order> all;
  for_each_order(dimension, rules, [&](const Order& order) { all.push_back(order); });
  return all;
}

TEST(BertsekasOrders, AreCountedByTheChoicesOfTheirClasses)
{
  // Two ids of R_22 and three of R_32 may be the first for d = 5; the classes of d = 6 can be exchanged, too.
  const std::vector<std::size_t> expected = {1, 1, 1, 6, 3456};
  for (std::uint32_t d = 2; d <= 6; ++d) {
    EXPECT_EQ(orders(d, {}).size(), expected[d - 2]) << "d = " << d;
  }
}

TEST(BertsekasOrders, TellWhereAnIdHangsInItsOwnSet)
{
  // 1111 without bit 3 is 1011, the last of this R_31, and both are in E_4.
  const std::vector<std::uint32_t> third_class = {0b0111, 0b1110, 0b1101, 0b1011};
  const std::vector<Order> all = orders(4, {.zero_below = false});
  const auto found = std::ranges::find_if(all, [&](const Order& order) {
    return std::equal(third_class.begin(), third_class.end(), order.ids.begin() + 10);
  });
  ASSERT_NE(found, all.end());
  EXPECT_EQ(found->broken_at, 0b1111U);
  const auto cube = make_cube(4);
  const CheckReport report =
      check_schedule(*cube, schedule_of_hops(multinode_hops(found->ids, 4), Operation::multinode_broadcast, *cube));
  EXPECT_FALSE(report.possession);
  EXPECT_TRUE(report.contention_free);
}

TEST(BertsekasOrders, AtRandomAreAmongAll)
{
  const std::vector<Order> all = orders(5, {});
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const Order order = random_order(5, {}, random);
    EXPECT_TRUE(std::ranges::any_of(all, [&](const Order& one) { return one.ids == order.ids; }));
  }
}

TEST(BertsekasTrees, AChainIsSentDownOnePacketAStep)
{
  const Tree chain = {0, 0, 3, 1}; // 0 > 1 > 3 > 2
  ASSERT_TRUE(is_spanning_tree(chain));
  EXPECT_THAT(subtree_sizes(chain, 2), ElementsAre(3, 0));
  std::vector<Hop> hops = scatter_hops(chain);
  std::ranges::sort(hops);
  EXPECT_THAT(hops, ElementsAre(Hop{1, 0, 1, 2}, Hop{2, 0, 1, 3}, Hop{2, 1, 3, 2}, Hop{3, 0, 1, 1}, Hop{3, 1, 3, 3},
                                Hop{3, 3, 2, 2}));
}

// The smallest rotation of 0101 is itself, whose parent lacks its highest one; 1111 hangs below 0111.
TEST(BertsekasTrees, RotationsMakeTheTreeOfJohnssonAndHo)
{
  const Tree tree = rotation_tree(4);
  EXPECT_EQ(tree[0b0101], 0b0001U);
  EXPECT_EQ(tree[0b1010], 0b0010U);
  EXPECT_EQ(tree[0b1111], 0b0111U);
  EXPECT_THAT(subtree_sizes(tree, 4), ElementsAre(5, 4, 3, 3));
}

TEST(BertsekasTrees, CirclesAndLongLinksAreNone)
{
  EXPECT_FALSE(is_spanning_tree({0, 3, 3, 1}));
  EXPECT_FALSE(is_spanning_tree({0, 0, 0, 0}));
}

// Packets are origin * 4 + destination.
TEST(BertsekasPhases, OfTheSquareTakeTwoSteps)
{
  std::vector<Hop> from_zero = exchange_in_phases(2);
  std::erase_if(from_zero, [](const Hop& hop) { return hop.from != 0; });
  EXPECT_THAT(from_zero, ElementsAre(Hop{1, 0, 1, 1}, Hop{1, 0, 2, 3}, Hop{2, 0, 1, 9}, Hop{2, 0, 2, 2}));
  EXPECT_THAT(own_packets_sent(from_zero, 2, 0), ElementsAre(2, 3));
}

TEST(BertsekasPhases, WaitForThePhaseBeforeIfAskedTo)
{
  const std::vector<Hop> hops = exchange_in_phases(3, {.overlap = false});
  EXPECT_EQ(hops.back().step, 7U);
}

TEST(BertsekasPhases, StartOneUnitBeforeTheEndOfTheOneBeforeIfAskedTo)
{
  EXPECT_EQ(exchange_in_phases(3, {.overlap = false, .earlier = 1}).back().step, 5U);
}

// Fig. 6 is transcribed link by link, in binary as it is printed; here once more, time by time, in decimal.
TEST(BertsekasPrintedTables, HaveTheRowsOfTheFigure)
{
  const std::vector<std::vector<std::uint32_t>> rows = {{1, 3, 5, 9}, {2, 7, 11}, {6, 13}, {4, 10},
                                                        {15},         {14},       {12},    {8}};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::vector<std::uint32_t> entries;
    for (const std::vector<std::uint32_t>& column : figure_6_columns()) {
      if (row < column.size()) {
        entries.push_back(column[row]);
      }
    }
    EXPECT_EQ(entries, rows[row]) << "time " << row + 1;
  }
}

TEST(BertsekasPrintedTables, HaveEveryIdOnceInTheColumnOfItsHighestBit)
{
  ASSERT_EQ(figure_6_columns().size(), 4U);
  for (std::uint32_t k = 0; k < 4; ++k) {
    std::vector<std::uint32_t> column = figure_6_columns()[k];
    EXPECT_EQ(column.back(), 1U << k);
    std::ranges::sort(column);
    ASSERT_EQ(column.size(), std::size_t{1} << k);
    for (std::uint32_t i = 0; i < column.size(); ++i) {
      EXPECT_EQ(column[i], (1U << k) + i);
    }
  }
}

} // namespace
} // namespace wormcast::bertsekas
