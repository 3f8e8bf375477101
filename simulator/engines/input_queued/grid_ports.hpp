#pragma once

#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/topologies/grid.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// One hop of a header: the port through which it leaves a router, and the virtual channels permitted there.
struct RouterHop {
  std::uint8_t port = 0;
  std::uint8_t first = 0; ///< first virtual channel
  std::uint8_t count = 0;
};

/// A run of equal hops of a header: along one dimension, or the one hop from the last router to its node.
struct RouterHops {
  std::uint16_t port = 0;
  std::uint16_t range = 0; ///< bits of the virtual channels
  std::uint32_t hops = 0;
};

/// The output ports of a router permitted to a header by an adaptive routing.
struct HeaderChoice {
  std::uint16_t ports = 0;   ///< permitted_ports(); 0: the node's port only
  std::uint8_t fallback = 0; ///< the port that it requests if no other has a free virtual channel
  std::uint8_t escape = 0;   ///< with minimal_adaptive the virtual channel permitted at the fallback port
};

/// The ports of the routers of a mesh or torus, numbered as in docs/routers.md: 2*dimension upwards, 2*dimension + 1
/// downwards, the last one to the node. A flit that leaves through port p enters the next router through port p xor 1.
class GridPorts {
public:
  static constexpr std::uint32_t none = 0xffffffff;

  GridPorts(const Grid& grid, const NetworkParameters& network);

  /// Returns the number of ports of each router, existing or not.
  std::uint32_t count() const { return count_; }
  std::uint32_t node_port() const { return count_ - 1; }
  /// Returns the external channel of an output port; `none`: there is none.
  std::uint32_t channel(std::uint32_t node, std::uint32_t port) const { return channels_[node * count_ + port]; }
  NodeId channel_target(ChannelId channel) const { return grid_.channel_target(channel); }

  /// Returns the channel of output port `port_index` % count() of router `port_index` / count().
  Resource resource(std::uint32_t port_index) const
  {
    const NodeId node{port_index / count_};
    if (port_index % count_ == node_port()) {
      return {.kind = Resource::Kind::ejection, .channel = ChannelId{}, .node = node};
    }
    return {.kind = Resource::Kind::external, .channel = ChannelId{channels_[port_index]}, .node = node};
  }

  /// Appends the hops of a message, including the hop from the last router to its node. On a torus the message uses one
  /// half of the virtual channels on each ring, which is fixed where it enters the dimension. With adaptive routing
  /// only the number of hops is right, because routers choose the ports.
  void append_hops(NodeId from, NodeId to, MessageId message, std::vector<RouterHop>& hops);
  /// The same, with equal hops joined into runs, at most most_runs() of them. Returns the end of those written.
  RouterHops* write_runs(NodeId from, NodeId to, MessageId message, RouterHops* runs) const;
  std::uint32_t most_runs() const
  {
    return static_cast<std::uint32_t>((has_two_phases(routing_) ? 2 : 1) * grid_.sizes().size() + 1);
  }

  /// Returns the largest number of links of a minimal path.
  std::uint32_t most_links() const;

  /// Returns the ports that an adaptive routing permits.
  HeaderChoice choice(NodeId source, NodeId here, NodeId to) const;
  /// Returns the number of escape channels, the lowest virtual channels of each port, with minimal_adaptive; else 0.
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
  RouterHops* write_lines(NodeId from, NodeId to, VirtualChannelRange range, std::uint64_t draw,
                          RouterHops* runs) const;

  const Grid& grid_;
  const NetworkParameters& network_;
  std::uint32_t virtual_channels_;
  GridRouting routing_;
  std::uint32_t count_;
  std::vector<std::uint32_t> channels_;    ///< by node and port
  std::vector<std::uint32_t> coordinates_; ///< by node and dimension
  bool ties_are_drawn_;
  std::vector<RouterHops> runs_;
};

} // namespace wormcast
