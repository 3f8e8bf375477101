#include "wormcast/topologies/switched/dragonfly.hpp"

#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/switched/route_draws.hpp"
#include "wormcast/topologies/switched/switched_size.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace wormcast {

namespace {

constexpr std::int64_t most_of_a_kind = 1 << 16;

std::string dragonfly_title(const DragonflySizes& sizes)
{
  const std::string wiring =
      sizes.global_links == 0
          ? ""
          : fmt::format(" with {} global link{} of a router", sizes.global_links, sizes.global_links == 1 ? "" : "s");
  return fmt::format("dragonfly {},{};{},{};{},{};{}{}", sizes.groups, sizes.group_links, sizes.chassis,
                     sizes.chassis_links, sizes.routers, sizes.router_links, sizes.hosts, wiring);
}

std::uint64_t router_count(const DragonflySizes& sizes)
{
  return std::uint64_t{sizes.groups} * sizes.chassis * sizes.routers;
}

/// Which of the links of `group` to other groups leads to group `to`, counted from 0.
std::uint32_t link_number(std::uint32_t group, std::uint32_t to)
{
  return to < group ? to : to - 1;
}

/// The router of `group` that is linked to group `to`.
Dragonfly::Router linked_router(const DragonflySizes& sizes, std::uint32_t group, std::uint32_t to)
{
  if (sizes.global_links == 0) {
    return {group, 0, to};
  }
  const std::uint32_t router = link_number(group, to) / sizes.global_links;
  return {group, router / sizes.routers, router % sizes.routers};
}

/// Throws InputError where there are more groups than links to them.
void check_groups(const DragonflySizes& sizes)
{
  if (sizes.global_links == 0) {
    if (sizes.groups > sizes.routers && sizes.groups > 1) {
      throw InputError(
          fmt::format("groups: found {}, expected at most {}, the routers of a chassis: router i of the first "
                      "chassis of each group is linked to group i, and to no other one; global_links links each router "
                      "to several groups",
                      sizes.groups, sizes.routers));
    }
    return;
  }
  const std::uint64_t links = std::uint64_t{sizes.chassis} * sizes.routers * sizes.global_links;
  if (sizes.groups - 1 > links) {
    throw InputError(
        fmt::format("groups: found {}, expected at most {}: the {} routers of a group have {} global links",
                    sizes.groups, links + 1, std::uint64_t{sizes.chassis} * sizes.routers, links));
  }
}

DragonflySizes dragonfly_sizes(const TopologyDescription& description)
{
  const auto number = [&](std::string_view key) {
    return static_cast<std::uint32_t>(description.parameters.integer(key));
  };
  const DragonflySizes sizes{.groups = number("groups"),
                             .group_links = number("group_links"),
                             .chassis = number("chassis"),
                             .chassis_links = number("chassis_links"),
                             .routers = number("routers"),
                             .router_links = number("router_links"),
                             .hosts = number("hosts"),
                             .global_links = description.parameters.has("global_links") ? number("global_links") : 0};
  check_groups(sizes);
  const std::uint64_t routers = router_count(sizes);
  const std::uint64_t ports = 2 * std::uint64_t{sizes.hosts} + std::uint64_t{sizes.router_links} * (sizes.routers - 1) +
                              std::uint64_t{sizes.chassis_links} * (sizes.chassis - 1) +
                              std::uint64_t{sizes.group_links} * std::max(sizes.global_links, 1U);
  const std::uint64_t some = std::min(routers, std::uint64_t{1} << 24U) + 1; // so that products stay small
  check_switched_size(routers + some * sizes.hosts, some * ports, dragonfly_title(sizes));
  return sizes;
}

/// The groups to which a router is linked, in ascending order.
std::vector<std::uint32_t> linked_groups(const DragonflySizes& sizes, const Dragonfly::Router& router)
{
  std::vector<std::uint32_t> groups;
  if (sizes.global_links == 0) {
    if (router.chassis == 0 && router.number < sizes.groups && router.number != router.group) {
      groups.push_back(router.number);
    }
    return groups;
  }
  const std::uint64_t first = (std::uint64_t{router.chassis} * sizes.routers + router.number) * sizes.global_links;
  for (std::uint64_t link = first; link < first + sizes.global_links && link + 1 < sizes.groups; ++link) {
    groups.push_back(static_cast<std::uint32_t>(link < router.group ? link : link + 1));
  }
  return groups;
}

std::uint32_t number_of(const DragonflySizes& sizes, const Dragonfly::Router& router)
{
  return (router.group * sizes.chassis + router.chassis) * sizes.routers + router.number;
}

/// Hosts have one channel. Routers have those to their hosts, to the routers of the chassis by number, to the chassis
/// by number, and to other groups; parallel ones one after the other.
std::vector<ChannelEnds> dragonfly_channels(const DragonflySizes& sizes)
{
  const auto routers = static_cast<std::uint32_t>(router_count(sizes));
  const std::uint32_t hosts = routers * sizes.hosts;
  std::vector<ChannelEnds> channels;
  for (std::uint32_t host = 0; host < hosts; ++host) {
    channels.push_back({NodeId{host}, NodeId{hosts + host / sizes.hosts}});
  }
  for (std::uint32_t id = 0; id < routers; ++id) {
    const Dragonfly::Router here{id / sizes.routers / sizes.chassis, id / sizes.routers % sizes.chassis,
                                 id % sizes.routers};
    const auto link = [&](const Dragonfly::Router& there, std::uint32_t copies) {
      channels.insert(channels.end(), copies, {NodeId{hosts + id}, NodeId{hosts + number_of(sizes, there)}});
    };
    for (std::uint32_t host = 0; host < sizes.hosts; ++host) {
      channels.push_back({NodeId{hosts + id}, NodeId{id * sizes.hosts + host}});
    }
    for (std::uint32_t number = 0; number < sizes.routers; ++number) {
      link({here.group, here.chassis, number}, number == here.number ? 0 : sizes.router_links);
    }
    for (std::uint32_t chassis = 0; chassis < sizes.chassis; ++chassis) {
      link({here.group, chassis, here.number}, chassis == here.chassis ? 0 : sizes.chassis_links);
    }
    for (const std::uint32_t group : linked_groups(sizes, here)) {
      link(linked_router(sizes, group, here.group), sizes.group_links);
    }
  }
  return channels;
}

std::unique_ptr<Topology> make_dragonfly(const TopologyDescription& description, const RoutingChoice& routing)
{
  return std::make_unique<Dragonfly>(description, dragonfly_sizes(description), routing);
}

Parameter size_parameter(std::string name, std::string text)
{
  return {.name = std::move(name), .text = std::move(text), .minimum = 1, .maximum = most_of_a_kind};
}

Parameter links_parameter(std::string name, std::string text)
{
  Parameter parameter = size_parameter(std::move(name), std::move(text));
  parameter.fallback = std::int64_t{1};
  return parameter;
}

Parameter global_links_parameter()
{
  Parameter parameter = size_parameter(
      "global_links",
      "groups to which each router is linked, in the absolute arrangement; without it one router of each "
      "group is linked to each other group, as SimGrid does it");
  parameter.optional = true;
  return parameter;
}

} // namespace

