#include "wormcast/algorithms/graph/breadth_first_tree.hpp"

#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace wormcast {

BreadthFirstTree breadth_first_tree(const Topology& topology, NodeId root)
{
  check_only_hosts(topology, "a breadth-first tree");
  constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();
  const std::uint32_t nodes = topology.node_count();
  BreadthFirstTree tree;
  tree.level.assign(nodes, unreached);
  tree.parent.assign(nodes, root);
  tree.level[index(root)] = 0;
  tree.order.reserve(nodes);
  tree.order.push_back(root);
  // A level's nodes come by ascending id, so the first to find a node is its parent.
  for (std::size_t begin = 0; begin < tree.order.size();) {
    const std::size_t end = tree.order.size();
    for (std::size_t i = begin; i < end; ++i) {
      const NodeId node = tree.order[i];
      for (const NodeId next : neighbours(topology, node)) {
        if (tree.level[index(next)] == unreached) {
          tree.level[index(next)] = tree.level[index(node)] + 1;
          tree.parent[index(next)] = node;
          tree.order.push_back(next);
        }
      }
    }
    std::ranges::sort(tree.order.begin() + static_cast<std::ptrdiff_t>(end), tree.order.end());
    begin = end;
  }
  if (tree.order.size() != nodes) {
    const auto lost = std::ranges::find(tree.level, unreached) - tree.level.begin();
    throw InputError(fmt::format("no path leads from node {} to node {}", topology.node_name(root),
                                 topology.node_name(NodeId{static_cast<std::uint32_t>(lost)})));
  }
  return tree;
}

std::vector<NodeId> neighbours(const Topology& topology, NodeId node)
{
  std::vector<NodeId> result;
  const std::uint32_t first = index(topology.first_channel(node));
  for (std::uint32_t channel = first; channel < first + topology.out_degree(node); ++channel) {
    result.push_back(topology.channel_target(ChannelId{channel}));
  }
  std::ranges::sort(result);
  const auto rest = std::ranges::unique(result);
  result.erase(rest.begin(), rest.end());
  return result;
}

} // namespace wormcast
