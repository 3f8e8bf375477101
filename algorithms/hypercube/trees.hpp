#pragma once

#include <cstdint>
#include <vector>

namespace wormcast {

// Spanning trees of a hypercube of dimension d from node 0, as the algorithms of D. P. Bertsekas et al., Optimal
// communication algorithms for hypercubes, J. Parallel and Distributed Computing 11, 1991, replicate them: an exclusive
// or of all ids with r gives the tree from node r. The parent of every node is the node without one of its bits.

/// A tree with the steps 0, 1, ... in which a packet of node 0 goes down. By node; entry 0 means nothing.
struct BroadcastTree {
  std::vector<std::uint32_t> parent;
  std::vector<std::uint32_t> step; ///< in which the node gets the packet
};

/// A tree with the steps in which node 0 sends the packets for single nodes, which then go on in every step. By node;
/// entry 0 means nothing.
struct ScatterTree {
  std::vector<std::uint32_t> parent;
  std::vector<std::uint32_t> start; ///< the step in which the node's packet leaves node 0
};

/// The sets A_1, ..., A_q of section 2: those links of a step differ in the bit that they change, so the trees from all
/// nodes never ask for the same link at once. ceil((2^d - 1) / d) steps. Cost O(2^d * d).
BroadcastTree multinode_broadcast_tree(std::uint32_t dimension);

/// For multinode broadcast with one port: in the stage of link k = 1 .. d every node sends on, one packet a step, the
/// packets of the nodes of its subcube of the links below k. 2^d - 1 steps, one link a step.
BroadcastTree one_port_multinode_broadcast_tree(std::uint32_t dimension);

/// For single node broadcast with one port: step s is over link d - s; the binomial tree. d steps.
BroadcastTree binomial_tree(std::uint32_t dimension);

/// For single node broadcast with all ports: every node sends over all links above its highest bit at once. d steps.
BroadcastTree all_port_broadcast_tree(std::uint32_t dimension);

/// Parents in the perfectly balanced shortest-path tree T of section 3: the subtrees of node 0's neighbours differ in
/// size by one node at most. Where the paper leaves a choice: the first compatible class, the smallest first id. Entry
/// 0 means nothing. Cost O(2^d * d).
std::vector<std::uint32_t> balanced_tree(std::uint32_t dimension);

/// Scatter with all ports along the balanced tree (section 3): the farthest nodes of a subtree first, then by id.
/// ceil((2^d - 1) / d) steps.
ScatterTree balanced_scatter_tree(std::uint32_t dimension);

/// Scatter with one port: one packet a step, the farthest nodes first, then by id; highest bit first. 2^d - 1 steps.
ScatterTree one_port_scatter_tree(std::uint32_t dimension);

/// By node: the neighbour of node 0 in whose subtree it is, of parents with fewer bits. Entry 0 is 0.
std::vector<std::uint32_t> first_hops(const std::vector<std::uint32_t>& parent);

} // namespace wormcast
