#include "wormcast/simulator/engines/grid_ports.hpp"

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

GridPorts::GridPorts(const Grid& grid, std::uint32_t virtual_channels)
    : grid_(grid), virtual_channels_(virtual_channels), count_(static_cast<std::uint32_t>(2 * grid.sizes().size() + 1)),
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

void GridPorts::append_hops(NodeId from, NodeId to, std::vector<RouterHop>& hops)
{
  const auto all = static_cast<std::uint8_t>(virtual_channels_);
  route_.clear();
  grid_.append_route(from, to, route_);
  RouterHop hop{.port = static_cast<std::uint8_t>(node_port()), .first = 0, .count = all};
  for (const ChannelId channel : route_) {
    const std::uint8_t port = port_of_channel_[index(channel)];
    if (port != hop.port && grid_.wraps() && virtual_channels_ > 1) {
      const std::size_t dimension = port / 2;
      const std::int64_t here = grid_.coordinate(grid_.channel_source(channel), dimension);
      const bool upper = here > grid_.coordinate(to, dimension);
      const std::uint32_t half = virtual_channels_ / 2;
      hop.first = static_cast<std::uint8_t>(upper ? half : 0);
      hop.count = static_cast<std::uint8_t>(virtual_channels_ - half);
    }
    hop.port = port;
    hops.push_back(hop);
  }
  hops.push_back({.port = static_cast<std::uint8_t>(node_port()), .first = 0, .count = all});
}

} // namespace wormcast
