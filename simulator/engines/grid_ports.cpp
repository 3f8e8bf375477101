#include "wormcast/simulator/engines/grid_ports.hpp"

#include "wormcast/simulator/seeded_random.hpp"

namespace wormcast {

namespace {

std::uint8_t port_of(const Grid& grid, ChannelId channel)
{
  const NodeId from = grid.channel_source(channel);
  const NodeId to = grid.channel_target(channel);
  std::size_t dimension = 0;
  while (grid.coordinate(from, dimension) == grid.coordinate(to, dimension)) {
    ++dimension;
  }
  const std::int64_t step = grid.coordinate(to, dimension) - grid.coordinate(from, dimension);
  const bool up = step == 1 || step < -1;
  return static_cast<std::uint8_t>(2 * dimension + (up ? 0 : 1));
}

} // namespace

GridPorts::GridPorts(const Grid& grid, std::uint32_t virtual_channels, const PipelineParameters& pipeline)
    : grid_(grid), virtual_channels_(virtual_channels), routing_(pipeline.routing), seed_(pipeline.routing_seed),
      count_(static_cast<std::uint32_t>(2 * grid.sizes().size() + 1)),
      channels_(std::size_t{grid.node_count()} * count_, none), into_(channels_.size(), none)
{
  port_of_channel_.reserve(grid.channel_count());
  for (std::uint32_t i = 0; i < grid.channel_count(); ++i) {
    const std::uint8_t port = port_of(grid, ChannelId{i});
    port_of_channel_.push_back(port);
    channels_[index(grid.channel_source(ChannelId{i})) * count_ + port] = i;
    into_[index(grid.channel_target(ChannelId{i})) * count_ + (port ^ 1U)] = i;
  }
}

void GridPorts::append_hops(NodeId from, NodeId to, MessageId message, std::vector<RouterHop>& hops)
{
  const std::uint32_t all = virtual_channels_;
  if (has_two_phases(routing_)) {
    const NodeId by = intermediate_node(routing_, grid_, from, to, seeded_number(seed_, index(message)));
    append_links(from, by, {0, all / 2}, hops);
    append_links(by, to, {all / 2, all / 2}, hops);
  } else {
    append_links(from, to, {0, all}, hops);
  }
  hops.push_back({.port = static_cast<std::uint8_t>(node_port()), .first = 0, .count = static_cast<std::uint8_t>(all)});
}

void GridPorts::append_links(NodeId from, NodeId to, VirtualChannelRange range, std::vector<RouterHop>& hops)
{
  route_.clear();
  grid_.append_route(from, to, route_);
  RouterHop hop{.port = static_cast<std::uint8_t>(node_port()),
                .first = static_cast<std::uint8_t>(range.first),
                .count = static_cast<std::uint8_t>(range.count)};
  for (const ChannelId channel : route_) {
    const std::uint8_t port = port_of_channel_[index(channel)];
    if (port != hop.port && grid_.wraps() && range.count > 1) {
      const std::size_t dimension = port / 2;
      const std::int64_t here = grid_.coordinate(grid_.channel_source(channel), dimension);
      const bool upper = here > grid_.coordinate(to, dimension);
      const std::uint32_t half = range.count / 2;
      hop.first = static_cast<std::uint8_t>(range.first + (upper ? half : 0));
      hop.count = static_cast<std::uint8_t>(range.count - half);
    }
    hop.port = port;
    hops.push_back(hop);
  }
}

} // namespace wormcast
