#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace wormcast {

/// A set of numbers below a bound, as bits, with a bit for each 64 of them above. Adding costs O(1) without a branch,
/// taking all out O(numbers + bound / 4096), in ascending order.
class NumberSet {
public:
  explicit NumberSet(std::uint32_t bound) : bits_(bound / 64 + 1), words_(bits_.size() / 64 + 1) {}

  bool empty() const { return empty_; }

  void add(std::uint32_t number)
  {
    empty_ = false;
    bits_[number / 64] |= std::uint64_t{1} << number % 64;
    words_[number / 4096] |= std::uint64_t{1} << number / 64 % 64;
  }

  /// Calls visit(number) for each and takes it out. `visit` may add the number that it visits, and none else: it stays.
  template <typename Visit> void take_all(Visit&& visit)
  {
    empty_ = true;
    for (std::size_t first = 0; first < words_.size(); ++first) {
      for (std::uint64_t words = std::exchange(words_[first], 0); words != 0; words &= words - 1) {
        const std::size_t word = first * 64 + static_cast<std::size_t>(std::countr_zero(words));
        for (std::uint64_t bits = std::exchange(bits_[word], 0); bits != 0; bits &= bits - 1) {
          visit(static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
        }
      }
    }
  }

private:
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> words_; // bit: this one of bits_ is not empty
  bool empty_ = true;
};

} // namespace wormcast
