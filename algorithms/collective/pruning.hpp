#pragma once

#include "wormcast/algorithms/registry.hpp"

#include <span>
#include <vector>

namespace wormcast {

/// The parameter `destinations`: the nodes that receive a multicast.
Parameter destinations_parameter();

/// The nodes of the parameter `destinations`. Throws InputError where there are none, or where they occur twice,
/// include the source or are no nodes.
std::vector<NodeId> requested_destinations(const ScheduleRequest& request, const Topology& topology);

/// Whether the operation is a multicast that make_schedule() derives from the algorithm's broadcast.
bool multicasts_by_pruning(const Algorithm& algorithm, Operation operation);

/// The request of the broadcast that such a multicast is derived from.
ScheduleRequest broadcast_to_prune(const ScheduleRequest& request);

/// The multicast that remains of a broadcast: of each block the first delivery to each node, and of these only those
/// that a destination is or waits for. Steps in which nothing remains are left out. What shared no channel in the
/// broadcast shares none in the multicast. Cost O(blocks) for each message and node.
Schedule pruned_to(const Schedule& broadcast, std::vector<NodeId> destinations, std::uint32_t node_count);

} // namespace wormcast
