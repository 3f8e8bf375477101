#pragma once

#include "wormcast/algorithms/schedule/ownership.hpp"
#include "wormcast/topologies/grid.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace wormcast {

/// One send of a recursive halving of a line: the node at position `from` serves the other half of its segment through
/// the node at `to`.
struct HalvingSend {
  std::int64_t from = 0;
  std::int64_t to = 0;
  /// Nodes that remain with `from`, and nodes that `to` serves, itself included.
  std::int64_t kept = 0;
  std::int64_t given = 0;
};

/// Recursive halving of a line of `size` nodes from `source`: in every step each segment with one informed node is cut
/// into two halves (the lower one larger by one if need be), and that node informs the node at the same place of the
/// other half (the last one if there is none). The steps, ceil(log2 size) of them, each by ascending `from`. For a
/// power of two from and to differ in one bit, the highest first. Segments are disjoint and messages stay inside of
/// them, so no step has channel contention, on a line and on a ring.
std::vector<std::vector<HalvingSend>> halve_line(std::int64_t size, std::int64_t source);

/// A step of halve_line on all lines of a grid along one dimension.
struct HalvingStep {
  Ownership::Partner partner;                      ///< a node that sends nothing is its own partner
  std::function<std::uint64_t(NodeId)> kept_nodes; ///< of a sender: HalvingSend::kept
};

/// The steps of halve_line along `dimension`, for lines whose informed node has the source's coordinate.
/// `grid` must outlive them.
std::vector<HalvingStep> halving_steps(const Grid& grid, std::size_t dimension, NodeId source);

} // namespace wormcast
