#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Recursive doubling (also called recursive division): dimension by dimension, every node that has the message sends
/// all of it to the node in the other half of its segment of the line. Any sizes; ceil(log2 size) steps a dimension.
/// Named as RD in Zhuang & Liberatore, section 4.3, with the costs of its table 1.
Algorithm recursive_doubling_algorithm();

} // namespace wormcast
