#pragma once

#include "wormcast/topologies/grid.hpp"

#include <vector>

namespace wormcast {

/// Returns all nodes, row after row; a snake traverses every second row backwards, so that consecutive nodes are
/// neighbours.
std::vector<NodeId> line_through(const Grid& grid, bool snake);

} // namespace wormcast
