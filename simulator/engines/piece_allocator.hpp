#pragma once

#include <cstdint>
#include <vector>

namespace wormcast {

/// Arrays of varying length for the worms under way, in one piece of memory: take(n) gives the offset of n elements in
/// every array that is kept at capacity(), give_back returns them. Lengths are rounded up to powers of two; freed
/// pieces are used again. Cost O(1).
class PieceAllocator {
public:
  std::uint32_t take(std::uint32_t length)
  {
    const unsigned size_class = class_of(length);
    auto& free = free_[size_class];
    if (free.empty()) {
      const std::uint64_t offset = capacity_;
      capacity_ += std::uint64_t{1} << size_class;
      return static_cast<std::uint32_t>(offset);
    }
    const std::uint32_t offset = free.back();
    free.pop_back();
    return offset;
  }
  void give_back(std::uint32_t offset, std::uint32_t length) { free_[class_of(length)].push_back(offset); }
  std::uint64_t capacity() const { return capacity_; }

private:
  static unsigned class_of(std::uint32_t length)
  {
    return length <= 1 ? 0 : 32 - static_cast<unsigned>(__builtin_clz(length - 1));
  }

  std::vector<std::uint32_t> free_[33];
  std::uint64_t capacity_ = 0;
};

} // namespace wormcast
