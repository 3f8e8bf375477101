#include "wormcast/topologies/drawing/drawing.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/circle_layout.hpp>
#include <boost/graph/kamada_kawai_spring_layout.hpp>
#include <boost/graph/point_traits.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace wormcast {

namespace {

using LinkGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                        boost::property<boost::edge_weight_t, double>>;
using Square = boost::square_topology<>;

/// The links without direction, each once: the input of Kamada and Kawai's layout.
LinkGraph links_of(const Topology& topology)
{
  std::set<std::pair<std::uint32_t, std::uint32_t>> links;
  for (std::uint32_t id = 0; id < topology.channel_count(); ++id) {
    const auto [low, high] =
        std::minmax({index(topology.channel_source(ChannelId{id})), index(topology.channel_target(ChannelId{id}))});
    if (low != high) {
      links.emplace(low, high);
    }
  }
  LinkGraph graph(topology.node_count());
  for (const auto& [low, high] : links) {
    boost::add_edge(low, high, 1.0, graph);
  }
  return graph;
}

double smallest_distance(const std::vector<DrawingPoint>& places)
{
  double smallest = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      smallest = std::min(smallest, std::hypot(places[i].x - places[k].x, places[i].y - places[k].y));
    }
  }
  return smallest;
}

/// Empty where the layout fails.
std::vector<DrawingPoint> places_by_distances(const Topology& topology)
{
  const LinkGraph graph = links_of(topology);
  std::vector<Square::point_type> points(topology.node_count());
  const auto positions = boost::make_iterator_property_map(points.begin(), get(boost::vertex_index, graph));
  boost::circle_graph_layout(graph, positions, 1.0);
  if (!boost::kamada_kawai_spring_layout(graph, positions, get(boost::edge_weight, graph), Square(1.0),
                                         boost::side_length(1.0))) {
    return {};
  }
  std::vector<DrawingPoint> places;
  for (const Square::point_type& point : points) {
    places.push_back({point[0], point[1]});
  }
  const double scale = 1 / smallest_distance(places);
  for (DrawingPoint& place : places) {
    place = {place.x * scale, place.y * scale};
  }
  return places;
}

double larger_extent(const Drawing& drawing)
{
  return std::max(drawing.width, drawing.height);
}

} // namespace

Drawing draw_by_distances(const Topology& topology)
{
  Drawing circle;
  circle.nodes = circle_places(topology.node_count());
  circle.channels.resize(topology.channel_count());
  fit_extent(circle);
  if (topology.node_count() < 3 || topology.node_count() > most_nodes_for_distance_layout) {
    return circle;
  }
  Drawing drawing;
  drawing.nodes = places_by_distances(topology);
  drawing.channels.resize(topology.channel_count());
  fit_extent(drawing);
  const bool sane = !drawing.nodes.empty() && std::isfinite(larger_extent(drawing)) &&
                    larger_extent(drawing) <= 1.5 * larger_extent(circle);
  return sane ? drawing : circle;
}

} // namespace wormcast
