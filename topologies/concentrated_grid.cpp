#include "wormcast/topologies/concentrated_grid.hpp"

#include "wormcast/topologies/drawing/grid_drawing.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/topologies/switched/switched_size.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace wormcast {

namespace {

/// The number of hosts a router, once the network's size has been checked: `routers` of them with `channels` between
/// them.
std::uint32_t checked_concentration(const TopologyDescription& description, std::uint64_t routers,
                                    std::uint64_t channels)
{
  const std::int64_t hosts = description.parameters.integer("concentration");
  const auto of_router = static_cast<std::uint64_t>(hosts);
  check_switched_size(routers * (1 + of_router), 2 * routers * of_router + channels, grid_title(description));
  return static_cast<std::uint32_t>(hosts);
}

std::uint32_t checked_concentration(const Grid& routers)
{
  return checked_concentration(routers.description(), routers.node_count(), routers.channel_count());
}

/// Makes the grid of routers unless its hosts and routers alone are too many: that takes seconds.
std::unique_ptr<const Grid> make_routers(const TopologyDescription& description, const RoutingChoice& routing)
{
  checked_concentration(description, grid_node_count(description), 0);
  return std::make_unique<const Grid>(description, routing);
}

/// Hosts have one channel. Routers have those to their hosts, then those of the grid.
std::vector<ChannelEnds> concentrated_channels(const Grid& routers)
{
  const std::uint32_t concentration = checked_concentration(routers);
  const std::uint32_t hosts = routers.node_count() * concentration;
  std::vector<ChannelEnds> channels;
  channels.reserve(2 * std::size_t{hosts} + routers.channel_count());
  for (std::uint32_t host = 0; host < hosts; ++host) {
    channels.push_back({NodeId{host}, NodeId{hosts + host / concentration}});
  }
  for (std::uint32_t router = 0; router < routers.node_count(); ++router) {
    for (std::uint32_t host = 0; host < concentration; ++host) {
      channels.push_back({NodeId{hosts + router}, NodeId{router * concentration + host}});
    }
    const std::uint32_t first = index(routers.first_channel(NodeId{router}));
    for (std::uint32_t id = first; id < first + routers.out_degree(NodeId{router}); ++id) {
      channels.push_back({NodeId{hosts + router}, NodeId{hosts + index(routers.channel_target(ChannelId{id}))}});
    }
  }
  return channels;
}

} // namespace

ConcentratedGrid::ConcentratedGrid(const TopologyDescription& description, const RoutingChoice& routing)
    : ConcentratedGrid(description, routing, make_routers(description, routing))
{}

ConcentratedGrid::ConcentratedGrid(const TopologyDescription& description, const RoutingChoice& routing,
                                   std::unique_ptr<const Grid> routers)
    : Topology(description, routers->node_count() * (1 + checked_concentration(*routers)),
               concentrated_channels(*routers), routing, routers->node_count() * checked_concentration(*routers)),
      routers_(std::move(routers)), concentration_(checked_concentration(*routers_))
{}

ChannelId ConcentratedGrid::between_routers(ChannelId channel) const
{
  const std::uint32_t router = index(channel_source(channel)) - host_count();
  return ChannelId{index(channel) - host_count() - (router + 1) * concentration_};
}

void ConcentratedGrid::append_hops(NodeId from, NodeId to, const std::vector<ChannelId>& hops,
                                   std::vector<ChannelId>& route) const
{
  route.push_back(first_channel(from));
  for (const ChannelId hop : hops) {
    const std::uint32_t before = host_count() + (index(routers_->channel_source(hop)) + 1) * concentration_;
    route.push_back(ChannelId{before + index(hop)});
  }
  const NodeId last = NodeId{host_count() + index(router(to))};
  route.push_back(ChannelId{index(first_channel(last)) + index(to) % concentration_});
}

void ConcentratedGrid::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  if (from != to) {
    std::vector<ChannelId> hops;
    routers_->append_route(router(from), router(to), hops);
    append_hops(from, to, hops, route);
  }
}

void ConcentratedGrid::append_drawn_route(NodeId from, NodeId to, std::uint64_t draw,
                                          std::vector<ChannelId>& route) const
{
  if (from != to) {
    std::vector<ChannelId> hops;
    routers_->append_drawn_route(router(from), router(to), draw, hops);
    append_hops(from, to, hops, route);
  }
}

std::uint32_t ConcentratedGrid::distance(NodeId from, NodeId to) const
{
  return from == to ? 0 : 2 + routers_->distance(router(from), router(to));
}

std::vector<std::int64_t> ConcentratedGrid::coordinates(NodeId node) const
{
  std::vector<std::int64_t> place = routers_->coordinates(router(node));
  if (is_host(node)) {
    place.push_back(index(node) % concentration_);
  }
  return place;
}

NodeId ConcentratedGrid::node_at(std::span<const std::int64_t> coordinates) const
{
  const std::size_t dimensions = routers_->sizes().size();
  if (coordinates.size() != dimensions + 1) {
    throw InputError(fmt::format("[{}] has {} coordinate{}, but hosts of the {} have {}: the router's, then the host's "
                                 "number at it",
                                 fmt::join(coordinates, ", "), coordinates.size(), coordinates.size() == 1 ? "" : "s",
                                 title(), dimensions + 1));
  }
  if (coordinates.back() < 0 || coordinates.back() >= concentration_) {
    throw InputError(fmt::format("node ({}) is outside of the {}: its host is {}, expected 0 to {}",
                                 fmt::join(coordinates, ", "), title(), coordinates.back(), concentration_ - 1));
  }
  const NodeId at = routers_->node_at(coordinates.first(dimensions));
  return NodeId{index(at) * concentration_ + static_cast<std::uint32_t>(coordinates.back())};
}

