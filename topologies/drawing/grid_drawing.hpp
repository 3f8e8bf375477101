#pragma once

#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/grid.hpp"

#include <string>

namespace wormcast {

/// Up to this number of nodes a torus of one dimension is drawn as a circle.
inline constexpr std::uint32_t most_nodes_for_ring_drawing = 64;

/// Draws planes of the first two dimensions, y upwards; those of z next to each other, or in several rows if that fits
/// a screen better; in more dimensions groups of such groups, each dimension laid out in the same way. Channels in z
/// and above are arcs between neighbouring planes of a row, else stubs; wrap-around channels are stubs. A torus of one
/// dimension is a circle.
Drawing draw_grid(const Grid& grid);

/// Returns the direction, of length 1, of the stub of a channel that leads up or down a dimension.
DrawingPoint stub_direction(std::size_t dimension, bool up);

/// Returns the plane of the first two dimensions that contains `node`, by its other coordinates: "z = 3, dimension 4 =
/// 0"; empty if there are no others.
std::string plane_name(const Grid& grid, NodeId node);

} // namespace wormcast
