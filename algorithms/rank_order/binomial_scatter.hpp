#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Scatter down the binomial tree in rank order, as MPI libraries do it (Thakur, Rabenseifner & Gropp 2005,
/// "Optimization of Collective Communication Operations in MPICH", scatter and gather; Open MPI,
/// coll_base_scatter.c): with ranks relative to the source, in steps of the distances d = 2^(n-1), ..., 2, 1 each rank
/// that is a multiple of 2d sends the blocks of the ranks r + d to r + 2d - 1 to rank r + d, if there are any. Reversed
/// it is a gather. Any topology and number of nodes; steps can have channel contention.
Algorithm binomial_scatter_algorithm();

} // namespace wormcast
