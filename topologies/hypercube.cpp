#include "wormcast/topologies/hypercube.hpp"

#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

std::uint32_t checked_dimension(const TopologyDescription& description)
{
  const std::int64_t dimension = description.parameters.integer("dimension");
  if (dimension < 1 || dimension > most_hypercube_dimensions) {
    throw InputError(
        fmt::format("a hypercube of dimension {}, expected 1 to {}", dimension, most_hypercube_dimensions));
  }
  const std::uint64_t nodes = std::uint64_t{1} << dimension;
  constexpr std::uint64_t bytes_of_channel = 20;
  reserve_memory(nodes * (8 + bytes_of_channel * static_cast<std::uint64_t>(dimension)),
                 fmt::format("a hypercube of {} nodes", nodes));
  return static_cast<std::uint32_t>(dimension);
}

std::vector<ChannelEnds> hypercube_channels(std::uint32_t dimension)
{
  const std::uint32_t nodes = 1U << dimension;
  std::vector<ChannelEnds> channels;
  channels.reserve(std::size_t{nodes} * dimension);
  for (std::uint32_t node = 0; node < nodes; ++node) {
    for (std::uint32_t bit = 0; bit < dimension; ++bit) {
      channels.push_back({NodeId{node}, NodeId{node ^ 1U << bit}});
    }
  }
  return channels;
}

} // namespace

Hypercube::Hypercube(const TopologyDescription& description, const RoutingChoice& routing)
    : Topology(description, 1U << checked_dimension(description), hypercube_channels(checked_dimension(description)),
               routing),
      dimension_(checked_dimension(description)), lowest_bit_first_(routing.routing != "shortest_path")
{}

std::uint32_t Hypercube::next_link(std::uint32_t from, std::uint32_t to) const
{
  const std::uint32_t to_clear = from & ~to;
  if (lowest_bit_first_ || to_clear == 0) {
    return static_cast<std::uint32_t>(std::countr_zero(from ^ to)) + 1;
  }
  return static_cast<std::uint32_t>(std::bit_width(to_clear));
}

void Hypercube::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  std::uint32_t node = index(from);
  while (node != index(to)) {
    const std::uint32_t link = next_link(node, index(to));
    route.push_back(channel(NodeId{node}, link));
    node ^= 1U << (link - 1);
  }
}

std::vector<std::string> Hypercube::link_classes() const
{
  return dimension_names(dimension_);
}

std::uint32_t Hypercube::link_class(ChannelId channel) const
{
  return index(channel) - index(first_channel(channel_source(channel)));
}

std::uint32_t Hypercube::distance(NodeId from, NodeId to) const
{
  return static_cast<std::uint32_t>(std::popcount(index(from) ^ index(to)));
}

std::vector<std::uint32_t> Hypercube::links_after(NodeId node, std::uint32_t link) const
{
  const auto is_set = [&](std::uint32_t bit_link) { return (index(node) >> (bit_link - 1) & 1U) != 0; };
  std::vector<std::uint32_t> links;
  for (std::uint32_t next = 1; next <= dimension_; ++next) {
    // The bit of `link` was set or cleared on the path to `node`; that of `next` will be.
    const bool sets = is_set(link);
    const bool will_set = !is_set(next);
    const bool follows = lowest_bit_first_ || (sets && will_set) ? next > link : !sets && (will_set || next < link);
    if (follows && next != link) {
      links.push_back(next);
    }
  }
  return links;
}

std::vector<std::int64_t> Hypercube::coordinates(NodeId node) const
{
  std::vector<std::int64_t> bits;
  for (std::uint32_t bit = 0; bit < dimension_; ++bit) {
    bits.push_back(index(node) >> bit & 1U);
  }
  return bits;
}

NodeId Hypercube::node_at(std::span<const std::int64_t> coordinates) const
{
  if (coordinates.size() != dimension_) {
    throw InputError(fmt::format("[{}] has {} coordinates, but the {} has {} dimensions", fmt::join(coordinates, ", "),
                                 coordinates.size(), title(), dimension_));
  }
  std::uint32_t node = 0;
  for (std::uint32_t bit = 0; bit < dimension_; ++bit) {
    if (coordinates[bit] != 0 && coordinates[bit] != 1) {
      throw InputError(fmt::format("node ({}) is outside of the {}: "
                                   "its coordinate in dimension {} is {}, expected 0 or 1",
                                   fmt::join(coordinates, ", "), title(), bit + 1, coordinates[bit]));
    }
    node |= static_cast<std::uint32_t>(coordinates[bit]) << bit;
  }
  return NodeId{node};
}

