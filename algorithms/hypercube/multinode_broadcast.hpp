#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// `multinode_broadcast`: all-to-all broadcast of single packets on a hypercube; with d or more ports in ceil((2^d - 1)
/// / d) steps (Bertsekas et al., section 2), else in 2^d - 1. Both are optimal, as are the 2^d (2^d - 1) messages.
Algorithm multinode_broadcast_algorithm();

} // namespace wormcast
