#include "wormcast/algorithms/grid_all_port/square_frame.hpp"

#include <algorithm>

namespace wormcast {

namespace {

std::int64_t along(Position position, std::size_t dimension)
{
  return dimension == 0 ? position.x : position.y;
}

bool half_ring_sends_fit(const Grid& grid, const SquareFrame& frame, std::size_t dimension,
                         std::span<const PositionSend> sends)
{
  return std::ranges::all_of(sends, [&](const PositionSend& send) {
    const std::int64_t from = along(send.from, dimension);
    if (2 * floor_modulo(along(send.to, dimension) - from, frame.side) != frame.side) {
      return true;
    }
    return half_ring_goes_up(grid, dimension, frame.grid_coordinate(dimension, from)) != frame.axes[dimension].mirrored;
  });
}

} // namespace

std::int64_t floor_modulo(std::int64_t value, std::int64_t modulus)
{
  const std::int64_t rest = value % modulus;
  return rest < 0 ? rest + modulus : rest;
}

std::int64_t SquareFrame::grid_coordinate(std::size_t dimension, std::int64_t v) const
{
  const Axis& axis = axes[dimension];
  return first + stride * floor_modulo(axis.mirrored ? axis.shift - v : axis.shift + v, side);
}

NodeId SquareFrame::node(const Grid& grid, Position position) const
{
  return NodeId{static_cast<std::uint32_t>(grid_coordinate(0, position.x) * grid.stride(0) +
                                           grid_coordinate(1, position.y) * grid.stride(1))};
}

bool is_square_torus(const Grid& grid)
{
  return grid.wraps() && grid.sizes().size() == 2 && grid.sizes()[0] == grid.sizes()[1] && grid.sizes()[0] > 2;
}

bool half_ring_goes_up(const Grid& grid, std::size_t dimension, std::int64_t from)
{
  return grid.ties_go_up() || 2 * from < grid.sizes()[dimension];
}

std::optional<SquareFrame> fitting_frame(const Grid& grid, SquareFrame frame, Position position, Position at,
                                         std::span<const PositionSend> sends)
{
  for (const std::size_t dimension : {std::size_t{0}, std::size_t{1}}) {
    bool fits = false;
    for (const bool mirrored : {false, true}) {
      if (!fits) {
        const std::int64_t own = along(position, dimension);
        frame.axes[dimension] = {along(at, dimension) + (mirrored ? own : -own), mirrored};
        fits = half_ring_sends_fit(grid, frame, dimension, sends);
      }
    }
    if (!fits) {
      return std::nullopt;
    }
  }
  return frame;
}

} // namespace wormcast
