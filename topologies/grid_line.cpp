#include "wormcast/topologies/grid_line.hpp"

namespace wormcast {

std::vector<NodeId> line_through(const Grid& grid, bool snake)
{
  std::vector<NodeId> line;
  line.reserve(grid.node_count());
  for (std::uint32_t place = 0; place < grid.node_count(); ++place) {
    std::int64_t node = 0;
    for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
      const std::int64_t size = grid.sizes()[dimension];
      const std::int64_t row = place / grid.stride(dimension) / size; // counts the rows of this dimension
      const std::int64_t coordinate = place / grid.stride(dimension) % size;
      node += (snake && row % 2 == 1 ? size - 1 - coordinate : coordinate) * grid.stride(dimension);
    }
    line.push_back(NodeId{static_cast<std::uint32_t>(node)});
  }
  return line;
}

} // namespace wormcast
