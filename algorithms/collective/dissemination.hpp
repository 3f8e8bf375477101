#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Dissemination barrier: in step k = 0, 1, ... node i tells node (i + 2^k) mod N of all whom it has heard of.
/// alpha = beta = ceil(log2 N), the fewest steps with one port.
Algorithm dissemination_algorithm();

} // namespace wormcast
