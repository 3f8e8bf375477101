#include "wormcast/topologies/drawing/grid_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wormcast {

namespace {

/// The positions of one dimension's coordinates: column k % columns of row k / columns, rows downwards.
struct DimensionLayout {
  std::uint32_t columns = 1;
  DrawingPoint pitch; ///< from column to column and from row to row
};

/// Dimensions from the third on are in rows of ever larger parts, with a gap between them that distinguishes the
/// levels.
std::vector<DimensionLayout> lay_out(const Grid& grid)
{
  std::vector<DimensionLayout> layouts;
  double width = 0;
  double height = 0;
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    const auto size = static_cast<std::uint32_t>(grid.sizes()[dimension]);
    if (dimension == 0) {
      layouts.push_back({size, {1, 0}});
      width = size - 1.0;
    } else if (dimension == 1) {
      layouts.push_back({1, {0, 1}});
      height = size - 1.0;
    } else {
      const double gap = static_cast<double>(dimension);
      const DrawingPoint pitch = {width + gap, height + gap};
      const std::uint32_t columns = screen_columns(size, pitch.x, pitch.y);
      layouts.push_back({columns, pitch});
      width = (std::min(columns, size) - 1) * pitch.x + width;
      height = ((size + columns - 1) / columns - 1) * pitch.y + height;
    }
  }
  return layouts;
}

DrawingPoint place_in(const DimensionLayout& layout, std::size_t dimension, std::int64_t coordinate)
{
  const auto column = static_cast<double>(coordinate % layout.columns);
  const auto row = static_cast<double>(coordinate / layout.columns);
  return {column * layout.pitch.x, (dimension == 1 ? row : -row) * layout.pitch.y};
}

ChannelDrawing draw_channel(const Grid& grid, const std::vector<DimensionLayout>& layouts, ChannelId channel)
{
  const NodeId from = grid.channel_source(channel);
  const NodeId to = grid.channel_target(channel);
  std::size_t dimension = 0;
  while (grid.coordinate(from, dimension) == grid.coordinate(to, dimension)) {
    ++dimension;
  }
  const std::int64_t start = grid.coordinate(from, dimension);
  const std::int64_t end = grid.coordinate(to, dimension);
  const bool wraps = end != start + 1 && end != start - 1;
  const bool same_row = dimension < 2 || start / layouts[dimension].columns == end / layouts[dimension].columns;
  if (wraps || !same_row) {
    const bool up = (end > start) != wraps;
    return {ChannelShape::stub, stub_direction(dimension, up)};
  }
  if (dimension >= 2) {
    return {ChannelShape::arc, {0, 0.35 + 0.06 * layouts[dimension].pitch.x}};
  }
  return {};
}

/// Below each plane of the first two dimensions its coordinates in the others.
std::vector<DrawingLabel> label_planes(const Grid& grid, const std::vector<DrawingPoint>& places)
{
  const auto& sizes = grid.sizes();
  std::vector<DrawingLabel> labels;
  const auto plane = static_cast<std::uint32_t>(sizes[0] * (sizes.size() > 1 ? sizes[1] : 1));
  for (std::uint32_t node = 0; plane < grid.node_count() && node < grid.node_count(); node += plane) {
    const double middle = places[node].x + (static_cast<double>(sizes[0]) - 1) / 2;
    labels.push_back({plane_name(grid, NodeId{node}), {middle, places[node].y - label_distance}});
  }
  return labels;
}

/// A dimension of three nodes or more if it is a torus's only one with more than one node.
bool is_ring(const Grid& grid)
{
  const std::int64_t longest = *std::ranges::max_element(grid.sizes());
  return grid.wraps() && longest == grid.node_count() && longest >= 3 && longest <= most_nodes_for_ring_drawing;
}

} // namespace

DrawingPoint stub_direction(std::size_t dimension, bool up)
{
  // Slanting from the third dimension on, so that stubs do not lie on the channels in x and y.
  DrawingPoint upwards = dimension == 0 ? DrawingPoint{1, 0} : DrawingPoint{0, 1};
  if (dimension >= 2) {
    const double angle = 0.7 / static_cast<double>(dimension - 1);
    upwards = {std::cos(angle), std::sin(angle)};
  }
  return up ? upwards : DrawingPoint{-upwards.x, -upwards.y};
}

std::string plane_name(const Grid& grid, NodeId node)
{
  std::string name;
  for (std::size_t dimension = 2; dimension < grid.sizes().size(); ++dimension) {
    name +=
        fmt::format("{}{} = {}", name.empty() ? "" : ", ", dimension_name(dimension), grid.coordinate(node, dimension));
  }
  return name;
}

Drawing draw_grid(const Grid& grid)
{
  Drawing drawing;
  drawing.channels.resize(grid.channel_count());
  if (is_ring(grid)) {
    drawing.nodes = circle_places(grid.node_count());
    fit_extent(drawing);
    return drawing;
  }
  const std::vector<DimensionLayout> layouts = lay_out(grid);
  for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
    DrawingPoint place;
    for (std::size_t dimension = 0; dimension < layouts.size(); ++dimension) {
      const DrawingPoint part = place_in(layouts[dimension], dimension, grid.coordinate(NodeId{node}, dimension));
      place = {place.x + part.x, place.y + part.y};
    }
    drawing.nodes.push_back(place);
  }
  for (std::uint32_t channel = 0; channel < grid.channel_count(); ++channel) {
    drawing.channels[channel] = draw_channel(grid, layouts, ChannelId{channel});
  }
  drawing.labels = label_planes(grid, drawing.nodes);
  fit_extent(drawing);
  return drawing;
}

} // namespace wormcast
