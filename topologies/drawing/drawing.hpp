#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// A position or a displacement in a drawing: x to the right, y upwards, in units of the distance between neighbouring
/// nodes.
struct DrawingPoint {
  double x = 0;
  double y = 0;

  friend bool operator==(const DrawingPoint&, const DrawingPoint&) = default;
};

/// The shape of a channel's line.
enum class ChannelShape : std::uint8_t {
  line, ///< straight from node to node
  arc,  ///< bowed, because the straight line would run through other nodes or along other channels
  stub  ///< leads round the drawing's edge: a short piece at each of its two nodes
};

/// The drawing of one channel. The channels of both directions of a link have the same shape; the renderer chooses the
/// side of the line for each.
struct ChannelDrawing {
  ChannelShape shape = ChannelShape::line;
  /// Arc: from the middle of the straight line to the middle of the bow. Stub: the direction of travel, of length 1.
  DrawingPoint bend = {};
};

/// A word on a part of a drawing, such as "z = 1" below a plane.
struct DrawingLabel {
  std::string text;
  DrawingPoint place; ///< of the text's middle
};

/// The distance of a part's label below its lowest nodes.
inline constexpr double label_distance = 0.8;

/// The positions in a drawing of a topology.
struct Drawing {
  std::vector<DrawingPoint> nodes;      ///< by node; the smallest x and the smallest y are 0
  std::vector<ChannelDrawing> channels; ///< by channel
  std::vector<DrawingLabel> labels;     ///< labels of adjacent parts; empty: there is only one part
  double width = 0;                     ///< largest x
  double height = 0;                    ///< largest y
};

/// The drawing of a topology's kind (TopologyKind::draw), else draw_by_distances. The same for the same topology.
Drawing draw_topology(const Topology& topology);

/// The largest number of nodes that are laid out by distances, which takes time O(nodes^3); more are put on a circle.
inline constexpr std::uint32_t most_nodes_for_distance_layout = 200;

/// Draws any topology with straight channels: the distances of nodes are proportional to the lengths of shortest paths
/// (T. Kamada and S. Kawai, An algorithm for drawing general undirected graphs, Information Processing Letters 31(1),
/// 1989) or, if there are too many nodes or two would be too close, nodes are on a circle in the order of their ids.
Drawing draw_by_distances(const Topology& topology);

/// Returns `count` positions on a circle, neighbours at distance 1, the first on top, clockwise.
std::vector<DrawingPoint> circle_places(std::uint32_t count);

/// Moves a drawing so that the smallest coordinates are 0, and sets its extent.
void fit_extent(Drawing& drawing);

/// Returns `point` as a displacement of length 1; it must not be (0, 0).
DrawingPoint direction_of(DrawingPoint point);

/// Returns the number of columns for `count` parts of the given size, row by row, with which the whole is nearest to a
/// screen's 16 : 9.
std::uint32_t screen_columns(std::uint32_t count, double part_width, double part_height);

} // namespace wormcast
