#include "wormcast/algorithms/hypercube/single_node_scatter.hpp"

#include "wormcast/algorithms/hypercube/packets.hpp"
#include "wormcast/algorithms/hypercube/trees.hpp"
#include "wormcast/algorithms/schedule/neighbour_sends.hpp"
#include "wormcast/values/names.hpp"

#include <algorithm>
#include <bit>

namespace wormcast {

namespace {

constexpr std::string_view single_node_scatter_name = "single_node_scatter";

// Choices of "tree": whether it is that of the multinode broadcast.
constexpr auto scatter_tree_names = names<bool>({{false, "balanced"}, {true, "from_multinode"}});

/// A packet's hop over one link, all nodes given as offsets: node XOR root.
struct Hop {
  std::uint32_t step = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t packet = 0; ///< its destination
};

// Every packet leaves in its step and goes on without waiting.
std::vector<Hop> hops_down(const ScatterTree& tree)
{
  std::vector<Hop> hops;
  for (std::uint32_t packet = 1; packet < tree.parent.size(); ++packet) {
    std::uint32_t step = tree.start[packet] + static_cast<std::uint32_t>(std::popcount(packet)) - 1;
    for (std::uint32_t to = packet; to != 0; to = tree.parent[to], --step) {
      hops.push_back({step, tree.parent[to], to, packet});
    }
  }
  return hops;
}

// The packet of node z reaches the root over z XOR the path from 0 to z XOR root; the scatter uses it in reversed
// order.
std::vector<Hop> hops_reversed(const BroadcastTree& tree)
{
  const std::uint32_t last_step = *std::ranges::max_element(tree.step);
  std::vector<Hop> hops;
  for (std::uint32_t packet = 1; packet < tree.parent.size(); ++packet) {
    for (std::uint32_t place = packet; place != 0; place = tree.parent[place]) {
      hops.push_back({last_step - tree.step[place], packet ^ place, packet ^ tree.parent[place], packet});
    }
  }
  return hops;
}

std::vector<Hop> hops_of(const ScheduleRequest& request, std::uint32_t dimension)
{
  const bool all_ports = all_links_at_once(request.ports, dimension);
  if (const bool from_multinode = scatter_tree_names.read(request.parameters.text("tree")); !from_multinode) {
    return hops_down(all_ports ? balanced_scatter_tree(dimension) : one_port_scatter_tree(dimension));
  }
  return hops_reversed(all_ports ? multinode_broadcast_tree(dimension) : one_port_multinode_broadcast_tree(dimension));
}

Schedule single_node_scatter(const Topology& topology, const ScheduleRequest& request)
{
  const std::uint32_t dimension = require_hypercube(topology, single_node_scatter_name);
  std::vector<Hop> hops = hops_of(request, dimension);
  std::ranges::stable_sort(hops, {}, &Hop::step);
  Schedule schedule;
  schedule.operation = Operation::scatter;
  schedule.blocks = topology.node_count();
  schedule.messages.reserve(hops.size());
  const std::vector<BlockSetId> packets = single_blocks(schedule.block_sets, topology.node_count());
  const std::uint32_t root = index(request.source);
  for (const Hop& hop : hops) {
    schedule.messages.push_back({hop.step, NodeId{root ^ hop.from}, NodeId{root ^ hop.to}, packets[root ^ hop.packet]});
  }
  return schedule;
}

} // namespace

Algorithm single_node_scatter_algorithm()
{
  Algorithm algorithm;
  algorithm.name = single_node_scatter_name;
  algorithm.summary = "scatter on a hypercube: to each node its own packet, along shortest paths";
  algorithm.operation = Operation::scatter;
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "hypercube";
  algorithm.costs = "alpha = beta: all-port ceil((2^d - 1) / d), one-port 2^d - 1; d 2^(d-1) messages (all optimal)";
  algorithm.source = "Bertsekas et al., JPDC 11, 1991, section 3; one-port: highest bit first, farthest nodes first";
  algorithm.parameters.push_back(
      {.name = "tree",
       .type = ParameterType::choice,
       .text = "the perfectly balanced tree, or the multinode broadcast's tree to the source, reversed in time",
       .fallback = std::string(scatter_tree_names.text(false)),
       .choices = scatter_tree_names.texts()});
  algorithm.by_reversal = {Operation::gather};
  algorithm.make = single_node_scatter;
  return algorithm;
}

} // namespace wormcast
