#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// The scatter of scatter-collect (Zhuang & Liberatore, section 4.3): every line is halved until each node has its own
/// block, first in x, then in y, and so on. alpha = sum of ceil(log2 size); beta = N - 1 where sizes are powers of two.
/// Backwards it is a gather.
Algorithm dimension_halving_algorithm();

} // namespace wormcast
