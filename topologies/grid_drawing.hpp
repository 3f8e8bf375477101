#pragma once

#include "wormcast/topologies/drawing.hpp"
#include "wormcast/topologies/grid.hpp"

namespace wormcast {

/// Up to this number of nodes a torus of one dimension is drawn as a circle.
inline constexpr std::uint32_t most_nodes_for_ring_drawing = 64;

/// Planes of the first two dimensions, y upwards; those of z side by side, or row below row where that fits a screen
/// better; in more dimensions groups of such groups, each dimension laid out in the same way. Channels in z and above
/// are arcs between neighbouring planes of a row, else stubs; wrap-around channels are stubs. A torus of one dimension
/// is a circle.
Drawing draw_grid(const Grid& grid);

} // namespace wormcast
