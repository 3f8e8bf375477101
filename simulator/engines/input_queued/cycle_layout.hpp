#pragma once

#include "wormcast/simulator/engines/input_queued/grid_ports.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// The numbering of engine `cycle`. Inputs (a virtual channel of an input port, with its buffer) and outputs (a virtual
/// channel of an output port, with the count of free slots downstream) have the index router << shift | local; local =
/// port * V + virtual channel is the number in allocators and masks. A port has the index router << port_shift | port.
class CycleLayout {
public:
  static constexpr std::uint32_t nothing = 0xffffffff;

  /// Throws std::logic_error if the topology is not a grid.
  CycleLayout(const Topology& topology, const NetworkParameters& network);

  GridPorts ports;
  std::uint32_t routers;
  std::uint32_t vcs; ///< V
  std::uint32_t port_count;
  std::uint32_t node_port;
  std::uint32_t width;      ///< virtual channels of all ports of a router
  std::uint32_t shift;      ///< 1 << shift >= width
  std::uint32_t port_shift; ///< 1 << port_shift >= port_count
  std::uint32_t all_vcs;
  std::uint32_t slots; ///< slots of a buffer
  bool halves; ///< a message may use one half of the virtual channels: on the rings of a torus, or in one of two phases
  bool
      quarters; ///< a message may use one quarter of the virtual channels: on the rings of a torus in one of two phases

  std::vector<std::uint8_t> port_of; ///< by local
  std::vector<std::uint8_t> vc_of;   ///< by local

  std::size_t vc_index_count() const { return std::size_t{routers} << shift; }
  std::uint32_t router_of(std::uint32_t vc_index) const { return vc_index >> shift; }
  std::uint32_t local_of(std::uint32_t vc_index) const { return vc_index & ((1U << shift) - 1U); }
  std::uint32_t vc_index(std::uint32_t router, std::uint32_t local) const { return router << shift | local; }
  std::uint32_t port_index(std::uint32_t router, std::uint32_t port) const { return router << port_shift | port; }
  std::uint32_t port_of_vc_index(std::uint32_t vc_index) const
  {
    return port_index(router_of(vc_index), port_of[local_of(vc_index)]);
  }

  /// Returns the first input downstream of an output port; `nothing`: the node.
  std::uint32_t downstream(std::uint32_t port_index) const { return downstream_[port_index]; }
  /// Returns the first output upstream of an input port; `nothing`: the node.
  std::uint32_t upstream(std::uint32_t port_index) const { return upstream_[port_index]; }

  Resource resource_out(std::uint32_t port_index) const
  {
    return ports.resource(router_of_port(port_index) * port_count + (port_index & ((1U << port_shift) - 1U)));
  }
  Resource resource_in(std::uint32_t port_index) const
  {
    const std::uint32_t before = upstream_[port_index];
    return before != nothing ? resource_out(port_of_vc_index(before)) : injection(router_of_port(port_index));
  }
  static Resource injection(std::uint32_t node)
  {
    return {.kind = Resource::Kind::injection, .channel = ChannelId{}, .node = NodeId{node}};
  }

private:
  std::uint32_t router_of_port(std::uint32_t port_index) const { return port_index >> port_shift; }

  std::vector<std::uint32_t> downstream_;
  std::vector<std::uint32_t> upstream_;
};

/// A message of more flits is an error: flits are counted in 32 bits.
inline constexpr std::uint64_t most_flits_one_by_one = std::uint64_t{1} << 30;

} // namespace wormcast
