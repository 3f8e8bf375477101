#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/schedule/segment_trees.hpp"
#include "wormcast/algorithms/torus_all_reduce/ring_exchange.hpp"

#include <string_view>
#include <vector>

namespace wormcast {

/// Which exchanges a tree begins with.
enum class TreeDistances {
  decreasing, ///< those of the last step, which are the longest
  increasing  ///< those of the first step, with neighbours
};

/// The spanning tree of a share from `source`: in each step of its collective, in their order or the last first, every
/// node that is in it sends to its peer. The edges are ordered by step, and each has its step as start.
std::vector<TreeEdge> share_tree(const Grid& grid, const ShareCollective& collective, const RingPatterns& patterns,
                                 NodeId source, TreeDistances distances);

/// Throws InputError that names the algorithm unless the grid is a torus, with sides that are powers of two.
void require_share_trees(const Grid& grid, std::string_view algorithm);

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