Dragonfly::Dragonfly(const TopologyDescription& description, const DragonflySizes& sizes, const RoutingChoice& routing)
    : Topology(description, static_cast<std::uint32_t>(router_count(sizes) * (1 + sizes.hosts)),
               dragonfly_channels(sizes), routing, static_cast<std::uint32_t>(router_count(sizes) * sizes.hosts)),
      sizes_(sizes), valiant_(routing.routing == "valiant"), chooses_(routing.routing == "ugal_l")
{}

Dragonfly::Router Dragonfly::router(NodeId node) const
{
  const std::uint32_t id = is_host(node) ? index(node) / sizes_.hosts : index(node) - host_count();
  return {id / sizes_.routers / sizes_.chassis, id / sizes_.routers % sizes_.chassis, id % sizes_.routers};
}

NodeId Dragonfly::switch_of(const Router& router) const
{
  return NodeId{host_count() + number_of(sizes_, router)};
}

/// Calls `visit` with every router of the route by way of group `by`.
template <typename Visit> void Dragonfly::visit_routers(NodeId from, NodeId to, std::uint32_t by, Visit&& visit) const
{
  Router at = router(from);
  const Router end = router(to);
  const auto go = [&](const Router& next) {
    if (next != at) {
      at = next;
      visit(at);
    }
  };
  const auto enter = [&](std::uint32_t group) {
    const Router last = linked_router(sizes_, at.group, group);
    const Router first = linked_router(sizes_, group, at.group);
    go({at.group, at.chassis, last.number});
    go(last);
    go(first);
  };
  visit(at);
  if (at.group != end.group) {
    if (by != at.group && by != end.group) {
      enter(by);
    }
    enter(end.group);
  }
  go({at.group, at.chassis, end.number});
  go(end);
}

