#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Rings along the lines of a mesh or torus, first in x, then in y, and so on; the collect of scatter-collect (Zhuang &
/// Liberatore, section 4.3). All-gather of N blocks: alpha = sum of (size - 1), beta = N - 1; reversed a
/// reduce_scatter, both an all_reduce. Total exchange: in each line every node sends on the blocks for nodes further
/// along, alpha the same, beta = N/2 * sum of (size - 1).
Algorithm dimension_ring_algorithm();

} // namespace wormcast
