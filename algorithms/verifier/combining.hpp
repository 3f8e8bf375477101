#pragma once

#include "wormcast/algorithms/schedule/neighbour_sends.hpp"
#include "wormcast/algorithms/verifier/possession.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// Builds a multinode broadcast (all-to-all) in which messages combine: every send carries all blocks of its sender at
/// the start of the step. The schedule is correct for all steps; the verifier checks whether it is complete.
///
/// Memory: one bit per pair of nodes, and 8 bytes for each range of each different set of blocks that is sent.
/// Time: a step costs O(sends * (ranges + nodes / 64)).
class CombiningMultinodeBroadcast {
public:
  /// At first node v holds block v. Throws InputError if the bits exceed Possession's limit.
  explicit CombiningMultinodeBroadcast(std::uint32_t node_count);
  CombiningMultinodeBroadcast(const CombiningMultinodeBroadcast&) = delete;
  CombiningMultinodeBroadcast& operator=(const CombiningMultinodeBroadcast&) = delete;

  /// Adds one step; all sends carry the blocks held before it.
  void step(std::span<const NodeSend> sends);

  /// Returns the number of blocks that `node` holds after the steps so far.
  std::uint64_t known_blocks(NodeId node);

  /// Returns the schedule of the steps so far. It must be the last call.
  Schedule take_schedule();

private:
  BlockSetId known(NodeId node);

  Schedule schedule_;
  Possession possession_;
  std::uint32_t step_ = 0;
  std::vector<BlockSetId> known_; ///< by node; right where not outdated_
  std::vector<bool> outdated_;    ///< by node: it was sent to since known_ was made
  std::vector<BlockRange> ranges_;
};

/// CombiningMultinodeBroadcast of given steps.
Schedule combining_multinode_broadcast(std::uint32_t node_count, const SendSteps& steps);

} // namespace wormcast
