#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Binomial tree in rank order, as MPI libraries broadcast short messages (Thakur, Rabenseifner & Gropp 2005,
/// "Optimization of Collective Communication Operations in MPICH", broadcast): with ranks relative to the source and
/// n = ceil(log2 N) steps, in step t every rank that is a multiple of 2^(n-t) sends the whole message to the rank
/// 2^(n-1-t) above it, if there is one. Any number of nodes, any topology; ranks know nothing of the topology, so steps
/// can have channel contention.
Algorithm binomial_tree_algorithm();

} // namespace wormcast
