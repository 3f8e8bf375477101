#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Scatter and all-gather in rank order, as MPI libraries broadcast medium messages (van de Geijn; Barnett et al. 1994,
/// "Interprocessor Collective Communication Library"; Thakur, Rabenseifner & Gropp 2005, broadcast). With ranks
/// relative to the source: a binomial tree scatters N blocks, block r to rank r, then recursive doubling gathers them:
/// in step t = 0, 1, ... every rank exchanges the 2^t blocks that it has gathered with the rank that differs in bit t.
/// The source and the inner nodes of the tree take part like all others, so they receive blocks that they have had.
/// Any topology with a power of two of nodes; steps can have channel contention.
Algorithm scatter_all_gather_algorithm();

} // namespace wormcast
