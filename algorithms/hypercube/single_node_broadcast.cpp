#include "wormcast/algorithms/hypercube/single_node_broadcast.hpp"

#include "wormcast/algorithms/hypercube/packets.hpp"
#include "wormcast/algorithms/hypercube/trees.hpp"
#include "wormcast/algorithms/schedule/neighbour_sends.hpp"

namespace wormcast {

namespace {

constexpr std::string_view single_node_broadcast_name = "single_node_broadcast";

Schedule single_node_broadcast(const Topology& topology, const ScheduleRequest& request)
{
  const std::uint32_t dimension = require_hypercube(topology, single_node_broadcast_name);
  const BroadcastTree tree =
      all_links_at_once(request.ports, dimension) ? all_port_broadcast_tree(dimension) : binomial_tree(dimension);
  const std::uint32_t root = index(request.source);
  SendSteps steps(dimension);
  for (std::uint32_t offset = 1; offset < tree.parent.size(); ++offset) {
    steps[tree.step[offset]].push_back({NodeId{root ^ tree.parent[offset]}, NodeId{root ^ offset}});
  }
  return whole_message_broadcast(steps);
}

} // namespace

Algorithm single_node_broadcast_algorithm()
{
  Algorithm algorithm;
  algorithm.name = single_node_broadcast_name;
  algorithm.summary = "broadcast on a hypercube along the binomial tree, or with all ports along all links upwards";
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "hypercube";
  algorithm.costs = "alpha = beta = d with one port and with all (both optimal)";
  algorithm.source = "Bertsekas et al., JPDC 11, 1991, section 1 (shortest-path trees); the binomial tree is folklore";
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = single_node_broadcast;
  return algorithm;
}

} // namespace wormcast
