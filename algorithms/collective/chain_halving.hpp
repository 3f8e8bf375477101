#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Multicast by halving the chain of source and destinations in the order of their coordinates, x first (U-mesh of
/// McKinley, Xu, Esfahanian & Ni, IEEE TPDS 5(12), 1994): each node that has the message sends it to the nearer end of
/// the other half. For m destinations alpha = beta = ceil(log2(m + 1)), the fewest steps with one port; on a mesh free
/// of contention.
Algorithm chain_halving_algorithm();

} // namespace wormcast
