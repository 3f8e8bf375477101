#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormcast {

/// A histogram with 128 buckets for each power of two: a value is known to within 1/256 of itself. Memory: 8 bytes for
/// each bucket up to that of the largest value, at most 60 KiB.
class LogHistogram {
public:
  struct Bucket {
    std::uint64_t low = 0;  ///< the smallest value in it
    std::uint64_t high = 0; ///< the largest
    std::uint64_t count = 0;
  };

  void add(std::uint64_t value)
  {
    const std::size_t bucket_index = bucket_of(value);
    if (bucket_index >= counts_.size()) {
      counts_.resize(bucket_index + 1);
    }
    ++counts_[bucket_index];
    ++count_;
  }

  std::uint64_t count() const { return count_; }

  /// Returns the quantile `share` of all values: the middle of its bucket. 0 without values.
  double quantile(double share) const
  {
    const double wanted = share * static_cast<double>(count_);
    std::uint64_t seen = 0;
    for (std::size_t bucket_index = 0; bucket_index < counts_.size(); ++bucket_index) {
      seen += counts_[bucket_index];
      if (counts_[bucket_index] > 0 && static_cast<double>(seen) >= wanted) {
        const Bucket bucket = bucket_at(bucket_index);
        return (static_cast<double>(bucket.low) + static_cast<double>(bucket.high)) / 2;
      }
    }
    return 0;
  }

  /// Returns the buckets that have values, ascending.
  std::vector<Bucket> buckets() const
  {
    std::vector<Bucket> all;
    for (std::size_t bucket_index = 0; bucket_index < counts_.size(); ++bucket_index) {
      if (counts_[bucket_index] > 0) {
        all.push_back(bucket_at(bucket_index));
      }
    }
    return all;
  }

private:
  static constexpr unsigned bits = 7; // bits of a value after its leading one

  // Below 2^(bits+1) each value has its own bucket; the buckets of the next power of two follow.
  static std::size_t bucket_of(std::uint64_t value)
  {
    const auto width = static_cast<unsigned>(std::bit_width(value));
    if (width <= bits + 1) {
      return static_cast<std::size_t>(value);
    }
    const unsigned shift = width - bits - 1;
    return (std::size_t{shift} << bits) + static_cast<std::size_t>(value >> shift);
  }

  Bucket bucket_at(std::size_t bucket_index) const
  {
    if (bucket_index < std::size_t{2} << bits) {
      return {bucket_index, bucket_index, counts_[bucket_index]};
    }
    const std::size_t shift = (bucket_index >> bits) - 1;
    const std::uint64_t low = static_cast<std::uint64_t>(bucket_index - (shift << bits)) << shift;
    return {low, low + (std::uint64_t{1} << shift) - 1, counts_[bucket_index]};
  }

  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
};

} // namespace wormcast
