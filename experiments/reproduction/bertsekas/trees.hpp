#pragma once

#include "wormcast/experiments/reproduction/bertsekas/cases.hpp"

#include <cstdint>
#include <vector>

namespace wormcast::bertsekas {

/// Parents in a spanning tree of a hypercube from node 0, by node; entry 0 is 0.
using Tree = std::vector<std::uint32_t>;

/// Whether every node comes to node 0 by way of its parents, each over one link.
bool is_spanning_tree(const Tree& parent);

/// By node: which of node 0's links 0 .. d-1 leads to the subtree that it is in. Entry 0 means nothing.
std::vector<std::uint32_t> subtree_of(const Tree& parent);

/// N_i by link 0 .. d-1; 0 where node 0 does not use the link.
std::vector<std::uint32_t> subtree_sizes(const Tree& parent, std::uint32_t dimension);

/// Johnsson and Ho's tree: the subtree of a node is the smallest number of rotations to the right that make its id
/// smallest; its parent lacks the highest one of that smallest rotation.
Tree rotation_tree(std::uint32_t dimension);

/// Section 3's scatter down any tree: packets go to a subtree one a step, those for the furthest nodes first, then by
/// id, and on in every step.
std::vector<Hop> scatter_hops(const Tree& parent);

} // namespace wormcast::bertsekas