ChannelId Dragonfly::channel_between(const Router& from, const Router& to, std::uint32_t destination) const
{
  const std::uint32_t to_chassis = sizes_.hosts + (sizes_.routers - 1) * sizes_.router_links;
  std::uint32_t port = 0;
  std::uint32_t copies = 0;
  if (from.group != to.group) {
    const std::uint32_t link = sizes_.global_links == 0 ? 0 : link_number(from.group, to.group) % sizes_.global_links;
    port = to_chassis + (sizes_.chassis - 1) * sizes_.chassis_links + link * sizes_.group_links;
    copies = sizes_.group_links;
  } else if (from.chassis != to.chassis) {
    port = to_chassis + (to.chassis - (to.chassis > from.chassis ? 1 : 0)) * sizes_.chassis_links;
    copies = sizes_.chassis_links;
  } else {
    port = sizes_.hosts + (to.number - (to.number > from.number ? 1 : 0)) * sizes_.router_links;
    copies = sizes_.router_links;
  }
  return ChannelId{index(first_channel(switch_of(from))) + port + destination % copies};
}

void Dragonfly::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  append_route_by(router(to).group, from, to, route);
}

void Dragonfly::append_route_by(std::uint32_t group, NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  if (from == to) {
    return;
  }
  route.push_back(first_channel(from));
  Router before = router(from);
  visit_routers(from, to, group, [&](const Router& next) {
    if (next != before) {
      route.push_back(channel_between(before, next, index(to)));
      before = next;
    }
  });
  route.push_back(ChannelId{index(first_channel(switch_of(before))) + index(to) % sizes_.hosts});
}

bool Dragonfly::draws_route(NodeId from, NodeId to) const
{
  return draws_groups() && router(from).group != router(to).group;
}

void Dragonfly::append_drawn_route(NodeId from, NodeId to, std::uint64_t draw, std::vector<ChannelId>& route) const
{
  append_route_by(draws_groups() ? RouteDraws(draw).below(sizes_.groups) : router(to).group, from, to, route);
}

double Dragonfly::mean_route_length(NodeId from, NodeId to) const
{
  if (headers_choose() || !draws_route(from, to)) {
    return distance(from, to);
  }
  std::uint64_t routers = 0;
  for (std::uint32_t group = 0; group < sizes_.groups; ++group) {
    visit_routers(from, to, group, [&](const Router&) { ++routers; });
  }
  return 1 + static_cast<double>(routers) / sizes_.groups;
}

void Dragonfly::add_mean_route(NodeId from, NodeId to, double share, std::span<double> channels) const
{
  const bool drawn = !headers_choose() && draws_route(from, to);
  std::vector<ChannelId> route;
  for (std::uint32_t group = 0; group < (drawn ? sizes_.groups : 1); ++group) {
    route.clear();
    append_route_by(drawn ? group : router(to).group, from, to, route);
    for (const ChannelId channel : route) {
      channels[index(channel)] += drawn ? share / sizes_.groups : share;
    }
  }
}

