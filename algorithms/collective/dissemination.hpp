#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Dissemination barrier: in step k = 0, 1, ... node i reports all arrivals that it knows to node (i + 2^k) mod N.
/// alpha = beta = ceil(log2 N), the fewest steps with one port.
Algorithm dissemination_algorithm();

} // namespace wormcast
