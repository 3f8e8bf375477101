#include "wormcast/algorithms/verifier/broadcast_bounds.hpp"

#include "wormcast/topologies/grid.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

std::uint32_t limited(std::uint32_t channels, PortModel ports)
{
  return ports.count == PortModel::all ? channels : std::min(channels, ports.count);
}

// Channels of a node with this coordinate along one dimension.
std::uint32_t channels_along(const Grid& grid, std::size_t dimension, std::int64_t coordinate)
{
  const std::int64_t size = grid.sizes()[dimension];
  if (grid.wraps(dimension) && size > 2) {
    return 2;
  }
  return (coordinate > 0 ? 1U : 0U) + (coordinate + 1 < size ? 1U : 0U);
}

const Grid* two_dimensional(const Topology& topology)
{
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  return grid != nullptr && grid->sizes().size() == 2 ? grid : nullptr;
}

[[noreturn]] void reject_unreachable(const Topology& topology)
{
  throw InputError(fmt::format("on the {} the source reaches no other node", topology.title()));
}

} // namespace

std::uint32_t usable_channels(const Topology& topology, NodeId node, PortModel ports)
{
  return limited(topology.out_degree(node), ports);
}

std::uint32_t growth_bound_steps(const Topology& topology, NodeId source, PortModel ports)
{
  std::uint32_t most = 0;
  for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
    most = std::max(most, usable_channels(topology, NodeId{node}, ports));
  }
  const std::uint64_t from_source = usable_channels(topology, source, ports);
  if (topology.host_count() > 1 && from_source == 0) {
    reject_unreachable(topology);
  }
  std::uint32_t steps = 0;
  for (std::uint64_t others = 0; 1 + others < topology.host_count(); ++steps) {
    others += from_source + others * most;
  }
  return steps;
}

std::uint32_t column_growth_bound_steps(const Topology& topology, NodeId source, PortModel ports)
{
  const Grid* grid = two_dimensional(topology);
  if (grid == nullptr) {
    throw InputError(fmt::format("the column growth bound is for 2-D meshes and tori; this is a {}", topology.title()));
  }
  const auto rows = static_cast<std::uint64_t>(grid->sizes()[1]);
  // Sideways is better than up or down, since it leaves the column: a node with fewer ports than channels prefers it.
  struct Sends {
    std::uint64_t sideways = 0;
    std::uint64_t vertical = 0;
  };
  const auto sends = [&](std::uint32_t horizontal, std::uint32_t vertical) {
    const std::uint32_t sideways = limited(horizontal, ports);
    return Sends{sideways, limited(horizontal + vertical, ports) - sideways};
  };
  const std::int64_t middle_x = grid->sizes()[0] / 2;
  const std::int64_t middle_y = grid->sizes()[1] / 2;
  const std::uint32_t beside = channels_along(*grid, 0, grid->coordinate(source, 0));
  const std::uint32_t most_vertical = channels_along(*grid, 1, middle_y);
  const Sends from_source = sends(beside, channels_along(*grid, 1, grid->coordinate(source, 1)));
  const Sends from_column = sends(beside, most_vertical);
  const std::uint64_t elsewhere_each = limited(channels_along(*grid, 0, middle_x) + most_vertical, ports);
  std::uint64_t column = 0; // informed nodes of the source's column other than the source
  std::uint64_t elsewhere = 0;
  std::uint32_t steps = 0;
  while (1 + column + elsewhere < topology.host_count()) {
    const std::uint64_t grown_column = column + from_source.vertical + column * from_column.vertical;
    elsewhere += from_source.sideways + column * from_column.sideways + elsewhere * elsewhere_each;
    column = std::min(rows - 1, grown_column);
    ++steps;
  }
  return steps;
}

Fraction channel_bound_bytes(const Topology& topology, NodeId source, PortModel ports)
{
  if (topology.host_count() == 1) {
    return 0;
  }
  std::vector<std::uint32_t> entering(topology.node_count(), 0);
  for (std::uint32_t channel = 0; channel < topology.channel_count(); ++channel) {
    ++entering[index(topology.channel_target(ChannelId{channel}))];
  }
  std::uint32_t fewest = usable_channels(topology, source, ports);
  for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
    if (node != index(source)) {
      fewest = std::min(fewest, limited(entering[node], ports));
    }
  }
  if (fewest == 0) {
    reject_unreachable(topology);
  }
  return {1, static_cast<std::int64_t>(fewest)};
}

Fraction scatter_bound_bytes(const Topology& topology, NodeId source, PortModel ports, std::uint32_t holders)
{
  if (holders <= 1) {
    return 0;
  }
  const std::uint32_t channels = usable_channels(topology, source, ports);
  if (channels == 0) {
    reject_unreachable(topology);
  }
  return {std::int64_t{holders} - 1, std::int64_t{holders} * channels};
}

bool has_broadcast_bounds(const Schedule& schedule, const ScheduleCosts& costs)
{
  return schedule.operation == Operation::broadcast && schedule.duplex == Duplex::full && costs.ports_excess.empty() &&
         costs.contention_free;
}

BroadcastBounds broadcast_bounds(const Topology& topology, NodeId source, PortModel ports)
{
  BroadcastBounds bounds{growth_bound_steps(topology, source, ports), channel_bound_bytes(topology, source, ports)};
  if (two_dimensional(topology) != nullptr) {
    bounds.steps = std::max(bounds.steps, column_growth_bound_steps(topology, source, ports));
  }
  return bounds;
}

} // namespace wormcast
