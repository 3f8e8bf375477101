#include "wormcast/algorithms/schedule/block_sets.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace wormcast {

namespace {

constexpr std::uint32_t word_bits = 64;

// FNV-1a, a word at a time.
class Hash {
public:
  void add(std::uint64_t word)
  {
    value_ = (value_ ^ word) * 0x100000001b3ULL;
    value_ ^= value_ >> 29;
  }
  std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 0xcbf29ce484222325ULL;
};

// Sorted, neighbours joined.
std::vector<BlockRange> normalised(std::span<const BlockRange> ranges)
{
  std::vector<BlockRange> sorted(ranges.begin(), ranges.end());
  std::ranges::sort(sorted, {}, &BlockRange::begin);
  std::size_t kept = 0;
  for (const BlockRange range : sorted) {
    if (range.begin >= range.end) {
      throw InputError(fmt::format("the block range [{}, {}) is empty", range.begin, range.end));
    }
    if (kept > 0 && range.begin < sorted[kept - 1].end) {
      throw InputError(fmt::format("block {} is in two ranges of one message", range.begin));
    }
    if (kept > 0 && range.begin == sorted[kept - 1].end) {
      sorted[kept - 1].end = range.end;
    } else {
      sorted[kept++] = range;
    }
  }
  sorted.resize(kept);
  return sorted;
}

// Adds the blocks of a range to bits whose first word is `first_word`.
void set_bits(std::span<std::uint64_t> words, std::uint32_t first_word, BlockRange range)
{
  for_each_word(range, [&](std::uint32_t word, std::uint64_t mask) {
    words[word - first_word] |= mask;
    return true;
  });
}

// The runs of ones.
std::vector<BlockRange> ranges_of(BlockBits bits)
{
  std::vector<BlockRange> ranges;
  for (std::size_t word = 0; word < bits.words.size(); ++word) {
    append_blocks(bits.first_word + static_cast<std::uint32_t>(word), bits.words[word], ranges);
  }
  return ranges;
}

std::size_t count_ranges(std::span<const std::uint64_t> words)
{
  std::size_t count = 0;
  std::uint64_t before = 0; // the last bit of the word before
  for (const std::uint64_t word : words) {
    count += static_cast<std::size_t>(std::popcount(word & ~(word << 1 | before)));
    before = word >> (word_bits - 1);
  }
  return count;
}

// Words that a set's bits take, from the word of its first block to that of its last one.
std::size_t word_count(std::span<const BlockRange> normal)
{
  return (normal.back().end - 1) / word_bits - normal.front().begin / word_bits + 1;
}

} // namespace

void append_blocks(std::uint32_t word, std::uint64_t bits, std::vector<BlockRange>& ranges)
{
  std::uint32_t begin = word * word_bits;
  while (bits != 0) {
    const int zeros = std::countr_zero(bits);
    const int ones = std::countr_one(bits >> zeros);
    const BlockRange run{begin + static_cast<std::uint32_t>(zeros), begin + static_cast<std::uint32_t>(zeros + ones)};
    if (!ranges.empty() && ranges.back().end == run.begin) {
      ranges.back().end = run.end;
    } else {
      ranges.push_back(run);
    }
    begin = run.end;
    bits = zeros + ones == word_bits ? 0 : bits >> (zeros + ones);
  }
}

void BlockSets::Index::add(std::uint64_t hash, BlockSetId id)
{
  constexpr std::size_t first_slots = 16;
  if (2 * (taken_ + 1) > slots_.size()) {
    const std::size_t slots = std::max(first_slots, 2 * slots_.size());
    const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots));
    for (const Slot slot : before) {
      if (slot.id != free) {
        put(slot);
      }
    }
  }
  ++taken_;
  put({static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(id)});
}

void BlockSets::Index::put(Slot slot)
{
  std::size_t at = slot.hash & mask();
  while (slots_[at].id != free) {
    at = (at + 1) & mask();
  }
  slots_[at] = slot;
}

BlockSetId BlockSets::intern(std::span<const BlockRange> given)
{
  constexpr std::uint64_t steps_of_look_up = 8;
  steps_.add(steps_of_look_up + given.size());
  const auto in_order = [](BlockRange a, BlockRange b) { return a.begin >= a.end || a.end >= b.begin; };
  const bool normal = std::ranges::adjacent_find(given, in_order) == given.end() && !given.empty() &&
                      given.back().begin < given.back().end;
  std::vector<BlockRange> sorted;
  std::span<const BlockRange> set = given;
  if (!normal) {
    sorted = normalised(given);
    set = sorted;
  }
  if (set.empty() || set.size() <= word_count(set)) {
    return keep_ranges(set);
  }
  const std::uint32_t first_word = set.front().begin / word_bits;
  std::vector<std::uint64_t> words(word_count(set));
  for (const BlockRange range : set) {
    set_bits(words, first_word, range);
  }
  return keep_bits({first_word, words});
}

