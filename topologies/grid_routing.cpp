#include "wormcast/topologies/grid_routing.hpp"

#include "wormcast/topologies/grid.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace wormcast {

namespace {

constexpr std::uint32_t west_port = 1U << 1U; // x downwards

// One side of the smallest box that contains two nodes, in the shorter direction.
struct Side {
  std::int64_t first = 0; // upwards from here
  std::int64_t size = 1;
};

Side side_between(const Grid& grid, NodeId from, NodeId to, std::size_t dimension, std::uint64_t draw = 0)
{
  const std::int64_t a = grid.coordinate(from, dimension);
  const std::int64_t b = grid.coordinate(to, dimension);
  const Grid::Travel travel = grid.drawn_travel(dimension, a, b, draw);
  return {.first = travel.up ? a : b, .size = travel.hops + 1};
}

// All ports that lead nearer.
std::uint32_t minimal_ports(const Grid& grid, NodeId here, NodeId to)
{
  std::uint32_t ports = 0;
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    const std::int64_t at = grid.coordinate(here, dimension);
    const std::int64_t wanted = grid.coordinate(to, dimension);
    if (at != wanted) {
      const Grid::Travel travel = grid.travel(dimension, at, wanted);
      const bool either = grid.is_tie(dimension, at, wanted);
      ports |= (either ? 3U : travel.up ? 1U : 2U) << (2 * dimension);
    }
  }
  return ports;
}

// Chiu's function ROUTE: no turn from east to north or south in an even column, none from north or south to west in an
// odd one.
std::uint32_t odd_even_ports(const Grid& grid, NodeId source, NodeId here, NodeId to)
{
  const std::int64_t column = grid.coordinate(here, 0);
  const std::int64_t last = grid.coordinate(to, 0);
  const std::uint32_t all = minimal_ports(grid, here, to);
  const std::uint32_t in_column = all & ~3U;
  const std::uint32_t in_row = all & 3U;
  if (in_column == 0 || in_row == 0) {
    return all;
  }
  if (in_row == west_port) {
    return in_row | (column % 2 == 0 ? in_column : 0);
  }
  const bool may_turn = column % 2 == 1 || column == grid.coordinate(source, 0);
  const bool may_go_east = last % 2 == 1 || last - column != 1;
  return (may_turn ? in_column : 0) | (may_go_east ? in_row : 0);
}

} // namespace

void check_grid_routing(GridRouting routing, const Grid& grid, const RoutingNeeds& given)
{
  if (routing == GridRouting::dimension_order) {
    return;
  }
  const std::string_view name = grid_routing_names.text(routing);
  const auto refuse = [&](std::string_view key, std::string_view found, std::string_view expected) {
    throw InputError(fmt::format("{}: found {}, expected {}", key, found, expected));
  };
  const bool turn_model = routing == GridRouting::west_first || routing == GridRouting::odd_even;
  if (turn_model && (grid.wraps() || grid.sizes().size() != 2)) {
    refuse("routing", fmt::format("\"{}\" on a {}", name, grid.title()),
           grid.wraps() ? "a mesh of two dimensions: what turns are forbidden breaks no cycle that closes over a "
                          "wrap-around link (tori have \"minimal_adaptive\", \"valiant\" and \"romm\")"
                        : "a mesh of two dimensions (others have \"minimal_adaptive\", \"valiant\" and \"romm\")");
  }
  const auto refuse_count = [&](std::string_view expected) {
    refuse("virtual_channels", fmt::format("{} with routing \"{}\"", given.virtual_channels, name), expected);
  };
  if (has_two_phases(routing) && grid.wraps() && given.virtual_channels % 4 != 0) {
    refuse_count("a multiple of 4 on a torus: each of the two phases has two classes of them for the rings");
  }
  if (has_two_phases(routing) && given.virtual_channels % 2 != 0) {
    refuse_count("an even number: each of the two phases has half of them");
  }
  if (routing == GridRouting::minimal_adaptive) {
    if (given.virtual_channels <= escape_channel_count(grid)) {
      refuse_count(grid.wraps() ? "at least 3 on a torus: two of them are the escape channels"
                                : "at least 2: one of them is the escape channel");
    }
    if (!given.releases_at_credit) {
      refuse("release", fmt::format("\"tail_sent\" with routing \"{}\"", name),
             "\"tail_credit\": where a buffer holds several messages, "
             "a header behind another message cannot reach its escape channel");
    }
  }
}

