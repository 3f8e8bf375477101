#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Returns 0 or 1 by node: the fewest channels lead between the first half of the hosts, which are 0 (of an odd number
/// the larger one), and the second half, which are 1. By a maximum flow (Y. Boykov and V. Kolmogorov, An experimental
/// comparison of min-cut/max-flow algorithms, IEEE TPAMI 26(9), 2004).
std::vector<std::uint8_t> cut_between_hosts(const Topology& topology);

} // namespace wormcast
