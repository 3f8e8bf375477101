#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// `single_node_scatter`: one packet from a root to every node of a hypercube in ceil((2^d - 1) / d) steps with d or
/// more ports (Bertsekas et al., section 3), else in 2^d - 1; both optimal, as are the d 2^(d-1) messages. Parameter
/// `tree`: "balanced" is section 3's tree (with one port: highest bit first); "from_multinode" reverses in time what
/// the multinode broadcast for these ports brings to the root.
Algorithm single_node_scatter_algorithm();

} // namespace wormcast
