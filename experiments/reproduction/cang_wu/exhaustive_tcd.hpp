#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// The least total communication distance of all broadcasts with one port in log2 N steps, from every node, by node id.
/// The nodes informed after step i are any set of 2^i that contains those before, and any perfect matching between old
/// and new ones is a step: M[all] = 0, M[S] = min over the sets T of |S| other nodes of match(S, T) + M[S + T]. Throws
/// std::logic_error unless N is 1, 2, 4, 8 or 16; cost at N = 16 some 10^8 operations.
std::vector<std::int64_t> exhaustive_minimum_tcds(const Topology& topology);

} // namespace wormcast
