#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// Broadcasts on tori with sides that are powers of two, down binomial trees of exchanges: each share of the message
/// goes down the tree of its collective (share_collectives), which serves its steps backwards. In every step each node
/// that has the share sends it to its peer of that step, so that log2 N steps reach all N nodes. `torus_bine_tree` has
/// the peers of swing, at distances of about a third of the ring and less, `torus_binomial_tree` those of
/// torus_doubling (De Sensi et al., SC 2025, arXiv 2508.17311: distance-decreasing Bine trees on tori).
///
/// Of k segments the segments c, c + P, ... go down the tree of share c of P; a node sends a segment to all of its
/// children before the next one, so that one port suffices for each share.
Algorithm torus_bine_tree_algorithm();
Algorithm torus_binomial_tree_algorithm();

} // namespace wormcast
