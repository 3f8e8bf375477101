#pragma once

#include "wormcast/algorithms/registry.hpp"

#include <cstdint>
#include <functional>

namespace wormcast {

/// The broadcast that is contained in an all_reduce: of each message the blocks that its sender has from the source by
/// then and its receiver has not. Where the all_reduce consists of a reduce_scatter and an all_gather, the first half
/// becomes a scatter, for a block leaves each node once on its way to its owner; where whole shares are exchanged, it
/// becomes a tree of copies. Every message is part of one of the all_reduce, so that steps that are free of contention
/// stay so, and neither alpha nor beta grows.
Schedule broadcast_of_all_reduce(const Schedule& all_reduce, NodeId source, std::uint32_t node_count);

/// Makes the schedule of an all_reduce, reduce_scatter or multinode_broadcast.
using AllReduceMaker = std::function<Schedule(const Topology& topology, const ScheduleRequest& request)>;

/// `make` for these three operations, and for a broadcast what broadcast_of_all_reduce() makes of its all_reduce.
AllReduceMaker with_broadcast(AllReduceMaker make);

} // namespace wormcast
