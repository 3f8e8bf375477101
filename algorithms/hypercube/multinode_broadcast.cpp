#include "wormcast/algorithms/hypercube/multinode_broadcast.hpp"

#include "wormcast/algorithms/hypercube/packets.hpp"
#include "wormcast/algorithms/hypercube/trees.hpp"
#include "wormcast/algorithms/schedule/neighbour_sends.hpp"

#include <algorithm>
#include <numeric>

namespace wormcast {

namespace {

constexpr std::string_view multinode_broadcast_name = "multinode_broadcast";

// The ids of a tree's nodes but the root's in the order in which they get the packet.
std::vector<std::uint32_t> by_step(const BroadcastTree& tree)
{
  std::vector<std::uint32_t> order(tree.step.size() - 1);
  std::iota(order.begin(), order.end(), 1U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t id) { return tree.step[id]; });
  return order;
}

Schedule multinode_broadcast(const Topology& topology, const ScheduleRequest& request)
{
  const std::uint32_t dimension = require_hypercube(topology, multinode_broadcast_name);
  const std::uint32_t nodes = topology.node_count();
  const std::uint64_t messages = std::uint64_t{nodes} * (nodes - 1);
  limit_messages(messages, multinode_broadcast_name, dimension);
  const BroadcastTree tree = all_links_at_once(request.ports, dimension) ? multinode_broadcast_tree(dimension)
                                                                         : one_port_multinode_broadcast_tree(dimension);
  Schedule schedule;
  schedule.operation = Operation::multinode_broadcast;
  schedule.blocks = nodes;
  schedule.messages.reserve(messages);
  const std::vector<BlockSetId> packets = single_blocks(schedule.block_sets, nodes);
  for (const std::uint32_t offset : by_step(tree)) {
    for (std::uint32_t origin = 0; origin < nodes; ++origin) {
      schedule.messages.push_back(
          {tree.step[offset], NodeId{origin ^ tree.parent[offset]}, NodeId{origin ^ offset}, packets[origin]});
    }
  }
  return schedule;
}

} // namespace

Algorithm multinode_broadcast_algorithm()
{
  Algorithm algorithm;
  algorithm.name = multinode_broadcast_name;
  algorithm.summary = "all-to-all broadcast on a hypercube without combining: the same tree from every node at once";
  algorithm.operation = Operation::multinode_broadcast;
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "hypercube of dimension up to 15";
  algorithm.costs = "alpha = beta: all-port ceil((2^d - 1) / d), one-port 2^d - 1 (both optimal)";
  algorithm.source = "Bertsekas et al., JPDC 11, 1991, section 2; one-port: recursive doubling, packet by packet";
  algorithm.by_reversal = {Operation::reduce_scatter, Operation::all_reduce};
  algorithm.make = multinode_broadcast;
  return algorithm;
}

} // namespace wormcast
