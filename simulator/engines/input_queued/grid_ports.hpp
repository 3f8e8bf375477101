#pragma once

#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/grid.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// One hop of a header: the port by which it leaves a router, and the virtual channels that it may take there.
struct RouterHop {
  std::uint8_t port = 0;
  std::uint8_t first = 0; ///< virtual channel
  std::uint8_t count = 0;
};

/// Hops of a header in a row that do the same: along one dimension, or the one out of the last router to its node.
struct RouterHops {
  std::uint16_t port = 0;
  std::uint16_t range = 0; ///< bits of the virtual channels
  std::uint32_t hops = 0;
};

/// How a header of an adaptive routing may leave a router.
struct HeaderChoice {
  std::uint16_t ports = 0;   ///< permitted_ports(); 0: the node's alone
  std::uint8_t fallback = 0; ///< the port at which it asks where no other has anything free
  std::uint8_t escape = 0;   ///< with minimal_adaptive the virtual channel that it may take there
};

/// The ports of the routers of a mesh or torus as docs/routers.md numbers them: 2*dimension upwards, 2*dimension + 1
/// downwards, the last one the node. What leaves through port p enters the next router through port p xor 1.
class GridPorts {
public:
  static constexpr std::uint32_t none = 0xffffffff;

  GridPorts(const Grid& grid, const NetworkParameters& network);

  /// Ports of each router, existing or not.
  std::uint32_t count() const { return count_; }
  std::uint32_t node_port() const { return count_ - 1; }
  /// The external channel behind a port; `none`: there is none.
  std::uint32_t channel(std::uint32_t node, std::uint32_t port) const { return channels_[node * count_ + port]; }
  NodeId channel_target(ChannelId channel) const { return grid_.channel_target(channel); }

  /// What lies behind output port `port_index` % count() of router `port_index` / count().
  Resource resource(std::uint32_t port_index) const
  {
    const NodeId node{port_index / count_};
    if (port_index % count_ == node_port()) {
      return {.kind = Resource::Kind::ejection, .channel = ChannelId{}, .node = node};
    }
    return {.kind = Resource::Kind::external, .channel = ChannelId{channels_[port_index]}, .node = node};
  }

  /// Appends the hops of a message, the one out of the last router to its node included. On a torus it keeps one half
  /// of the virtual channels for each ring, fixed where it enters the dimension. Of an adaptive routing only their
  /// number is right: routers choose.
  void append_hops(NodeId from, NodeId to, MessageId message, std::vector<RouterHop>& hops);
  /// The same, with hops that do the same put together.
  void append_runs(NodeId from, NodeId to, MessageId message, std::vector<RouterHops>& runs) const;
  /// How many append_runs() appends at most.
  std::uint32_t most_runs() const
  {
    return static_cast<std::uint32_t>((has_two_phases(routing_) ? 2 : 1) * grid_.sizes().size() + 1);
  }

  /// Of an adaptive routing.
  HeaderChoice choice(NodeId source, NodeId here, NodeId to) const;
  /// With minimal_adaptive, at each port: the lowest virtual channels.
  std::uint32_t escape_channels() const
  {
    return routing_ == GridRouting::minimal_adaptive ? escape_channel_count(grid_) : 0;
  }

private:
  struct VirtualChannelRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;

    std::uint16_t bits() const { return static_cast<std::uint16_t>(((1U << count) - 1U) << first); }
  };
  void append_lines(NodeId from, NodeId to, VirtualChannelRange range, std::uint64_t draw,
                    std::vector<RouterHops>& runs) const;

  const Grid& grid_;
  const NetworkParameters& network_;
  std::uint32_t virtual_channels_;
  GridRouting routing_;
  std::uint32_t count_;
  std::vector<std::uint32_t> channels_; ///< by node and port
  std::vector<RouterHops> runs_;
};

} // namespace wormcast
