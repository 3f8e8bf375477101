#pragma once

#include "wormcast/topologies/grid.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Lower bounds on the total communication distance (TCD, the sum of the hops of all messages) of every broadcast with
/// one port that informs N = 2^t nodes in t steps, t <= 31. The messages of such a broadcast form a binomial tree:
/// label 0 is the source, label v with top bit b is informed in step b+1 by the label without that bit. A tree edge
/// below which there are w labels (the lower end included) is on the way to w nodes.

/// Messages that label v of the binomial tree of 2^t labels receives and sends: t for labels 0 and 1, t - b for top bit
/// b.
std::uint32_t binomial_degree(std::uint64_t label, std::uint32_t t);

/// N-1 + sum of max(0, degree - D) over the labels = N-1 + 2(N/2^D - 1) for N >= 2^D, else N-1, on a network whose
/// nodes have at most D neighbours.
///
/// Why: let H be a connected part of the tree and N(H) the nodes outside of H next to one of H. Built along tree edges
/// of length l, H has |N(H)| <= D + (D-2)(|H|-1) + sum over its edges of min(l-1, 2): the first node has D neighbours;
/// a node joined by an edge of length 1 leaves N(H) and adds at most D-1 to it, at length 2 one of its neighbours is in
/// N(H) already and it adds D-1, else D. At most |N(H)| of the edges that leave H have length 1. Counting the edges
/// that leave H gives, over TCD - (N-1), the sum of degree - D over H, plus what edges inside of H exceed 3, edges that
/// leave it 2, and all others 1. The labels of degree > D are connected.
///
/// It equals the TCD from an eye (optimal_tcd) for k <= 3 in every dimension, on meshes and tori.
std::uint64_t degree_bound(std::uint32_t t, std::uint32_t most_neighbours);

/// degree_bound for a source with `neighbours` <= most_neighbours neighbours: the first D of the proof is theirs.
std::uint64_t degree_bound_from(std::uint32_t t, std::uint32_t most_neighbours, std::uint32_t neighbours);

/// degree_bound_from joined with the distances: the sum of the distances from the source to all nodes is at most the
/// sum over the tree edges of length times w. Of the lengths that keep to the proof of degree_bound with H = labels
/// below 2^m, the least sum that allows for `distance_sum`; the largest over m. Cost O(t^2).
std::uint64_t distance_bound(std::uint32_t t, std::uint32_t most_neighbours, std::uint32_t neighbours,
                             std::uint64_t distance_sum);

/// Fewest messages that cross a cut between m nodes and the 2^t - m others, 0 < m < 2^t: the tree edges across it cut
/// off m as a sum of signed powers of two modulo 2^t, which takes as many as the non-adjacent form of m or of 2^t - m
/// has non-zero digits.
std::uint32_t cut_bound(std::uint64_t m, std::uint32_t t);

/// On a line: the sum of cut_bound over the cuts between neighbours. Equals optimal_tcd_line(t) (checked for t <= 20).
/// Cost O(2^t).
std::uint64_t line_cut_bound(std::uint32_t t);

/// The best of these bounds for every source of a mesh or torus, by node id. Throws InputError unless all sizes are
/// powers of two. Cost O(N * dimensions).
std::vector<std::uint64_t> tcd_lower_bounds(const Grid& grid);

} // namespace wormcast
