#pragma once

#include "wormcast/algorithms/registry.hpp"

#include <memory>
#include <vector>

namespace wormcast {

/// The schedule without blocks that their receiver has already, or gets earlier in the same step, and without messages
/// that carry nothing else. Of an operation that does not combine; order and steps stay.
Schedule without_repeats(const Schedule& schedule, std::uint32_t node_count);

/// The last steps first, with source and destination of every message exchanged: of a broadcast without repeats a
/// reduce, of a scatter a gather, of a multinode broadcast a reduce_scatter. In a schedule without repeats every block
/// spreads along a tree, parents before children; backwards each node has combined what its children send before it
/// sends.
Schedule reversed(const Schedule& schedule, std::uint32_t node_count);

/// The all_reduce made of as few of the last steps of a broadcast or multinode broadcast as bring each block from one
/// node to all, without repeats: reversed, and then as they are. Of scatter and collect it keeps the collect alone, of
/// a tree everything. `schedule.source` must be set.
Schedule all_reduce_of(const Schedule& schedule, std::uint32_t node_count);

/// The broadcast whose reversal is a reduce, and what is known of its network.
struct BroadcastToReverse {
  std::shared_ptr<const Topology> topology; ///< nothing: that of the reduce
  ScheduleRequest request;                  ///< as of the reduce, but for the source
  std::vector<NodeId> original;             ///< nodes of the reduce by those of `topology`; empty: the same ones

  const Topology& on(const Topology& reduce) const { return topology ? *topology : reduce; }
};

/// The broadcast of the reduce to `request.source` on `topology` (make_by_reversal says which it is).
BroadcastToReverse broadcast_to_reverse(const Topology& topology, const ScheduleRequest& request);

/// The schedule of one of `algorithm.by_reversal`.
///
/// A reduce is free of contention in every step in which the broadcast is: messages that go back take other channels
/// than the way back of the channels that they came on, for the reverse of a route that corrects x first is one that
/// corrects y first. So the reduce to (x, y) on an X x Y grid is the broadcast from (y, x) on the Y x X grid, reversed
/// and with the coordinates exchanged back; with more dimensions in reverse order. On a torus with tie "positive",
/// where the way back of half a ring is the other half, every coordinate is mirrored as well. On a hypercube the bits
/// take the place of the coordinates. Other topologies, all_reduce and the rest are reversed as they are.
Schedule make_by_reversal(const Algorithm& algorithm, Operation operation, const Topology& topology,
                          const ScheduleRequest& request);

} // namespace wormcast
