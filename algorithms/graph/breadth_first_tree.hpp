#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Shortest paths from one node to all, over channels in their direction.
struct BreadthFirstTree {
  std::vector<std::uint32_t> level; ///< by node: channels from the root
  std::vector<NodeId> parent;       ///< by node: of the nodes one level up with a channel to it the one of lowest id;
                                    ///< the root's is the root
  std::vector<NodeId> order;        ///< all nodes by ascending level, then id
};

/// Throws InputError if channels' directions leave a node out of reach. Cost O(channels).
BreadthFirstTree breadth_first_tree(const Topology& topology, NodeId root);

/// The nodes to which a channel leads from `node`, ascending, each once.
std::vector<NodeId> neighbours(const Topology& topology, NodeId node);

} // namespace wormcast
