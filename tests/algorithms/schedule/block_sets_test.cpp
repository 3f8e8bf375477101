// Sets of blocks that are kept as ranges and those that are kept as bits.

#include "wormcast/algorithms/schedule/block_sets.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace wormcast {
namespace {

using Blocks = std::set<std::uint32_t>;

Blocks any_blocks()
{
  const auto begin = *rc::gen::inRange<std::uint32_t>(0, 300);
  const auto longest = *rc::gen::element<std::uint32_t>(1, 10, 300);
  const auto every = *rc::gen::element<std::uint32_t>(1, 2, 3, 64);
  Blocks blocks{begin};
  for (std::uint32_t block = begin; block < begin + longest; block += every) {
    blocks.insert(block);
  }
  return blocks;
}

std::vector<BlockRange> single_blocks(const Blocks& blocks)
{
  std::vector<BlockRange> ranges;
  for (const std::uint32_t block : blocks) {
    ranges.push_back({block, block + 1});
  }
  return ranges;
}

Blocks blocks_of(const BlockSets& sets, BlockSetId id)
{
  Blocks blocks;
  for (const BlockRange range : sets.ranges(id)) {
    for (std::uint32_t block = range.begin; block < range.end; ++block) {
      blocks.insert(block);
    }
  }
  return blocks;
}

RC_GTEST_PROP(BlockSets, RangesAreThoseGivenHoweverTheyAreKept, ())
{
  const Blocks blocks = any_blocks();
  BlockSets sets;
  const BlockSetId id = sets.intern(single_blocks(blocks));
  RC_CLASSIFY(!sets.bits(id).words.empty(), "as bits");
  RC_ASSERT(blocks_of(sets, id) == blocks);
  RC_ASSERT(sets.size(id) == blocks.size());
  RC_ASSERT(sets.end(id) == *blocks.rbegin() + 1);
  const BlockRanges ranges = sets.ranges(id);
  RC_ASSERT(sets.range_count(id) == ranges.size());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    RC_ASSERT(ranges[i - 1].end < ranges[i].begin);
  }
  RC_ASSERT(sets.intern(std::span(ranges.data(), ranges.size())) == id);
  for (std::size_t word = 0; word < sets.bits(id).words.size(); ++word) {
    for (std::uint32_t bit = 0; bit < 64; ++bit) {
      const auto block = static_cast<std::uint32_t>(sets.bits(id).first_word + word) * 64 + bit;
      RC_ASSERT((sets.bits(id).words[word] >> bit & 1) == (blocks.contains(block) ? 1U : 0U));
    }
  }
}

RC_GTEST_PROP(BlockSets, UnionIsTheSetOfAllBlocks, ())
{
  BlockSets sets;
  std::vector<BlockSetId> parts;
  Blocks all;
  const int count = *rc::gen::inRange(1, 5);
  for (int i = 0; i < count; ++i) {
    const Blocks blocks = any_blocks();
    parts.push_back(sets.intern(single_blocks(blocks)));
    all.insert(blocks.begin(), blocks.end());
  }
  const BlockSetId united = sets.unite(parts);
  RC_ASSERT(blocks_of(sets, united) == all);
  RC_ASSERT(sets.size(united) == all.size());
  RC_ASSERT(sets.intern(single_blocks(all)) == united);
}

RC_GTEST_PROP(BlockSets, EqualSetsAndOnlyTheseHaveOneId, ())
{
  BlockSets sets;
  std::map<Blocks, BlockSetId> ids;
  const int count = *rc::gen::inRange(1, 200);
  for (int i = 0; i < count; ++i) {
    const Blocks blocks = any_blocks();
    const BlockSetId id = sets.intern(single_blocks(blocks));
    RC_ASSERT(ids.try_emplace(blocks, id).first->second == id);
  }
  RC_ASSERT(sets.count() == ids.size());
}

// Many sets with the same beginning, of the same length, and next to each other.
TEST(BlockSets, FindsEachOfManySets)
{
  constexpr std::uint32_t places = 3000;
  constexpr std::uint32_t longest = 20;
  BlockSets sets;
  for (int time = 0; time < 2; ++time) {
    std::uint32_t next = 0;
    for (std::uint32_t length = 1; length <= longest; ++length) {
      for (std::uint32_t begin = 0; begin < places; ++begin) {
        ASSERT_EQ(static_cast<std::uint32_t>(sets.intern({begin, begin + length})), next++);
      }
    }
    EXPECT_EQ(sets.count(), places * longest);
  }
}

TEST(BlockSets, ManyRangesTakeOneBitABlock)
{
  BlockSets sets;
  std::vector<BlockRange> every_second;
  for (std::uint32_t block = 64; block < 192; block += 2) {
    every_second.push_back({block, block + 1});
  }
  const BlockSetId id = sets.intern(every_second);
  EXPECT_EQ(sets.bits(id).first_word, 1U);
  EXPECT_EQ(sets.bits(id).words.size(), 2U);
  EXPECT_TRUE(sets.bits(sets.intern({0, 1000})).words.empty());
}

} // namespace
} // namespace wormcast
