#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Ring all-gather: all nodes form a closed line, and in each of N - 1 steps every node hands on what it got in the
/// step before, at first its own block. alpha = beta = N - 1. Backwards it is the ring's reduce_scatter, both are its
/// all_reduce (Patarasuk & Yuan, JPDC 69(2), 2009).
Algorithm ring_algorithm();

} // namespace wormcast
