#pragma once

#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// A place or a displacement in a drawing: x to the right, y upwards, in units of the distance between neighbouring
/// nodes.
struct DrawingPoint {
  double x = 0;
  double y = 0;

  friend bool operator==(const DrawingPoint&, const DrawingPoint&) = default;
};

/// How the line of a channel runs.
enum class ChannelShape : std::uint8_t {
  line, ///< straight from node to node
  arc,  ///< bowed, because the straight line would run through other nodes or along other channels
  stub  ///< leads round the drawing's edge: a short piece at each of its two nodes
};

/// How one channel is drawn. The channels of both directions of a link have the same shape; which side of the line each
/// keeps to is the renderer's choice.
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

/// How far below the lowest nodes of a part its label stands.
inline constexpr double label_distance = 0.8;

/// Where everything is in a drawing of a topology.
struct Drawing {
  std::vector<DrawingPoint> nodes;      ///< by node; the smallest x and the smallest y are 0
  std::vector<ChannelDrawing> channels; ///< by channel
  std::vector<DrawingLabel> labels;     ///< of the parts that lie beside each other; empty: there is only one
  double width = 0;                     ///< largest x
  double height = 0;                    ///< largest y
};

/// The drawing of a topology's kind (TopologyKind::draw), else draw_by_distances. The same for the same topology.
Drawing draw_topology(const Topology& topology);

/// More nodes than this are not laid out by distances, which takes time O(nodes^3), but put on a circle.
inline constexpr std::uint32_t most_nodes_for_distance_layout = 200;

/// Any topology with straight channels: nodes as far from each other as the shortest paths between them are long (T.
/// Kamada and S. Kawai, An algorithm for drawing general undirected graphs, Information Processing Letters 31(1),
/// 1989), or, where there are too many of them or two would come too close, on a circle in the order of their ids.
Drawing draw_by_distances(const Topology& topology);

/// `count` places on a circle, neighbours at distance 1, the first on top, clockwise.
std::vector<DrawingPoint> circle_places(std::uint32_t count);

/// Moves a drawing so that the smallest coordinates are 0, and sets its extent.
void fit_extent(Drawing& drawing);

/// `point` as a displacement of length 1; it must not be (0, 0).
DrawingPoint direction_of(DrawingPoint point);

/// In how many columns to lay out `count` parts of the given size, row by row, so that the whole comes nearest to a
/// screen's 16 : 9.
std::uint32_t screen_columns(std::uint32_t count, double part_width, double part_height);

} // namespace wormcast
