#pragma once

#include <cstdint>

namespace wormcast {

/// Returns a number whose bits all depend on all bits of `z`: the finaliser of SplitMix64 (G. L. Steele Jr., D. Lea and
/// C. H. Flood, Fast splittable pseudorandom number generators, OOPSLA 2014). A bijection, the same on every platform.
constexpr std::uint64_t mixed_number(std::uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

} // namespace wormcast
