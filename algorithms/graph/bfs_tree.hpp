#pragma once

#include "wormcast/algorithms/registry.hpp"

namespace wormcast {

/// `bfs_tree`: one-port broadcast along a breadth-first tree (breadth_first_tree.hpp) of any topology. A node serves
/// its children in descending order of the time bt that their own subtrees take, ties by ascending id: bt(v) = max over
/// i of (i + bt(child i)), i = 1, 2, ...
Algorithm bfs_tree_algorithm();

} // namespace wormcast
