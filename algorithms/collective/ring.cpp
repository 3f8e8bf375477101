#include "wormcast/algorithms/collective/ring.hpp"

#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/topologies/grid_line.hpp"
#include "wormcast/topologies/hypercube.hpp"
#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/values/names.hpp"

#include <algorithm>

namespace wormcast {

namespace {

// Choices of "order": whether it is that of the ids.
constexpr auto ring_order_names = names<bool>({{false, "neighbours"}, {true, "ids"}});

// All nodes, neighbours after each other where the topology is known to allow it.
std::vector<NodeId> closed_line(const Topology& topology, bool by_neighbours)
{
  if (const auto* grid = as_kind<Grid>(topology); grid != nullptr && by_neighbours) {
    return line_through(*grid, true);
  }
  const bool gray = by_neighbours && as_kind<Hypercube>(topology) != nullptr;
  std::vector<NodeId> line;
  line.reserve(topology.host_count());
  for (std::uint32_t place = 0; place < topology.host_count(); ++place) {
    line.push_back(NodeId{gray ? place ^ (place >> 1) : place});
  }
  return line;
}

Schedule ring(const Topology& topology, const ScheduleRequest& request)
{
  const std::vector<NodeId> line = closed_line(topology, !ring_order_names.read(request.parameters.text("order")));
  const std::size_t nodes = line.size();
  require_message_limit("ring", nodes, "steps", nodes);
  Schedule schedule;
  schedule.operation = Operation::multinode_broadcast;
  schedule.blocks = nodes;
  std::vector<BlockSetId> blocks;
  for (const NodeId node : line) {
    blocks.push_back(schedule.block_sets.intern({index(node), index(node) + 1}));
  }
  schedule.messages.reserve(nodes * (nodes - 1));
  for (std::size_t step = 0; step + 1 < nodes; ++step) {
    for (std::size_t place = 0; place < nodes; ++place) {
      schedule.messages.push_back({.step = static_cast<std::uint32_t>(step),
                                   .source = line[place],
                                   .destination = line[(place + 1) % nodes],
                                   .blocks = blocks[(place + nodes - step) % nodes]});
    }
  }
  return schedule;
}

} // namespace

Algorithm ring_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "ring";
  algorithm.summary = "one ring through all nodes: each node sends on what it received in the last step";
  algorithm.operation = Operation::multinode_broadcast;
  algorithm.ports = "one-port";
  algorithm.topologies = "any";
  algorithm.costs =
      "N nodes: all_gather alpha = beta = N - 1; reduce_scatter alpha = N - 1, beta = 1 - 1/N; all_reduce "
      "twice that; free of contention with order = \"neighbours\" on meshes, tori and hypercubes";
  algorithm.source = "Patarasuk & Yuan, JPDC 69(2), 2009; Thakur, Rabenseifner & Gropp 2005 (MPICH)";
  algorithm.parameters.push_back({.name = "order",
                                  .type = ParameterType::choice,
                                  .text = "a snake through meshes and tori and a Gray code on hypercubes, or node ids",
                                  .fallback = std::string(ring_order_names.text(false)),
                                  .choices = ring_order_names.texts()});
  algorithm.by_reversal = {Operation::reduce_scatter, Operation::all_reduce};
  algorithm.make = ring;
  return algorithm;
}

} // namespace wormcast
