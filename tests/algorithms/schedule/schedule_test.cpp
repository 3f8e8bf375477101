// Block sets, how a message is cut into blocks, and the order of steps.

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/values/input_error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace wormcast {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

BlockSetId intern(BlockSets& sets, std::vector<BlockRange> ranges)
{
  return sets.intern(ranges);
}

TEST(BlockSets, EqualSetsAreOneHoweverTheyAreGiven)
{
  BlockSets sets;
  const BlockSetId id = intern(sets, {{0, 4}, {6, 8}});
  EXPECT_EQ(intern(sets, {{6, 8}, {0, 4}}), id);
  EXPECT_EQ(intern(sets, {{2, 4}, {7, 8}, {0, 2}, {6, 7}}), id);
  EXPECT_NE(intern(sets, {{0, 4}, {6, 9}}), id);
  EXPECT_EQ(sets.count(), 2U);
  EXPECT_EQ(sets.size(id), 6U);
  EXPECT_THAT(sets.ranges(id), ElementsAre(BlockRange{0, 4}, BlockRange{6, 8}));
}

TEST(BlockSets, EmptyRangesAndDoubleBlocksAreErrors)
{
  BlockSets sets;
  EXPECT_THAT([&] { sets.intern({3, 3}); }, ThrowsMessage<InputError>(HasSubstr("the block range [3, 3) is empty")));
  EXPECT_THAT([&] { sets.intern({4, 3}); }, ThrowsMessage<InputError>(HasSubstr("[4, 3) is empty")));
  EXPECT_THAT([&] { intern(sets, {{0, 4}, {5, 9}, {3, 5}}); },
              ThrowsMessage<InputError>(HasSubstr("block 3 is in two ranges")));
  EXPECT_EQ(sets.count(), 0U);
}

RC_GTEST_PROP(BlockSets, HoldExactlyTheGivenBlocks, ())
{
  BlockSets sets;
  std::vector<BlockSetId> ids;
  std::vector<std::vector<bool>> wanted;
  for (int set = 0; set < 20; ++set) {
    const auto members = *rc::gen::container<std::vector<bool>>(6, rc::gen::arbitrary<bool>());
    std::vector<BlockRange> ranges;
    for (std::uint32_t block = 0; block < members.size(); ++block) {
      if (members[block]) {
        ranges.push_back({block, block + 1});
      }
    }
    if (ranges.empty()) {
      continue;
    }
    std::ranges::reverse(ranges);
    ids.push_back(sets.intern(ranges));
    wanted.push_back(members);
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::vector<bool> found(6, false);
    std::uint32_t last_end = 0;
    for (const BlockRange range : sets.ranges(ids[i])) {
      RC_ASSERT(range.begin < range.end);
      RC_ASSERT(range.begin > last_end || (range.begin == 0 && last_end == 0)); // apart from the one before
      last_end = range.end;
      std::fill(found.begin() + range.begin, found.begin() + range.end, true);
    }
    RC_ASSERT(found == wanted[i]);
    for (std::size_t j = 0; j < i; ++j) {
      RC_ASSERT((ids[i] == ids[j]) == (wanted[i] == wanted[j]));
    }
  }
}

RC_GTEST_PROP(BlockBytes, BlocksPartitionTheMessage, ())
{
  Schedule schedule;
  schedule.blocks = *rc::gen::inRange<std::uint64_t>(1, 200);
  schedule.message_bytes = *rc::gen::element<std::uint64_t>(1, 7, 1000, (std::uint64_t{1} << 62) - 3);
  std::uint64_t sum = 0;
  for (std::uint32_t block = 0; block < schedule.blocks; ++block) {
    const std::uint64_t bytes = block_bytes(schedule, {block, block + 1});
    const std::uint64_t even = schedule.message_bytes / schedule.blocks;
    RC_ASSERT(bytes == even || bytes == even + 1);
    sum += bytes;
    RC_ASSERT(block_bytes(schedule, {0, block + 1}) == sum);
  }
  RC_ASSERT(sum == schedule.message_bytes);
}

// i * L passes 2^64 here: block 2^31 of 2^32 - 1 of a message of 2^62 bytes begins at floor(2^93 / (2^32 - 1)).
TEST(BlockBytes, AreExactWhereProductsPassSixtyFourBits)
{
  Schedule schedule;
  schedule.blocks = (std::uint64_t{1} << 32) - 1;
  schedule.message_bytes = std::uint64_t{1} << 62;
  EXPECT_EQ(block_bytes(schedule, {0, std::uint32_t{1} << 31}), 2305843009750564864U);
}

TEST(BlockBytes, EachBlockHasTheWholeLengthWhereEveryNodeHasAMessage)
{
  Schedule schedule;
  schedule.operation = Operation::scatter;
  schedule.blocks = 4;
  schedule.message_bytes = 100;
  schedule.block_sets.intern({1, 4});
  EXPECT_THAT(block_set_bytes(schedule), ElementsAre(300U));
  schedule.message_bytes = std::uint64_t{1} << 61;
  EXPECT_THAT([&] { block_set_bytes(schedule); }, ThrowsMessage<InputError>(HasSubstr("larger than 2^62 bytes")));
}

TEST(StepOrder, IsByStepThenId)
{
  Schedule schedule;
  for (const std::uint32_t step : {3U, 0U, 3U, 1U}) {
    schedule.messages.push_back({.step = step, .source = NodeId{0}, .destination = NodeId{1}, .blocks = {}});
  }
  EXPECT_EQ(step_count(schedule), 4U);
  const StepOrder steps = order_by_step(schedule);
  EXPECT_THAT(steps.order, ElementsAre(MessageId{1}, MessageId{3}, MessageId{0}, MessageId{2}));
  EXPECT_THAT(steps.offsets, ElementsAre(0U, 1U, 2U, 2U, 4U));
  EXPECT_EQ(step_count(Schedule{}), 0U);
  EXPECT_THAT(order_by_step(Schedule{}).offsets, ElementsAre(0U));
}

} // namespace
} // namespace wormcast
