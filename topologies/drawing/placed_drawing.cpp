#include "wormcast/topologies/drawing/placed_drawing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace wormcast {

namespace {

/// By node, the distance to the nearest other one.
std::vector<double> nearest_distances(std::span<const DrawingPoint> places)
{
  std::vector<double> nearest(places.size(), std::numeric_limits<double>::max());
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const double distance = std::hypot(places[i].x - places[k].x, places[i].y - places[k].y);
      nearest[i] = std::min(nearest[i], distance);
      nearest[k] = std::min(nearest[k], distance);
    }
  }
  return nearest;
}

/// The distance of a point from the line between two others, where it is beside the line; else the greatest number.
double distance_beside(DrawingPoint point, DrawingPoint from, DrawingPoint to)
{
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  const DrawingPoint along = {(to.x - from.x) / length, (to.y - from.y) / length};
  const DrawingPoint seen = {point.x - from.x, point.y - from.y};
  const double ahead = seen.x * along.x + seen.y * along.y;
  return ahead <= 0 || ahead >= length ? std::numeric_limits<double>::max()
                                       : std::abs(seen.x * along.y - seen.y * along.x);
}

/// Bows each channel that would run through a node that is none of its ends. Both directions get the same bow.
void bow_around_nodes(const Topology& topology, Drawing& drawing)
{
  constexpr std::uint64_t largest_search = 100'000'000;
  constexpr double through = 0.25; // of the unit: half of the square that a node is
  constexpr double bow = 0.45;
  if (std::uint64_t{topology.channel_count()} * topology.node_count() > largest_search) {
    return;
  }
  for (std::uint32_t id = 0; id < topology.channel_count(); ++id) {
    const auto [low, high] =
        std::minmax({index(topology.channel_source(ChannelId{id})), index(topology.channel_target(ChannelId{id}))});
    const DrawingPoint from = drawing.nodes[low];
    const DrawingPoint to = drawing.nodes[high];
    for (std::uint32_t node = 0; node < topology.node_count(); ++node) {
      if (node != low && node != high && distance_beside(drawing.nodes[node], from, to) < through) {
        const DrawingPoint along = direction_of({to.x - from.x, to.y - from.y});
        drawing.channels[id] = {ChannelShape::arc, {-bow * along.y, bow * along.x}};
        break;
      }
    }
  }
}

} // namespace

Drawing draw_by_places(const Topology& topology)
{
  const auto* placed = dynamic_cast<const NodePlaces*>(&topology);
  if (placed == nullptr || placed->node_places().empty()) {
    return draw_by_distances(topology);
  }
  const std::span<const DrawingPoint> places = placed->node_places();
  Drawing drawing;
  drawing.nodes.assign(places.begin(), places.end());
  drawing.channels.resize(topology.channel_count());
  if (places.size() > 1) {
    std::vector<double> nearest = nearest_distances(places);
    const auto middle = nearest.begin() + static_cast<std::ptrdiff_t>(nearest.size() / 2);
    std::ranges::nth_element(nearest, middle);
    const double unit = *middle;
    fit_extent(drawing);
    if (std::ranges::min(nearest) <= 0 || !std::isfinite(std::max(drawing.width, drawing.height) / unit)) {
      return draw_by_distances(topology);
    }
    for (DrawingPoint& place : drawing.nodes) {
      place = {place.x / unit, place.y / unit};
    }
  }
  fit_extent(drawing);
  bow_around_nodes(topology, drawing);
  return drawing;
}

} // namespace wormcast
