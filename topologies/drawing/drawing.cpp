#include "wormcast/topologies/drawing/drawing.hpp"

#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/surviving_topology.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

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

// Straight links that lie side by side are bowed to both sides of the straight line.
Drawing draw_parallel_links(const ParallelLinks& topology)
{
  constexpr double distance = 0.24;
  Drawing drawing = draw_topology(topology.single());
  const std::vector<ChannelDrawing> single = std::exchange(drawing.channels, {});
  for (std::uint32_t id = 0; id < topology.channel_count(); ++id) {
    const ChannelId channel{id};
    ChannelDrawing drawn = single[index(topology.single_channel(channel))];
    const std::uint32_t copies = topology.copies()[topology.link_class(channel)];
    const double aside = distance * (topology.copy_number(channel) - (copies - 1) / 2.0);
    if (drawn.shape == ChannelShape::line && aside != 0) {
      // Both directions have the same side.
      const std::uint32_t from = index(topology.channel_source(channel));
      const std::uint32_t to = index(topology.channel_target(channel));
      const DrawingPoint& one = drawing.nodes[std::min(from, to)];
      const DrawingPoint& other = drawing.nodes[std::max(from, to)];
      const double length = std::hypot(other.x - one.x, other.y - one.y);
      drawn.shape = ChannelShape::arc;
      drawn.bend = {aside * (one.y - other.y) / length, aside * (other.x - one.x) / length};
    }
    drawing.channels.push_back(drawn);
  }
  return drawing;
}

} // namespace

Drawing draw_topology(const Topology& topology)
{
  if (const auto* parallel = dynamic_cast<const ParallelLinks*>(&topology)) {
    return draw_parallel_links(*parallel);
  }
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
