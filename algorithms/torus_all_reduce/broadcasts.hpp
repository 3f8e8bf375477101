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

/// A broadcast by a scatter and an all-gather of as many steps, with each block of the scatter in a message of its own
/// that a node passes on in the step behind the one in which it came. The source sends the blocks of a share in the
/// order in which nodes send them on: of each node its own block, then the blocks that it passed on in its first
/// message, and so on. So a node sends and receives at most one message of a share in a step. Where each node exchanges
/// with one peer in a step the scatter takes N - 1 steps, and beta is the same.
Schedule with_single_blocks(const Schedule& broadcast, std::uint32_t node_count);

/// Makes the schedule of an all_reduce, reduce_scatter or multinode_broadcast.
using AllReduceMaker = std::function<Schedule(const Topology& topology, const ScheduleRequest& request)>;

/// `make` for these three operations, and for a broadcast what broadcast_of_all_reduce() makes of its all_reduce.
AllReduceMaker with_broadcast(AllReduceMaker make);

} // namespace wormcast
