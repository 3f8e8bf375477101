#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// An edge of a spanning tree, which carries the tree's first segment in step `start`.
struct TreeEdge {
  NodeId from{};
  NodeId to{};
  std::uint32_t start = 0;

  friend bool operator==(TreeEdge, TreeEdge) = default;
};

/// Spanning trees from one source down which the segments of a message go in turn: of T trees, tree t carries the
/// segments t, t + T, t + 2T, ..., and an edge carries the next one `period` steps after the one before.
struct SegmentTrees {
  std::uint32_t period = 1;
  std::vector<std::vector<TreeEdge>> trees;
};

/// Returns the number of segments, of `segments`, that go down tree `tree` of `trees`.
std::uint64_t segments_of_tree(std::uint64_t segments, std::size_t tree, std::size_t trees);

/// The broadcast of a message in `segments` equal blocks. Step 0 is the first one in which anything is sent; messages
/// are ordered by step and sender. Cost O(messages * log(messages a step)).
Schedule segmented_broadcast(const SegmentTrees& trees, std::uint64_t segments);

} // namespace wormcast
