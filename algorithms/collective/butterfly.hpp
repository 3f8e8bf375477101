#pragma once

#include "wormcast/algorithms/registry.hpp"

#include <cstdint>

namespace wormcast {

/// Recursive doubling between nodes whose ids differ in bit 0, 1, ...: all-gather in log2 N steps with beta = N - 1,
/// total exchange with beta = N/2 log2 N. Backwards it is the reduce_scatter by recursive halving, both are
/// Rabenseifner's all_reduce. Free of contention on hypercubes.
Algorithm recursive_halving_algorithm();

/// The same on the Bine butterfly (De Sensi et al. 2025, arXiv 2508.17311), whose partners are nearer to each other.
Algorithm bine_butterfly_algorithm();

/// The partner of `rank` in step 0, 1, ... of the Bine butterfly of `ranks`, a power of two: even ranks add the sum of
/// (-2)^k for k = 0 .. step, odd ones subtract it.
std::uint32_t bine_partner(std::uint32_t rank, unsigned step, std::uint32_t ranks);

} // namespace wormcast
