#pragma once

#include "wormcast/simulator/random/seeded_random.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Random numbers that are a function of (seed, stream) alone. All distributions are computed with integers, so that
/// they are the same on every platform and with every standard library.
class RandomStream {
public:
  RandomStream() = default;
  RandomStream(std::uint64_t seed, std::uint64_t stream);

  /// Draws uniformly from all 64-bit numbers.
  std::uint64_t next() { return seeded_number(key_, counter_++); }
  /// Draws uniformly from 0 to `count` - 1, with an error below count / 2^64. `count` is at least 1.
  std::uint64_t below(std::uint64_t count) { return scaled_below(next(), count); }
  /// Returns true with the probability `share`, from 0 to 1.
  bool chance(double share) { return static_cast<double>(next() >> 11) * 0x1p-53 < share; }

  /// An exponential number with mean 1, whole + fraction / 2^64: von Neumann's comparison of uniform numbers (Various
  /// Techniques Used in Connection with Random Digits, 1951), which needs no logarithm.
  struct Exponential {
    std::uint64_t whole = 0;
    std::uint64_t fraction = 0;
  };
  Exponential exponential();

private:
  std::uint64_t key_ = 0;
  std::uint64_t counter_ = 0;
};

/// The number of failures before the first success. The binary digits of such a number are independent: digit k is 1
/// with probability q^(2^k) / (1 + q^(2^k)), q = 1 - success.
class FailuresBeforeSuccess {
public:
  /// `success` is above 0, at most 1.
  explicit FailuresBeforeSuccess(double success = 1);

  std::uint64_t draw(RandomStream& random) const;

private:
  std::vector<std::uint64_t> ones_; // by digit, at most 62: its probability * 2^64
};

} // namespace wormcast
