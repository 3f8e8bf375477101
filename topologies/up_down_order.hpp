#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// The order of nodes by which up*/down* routing (UpDownTable) calls channels up or down: by their distances to a root,
/// then by their ids. A channel leads up if it leads to a node that comes first, else down; so no channels that all
/// lead up, or all down, close a circle.
class UpDownOrder {
public:
  /// `levels` are the distances to the root, by node.
  explicit UpDownOrder(std::span<const std::uint32_t> levels);

  NodeId root() const { return by_rank_.front(); }
  std::span<const NodeId> nodes() const { return by_rank_; }

  /// Whether a channel from `from` to `to`, its neighbour, leads down.
  bool leads_down(NodeId from, NodeId to) const { return rank_[index(from)] < rank_[index(to)]; }

private:
  std::vector<NodeId> by_rank_;
  std::vector<std::uint32_t> rank_; ///< by node: its place in the order
};

/// The root is the node with the least distance to it of the node farthest from it, of several the first; where there
/// are switches, it is one of them. Nodes that do not reach it come last. Cost O(nodes * (nodes + channels)).
UpDownOrder up_down_order(const Topology& topology);

} // namespace wormcast
