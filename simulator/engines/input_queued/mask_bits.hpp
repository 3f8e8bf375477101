#pragma once

#include <bit>
#include <cstdint>

namespace wormcast {

/// Returns the place of the lowest bit; bits != 0, for which std::countr_zero would have to test.
inline std::uint32_t lowest_bit(std::uint64_t bits)
{
  return static_cast<std::uint32_t>(__builtin_ctzll(bits));
}

/// Returns the first bit from `pointer` on, in cyclic order; bits != 0. It has no branch, which would be unpredictable.
inline std::uint32_t first_bit(std::uint64_t bits, std::uint32_t pointer)
{
  return (lowest_bit(std::rotr(bits, static_cast<int>(pointer))) + pointer) & 63U;
}

} // namespace wormcast
