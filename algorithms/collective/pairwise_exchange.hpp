#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Pairwise total exchange: in step k = 1 .. N-1 node i sends its block straight to node i XOR k, or, where N is no
/// power of two, to node (i + k) mod N. alpha = beta = N - 1; on a hypercube free of contention.
Algorithm pairwise_exchange_algorithm();

} // namespace wormcast
