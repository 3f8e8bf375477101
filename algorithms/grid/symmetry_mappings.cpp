#include "wormcast/algorithms/grid/symmetry_mappings.hpp"

namespace wormcast {

NodeId flip(const Grid& grid, NodeId node, std::size_t dimension, std::int64_t bits)
{
  const std::int64_t here = grid.coordinate(node, dimension);
  const std::int64_t there = here ^ bits;
  return NodeId{static_cast<std::uint32_t>(index(node) + (there - here) * grid.stride(dimension))};
}

NodeId central_mapping(const Grid& grid, NodeId node, unsigned k)
{
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    node = flip(grid, node, dimension, std::int64_t{1} << (k - 1));
  }
  return node;
}

NodeId vertical_mapping(const Grid& grid, NodeId node, unsigned k)
{
  return flip(grid, node, 1, (std::int64_t{1} << k) - 1);
}

NodeId horizontal_mapping(const Grid& grid, NodeId node, unsigned k)
{
  return flip(grid, node, 0, std::int64_t{1} << (k - 1));
}

NodeId ring_neighbour(const Grid& grid, NodeId node, std::size_t dimension, std::int64_t begin, std::int64_t length,
                      std::int64_t stride)
{
  const std::int64_t here = grid.coordinate(node, dimension);
  const std::int64_t next = here + stride;
  const std::int64_t there = next < begin + length ? next : begin + (here - begin) % stride;
  return NodeId{static_cast<std::uint32_t>(index(node) + (there - here) * grid.stride(dimension))};
}

} // namespace wormcast
