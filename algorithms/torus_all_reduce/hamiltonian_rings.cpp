#include "wormcast/algorithms/torus_all_reduce/hamiltonian_rings.hpp"

#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/algorithms/torus_all_reduce/collectives.hpp"
#include "wormcast/algorithms/torus_all_reduce/hamiltonian_cycles.hpp"
#include "wormcast/algorithms/tuning/segments.hpp"
#include "wormcast/topologies/grid_requirements.hpp"

#include <utility>

namespace wormcast {

namespace {

constexpr std::string_view hamiltonian_rings_name = "hamiltonian_rings";

/// A cycle in one direction: its nodes by position, and the positions by node.
struct Ring {
  std::vector<NodeId> nodes;
  std::vector<std::uint32_t> positions;
};

/// Each cycle with its reverse behind it; with one port the first one alone.
std::vector<Ring> rings_of(const std::vector<std::vector<NodeId>>& cycles, PortModel ports)
{
  std::vector<Ring> rings;
  for (const std::vector<NodeId>& cycle : cycles) {
    rings.push_back({cycle, {}});
    rings.push_back({{cycle.rbegin(), cycle.rend()}, {}});
  }
  if (ports.count != PortModel::all) {
    rings.resize(1);
  }
  for (Ring& ring : rings) {
    ring.positions.resize(ring.nodes.size());
    for (std::uint32_t position = 0; position < ring.nodes.size(); ++position) {
      ring.positions[index(ring.nodes[position])] = position;
    }
  }
  return rings;
}

Schedule hamiltonian_rings(const Grid& grid, const ScheduleRequest& request)
{
  const std::uint32_t nodes = grid.node_count();
  const Operation operation = requested_all_reduce(request);
  if (operation == Operation::broadcast) {
    return make_segmented(hamiltonian_rings_name, hamiltonian_chains(grid, request.source, request.ports), grid,
                          request);
  }
  const AllReduceHalves halves = halves_of(operation);
  const std::vector<Ring> rings = rings_of(hamiltonian_cycles(grid, hamiltonian_rings_name), request.ports);
  const std::uint64_t messages = (nodes - std::uint64_t{1}) * rings.size() * halves.count(); // of each node
  require_message_limit(hamiltonian_rings_name, messages, "messages of each node", nodes);
  Schedule schedule = schedule_of_shares(operation, nodes, rings.size());
  schedule.messages.reserve(messages * nodes);
  std::vector<BlockSetId> sets;
  for (std::uint32_t block = 0; block < schedule.blocks; ++block) {
    sets.push_back(schedule.block_sets.intern({block, block + 1}));
  }
  std::uint32_t step = 0;
  // In turn t a node sends to the next one the block of the node that is t + `behind` places behind itself.
  const auto add_half = [&](std::uint32_t behind) {
    for (std::uint32_t turn = 0; turn + 1 < nodes; ++turn, ++step) {
      for (std::uint32_t node = 0; node < nodes; ++node) {
        std::uint32_t first_block = 0;
        for (const Ring& ring : rings) {
          const std::uint32_t here = ring.positions[node];
          const std::uint32_t next = here + 1 == nodes ? 0 : here + 1;
          const std::uint32_t back = turn + behind;
          const std::uint32_t owner = here >= back ? here - back : here + nodes - back;
          schedule.messages.push_back({.step = step,
                                       .source = NodeId{node},
                                       .destination = ring.nodes[next],
                                       .blocks = sets[first_block + index(ring.nodes[owner])]});
          first_block += nodes;
        }
      }
    }
  };
  if (halves.scatters) {
    add_half(1);
  }
  if (halves.gathers) {
    add_half(0);
  }
  return schedule;
}

ParameterValues best_chain_segments(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, hamiltonian_rings_name);
  return best_segments(hamiltonian_chains(grid, request.source, request.ports), grid, request);
}

} // namespace

SegmentTrees hamiltonian_chains(const Grid& grid, NodeId source, PortModel ports)
{
  SegmentTrees chains;
  const std::vector<Ring> rings = rings_of(hamiltonian_cycles(grid, hamiltonian_rings_name), ports);
  for (const Ring& ring : rings) {
    const auto nodes = static_cast<std::uint32_t>(ring.nodes.size());
    const std::uint32_t first = ring.positions[index(source)];
    std::vector<TreeEdge>& chain = chains.trees.emplace_back();
    for (std::uint32_t hop = 0; hop + 1 < nodes; ++hop) {
      chain.push_back({ring.nodes[(first + hop) % nodes], ring.nodes[(first + hop + 1) % nodes], hop});
    }
  }
  return chains;
}

Algorithm hamiltonian_rings_algorithm()
{
  Algorithm algorithm = torus_all_reduce_algorithm(hamiltonian_rings_name);
  algorithm.summary = "rings both ways along link-disjoint Hamiltonian cycles, which use all links in every step";
  algorithm.ports = "one-port, all-port";
  algorithm.topologies =
      "torus of 1 to 4 dimensions with all sizes at least 3; mesh of 2 dimensions with an even number "
      "of nodes, which has one cycle";
  algorithm.costs =
      "N nodes, D dimensions: all_reduce alpha = 2(N - 1); beta with all ports (1 - 1/N)/D, the lower bound "
      "(mesh: 1 - 1/N), with one port 2(1 - 1/N); reduce_scatter and all_gather half of it; broadcast of k segments "
      "on R rings (all ports: 2D, mesh 2; one port: 1) alpha = ceil(k/R) + N - 2, beta = alpha/k, towards the lower "
      "bound 1/R of a torus; free of contention";
  algorithm.source =
      "De Sensi et al., NSDI 2024, section 2.3.1; Hoefler et al., SC 2022, appendix D; own construction of "
      "the cycles for all sizes";
  Parameter segments = segments_parameter();
  segments.text = "broadcast only: segments of the message; \"best\" and without it: the fastest number for the length "
                  "and the network (flits are not counted)";
  segments.fallback.reset();
  segments.optional = true;
  algorithm.parameters.push_back(std::move(segments));
  algorithm.segments = "segments";
  algorithm.tune = best_chain_segments;
  algorithm.make = [](const Topology& topology, const ScheduleRequest& request) {
    return hamiltonian_rings(require_grid(topology, hamiltonian_rings_name), request);
  };
  return algorithm;
}

} // namespace wormcast
