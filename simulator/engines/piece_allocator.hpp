#pragma once

#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace wormcast {

/// Arrays of varying length for the worms in flight, in one piece of memory: allocate(n) returns the offset of n
/// elements in every array that has capacity() elements, release() frees them. Lengths are rounded up to powers of two.
/// Freed pieces are used again; where much is free that is longer than requested, it is cut in halves. Cost O(1), with
/// cuts O(32).
class PieceAllocator {
public:
  std::uint32_t allocate(std::uint32_t length)
  {
    const unsigned size_class = class_of(length);
    allocated_ += std::uint64_t{1} << size_class;
    if (!free_[size_class].empty()) {
      const std::uint32_t offset = free_[size_class].back();
      free_[size_class].pop_back();
      return offset;
    }
    if (capacity_ > cut_beyond && allocated_ < capacity_ / 2) {
      for (unsigned larger = size_class + 1; larger < std::size(free_); ++larger) {
        if (!free_[larger].empty()) {
          return cut(larger, size_class);
        }
      }
    }
    const std::uint64_t offset = capacity_;
    capacity_ += std::uint64_t{1} << size_class;
    if (capacity_ > std::uint64_t{1} << 32) {
      throw std::length_error("the paths of the messages in flight have more than 2^32 channels");
    }
    return static_cast<std::uint32_t>(offset);
  }
  void release(std::uint32_t offset, std::uint32_t length)
  {
    const unsigned size_class = class_of(length);
    allocated_ -= std::uint64_t{1} << size_class;
    free_[size_class].push_back(offset);
  }
  std::uint64_t capacity() const { return capacity_; }

private:
  // Below this, memory does not matter, and uncut pieces stay close together.
  static constexpr std::uint64_t cut_beyond = std::uint64_t{1} << 18;

  static unsigned class_of(std::uint32_t length)
  {
    return length <= 1 ? 0 : 32 - static_cast<unsigned>(__builtin_clz(length - 1));
  }

  std::uint32_t cut(unsigned larger, unsigned size_class)
  {
    const std::uint32_t offset = free_[larger].back();
    free_[larger].pop_back();
    while (larger > size_class) {
      --larger;
      free_[larger].push_back(offset + (std::uint32_t{1} << larger));
    }
    return offset;
  }

  std::vector<std::uint32_t> free_[33];
  std::uint64_t capacity_ = 0;
  std::uint64_t allocated_ = 0;
};

} // namespace wormcast
