#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <string>

namespace wormcast {

/// The part of its operation that a schedule leaves undone. Ports, contention and costs are not examined:
/// check_schedule does that.
struct OperationCheck {
  std::uint32_t concerned = 0;     ///< nodes that must have something at the end
  std::uint32_t lacking = 0;       ///< of these, the ones that lack it or a part of it
  std::uint64_t not_held = 0;      ///< messages with blocks that their senders did not hold; those are not delivered
  std::uint64_t counted_twice = 0; ///< messages of a reduction with a contribution for the second time

  bool done() const { return lacking == 0 && not_held == 0 && counted_twice == 0; }
};

/// Follows the blocks of all nodes, step by step; a plain message list leaves nothing undone. Cost: time O(messages +
/// block words copied), memory one bit for each node and block; reductions as Contributions. Throws InputError if
/// memory does not suffice.
OperationCheck check_operation(const Topology& topology, const Schedule& schedule);

/// Returns the undone part as the predicate of a sentence: "does not broadcast: 239 of 240 nodes lack it". `check` is
/// not done().
std::string undone_text(const Topology& topology, const Schedule& schedule, const OperationCheck& check);

} // namespace wormcast
