#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// `single_node_broadcast`: one-to-all on a hypercube in d steps, along the binomial tree with fewer than d ports, else
/// along a shortest-path tree over all links at once.
Algorithm single_node_broadcast_algorithm();

} // namespace wormcast
