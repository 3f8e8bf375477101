#pragma once

#include "wormcast/algorithms/torus_all_reduce/collectives.hpp"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace wormcast {

/// The hop of a block in a reduce_scatter on a ring: in which relative step it leaves a node, and for which one.
struct RingHop {
  std::uint16_t step = 0;
  std::uint16_t to = 0;
};

/// A reduce_scatter on a ring of `size` nodes in `steps` relative steps, given by the hop of each block at each node.
/// What arrives somewhere and is not at its owner's must leave in a later step.
class RingHops {
public:
  /// Throws InputError where a table of so many nodes has no room.
  RingHops(std::uint32_t size, std::uint32_t steps);

  std::uint32_t size() const { return size_; }
  std::uint32_t steps() const { return steps_; }
  RingHop& hop(std::uint32_t at, std::uint32_t owner) { return hops_[std::size_t{at} * size_ + owner]; }
  const RingHop& hop(std::uint32_t at, std::uint32_t owner) const { return hops_[std::size_t{at} * size_ + owner]; }

private:
  std::uint32_t size_ = 0;
  std::uint32_t steps_ = 0;
  std::vector<RingHop> hops_; ///< by node and owner
};

/// The nodes to which a node of a ring sends in a relative step.
using RingPeers = std::function<std::vector<std::uint32_t>(std::uint32_t node, std::uint32_t step)>;

/// A pattern of exchanges on a ring.
struct RingPattern {
  std::uint32_t size = 1;
  std::uint32_t steps = 0;
  RingPeers peers;
};

/// The pattern on the ring of `size` nodes, of a mirrored collective or a plain one.
using RingPatterns = std::function<RingPattern(std::uint32_t size, bool mirrored)>;
/// The hops on the ring of `size` nodes, of a mirrored collective or a plain one.
using RingHopTables = std::function<RingHops(std::uint32_t size, bool mirrored)>;

/// Of each block the last hop of its node behind which the pattern still brings it to its owner. Throws InputError that
/// names the algorithm where some owner is out of reach.
RingHops hops_by_pattern(const RingPattern& pattern, std::string_view algorithm);

/// One step of a collective: which of its dimensions it serves, with which relative step.
struct ServedStep {
  std::size_t dimension = 0; ///< of the grid
  std::uint32_t relative = 0;
};

/// The steps of a collective whose dimensions take `steps_of(dimension)` relative steps: step s serves the first of the
/// dimensions number s, s + 1, ... (modulo their number) that has relative steps left, with its next one.
std::vector<ServedStep> served_steps(const ShareCollective& collective,
                                     const std::function<std::uint32_t(std::size_t dimension)>& steps_of);

/// The bandwidth-optimal variant on a grid: reduce_scatter in which a block leaves a node in the first step in which
/// one of its dimensions has a hop for it, and all_gather, which goes the same ways back.
///
/// It is right for every ring algorithm. All that a node ever has of a block leaves it in one step, which depends on
/// the node and the block only: what arrives by dimension k in step s has its open hops later than s, those of other
/// dimensions because they were later than the first one and have not changed, that of k by the condition of RingHops.
/// So every contribution goes one way to the owner, and is merged but never split or counted twice.
Schedule exchange_blocks(const Grid& grid, const std::vector<ShareCollective>& collectives, Operation operation,
                         const RingHopTables& hops);

/// The total exchange: each block goes from its sender to its receiver the way on which the reduce_scatter brings that
/// sender's contribution to the receiver's block. On powers of two a node sends half of N blocks in every step. Throws
/// InputError with more nodes than blocks have numbers for.
Schedule exchange_own_blocks(const Grid& grid, const ShareCollective& collective, const RingHopTables& hops,
                             std::string_view algorithm);

/// The latency-optimal all_reduce: in each step every node sends its partial result of the whole share to its peers.
Schedule exchange_partial_results(const Grid& grid, const std::vector<ShareCollective>& collectives,
                                  const RingPatterns& patterns);

} // namespace wormcast
