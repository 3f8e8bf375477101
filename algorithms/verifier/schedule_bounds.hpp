#pragma once

#include "wormcast/algorithms/verifier/broadcast_bounds.hpp"

#include <cstdint>
#include <optional>

namespace wormcast {

/// Whether reduction_bounds knows the operation: all_reduce, reduce_scatter and multinode_broadcast.
bool has_reduction_bounds(Operation operation);

/// Lower bounds for every all_reduce, reduce_scatter and multinode_broadcast (all_gather) with full-duplex ports that
/// combines or copies, on any topology. `bytes` bounds beta where no step asks a node for more ports than it has, and
/// the sum of the greatest loads in any case.
///
/// - Sends: of each item reduce_scatter and all_gather need N - 1 sends to another node, all_reduce 2(N - 1): N - 1 to
///   the first node with the complete result, and each of the others gets it at that time or later (Patarasuk & Yuan,
///   JPDC 69(2), 2009). A send occupies a usable channel of its sender.
/// - The node with the fewest usable channels: it receives the blocks of all others, or sends what it has for them; in
/// an
///   all_reduce it sends and receives a whole vector.
/// - After t steps with p usable channels at most (p + 1)^t nodes know of one.
///
/// On an all_gather `bytes` is in messages of one node, as beta is. Throws InputError on another operation, or where a
/// node has no channel. Cost O(nodes + channels).
BroadcastBounds reduction_bounds(const Topology& topology, Operation operation, PortModel ports);

/// The bounds that bind a schedule with these costs: those of broadcasts where has_broadcast_bounds(), those above
/// where its ports are full duplex and suffice. Nothing where there are none. Whether it is complete, the caller knows.
std::optional<BroadcastBounds> schedule_bounds(const Topology& topology, const Schedule& schedule,
                                               const ScheduleCosts& costs);

/// fair_beta / bytes: by how much the loads of the channels exceed what no schedule can avoid (the congestion
/// deficiency of De Sensi et al., "Swing", NSDI 2024, against the exact bound). 1 where the bound is 0.
Fraction congestion_deficiency(const BroadcastBounds& bounds, const ScheduleCosts& costs);

} // namespace wormcast