std::uint32_t Dragonfly::distance(NodeId from, NodeId to) const
{
  std::uint32_t routers = 0;
  visit_routers(from, to, router(to).group, [&](const Router&) { ++routers; });
  return from == to ? 0 : routers + 1;
}

/// The most links between two routers of a group that are linked to other groups.
std::uint32_t Dragonfly::between_linked_routers() const
{
  if (sizes_.global_links == 0) {
    return 1;
  }
  const std::uint32_t linked = (sizes_.groups - 1 + sizes_.global_links - 1) / sizes_.global_links;
  if (linked <= 1) {
    return 0;
  }
  return linked > sizes_.routers && sizes_.routers > 1 ? 2 : 1;
}

std::uint32_t Dragonfly::longest_route() const
{
  const std::uint32_t in_group = (sizes_.routers > 1 ? 1 : 0) + (sizes_.chassis > 1 ? 1 : 0);
  // To the router that is linked on, and to the next group.
  const std::uint32_t through_group = draws_groups() ? between_linked_routers() + 1 : 0;
  return 2 + in_group + (sizes_.groups > 1 ? 1 + in_group + through_group : 0);
}

std::vector<std::int64_t> Dragonfly::coordinates(NodeId node) const
{
  const Router at = router(node);
  std::vector<std::int64_t> place = {at.group, at.chassis, at.number};
  if (is_host(node)) {
    place.push_back(index(node) % sizes_.hosts);
  }
  return place;
}

NodeId Dragonfly::node_at(std::span<const std::int64_t> coordinates) const
{
  if (coordinates.size() != 4) {
    throw InputError(fmt::format("[{}] has {} coordinates, but hosts of the {} have four: group, chassis, router, host",
                                 fmt::join(coordinates, ", "), coordinates.size(), title()));
  }
  const std::array<std::pair<const char*, std::uint32_t>, 4> sizes = {
      {{"group", sizes_.groups}, {"chassis", sizes_.chassis}, {"router", sizes_.routers}, {"host", sizes_.hosts}}};
  std::uint32_t id = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto& [name, count] = sizes[i];
    if (coordinates[i] < 0 || coordinates[i] >= count) {
      throw InputError(fmt::format("node ({}) is outside of the {}: its {} is {}, expected 0 to {}",
                                   fmt::join(coordinates, ", "), title(), name, coordinates[i], count - 1));
    }
    id = id * count + static_cast<std::uint32_t>(coordinates[i]);
  }
  return NodeId{id};
}

std::string Dragonfly::node_name(NodeId node) const
{
  const std::vector<std::int64_t> place = coordinates(node);
  return is_host(node) ? fmt::format("({})", fmt::join(place, ", ")) : fmt::format("s{}", fmt::join(place, "."));
}

std::uint32_t Dragonfly::virtual_channel_classes(std::uint32_t virtual_channels) const
{
  return std::min(virtual_channels, draws_groups() ? 3U : 2U);
}

void Dragonfly::assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                               std::span<std::uint8_t> classes) const
{
  const std::uint32_t last = virtual_channel_classes(virtual_channels) - 1;
  std::uint8_t now = 0;
  for (std::size_t hop = 0; hop < route.size(); ++hop) {
    classes[hop] = now;
    if (router(channel_source(route[hop])).group != router(channel_target(route[hop])).group && now < last) {
      ++now;
    }
  }
}

std::vector<std::string> Dragonfly::link_classes() const
{
  return {"host", "router", "chassis", "group"};
}

std::uint32_t Dragonfly::link_class(ChannelId channel) const
{
  const NodeId from = channel_source(channel);
  const NodeId to = channel_target(channel);
  if (is_host(from) || is_host(to)) {
    return 0;
  }
  const Router a = router(from);
  const Router b = router(to);
  return a.group != b.group ? 3 : a.chassis != b.chassis ? 2 : 1;
}

std::string Dragonfly::title() const
{
  return dragonfly_title(sizes_);
}

