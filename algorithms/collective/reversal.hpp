#pragma once

#include "wormcast/algorithms/registry.hpp"

#include <memory>
#include <vector>

namespace wormcast {

/// Copies all of a schedule but its messages and their sets of blocks.
Schedule same_operation(const Schedule& schedule);

/// Returns the schedule without blocks that their receiver already has, or receives earlier in the same step, and
/// without messages that are then empty. For an operation that does not combine; order and steps are unchanged.
Schedule without_repeats(const Schedule& schedule, std::uint32_t node_count);

/// Returns the schedule with the last steps first, and with source and destination of every message exchanged: of a
/// broadcast without repeats a reduce, of a scatter a gather, of a multinode broadcast a reduce_scatter. In a schedule
/// without repeats every block spreads along a tree, parents before children; in the reverse each node has combined the
/// contributions of its children before it sends.
Schedule reversed(const Schedule& schedule, std::uint32_t node_count);

/// Returns the all_reduce that consists of the fewest last steps of a broadcast or multinode broadcast that deliver
/// each block from one node to all, without repeats: first reversed, then as they are. Of scatter and collect these are
/// the collect alone, of a tree all steps. `schedule.source` must be set.
Schedule all_reduce_of(const Schedule& schedule, std::uint32_t node_count);

/// Returns the all_reduce that is a reduce to a root and then a broadcast from it, both without the root's operation.
/// Their blocks are the same parts of the message.
Schedule all_reduce_through_root(const Schedule& reduce, const Schedule& broadcast);

/// Whether an operation by reversal is an all_reduce that is the algorithm's reduce and its broadcast one after the
/// other. So it is of algorithms that send equal segments: each half is free of contention where the broadcast is, and
/// each node is busy in nearly all steps of both.
bool all_reduces_through_root(const Algorithm& algorithm, Operation operation);

/// The broadcast whose reversal is a reduce, with the properties of its network.
struct BroadcastToReverse {
  std::shared_ptr<const Topology> topology; ///< nothing: that of the reduce
  ScheduleRequest request;                  ///< as of the reduce, but for the source
  std::vector<NodeId> original;             ///< nodes of the reduce by those of `topology`; empty: the same ones

  const Topology& on(const Topology& reduce) const { return topology ? *topology : reduce; }
};

/// Returns the broadcast of the reduce to `request.source` on `topology` (defined at make_by_reversal).
BroadcastToReverse broadcast_to_reverse(const Topology& topology, const ScheduleRequest& request);

/// The schedule of one of `algorithm.by_reversal`.
///
/// A reduce is free of contention in every step in which the broadcast is: reversed messages use other channels than
/// the reverse of the channels of the broadcast, for the reverse of a route that corrects x first is one that corrects
/// y first. So the reduce to (x, y) on an X x Y grid is the broadcast from (y, x) on the Y x X grid, reversed and with
/// the coordinates exchanged back; with more dimensions in reverse order. On a torus with tie "positive", where the
/// reverse of half a ring is the other half, every coordinate is mirrored as well. On a hypercube the bits replace the
/// coordinates. Other topologies and all other operations are reversed as they are, but an all_reduce is the reduce to
/// `request.source` and the broadcast from it where all_reduces_through_root().
Schedule make_by_reversal(const Algorithm& algorithm, Operation operation, const Topology& topology,
                          const ScheduleRequest& request);

} // namespace wormcast
