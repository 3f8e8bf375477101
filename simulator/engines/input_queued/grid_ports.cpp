#include "wormcast/simulator/engines/input_queued/grid_ports.hpp"

#include <bit>

namespace wormcast {

GridPorts::GridPorts(const Grid& grid, const NetworkParameters& network)
    : grid_(grid), network_(network), virtual_channels_(network.virtual_channels), routing_(network.pipeline.routing),
      count_(static_cast<std::uint32_t>(2 * grid.sizes().size() + 1)),
      channels_(std::size_t{grid.node_count()} * count_, none)
{
  for (std::uint32_t i = 0; i < grid.channel_count(); ++i) {
    const std::uint32_t port = port_of_channel(grid, ChannelId{i});
    channels_[index(grid.channel_source(ChannelId{i})) * count_ + port] = i;
  }
}

std::uint32_t GridPorts::most_links() const
{
  std::int64_t links = 0;
  for (const std::int64_t size : grid_.sizes()) {
    links += grid_.wraps() ? size / 2 : size - 1;
  }
  return static_cast<std::uint32_t>(links);
}

HeaderChoice GridPorts::choice(NodeId source, NodeId here, NodeId to) const
{
  const std::uint32_t ports = permitted_ports(routing_, grid_, source, here, to);
  HeaderChoice choice{.ports = static_cast<std::uint16_t>(ports), .fallback = static_cast<std::uint8_t>(node_port())};
  if (ports != 0 && routing_ == GridRouting::minimal_adaptive) {
    const EscapeHop escape = escape_hop(grid_, here, to);
    choice.fallback = escape.port;
    choice.escape = escape.virtual_channel;
  } else if (ports != 0) {
    choice.fallback = static_cast<std::uint8_t>(std::countr_zero(ports));
  }
  return choice;
}

void GridPorts::append_hops(NodeId from, NodeId to, MessageId message, std::vector<RouterHop>& hops)
{
  runs_.clear();
  append_runs(from, to, message, runs_);
  for (const RouterHops& run : runs_) {
    hops.insert(hops.end(), run.hops,
                {.port = static_cast<std::uint8_t>(run.port),
                 .first = static_cast<std::uint8_t>(std::countr_zero(run.range)),
                 .count = static_cast<std::uint8_t>(std::popcount(run.range))});
  }
}

void GridPorts::append_runs(NodeId from, NodeId to, MessageId message, std::vector<RouterHops>& runs) const
{
  const std::uint32_t all = virtual_channels_;
  const std::uint64_t draw = route_draw(network_, index(message));
  if (has_two_phases(routing_)) {
    const NodeId by = intermediate_node(routing_, grid_, from, to, draw);
    append_lines(from, by, {0, all / 2}, draw, runs);
    append_lines(by, to, {all / 2, all / 2}, draw, runs);
  } else {
    append_lines(from, to, {0, all}, draw, runs);
  }
  runs.push_back(
      {.port = static_cast<std::uint16_t>(node_port()), .range = VirtualChannelRange{0, all}.bits(), .hops = 1});
}

// Topology::append_drawn_route of a grid: dimension by dimension.
void GridPorts::append_lines(NodeId from, NodeId to, VirtualChannelRange range, std::uint64_t draw,
                             std::vector<RouterHops>& runs) const
{
  std::uint32_t rest_from = index(from);
  std::uint32_t rest_to = index(to);
  for (std::uint32_t dimension = 0; rest_from != rest_to; ++dimension) {
    const auto size = static_cast<std::uint32_t>(grid_.sizes()[dimension]);
    const std::uint32_t here = rest_from % size;
    const std::uint32_t goal = rest_to % size;
    rest_from /= size;
    rest_to /= size;
    if (here == goal) {
      continue;
    }
    const Grid::Travel travel = grid_.drawn_travel(dimension, here, goal, draw);
    VirtualChannelRange half_range = range;
    if (grid_.wraps() && range.count > 1) {
      const std::uint32_t half = range.count / 2;
      half_range = {range.first + (here > goal ? half : 0), range.count - half};
    }
    runs.push_back({.port = static_cast<std::uint16_t>(2 * dimension + (travel.up ? 0 : 1)),
                    .range = half_range.bits(),
                    .hops = static_cast<std::uint32_t>(travel.hops)});
  }
}

} // namespace wormcast