ChannelDependencies dragonfly_dependencies(const Dragonfly& dragonfly, std::uint32_t virtual_channels)
{
  if (!dragonfly.draws_groups()) {
    return enumerate_channel_dependencies(dragonfly, virtual_channels);
  }
  std::vector<ChannelId> route;
  return dependencies_of_routes(dragonfly, virtual_channels, [&](NodeId from, NodeId to, const auto& take) {
    const std::uint32_t groups = dragonfly.draws_route(from, to) ? dragonfly.sizes().groups : 1;
    for (std::uint32_t group = 0; group < groups; ++group) {
      route.clear();
      dragonfly.append_route_by(group, from, to, route);
      take(route);
    }
  });
}

Drawing draw_dragonfly(const Dragonfly& dragonfly)
{
  const DragonflySizes& sizes = dragonfly.sizes();
  const double column = std::max(1.6, sizes.hosts + 0.6);
  const double row = 3.2;
  const double width = column * sizes.routers;
  const double height = row * sizes.chassis;
  const double turn = 2 * std::numbers::pi / sizes.groups;
  const double radius =
      sizes.groups > 1 ? std::hypot(width, height) / 2 / std::sin(std::numbers::pi / sizes.groups) : 0;
  Drawing drawing;
  for (std::uint32_t node = 0; node < dragonfly.node_count(); ++node) {
    const Dragonfly::Router at = dragonfly.router(NodeId{node});
    DrawingPoint place = {radius * std::sin(turn * at.group) + column * at.number - width / 2,
                          radius * std::cos(turn * at.group) - row * at.chassis + height / 2};
    if (dragonfly.is_host(NodeId{node})) {
      place.x += node % sizes.hosts - (sizes.hosts - 1) / 2.0;
      place.y -= 1.2;
    }
    drawing.nodes.push_back(place);
  }
  for (std::uint32_t id = 0; id < dragonfly.channel_count(); ++id) {
    const NodeId from = dragonfly.channel_source(ChannelId{id});
    const NodeId to = dragonfly.channel_target(ChannelId{id});
    const Dragonfly::Router a = dragonfly.router(from);
    const Dragonfly::Router b = dragonfly.router(to);
    ChannelDrawing drawn;
    if (a.group == b.group && a != b) { // they would run through the routers between
      const DrawingPoint& one = drawing.nodes[index(from)];
      const DrawingPoint& other = drawing.nodes[index(to)];
      const double bow = 0.12 * std::hypot(one.x - other.x, one.y - other.y) + 0.2;
      drawn.shape = ChannelShape::arc;
      drawn.bend = a.number != b.number ? DrawingPoint{0, bow} : DrawingPoint{-bow, 0};
    }
    drawing.channels.push_back(drawn);
  }
  fit_extent(drawing);
  return drawing;
}

TopologyKind dragonfly_kind()
{
  return {
      "dragonfly",
      "Dragonfly: groups of linked chassis of linked routers with hosts, with SimGrid's parameters",
      {size_parameter("groups",
                      "groups; at most the routers of a chassis, or one more than the global links of a group"),
       links_parameter("group_links", "parallel links between two groups"),
       size_parameter("chassis", "chassis of a group"),
       links_parameter("chassis_links", "parallel links between routers of two chassis of a group"),
       size_parameter("routers", "routers of a chassis"),
       links_parameter("router_links", "parallel links between two routers of a chassis"),
       size_parameter("hosts", "hosts of a router"), global_links_parameter()},
      {"minimal", "valiant", "ugal_l"},
      "J. Kim, W. J. Dally, S. Scott and D. Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008; "
      "SimGrid's DragonflyZone",
      make_dragonfly,
      {},
      [](const Topology& topology, std::uint32_t virtual_channels) {
        return dragonfly_dependencies(dynamic_cast<const Dragonfly&>(topology), virtual_channels);
      },
      [](const Topology& topology) { return draw_dragonfly(dynamic_cast<const Dragonfly&>(topology)); }};
}

} // namespace wormcast
