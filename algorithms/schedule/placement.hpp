#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <memory>
#include <span>
#include <vector>

namespace wormcast {

/// A map of ranks, the nodes of a logical topology, to nodes of another one. An algorithm makes its schedule for the
/// logical topology, where it can be proved; the messages run on the other one, whose further nodes are idle.
struct RankPlacement {
  std::shared_ptr<const Topology> logical; ///< its nodes are the ranks
  std::vector<NodeId> nodes;               ///< by rank, each different
};

/// Throws InputError unless there is a different node of a network of `node_count` nodes for each of `ranks` ranks.
void check_placement(std::span<const NodeId> nodes, std::uint32_t ranks, std::uint32_t node_count);

/// Returns a schedule with rank r on nodes[r] of `topology`. Message ids, steps, lengths and dependencies stay as they
/// are; sources, destinations and, where blocks belong to nodes, blocks are those of the nodes. Of the operation it is
/// the part among these nodes: nodes without a rank hold what they hold at the start, and send and receive nothing, so
/// that the verifier proves `schedule` on its own topology, and not the result. Throws InputError as check_placement(),
/// for a program, which has its ranks placed by program_schedule(), and where block numbers pass 32 bits.
Schedule placed_schedule(const Schedule& schedule, std::span<const NodeId> nodes, const Topology& topology);

} // namespace wormcast
