#pragma once

#include "wormcast/values/work_watch.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace wormcast {

/// Blocks begin .. end-1.
struct BlockRange {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  friend bool operator==(BlockRange, BlockRange) = default;
};

/// Calls visit(word, mask) for each word of bits (BlockBits) that has blocks of the range, with theirs; stops and
/// returns false when it returns false.
template <typename Visit> bool for_each_word(BlockRange range, Visit&& visit)
{
  if (range.begin >= range.end) {
    return true;
  }
  const std::uint32_t first = range.begin / 64;
  const std::uint32_t last = (range.end - 1) / 64;
  for (std::uint32_t word = first; word <= last; ++word) {
    std::uint64_t mask = ~std::uint64_t{0};
    if (word == first) {
      mask &= ~std::uint64_t{0} << (range.begin % 64);
    }
    if (word == last) {
      mask &= ~std::uint64_t{0} >> (63 - (range.end - 1) % 64);
    }
    if (!visit(word, mask)) {
      return false;
    }
  }
  return true;
}

/// Appends the blocks of a word of bits to ascending ranges that end before them, neighbours joined.
void append_blocks(std::uint32_t word, std::uint64_t bits, std::vector<BlockRange>& ranges);

/// Names a set of blocks in a BlockSets. Equal sets have equal ids.
enum class BlockSetId : std::uint32_t {};

/// The ranges of a set: sorted, disjoint, not adjacent. They are the set's own, or were made from its bits; in that
/// case they live as long as this object.
class BlockRanges {
public:
  using value_type = BlockRange;
  using iterator = const BlockRange*;
  using const_iterator = const BlockRange*;

  explicit BlockRanges(std::span<const BlockRange> kept) : kept_(kept) {}
  explicit BlockRanges(std::vector<BlockRange> made) : made_(std::move(made)) {}

  const BlockRange* data() const { return made_.empty() ? kept_.data() : made_.data(); }
  std::size_t size() const { return made_.empty() ? kept_.size() : made_.size(); }
  const BlockRange* begin() const { return data(); }
  const BlockRange* end() const { return data() + size(); }
  const BlockRange& front() const { return *begin(); }
  const BlockRange& back() const { return end()[-1]; }
  const BlockRange& operator[](std::size_t i) const { return data()[i]; }

private:
  std::vector<BlockRange> made_;
  std::span<const BlockRange> kept_;
};

/// Blocks as bits: block b is bit b % 64 of word b / 64. Words before the first and after the last are 0.
struct BlockBits {
  std::uint32_t first_word = 0;
  std::span<const std::uint64_t> words;
};

/// The different sets of blocks that a schedule's messages carry, each stored once: algorithms send the same set many
/// times, and a set can have as many ranges as there are blocks. A set that has more ranges than 64-bit words is stored
/// as bits: one bit a block instead of 64 bits a range.
class BlockSets {
public:
  /// Returns the id of a set given as ranges in any order; they are sorted, and neighbours joined. Throws InputError
  /// for an empty range or a block that is in two ranges. Cost O(ranges), one hash look-up.
  BlockSetId intern(std::span<const BlockRange> ranges);
  BlockSetId intern(BlockRange range) { return intern(std::span(&range, 1)); }

  /// Returns the union of at least one set. Cost O(words between its first and last block, for each set).
  BlockSetId unite(std::span<const BlockSetId> sets);

  /// Returns the ranges of a set, valid until the next set is added. Cost O(1), or O(ranges) for a set stored as bits.
  BlockRanges ranges(BlockSetId id) const;
  /// Returns the bits of a set that is stored as bits; no words for any other. Valid until the next set is added.
  BlockBits bits(BlockSetId id) const;
  /// Returns the number of blocks in the set.
  std::uint64_t size(BlockSetId id) const { return kept_[static_cast<std::uint32_t>(id)].blocks; }
  /// Returns the number of ranges(id). Cost O(1), or O(words) for a set stored as bits.
  std::size_t range_count(BlockSetId id) const;
  /// Returns one past the last block of the set. Cost O(1).
  std::uint32_t end(BlockSetId id) const;
  std::uint32_t count() const { return static_cast<std::uint32_t>(kept_.size()); }

private:
  struct Kept {
    std::uint64_t blocks = 0;
    std::uint64_t offset = 0; ///< in ranges_ or words_
    std::uint32_t count = 0;  ///< of ranges or words
    std::uint32_t first_word = 0;
    bool as_bits = false;
  };
  /// The ids by the hashes of their sets, with open addressing: a look-up among millions of sets is one access to
  /// memory.
  class Index {
  public:
    /// Returns the id of this hash for which `same` is true; none: it has not been added.
    template <typename Same> std::optional<BlockSetId> find(std::uint64_t hash, Same&& same) const
    {
      for (std::size_t at = hash & mask(); !slots_.empty() && slots_[at].id != free; at = (at + 1) & mask()) {
        if (slots_[at].hash == static_cast<std::uint32_t>(hash) && same(BlockSetId{slots_[at].id})) {
          return BlockSetId{slots_[at].id};
        }
      }
      return std::nullopt;
    }
    void add(std::uint64_t hash, BlockSetId id);

  private:
    static constexpr std::uint32_t free = ~std::uint32_t{0};
    struct Slot {
      std::uint32_t hash = 0; ///< its lower half
      std::uint32_t id = free;
    };
    std::size_t mask() const { return slots_.size() - 1; }
    void put(Slot slot);

    std::vector<Slot> slots_; ///< none, or a power of two, of which at most half are taken
    std::size_t taken_ = 0;
  };

  BlockSetId keep_ranges(std::span<const BlockRange> normal);
  BlockSetId keep_bits(BlockBits bits);
  std::span<const BlockRange> kept_ranges(const Kept& kept) const;
  BlockBits kept_bits(const Kept& kept) const;

  std::vector<BlockRange> ranges_;
  std::vector<std::uint64_t> words_;
  std::vector<Kept> kept_; ///< by id
  Index by_hash_;
  WorkSteps steps_; ///< of the thread that makes the sets
};

/// Sets of one collection in another one, each added when it is first asked for. Both must outlive the object.
class BlockSetCopies {
public:
  BlockSetCopies(const BlockSets& from, BlockSets& to) : from_(from), to_(to), copies_(from.count()) {}

  BlockSetId copy(BlockSetId set);

private:
  const BlockSets& from_;
  BlockSets& to_;
  std::vector<std::optional<BlockSetId>> copies_; ///< by set of `from_`
};

} // namespace wormcast
