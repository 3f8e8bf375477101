#pragma once

#include "wormcast/topologies/grid.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// A node of a square by column and row.
struct Position {
  std::int64_t x = 0;
  std::int64_t y = 0;

  friend bool operator==(Position, Position) = default;
};

/// A send from one node of a square to another.
struct PositionSend {
  Position from;
  Position to;

  friend bool operator==(PositionSend, PositionSend) = default;
};

/// The sends of each step.
using PositionSteps = std::vector<std::vector<PositionSend>>;

/// The coordinates in which an algorithm for squares is written: 0 .. side-1 in both dimensions, taken modulo the side.
/// On a mesh they are the grid's own; on a torus they can be shifted and reflected. With a stride they reach every
/// stride-th row and column only (a dilated mesh or torus).
struct SquareFrame {
  struct Axis {
    std::int64_t shift = 0; ///< frame coordinate v is position shift + v, or shift - v if mirrored
    bool mirrored = false;
  };
  std::int64_t side = 1;
  std::int64_t stride = 1; ///< between neighbouring positions, in the grid's coordinates
  std::int64_t first = 0;  ///< the grid's coordinate, in both dimensions, of the first row and column of the frame
  std::array<Axis, 2> axes{};

  /// The grid's coordinate of frame coordinate `v`.
  std::int64_t grid_coordinate(std::size_t dimension, std::int64_t v) const;
  NodeId node(const Grid& grid, Position position) const;
};

/// The rest of `value`, at least 0, when divided by `modulus`, which is positive.
std::int64_t floor_modulo(std::int64_t value, std::int64_t modulus);

/// Whether `grid` is a torus in two dimensions of equal size on which wrap-around links exist (sizes above 2).
bool is_square_torus(const Grid& grid);

/// Returns whether the path from coordinate `from` to the one half the ring further on is upwards under the tie rule.
bool half_ring_goes_up(const Grid& grid, std::size_t dimension, std::int64_t from);

/// `frame` shifted, and reflected where need be, so that frame position `position` is the node with coordinates
/// first + stride * at, and every one of `sends` that crosses exactly half the ring does so upwards in the frame (with
/// tie "positive" without reflections). None if no reflection makes the tie rule fit. Cost O(sends).
std::optional<SquareFrame> fitting_frame(const Grid& grid, SquareFrame frame, Position position, Position at,
                                         std::span<const PositionSend> sends);

} // namespace wormcast
