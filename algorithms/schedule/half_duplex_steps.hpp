#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

namespace wormcast {

/// Returns the schedule with every step divided so that it needs only one half-duplex port: no node sends and receives,
/// or does one of both twice, in the same step.
///
/// In a step of a schedule for one full-duplex port a node sends at most one message and receives at most one, so that
/// messages which share a node form paths and cycles. Every second message of a path or of a cycle of even length goes
/// into the first part of the step, the others into the second; a cycle of odd length needs a third. Of both halves of
/// a path or cycle the one with the larger message comes first, so that no other division has a smaller sum of the
/// largest messages of the parts, unless there are cycles of odd length. A step in which no node does both stays one.
///
/// The blocks sent in a part were held before the step, and messages that do not meet in a step do not meet in a part
/// of it: the result does the operation of `schedule`, free of contention if `schedule` is. Duplex is `half`, ports 1.
///
/// Throws InputError if a step needs more than one full-duplex port of a node, and for a plain message list. Cost
/// O(messages + steps + nodes).
Schedule divided_for_half_duplex(const Schedule& schedule, std::uint32_t node_count);

} // namespace wormcast
