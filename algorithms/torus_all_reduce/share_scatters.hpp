#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Scatters on tori with sides that are powers of two, down the trees of share_tree(): each node passes to a child the
/// blocks of all nodes below it, in log2 N steps, and of each block every share goes down the tree of its own
/// collective. Reversed they are gathers. `torus_bine_scatter` has the peers of swing, `torus_binomial_scatter` those
/// of torus_doubling (De Sensi et al., SC 2025, arXiv 2508.17311: scatter and gather along Bine trees).
///
/// `distances` says whether the tree begins with its longest or with its shortest exchanges. All steps carry the same
/// number of blocks in all, so that both have the same sum of bytes times hops; the longest messages, those of the
/// source, go between neighbours with "increasing".
Algorithm torus_bine_scatter_algorithm();
Algorithm torus_binomial_scatter_algorithm();

} // namespace wormcast
