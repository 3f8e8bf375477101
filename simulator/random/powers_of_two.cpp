#include "wormcast/simulator/random/powers_of_two.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace wormcast {

namespace {

constexpr std::uint64_t whole_root(FineExponent square)
{
  std::uint64_t root = 0;
  for (std::uint64_t bit = std::uint64_t{1} << 63; bit != 0; bit >>= 1) {
    const std::uint64_t next = root | bit;
    if (FineExponent{next} * next <= square) {
      root = next;
    }
  }
  return root;
}

constexpr unsigned power_bits = 62;

// 2^(1/2), 2^(1/4), ... in 2^-62.
constexpr auto roots_of_two = [] {
  std::array<std::uint64_t, fine_bits> roots{};
  FineExponent last = FineExponent{2} << power_bits;
  for (std::uint64_t& root : roots) {
    root = whole_root(last << power_bits);
    last = root;
  }
  return roots;
}();

} // namespace

std::uint64_t times_power_of_two(std::uint64_t factor, FineExponent exponent)
{
  FineExponent product = factor;
  for (unsigned digit = 0; digit < fine_bits; ++digit) {
    if ((exponent >> (fine_bits - 1 - digit) & 1) != 0) {
      product = product * roots_of_two[digit] >> power_bits;
    }
  }
  constexpr unsigned widest = 64;
  const FineExponent doubled = product << static_cast<unsigned>(std::min<FineExponent>(exponent >> fine_bits, widest));
  return static_cast<std::uint64_t>(std::min<FineExponent>(doubled, ~std::uint64_t{0}));
}

std::uint64_t fine_binary_logarithm(std::uint64_t number)
{
  constexpr unsigned top = 63;
  const auto whole = static_cast<std::uint64_t>(std::bit_width(number) - 1);
  std::uint64_t logarithm = whole << fine_bits;
  FineExponent mantissa = FineExponent{number} << (top - whole); // from 1 to 2, in 2^-63
  for (unsigned digit = fine_bits; digit-- > 0;) {
    mantissa = mantissa * mantissa >> top;
    if (mantissa >> (top + 1) != 0) {
      logarithm |= std::uint64_t{1} << digit;
      mantissa >>= 1;
    }
  }
  return logarithm;
}

} // namespace wormcast
