#include "wormcast/algorithms/graph/bfs_tree.hpp"

#include "wormcast/algorithms/graph/breadth_first_tree.hpp"
#include "wormcast/algorithms/schedule/neighbour_sends.hpp"

#include <algorithm>
#include <ranges>

namespace wormcast {

namespace {

Schedule bfs_tree(const Topology& topology, const ScheduleRequest& request)
{
  const BreadthFirstTree tree = breadth_first_tree(topology, request.source);
  std::vector<std::vector<NodeId>> children(topology.node_count());
  for (const NodeId node : tree.order | std::views::drop(1)) {
    children[index(tree.parent[index(node)])].push_back(node);
  }
  // From the leaves up: the order of each node's children, and the time that its subtree takes.
  std::vector<std::uint32_t> time(topology.node_count(), 0);
  for (const NodeId node : tree.order | std::views::reverse) {
    std::vector<NodeId>& served = children[index(node)];
    std::ranges::stable_sort(served, std::ranges::greater{}, [&](NodeId child) { return time[index(child)]; });
    for (std::uint32_t i = 0; i < served.size(); ++i) {
      time[index(node)] = std::max(time[index(node)], i + 1 + time[index(served[i])]);
    }
  }
  SendSteps steps(time[index(request.source)]);
  std::vector<std::uint32_t> first_send(topology.node_count(), 0); // the step in which a node starts to serve
  for (const NodeId node : tree.order) {
    std::uint32_t step = first_send[index(node)];
    for (const NodeId child : children[index(node)]) {
      steps[step].push_back({node, child});
      first_send[index(child)] = ++step;
    }
  }
  return whole_message_broadcast(steps);
}

} // namespace

Algorithm bfs_tree_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "bfs_tree";
  algorithm.summary = "one-port broadcast along a breadth-first tree, the child with the longest work first";
  algorithm.ports = "one-port";
  algorithm.topologies = "any";
  algorithm.costs = "alpha = beta = bt(source), bt(v) = max over i of (i + bt(child i))";
  algorithm.source = "the textbook's tree broadcast, for comparison";
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = bfs_tree;
  return algorithm;
}

} // namespace wormcast
