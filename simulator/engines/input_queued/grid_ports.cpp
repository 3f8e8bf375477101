#include "wormcast/simulator/engines/input_queued/grid_ports.hpp"

#include <bit>

namespace wormcast {

GridPorts::GridPorts(const Grid& grid, const NetworkParameters& network)
    : grid_(grid), network_(network), virtual_channels_(network.virtual_channels), routing_(network.pipeline.routing),
      count_(static_cast<std::uint32_t>(2 * grid.sizes().size() + 1)),
      channels_(std::size_t{grid.node_count()} * count_, none), ties_are_drawn_(grid.drawn_bits() != 0)
{
  for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
    for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
      coordinates_.push_back(static_cast<std::uint32_t>(grid.coordinate(NodeId{node}, dimension)));
    }
  }
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
  runs_.resize(most_runs());
  const RouterHops* const end = write_runs(from, to, message, runs_.data());
  for (const RouterHops* run = runs_.data(); run != end; ++run) {
    hops.insert(hops.end(), run->hops,
                {.port = static_cast<std::uint8_t>(run->port),
                 .first = static_cast<std::uint8_t>(std::countr_zero(run->range)),
                 .count = static_cast<std::uint8_t>(std::popcount(run->range))});
  }
}

RouterHops* GridPorts::write_runs(NodeId from, NodeId to, MessageId message, RouterHops* runs) const
{
  const std::uint32_t all = virtual_channels_;
  if (has_two_phases(routing_)) {
    const std::uint64_t draw = route_draw(network_, index(message));
    const NodeId by = intermediate_node(routing_, grid_, from, to, draw);
    runs = write_lines(from, by, {0, all / 2}, draw, runs);
    runs = write_lines(by, to, {all / 2, all / 2}, draw, runs);
  } else {
    runs = write_lines(from, to, {0, all}, ties_are_drawn_ ? route_draw(network_, index(message)) : 0, runs);
  }
  *runs = {.port = static_cast<std::uint16_t>(node_port()), .range = VirtualChannelRange{0, all}.bits(), .hops = 1};
  return runs + 1;
}

// Topology::append_drawn_route of a grid: dimension by dimension. A run without hops is written, too, and the next one
// over it: no branch tells them, as it would be unpredictable.
RouterHops* GridPorts::write_lines(NodeId from, NodeId to, VirtualChannelRange range, std::uint64_t draw,
                                   RouterHops* runs) const
{
  const std::size_t dimensions = grid_.sizes().size();
  const std::uint32_t* const starts = coordinates_.data() + index(from) * dimensions;
  const std::uint32_t* const goals = coordinates_.data() + index(to) * dimensions;
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    const std::uint32_t here = starts[dimension];
    const std::uint32_t goal = goals[dimension];
    bool up = goal > here;
    const std::uint32_t down = std::uint32_t{up} - 1; // all bits, or none
    std::uint32_t hops = ((goal - here) ^ down) - down;
    VirtualChannelRange half_range = range;
    if (grid_.wraps() && hops != 0) {
      const Grid::Travel travel = grid_.drawn_travel(dimension, here, goal, draw);
      up = travel.up;
      hops = static_cast<std::uint32_t>(travel.hops);
      if (range.count > 1) {
        const std::uint32_t half = range.count / 2;
        half_range = {range.first + (here > goal ? half : 0), range.count - half};
      }
    }
    *runs = {
        .port = static_cast<std::uint16_t>(2 * dimension + (up ? 0 : 1)), .range = half_range.bits(), .hops = hops};
    runs += hops != 0 ? 1 : 0;
  }
  return runs;
}

} // namespace wormcast
