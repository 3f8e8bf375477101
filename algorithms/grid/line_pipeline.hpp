#pragma once

#include "wormcast/algorithms/registry.hpp"
#include "wormcast/topologies/grid.hpp"

#include <vector>

namespace wormcast {

/// Line pipeline (Zhuang & Liberatore, theorem 3): all nodes form a closed line, cut before the source, and the message
/// runs along it in M flints: flint f crosses hop h in step f + h. alpha = M + N - 2, beta = 1 + (N - 2)/M for N nodes.
Algorithm line_pipeline_algorithm();

/// All nodes, row after row; a snake runs every second row backwards, so that consecutive nodes are neighbours.
std::vector<NodeId> line_through(const Grid& grid, bool snake);

} // namespace wormcast
