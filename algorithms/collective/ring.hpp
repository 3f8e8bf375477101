#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Ring all-gather: all nodes form a closed line, and in each of N - 1 steps every node sends on the block that it
/// received in the step before, at first its own. alpha = beta = N - 1. Reversed it is the ring's reduce_scatter, both
/// are its all_reduce (Patarasuk & Yuan, JPDC 69(2), 2009).
Algorithm ring_algorithm();

} // namespace wormcast
