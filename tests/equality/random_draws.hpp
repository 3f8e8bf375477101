#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>

namespace wormcast::testing {

/// Spreads consecutive numbers over all 64 bits (the finalizer of SplitMix64).
constexpr std::uint64_t spread(std::uint64_t number)
{
  number += 0x9e3779b97f4a7c15U;
  number = (number ^ (number >> 30U)) * 0xbf58476d1ce4e5b9U;
  number = (number ^ (number >> 27U)) * 0x94d049bb133111ebU;
  return number ^ (number >> 31U);
}

/// Random choices that are the same with every compiler and library: the numbers of std::mt19937_64 are fixed by
/// the standard, its distributions are not. Draw twice in one expression only if the order of evaluation is fixed, too.
class RandomDraws {
public:
  explicit RandomDraws(std::uint64_t seed) : numbers_(spread(seed)) {}

  std::uint64_t number() { return numbers_(); }

  /// lowest .. highest, both included.
  std::int64_t between(std::int64_t lowest, std::int64_t highest)
  {
    return lowest + static_cast<std::int64_t>(number() % static_cast<std::uint64_t>(highest - lowest + 1));
  }

  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(number() % count); }

  /// Returns true once in `count` draws on average.
  bool one_in(std::uint64_t count) { return number() % count == 0; }

  /// One of a list; a value that occurs twice is drawn twice as often.
  template <typename Value> Value one_of(std::initializer_list<Value> values)
  {
    return values.begin()[below(values.size())];
  }

private:
  std::mt19937_64 numbers_;
};

} // namespace wormcast::testing
