#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace wormcast {

/// Symbolic values of chunks: each is a multiset of contributions (rank, chunk of its input), stored as intervals of
/// equal multiplicity. Value 0 is nothing at all.
class ContributionSums {
public:
  /// Contributions begin .. end-1, each `times` times; the contribution of `rank` to `chunk` is chunk * ranks + rank.
  struct Interval {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint32_t times = 1;

    friend bool operator==(const Interval&, const Interval&) = default;
  };

  explicit ContributionSums(std::uint32_t ranks) : ranks_(ranks), offsets_{0, 0} {}

  std::uint32_t single(std::uint32_t rank, std::uint64_t chunk);
  /// The sum of two values. Throws InputError where the values of all chunks take more than 2^25 intervals.
  std::uint32_t sum(std::uint32_t one, std::uint32_t other);
  /// A contribution that both have; none where their sum has each once.
  std::optional<std::uint64_t> common(std::uint32_t one, std::uint32_t other) const;

  /// Whether the value is one contribution, or those of all ranks to a chunk.
  bool is_single(std::uint32_t value, std::uint32_t rank, std::uint64_t chunk) const;
  bool is_complete(std::uint32_t value, std::uint64_t chunk) const;

  std::uint32_t rank_of(std::uint64_t contribution) const { return static_cast<std::uint32_t>(contribution % ranks_); }
  std::uint64_t chunk_of(std::uint64_t contribution) const { return contribution / ranks_; }
  std::span<const Interval> intervals(std::uint32_t value) const;

  /// "{(0, 3), (1, 3) 2 times}": rank and chunk; at most 16 of them.
  std::string text(std::uint32_t value) const { return text(intervals(value)); }
  std::string single_text(std::uint32_t rank, std::uint64_t chunk) const;
  std::string complete_text(std::uint64_t chunk) const;

private:
  std::string text(std::span<const Interval> intervals) const;
  std::uint32_t add(std::span<const Interval> intervals);

  std::uint64_t ranks_;
  std::vector<Interval> intervals_;
  std::vector<std::size_t> offsets_; ///< by value: its first interval; one more at the end
  std::unordered_map<std::uint64_t, std::uint32_t> sums_;
  std::vector<Interval> merged_;
};

} // namespace wormcast
