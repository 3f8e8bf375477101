#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormcast {

/// The bits of a set of numbers below a limit.
class NumberSet {
public:
  explicit NumberSet(std::size_t limit) : words_((limit + 63) / 64), listed_(limit + few) {}

  void add(std::uint32_t number, bool condition = true)
  {
    words_[number / 64] |= std::uint64_t{condition} << (number % 64);
  }
  void remove(std::uint32_t number, bool condition = true)
  {
    words_[number / 64] &= ~(std::uint64_t{condition} << (number % 64));
  }
  bool empty() const
  {
    return std::ranges::all_of(words_, [](std::uint64_t word) { return word == 0; });
  }

  /// Returns whether `count` numbers are few for the limit.
  bool is_sparse(std::size_t count) const { return count < few * words_.size(); }

  /// Calls visit(number) for each one, ascending. If they are `sparse`, they are listed first, without guesses how many
  /// there are in a word, which would often be wrong.
  template <typename Visit> [[gnu::always_inline]] void for_each(bool sparse, Visit&& visit)
  {
    if (sparse) {
      const std::size_t count = list();
      for (std::size_t i = 0; i < count; ++i) {
        visit(listed_[i]);
      }
      return;
    }
    for (std::size_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1) {
        visit(static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(__builtin_ctzll(bits)));
      }
    }
  }

private:
  static constexpr std::size_t few = 4;
  static constexpr std::uint64_t highest = std::uint64_t{1} << 63;

  // Returns how many there are. Behind them up to three entries more are written.
  std::size_t list()
  {
    std::size_t count = 0;
    for (std::size_t word = 0; word < words_.size(); ++word) {
      const auto first = static_cast<std::uint32_t>(word * 64);
      for (std::uint64_t bits = words_[word]; bits != 0;) {
        for (std::size_t i = 0; i < few; ++i) {
          listed_[count] = first + static_cast<std::uint32_t>(__builtin_ctzll(bits | highest));
          count += bits != 0 ? 1 : 0;
          bits &= bits - 1;
        }
      }
    }
    return count;
  }

  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> listed_;
};

} // namespace wormcast