std::uint32_t permitted_ports(GridRouting routing, const Grid& grid, NodeId source, NodeId here, NodeId to)
{
  switch (routing) {
  case GridRouting::west_first: {
    const std::uint32_t all = minimal_ports(grid, here, to);
    return (all & west_port) != 0 ? west_port : all;
  }
  case GridRouting::odd_even:
    return odd_even_ports(grid, source, here, to);
  case GridRouting::minimal_adaptive:
    return minimal_ports(grid, here, to);
  case GridRouting::dimension_order:
  case GridRouting::valiant:
  case GridRouting::romm:
    break;
  }
  throw std::logic_error("a routing that lets headers choose nothing");
}

std::uint32_t port_of_channel(const Grid& grid, ChannelId channel)
{
  const NodeId from = grid.channel_source(channel);
  const NodeId to = grid.channel_target(channel);
  std::uint32_t dimension = 0;
  while (grid.coordinate(from, dimension) == grid.coordinate(to, dimension)) {
    ++dimension;
  }
  const std::int64_t step = grid.coordinate(to, dimension) - grid.coordinate(from, dimension);
  const bool up = step == 1 || step < -1;
  return 2 * dimension + (up ? 0 : 1);
}

std::uint32_t escape_channel_count(const Grid& grid)
{
  return grid.wraps() ? 2 : 1;
}

EscapeHop escape_hop(const Grid& grid, NodeId here, NodeId to)
{
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    const std::int64_t at = grid.coordinate(here, dimension);
    const std::int64_t wanted = grid.coordinate(to, dimension);
    if (at != wanted) {
      const bool up = grid.travel(dimension, at, wanted).up;
      return {.port = static_cast<std::uint8_t>(2 * dimension + (up ? 0 : 1)),
              .virtual_channel = static_cast<std::uint8_t>(grid.wraps() && at > wanted ? 1 : 0)};
    }
  }
  throw std::logic_error("a header at its destination needs no escape channel");
}

std::uint32_t intermediate_count(GridRouting routing, const Grid& grid, NodeId from, NodeId to)
{
  if (from == to) {
    return 1;
  }
  if (routing == GridRouting::valiant) {
    return grid.node_count();
  }
  std::int64_t count = 1;
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    count *= side_between(grid, from, to, dimension).size;
  }
  return static_cast<std::uint32_t>(count);
}

NodeId intermediate_at(GridRouting routing, const Grid& grid, NodeId from, NodeId to, std::uint32_t number,
                       std::uint64_t draw)
{
  if (from == to) {
    return to;
  }
  if (routing == GridRouting::valiant) {
    return NodeId{number};
  }
  std::int64_t rest = number;
  std::int64_t node = 0;
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    const Side side = side_between(grid, from, to, dimension, draw);
    node += (side.first + rest % side.size) % grid.sizes()[dimension] * grid.stride(dimension);
    rest /= side.size;
  }
  return NodeId{static_cast<std::uint32_t>(node)};
}

NodeId intermediate_node(GridRouting routing, const Grid& grid, NodeId from, NodeId to, std::uint64_t number)
{
  const std::uint64_t count = intermediate_count(routing, grid, from, to);
  return intermediate_at(routing, grid, from, to, static_cast<std::uint32_t>((number >> 32) * count >> 32), number);
}

} // namespace wormcast
