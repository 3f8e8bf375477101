// The n-block broadcast on the circulant graph: its schedules by their defining conditions, and proved by the verifier.

#include "tests/algorithms/grids.hpp"
#include "tests/algorithms/rank_order/broadcasts.hpp"
#include "wormcast/algorithms/rank_order/circulant_schedule.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>

namespace wormcast {
namespace {

using testing::CompleteNetwork;
using testing::schedule_of;
using testing::Sent;
using testing::sent;

TEST(CirculantSchedule, SkipsHalveRoundedUp)
{
  EXPECT_EQ(circulant_skips(1), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(circulant_skips(2), (std::vector<std::uint32_t>{1, 2}));
  EXPECT_EQ(circulant_skips(9), (std::vector<std::uint32_t>{1, 2, 3, 5, 9}));
  EXPECT_EQ(circulant_skips(16), (std::vector<std::uint32_t>{1, 2, 4, 8, 16}));
  EXPECT_EQ(circulant_skips(20), (std::vector<std::uint32_t>{1, 2, 3, 5, 10, 20}));
}

TEST(CirculantSchedule, BaseBlockIsTheLastOfTheGreedySkips)
{
  const std::vector<std::uint32_t> skips = circulant_skips(9);
  std::vector<unsigned> blocks; // 1, 2, 3, 3+1, 5, 5+1, 5+2, 5+3
  for (std::uint32_t rank = 1; rank < 9; ++rank) {
    blocks.push_back(base_block(skips, rank));
  }
  EXPECT_EQ(blocks, (std::vector<unsigned>{0, 1, 2, 0, 3, 0, 1, 2}));
}

// With p = 4 the conditions leave no choice: rank 1 gets block 0 in round 0 and rank 2 block 1 in round 1 from rank 0,
// so each gets its old block in the other round; rank 2 can send rank 3 only -1 in round 0.
TEST(CirculantSchedule, OfFourRanks)
{
  const std::vector<std::uint32_t> skips = circulant_skips(4);
  EXPECT_EQ(receive_schedule(skips, 1), (std::vector<std::int32_t>{0, -1}));
  EXPECT_EQ(receive_schedule(skips, 2), (std::vector<std::int32_t>{-2, 1}));
  EXPECT_EQ(receive_schedule(skips, 3), (std::vector<std::int32_t>{-1, 0}));
}

TEST(RoundOptimal, OfFourNodesAndTwoBlocks)
{
  EXPECT_EQ(sent(schedule_of("round_optimal", CompleteNetwork(4), NodeId{0}, 2, {{"segments", std::int64_t{2}}})),
            (std::vector<Sent>{
                {0, 0, 2, 0, 1}, {1, 0, 1, 1, 2}, {1, 2, 3, 0, 1}, {2, 0, 2, 1, 2}, {2, 1, 3, 1, 2}, {2, 3, 1, 0, 1}}));
}

// The three conditions of receive_schedule for all ranks of `ranks`.
void expect_conditions(std::uint32_t ranks)
{
  SCOPED_TRACE(ranks);
  const std::vector<std::uint32_t> skips = circulant_skips(ranks);
  const auto q = static_cast<std::int32_t>(skips.size()) - 1;
  ASSERT_EQ(q, std::bit_width(ranks - 1));
  std::vector<std::vector<std::int32_t>> received(ranks);
  for (std::uint32_t rank = 1; rank < ranks; ++rank) {
    received[rank] = receive_schedule(skips, rank);
    const auto own = static_cast<std::int32_t>(base_block(skips, rank));
    std::vector<std::int32_t> sorted = received[rank];
    std::ranges::sort(sorted);
    std::vector<std::int32_t> expected(static_cast<std::size_t>(q));
    std::iota(expected.begin(), expected.end(), -q);
    expected.erase(expected.begin() + own);
    expected.push_back(own);
    ASSERT_EQ(sorted, expected) << "rank " << rank;
  }
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    for (std::int32_t k = 0; k < q; ++k) {
      const std::uint32_t to = (rank + skips[static_cast<std::size_t>(k)]) % ranks;
      if (to == 0) {
        continue;
      }
      const std::int32_t block = received[to][static_cast<std::size_t>(k)];
      if (rank == 0) {
        ASSERT_EQ(block, k);
      } else {
        const auto before = std::find(received[rank].begin(), received[rank].begin() + k, block);
        ASSERT_TRUE(before != received[rank].begin() + k ||
                    block == static_cast<std::int32_t>(base_block(skips, rank)) - q)
            << "rank " << rank << ", round " << k;
      }
    }
  }
}

TEST(CirculantSchedule, MeetsItsConditionsForAllSizesUpTo600)
{
  for (std::uint32_t ranks = 2; ranks <= 600; ++ranks) {
    expect_conditions(ranks);
  }
}

TEST(CirculantSchedule, MeetsItsConditionsForLargeSizes)
{
  for (const std::uint32_t ranks : {1023U, 1024U, 1025U, 1536U, 2731U, 4095U, 4096U, 4097U, 10000U, 65537U}) {
    expect_conditions(ranks);
  }
}

class RoundOptimalUpTo300 : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(RoundOptimalUpTo300, IsProvedInTheFewestRounds)
{
  const std::int64_t blocks = GetParam();
  for (std::uint32_t nodes = 1; nodes <= 300; ++nodes) {
    SCOPED_TRACE(nodes);
    const CompleteNetwork network(nodes);
    const Schedule schedule = schedule_of("round_optimal", network, NodeId{nodes / 2},
                                          static_cast<std::uint64_t>(blocks), {{"segments", blocks}});
    const CheckReport report = check_schedule(network, schedule);
    ASSERT_TRUE(report.valid());
    ASSERT_TRUE(report.contention_free);
    ASSERT_EQ(schedule.messages.size(), static_cast<std::uint64_t>(blocks) * (nodes - 1));
    if (nodes > 1) {
      const auto rounds = static_cast<std::uint64_t>(blocks - 1 + std::bit_width(nodes - 1));
      ASSERT_EQ(step_count(schedule), rounds);
      ASSERT_EQ(report.costs.alpha, rounds);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Blocks, RoundOptimalUpTo300, ::testing::Values(1, 2, 3, 4, 7, 8, 9, 16, 25),
                         [](const auto& instance) { return std::to_string(instance.param); });

} // namespace
} // namespace wormcast
