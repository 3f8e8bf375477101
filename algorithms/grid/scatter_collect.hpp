#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Scatter-collect: the message is scattered by recursive halving, a block for every node, and gathered again by ring
/// all-gathers in every line of x, then y, then z. Any sizes. SC in Zhuang & Liberatore, section 4.3; its table 1
/// prints beta = 2 - 1/2^(2n), the right value is 2 - 2/2^(2n).
Algorithm scatter_collect_algorithm();

} // namespace wormcast
