#include "wormcast/simulator/engines/input_queued/cycle_layout.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace wormcast {

namespace {

const Grid& grid_of(const Topology& topology)
{
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  if (grid == nullptr) {
    throw std::logic_error("an input-queued router on a topology that is no grid");
  }
  return *grid;
}

} // namespace

CycleLayout::CycleLayout(const Topology& topology, const NetworkParameters& network)
    : ports(grid_of(topology), network), routers(topology.node_count()), vcs(network.virtual_channels),
      port_count(ports.count()), node_port(ports.node_port()), width(port_count * vcs),
      shift(static_cast<std::uint32_t>(std::bit_width(width - 1))),
      port_shift(static_cast<std::uint32_t>(std::bit_width(port_count - 1))), all_vcs((1U << vcs) - 1),
      slots(static_cast<std::uint32_t>(std::min(network.buffer_flits, most_flits_one_by_one))),
      halves((grid_of(topology).wraps() && vcs > 1) || has_two_phases(network.pipeline.routing)),
      quarters(grid_of(topology).wraps() && has_two_phases(network.pipeline.routing))
{
  for (std::uint32_t local = 0; local < width; ++local) {
    port_of.push_back(static_cast<std::uint8_t>(local / vcs));
    vc_of.push_back(static_cast<std::uint8_t>(local % vcs));
  }
  downstream_.assign(port_index(routers, 0), nothing);
  upstream_.assign(downstream_.size(), nothing);
  for (std::uint32_t router = 0; router < routers; ++router) {
    for (std::uint32_t port = 0; port < node_port; ++port) {
      const std::uint32_t channel = ports.channel(router, port);
      if (channel != GridPorts::none) {
        const std::uint32_t next = index(topology.channel_target(ChannelId{channel}));
        downstream_[port_index(router, port)] = vc_index(next, (port ^ 1U) * vcs);
        upstream_[port_index(next, port ^ 1U)] = vc_index(router, port * vcs);
      }
    }
  }
}

} // namespace wormcast