BlockSetId BlockSets::unite(std::span<const BlockSetId> sets)
{
  if (std::ranges::count(sets, sets.front()) == std::ranges::ssize(sets)) {
    return sets.front();
  }
  steps_.add(sets.size());
  std::vector<std::uint64_t> words;
  std::uint32_t first_word = 0;
  // Makes room for the words first .. end-1.
  const auto reach = [&](std::uint32_t first, std::size_t end) {
    if (words.empty()) {
      first_word = first;
    }
    if (first < first_word) {
      words.insert(words.begin(), first_word - first, 0);
      first_word = first;
    }
    words.resize(std::max(words.size(), end - first_word));
  };
  for (const BlockSetId id : sets) {
    const Kept& kept = kept_[static_cast<std::uint32_t>(id)];
    steps_.add(kept.count);
    if (kept.as_bits) {
      const BlockBits bits = kept_bits(kept);
      reach(bits.first_word, bits.first_word + bits.words.size());
      for (std::size_t word = 0; word < bits.words.size(); ++word) {
        words[bits.first_word - first_word + word] |= bits.words[word];
      }
      continue;
    }
    for (const BlockRange range : kept_ranges(kept)) {
      reach(range.begin / word_bits, (range.end - 1) / word_bits + 1);
      set_bits(words, first_word, range);
    }
  }
  const BlockBits bits{first_word, words};
  return count_ranges(words) > words.size() ? keep_bits(bits) : keep_ranges(ranges_of(bits));
}

BlockSetId BlockSets::keep_ranges(std::span<const BlockRange> normal)
{
  // Sets of the same shape that begin in the same eight blocks lie together in the index: all-to-alls send them one
  // soon after the other.
  constexpr std::uint32_t together = 8;
  const std::uint32_t first = normal.empty() ? 0 : normal.front().begin;
  Hash shape;
  shape.add(first / together);
  std::uint64_t blocks = 0;
  for (const BlockRange range : normal) {
    shape.add((std::uint64_t{range.begin - first} << 32) | (range.end - first));
    blocks += range.end - range.begin;
  }
  const std::uint64_t hash = shape.value() * together + first % together;
  const auto same = [&](BlockSetId candidate) {
    const Kept& kept = kept_[static_cast<std::uint32_t>(candidate)];
    return !kept.as_bits && std::ranges::equal(kept_ranges(kept), normal);
  };
  if (const std::optional<BlockSetId> known = by_hash_.find(hash, same)) {
    return *known;
  }
  const BlockSetId id{count()};
  kept_.push_back({blocks, ranges_.size(), static_cast<std::uint32_t>(normal.size()), 0, false});
  ranges_.insert(ranges_.end(), normal.begin(), normal.end());
  by_hash_.add(hash, id);
  return id;
}

BlockSetId BlockSets::keep_bits(BlockBits bits)
{
  Hash hash;
  std::uint64_t blocks = 0;
  hash.add(bits.first_word);
  for (const std::uint64_t word : bits.words) {
    hash.add(word);
    blocks += static_cast<std::uint64_t>(std::popcount(word));
  }
  const auto same = [&](BlockSetId candidate) {
    const Kept& kept = kept_[static_cast<std::uint32_t>(candidate)];
    return kept.as_bits && kept.first_word == bits.first_word && std::ranges::equal(kept_bits(kept).words, bits.words);
  };
  if (const std::optional<BlockSetId> known = by_hash_.find(hash.value(), same)) {
    return *known;
  }
  const BlockSetId id{count()};
  kept_.push_back({blocks, words_.size(), static_cast<std::uint32_t>(bits.words.size()), bits.first_word, true});
  words_.insert(words_.end(), bits.words.begin(), bits.words.end());
  by_hash_.add(hash.value(), id);
  return id;
}

std::span<const BlockRange> BlockSets::kept_ranges(const Kept& kept) const
{
  return std::span(ranges_).subspan(kept.offset, kept.count);
}

BlockBits BlockSets::kept_bits(const Kept& kept) const
{
  return {kept.first_word, std::span(words_).subspan(kept.offset, kept.count)};
}

BlockRanges BlockSets::ranges(BlockSetId id) const
{
  const Kept& kept = kept_[static_cast<std::uint32_t>(id)];
  return kept.as_bits ? BlockRanges(ranges_of(kept_bits(kept))) : BlockRanges(kept_ranges(kept));
}

std::size_t BlockSets::range_count(BlockSetId id) const
{
  const Kept& kept = kept_[static_cast<std::uint32_t>(id)];
  return kept.as_bits ? count_ranges(kept_bits(kept).words) : kept.count;
}

std::uint32_t BlockSets::end(BlockSetId id) const
{
  const Kept& kept = kept_[static_cast<std::uint32_t>(id)];
  if (!kept.as_bits) {
    return kept_ranges(kept).back().end;
  }
  const BlockBits bits = kept_bits(kept);
  return (bits.first_word + kept.count) * word_bits - static_cast<std::uint32_t>(std::countl_zero(bits.words.back()));
}

BlockBits BlockSets::bits(BlockSetId id) const
{
  const Kept& kept = kept_[static_cast<std::uint32_t>(id)];
  return kept.as_bits ? kept_bits(kept) : BlockBits{};
}

BlockSetId BlockSetCopies::copy(BlockSetId set)
{
  std::optional<BlockSetId>& copied = copies_[static_cast<std::uint32_t>(set)];
  if (!copied) {
    const BlockRanges ranges = from_.ranges(set);
    copied = to_.intern(std::span(ranges.data(), ranges.size()));
  }
  return *copied;
}

} // namespace wormcast
