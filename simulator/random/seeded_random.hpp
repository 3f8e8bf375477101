#pragma once

#include "wormcast/values/mixed_number.hpp"

#include <cstdint>

namespace wormcast {

/// Returns a well mixed 64-bit function of (seed, counter): mixed_number over a Weyl sequence, the same on every
/// platform.
constexpr std::uint64_t seeded_number(std::uint64_t seed, std::uint64_t counter)
{
  return mixed_number(seed * 0xd1342543de82ef95ULL + (counter + 1) * 0x9e3779b97f4a7c15ULL);
}

/// Returns a number below `count`, in proportion to a number that is uniform over 64 bits (Lemire, ACM TOMACS 29, 2019,
/// without the rejection, so that the error is at most count / 2^64).
constexpr std::uint64_t scaled_below(std::uint64_t uniform, std::uint64_t count)
{
  __extension__ using Product = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Product>(uniform) * count) >> 64);
}

} // namespace wormcast