std::string Hypercube::node_name(NodeId node) const
{
  return fmt::format("{}", index(node));
}

std::string Hypercube::title() const
{
  return fmt::format("hypercube of dimension {}", dimension_);
}

TopologyMetrics measure_hypercube(const Hypercube& hypercube)
{
  const std::uint32_t dimension = hypercube.dimension();
  TopologyMetrics metrics;
  metrics.nodes = hypercube.node_count();
  metrics.channels = hypercube.channel_count();
  metrics.links = metrics.channels / 2;
  metrics.smallest_degree = dimension;
  metrics.largest_degree = dimension;
  metrics.diameter = dimension;
  // Each node has C(d, k) nodes at distance k, and the sum of k C(d, k) is d 2^(d-1).
  metrics.mean_distance =
      boost::multiprecision::cpp_rational(std::uint64_t{dimension} * (metrics.nodes / 2), metrics.nodes - 1);
  metrics.bisection = Bisection{metrics.nodes, metrics.nodes / 2, true};
  return metrics;
}

ChannelDependencies hypercube_channel_dependencies(const Hypercube& hypercube)
{
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t id = 0; id < hypercube.channel_count(); ++id) {
    const NodeId next = hypercube.channel_target(ChannelId{id});
    const std::uint32_t link = id % hypercube.dimension() + 1;
    for (const std::uint32_t after : hypercube.links_after(next, link)) {
      edges.emplace_back(id, index(hypercube.channel(next, after)));
    }
  }
  return {ChannelDependencies::Graph(boost::edges_are_sorted, edges.begin(), edges.end(), hypercube.channel_count()),
          1};
}

Drawing draw_hypercube(const Hypercube& hypercube)
{
  constexpr double growth = 2.5; // of the squares from level to level
  constexpr double turn = 0.48;  // radians
  std::vector<DrawingPoint> sides;
  for (std::uint32_t bit = 0; bit < hypercube.dimension(); ++bit) {
    const double length = std::pow(growth, bit / 2);
    const double angle = turn * (bit / 2) + (bit % 2 == 0 ? 0 : std::numbers::pi / 2);
    sides.push_back({length * std::cos(angle), length * std::sin(angle)});
  }
  Drawing drawing;
  for (std::uint32_t node = 0; node < hypercube.node_count(); ++node) {
    DrawingPoint place;
    for (std::uint32_t bit = 0; bit < hypercube.dimension(); ++bit) {
      if ((node >> bit & 1) != 0) {
        place = {place.x + sides[bit].x, place.y + sides[bit].y};
      }
    }
    drawing.nodes.push_back(place);
  }
  drawing.channels.resize(hypercube.channel_count());
  fit_extent(drawing);
  return drawing;
}

TopologyKind hypercube_kind()
{
  return {"hypercube",
          "Hypercube: nodes are linked whose ids differ in one bit; dimension_order corrects the lowest bit first",
          {{.name = "dimension",
            .type = ParameterType::integer,
            .text = "number of bits of a node id; there are 2^dimension nodes",
            .minimum = 1,
            .maximum = most_hypercube_dimensions}},
          {"dimension_order", "shortest_path"},
          "D. P. Bertsekas et al., Optimal communication algorithms for hypercubes, J. Parallel and Distributed "
          "Computing 11, 1991; e-cube routing: W. J. Dally and C. L. Seitz, IEEE Trans. Computers C-36(5), 1987",
          [](const TopologyDescription& description, const RoutingChoice& routing) -> std::unique_ptr<Topology> {
            return std::make_unique<Hypercube>(description, routing);
          },
          [](const Topology& topology) { return measure_hypercube(dynamic_cast<const Hypercube&>(topology)); },
          [](const Topology& topology, std::uint32_t /*virtual_channels*/) {
            return hypercube_channel_dependencies(dynamic_cast<const Hypercube&>(topology));
          },
          [](const Topology& topology) { return draw_hypercube(dynamic_cast<const Hypercube&>(topology)); }};
}

} // namespace wormcast