std::string ConcentratedGrid::node_name(NodeId node) const
{
  const std::vector<std::int64_t> place = coordinates(node);
  return is_host(node) ? fmt::format("({})", fmt::join(place, ", ")) : fmt::format("s{}", fmt::join(place, "."));
}

std::vector<std::string> ConcentratedGrid::link_classes() const
{
  std::vector<std::string> classes = {"host"};
  std::ranges::copy(routers_->link_classes(), std::back_inserter(classes));
  return classes;
}

std::uint32_t ConcentratedGrid::link_class(ChannelId channel) const
{
  const bool of_host = is_host(channel_source(channel)) || is_host(channel_target(channel));
  return of_host ? 0 : 1 + routers_->link_class(between_routers(channel));
}

std::uint32_t ConcentratedGrid::virtual_channel_classes(std::uint32_t virtual_channels) const
{
  return routers_->virtual_channel_classes(virtual_channels);
}

void ConcentratedGrid::assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                                      std::span<std::uint8_t> classes) const
{
  std::fill_n(classes.begin(), route.size(), std::uint8_t{0});
  if (route.size() > 2 && virtual_channel_classes(virtual_channels) > 1) {
    const std::span<const ChannelId> inner = route.subspan(1, route.size() - 2);
    std::vector<ChannelId> hops;
    hops.reserve(inner.size());
    std::ranges::transform(inner, std::back_inserter(hops), [this](ChannelId hop) { return between_routers(hop); });
    routers_->assign_virtual_channel_classes(hops, virtual_channels, classes.subspan(1, hops.size()));
  }
}

std::string ConcentratedGrid::title() const
{
  return grid_title(description());
}

TopologyMetrics measure_concentrated_grid(const ConcentratedGrid& topology)
{
  using boost::multiprecision::cpp_rational;
  const TopologyMetrics of_routers = measure_grid(topology.routers());
  const std::uint64_t hosts = topology.host_count();
  const std::uint64_t routers = of_routers.nodes;
  TopologyMetrics metrics;
  metrics.nodes = topology.node_count();
  metrics.channels = topology.channel_count();
  metrics.links = of_routers.links + topology.host_count();
  metrics.smallest_degree = 1; // of hosts
  metrics.largest_degree = of_routers.largest_degree + topology.concentration();
  metrics.diameter = 2 + *of_routers.diameter;
  const cpp_rational hops = *of_routers.mean_distance * routers * (routers - 1); // of all pairs of routers
  metrics.mean_distance = 2 + hops * topology.concentration() * topology.concentration() / (hosts * (hosts - 1));
  metrics.bisection = search_bisection(topology);
  if (routers % 2 == 0 && of_routers.bisection->channels < metrics.bisection->channels) {
    metrics.bisection = of_routers.bisection; // halves of the routers hold halves of the hosts
    metrics.bisection->exact = false;
  }
  return metrics;
}

Drawing draw_concentrated_grid(const ConcentratedGrid& topology)
{
  const Drawing routers = draw_grid(topology.routers());
  const auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(topology.concentration())));
  const std::uint32_t rows = (topology.concentration() + columns - 1) / columns;
  constexpr double first_host = 0.9; // to the right of its router, and below it
  const double pitch = first_host + columns + 0.7;
  const auto scaled = [&](DrawingPoint point) { return DrawingPoint{point.x * pitch, point.y * pitch}; };
  Drawing drawing;
  for (std::uint32_t host = 0; host < topology.host_count(); ++host) {
    const std::uint32_t place = host % topology.concentration();
    const DrawingPoint router = scaled(routers.nodes[index(topology.router(NodeId{host}))]);
    drawing.nodes.push_back({router.x + first_host + place % columns, router.y - first_host - place / columns});
  }
  for (const DrawingPoint& router : routers.nodes) {
    drawing.nodes.push_back(scaled(router));
  }
  const ChannelDrawing of_host = {};
  drawing.channels.assign(topology.host_count(), of_host);
  for (std::uint32_t router = 0; router < topology.routers().node_count(); ++router) {
    drawing.channels.insert(drawing.channels.end(), topology.concentration(), of_host);
    const std::uint32_t first = index(topology.routers().first_channel(NodeId{router}));
    for (std::uint32_t id = first; id < first + topology.routers().out_degree(NodeId{router}); ++id) {
      ChannelDrawing drawn = routers.channels[id];
      drawn.bend = drawn.shape == ChannelShape::arc ? scaled(drawn.bend) : drawn.bend;
      drawing.channels.push_back(drawn);
    }
  }
  for (const DrawingLabel& label : routers.labels) {
    const DrawingPoint lowest = scaled({label.place.x, label.place.y + label_distance}); // routers of the part
    drawing.labels.push_back({label.text, {lowest.x, lowest.y - first_host - (rows - 1) - label_distance}});
  }
  fit_extent(drawing);
  return drawing;
}

} // namespace wormcast
