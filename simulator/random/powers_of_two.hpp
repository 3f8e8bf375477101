#pragma once

#include <cstdint>

namespace wormcast {

/// The binary digits of fixed-point numbers behind the point: 1 is 2^32.
inline constexpr unsigned fine_bits = 32;

/// A number of up to 96 binary digits before the point and 32 behind it.
__extension__ using FineExponent = unsigned __int128;

/// Returns factor * 2^(exponent / 2^32), at most 2^64 - 1, by whole numbers: the same on every platform. It is up to 32
/// too small.
std::uint64_t times_power_of_two(std::uint64_t factor, FineExponent exponent);

/// Returns the binary logarithm of a positive number in units of 2^-32, rounded down, by whole numbers.
std::uint64_t fine_binary_logarithm(std::uint64_t number);

} // namespace wormcast
