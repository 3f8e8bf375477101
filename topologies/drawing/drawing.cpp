#include "wormcast/topologies/drawing/drawing.hpp"

#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/surviving_topology.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace wormcast {

namespace {

/// The drawing of the whole network, without what does not work.
Drawing draw_survivors(const SurvivingTopology& topology)
{
  const Drawing whole = draw_topology(topology.whole());
  Drawing drawing{.nodes = {}, .channels = {}, .labels = whole.labels};
  for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
    drawing.nodes.push_back(whole.nodes[index(topology.whole_node(NodeId{node}))]);
  }
  for (std::uint32_t id = 0; id < topology.channel_count(); ++id) {
    drawing.channels.push_back(whole.channels[index(topology.whole_channel(ChannelId{id}))]);
  }
  fit_extent(drawing);
  return drawing;
}

} // namespace

Drawing draw_topology(const Topology& topology)
{
  if (const auto* survivors = dynamic_cast<const SurvivingTopology*>(&topology)) {
    return draw_survivors(*survivors);
  }
  const TopologyKind* kind = kind_of_whole(topology);
  if (kind != nullptr && kind->draw) {
    return kind->draw(topology);
  }
  return draw_by_distances(topology);
}

std::vector<DrawingPoint> circle_places(std::uint32_t count)
{
  if (count == 1) {
    return {DrawingPoint{}};
  }
  const double turn = 2 * std::numbers::pi / count;
  const double radius = 0.5 / std::sin(turn / 2);
  std::vector<DrawingPoint> places;
  for (std::uint32_t i = 0; i < count; ++i) {
    places.push_back({radius * std::sin(turn * i), radius * std::cos(turn * i)});
  }
  return places;
}

void fit_extent(Drawing& drawing)
{
  if (drawing.nodes.empty()) {
    return;
  }
  const auto [left, right] = std::ranges::minmax(drawing.nodes, {}, &DrawingPoint::x);
  const auto [bottom, top] = std::ranges::minmax(drawing.nodes, {}, &DrawingPoint::y);
  const DrawingPoint origin = {left.x, bottom.y};
  drawing.width = right.x - left.x;
  drawing.height = top.y - bottom.y;
  for (DrawingPoint& place : drawing.nodes) {
    place = {place.x - origin.x, place.y - origin.y};
  }
  for (DrawingLabel& label : drawing.labels) {
    label.place = {label.place.x - origin.x, label.place.y - origin.y};
  }
}

DrawingPoint direction_of(DrawingPoint point)
{
  const double length = std::hypot(point.x, point.y);
  return {point.x / length, point.y / length};
}

std::uint32_t screen_columns(std::uint32_t count, double part_width, double part_height)
{
  std::uint32_t best = 1;
  double smallest_misfit = std::numeric_limits<double>::max();
  for (std::uint32_t columns = 1; columns <= count; ++columns) {
    const std::uint32_t rows = (count + columns - 1) / columns;
    const double misfit = std::abs(std::log((columns * part_width) / (rows * part_height) / (16.0 / 9)));
    if (misfit < smallest_misfit) {
      smallest_misfit = misfit;
      best = columns;
    }
  }
  return best;
}

} // namespace wormcast
