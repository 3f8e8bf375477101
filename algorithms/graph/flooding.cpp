#include "wormcast/algorithms/graph/flooding.hpp"

#include "wormcast/algorithms/graph/breadth_first_tree.hpp"
#include "wormcast/algorithms/verifier/combining.hpp"

#include <algorithm>
#include <ranges>

namespace wormcast {

namespace {

Schedule flood_broadcast(const Topology& topology, NodeId source)
{
  const BreadthFirstTree tree = breadth_first_tree(topology, source);
  SendSteps steps(tree.level[index(tree.order.back())]);
  for (const NodeId node : tree.order | std::views::drop(1)) {
    steps[tree.level[index(node)] - 1].push_back({tree.parent[index(node)], node});
  }
  return whole_message_broadcast(steps);
}

Schedule flood_all_to_all(const Topology& topology)
{
  check_only_hosts(topology, "flooding");
  const std::uint32_t nodes = topology.node_count();
  CombiningMultinodeBroadcast broadcast(nodes);
  std::vector<std::uint64_t> known(nodes, 0); // blocks, before the step before
  for (;;) {
    std::vector<NodeSend> sends;
    std::uint32_t complete = 0;
    for (std::uint32_t i = 0; i < nodes; ++i) {
      const NodeId node{i};
      const std::uint64_t now = broadcast.known_blocks(node);
      complete += now == nodes;
      if (now > known[i]) {
        for (const NodeId neighbour : neighbours(topology, node)) {
          sends.push_back({node, neighbour});
        }
      }
      known[i] = now;
    }
    if (complete == nodes) {
      return broadcast.take_schedule();
    }
    if (sends.empty()) {
      for (std::uint32_t root = 0; root < nodes; ++root) {
        breadth_first_tree(topology, NodeId{root}); // throws at the first node that does not reach all
      }
    }
    broadcast.step(sends);
  }
}

Schedule flooding(const Topology& topology, const ScheduleRequest& request)
{
  return operation_names.read(request.parameters.text("operation")) == Operation::broadcast
             ? flood_broadcast(topology, request.source)
             : flood_all_to_all(topology);
}

} // namespace

Algorithm flooding_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "flooding";
  algorithm.summary = "all-port broadcast or all-to-all in as many steps as the longest shortest path has channels";
  algorithm.ports = "all-port";
  algorithm.topologies = "any";
  algorithm.costs = "broadcast: alpha = beta = eccentricity of the source; all-to-all: alpha = diameter";
  algorithm.source = "textbook, for comparison; optimal in steps";
  algorithm.parameters.push_back({.name = "operation",
                                  .type = ParameterType::choice,
                                  .text = "what every node receives: the source's message, or a message from each node",
                                  .fallback = std::string(operation_names.text(Operation::broadcast)),
                                  .choices = {std::string(operation_names.text(Operation::broadcast)),
                                              std::string(operation_names.text(Operation::multinode_broadcast))}});
  algorithm.make = flooding;
  return algorithm;
}

} // namespace wormcast
