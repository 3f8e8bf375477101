#pragma once

#include "wormcast/topologies/numbered_topology.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/topologies/up_down_order.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace wormcast {

/// The largest number of nodes for which a table of up*/down* routes is stored (134 MB).
inline constexpr std::uint32_t most_nodes_for_up_down_table = 1U << 12;

/// Routes of up*/down* routing (M. D. Schroeder et al., Autonet: a high-speed, self-configuring local area network
/// using point-to-point links, IEEE J. Selected Areas in Communications 9(8), 1991), by up_down_order(). A route goes
/// up any number of channels, then down any number, and never up again, so that no channels wait for each other in a
/// circle. Of these routes the table has a shortest one; at each node of those with as few channels the next is the one
/// to the node with the smallest id. Where there are switches, routes lead through no host.
class UpDownTable {
public:
  /// Throws InputError above most_nodes_for_up_down_table, or where a channel has none in the opposite direction. All
  /// nodes must reach each other.
  explicit UpDownTable(const Topology& topology);

  NodeId root() const { return order_.root(); }
  std::uint32_t distance(NodeId from, NodeId to) const { return rising_[pair(from, to)].distance; }
  std::uint32_t longest_distance() const { return longest_distance_; }

  /// Returns which of the channels of `from`, counted from 0, comes next towards `to`, on a route that has gone down
  /// already or has not; undefined if both are the same, or if no route leads there by going down alone.
  std::uint32_t next_channel(NodeId from, NodeId to, bool has_gone_down) const
  {
    return (has_gone_down ? falling_ : rising_)[pair(from, to)].channel;
  }

  /// Whether a channel from `from` to `to`, its neighbour, leads down.
  bool leads_down(NodeId from, NodeId to) const { return order_.leads_down(from, to); }

private:
  struct Entry {
    std::uint16_t distance = 0;
    std::uint16_t channel = 0;
  };
  std::size_t pair(NodeId from, NodeId to) const
  {
    return std::size_t{index(to)} * order_.nodes().size() + index(from);
  }
  void fill(const Topology& topology, NodeId to);

  UpDownOrder order_;
  std::vector<Entry> rising_;  ///< of one destination after the other: routes that may go up
  std::vector<Entry> falling_; ///< routes that go down alone
  std::uint32_t longest_distance_ = 0;
};

/// A topology without coordinates whose routes come from an UpDownTable.
class UpDownTopology : public NumberedTopology {
public:
  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override { return table_.distance(from, to); }
  std::uint32_t longest_route() const override { return table_.longest_distance(); }

protected:
  /// As Topology's constructor, with the conditions and errors of UpDownTable.
  UpDownTopology(TopologyDescription description, std::uint32_t node_count, std::vector<ChannelEnds> channels,
                 RoutingChoice routing, std::optional<std::uint32_t> host_count = std::nullopt);

private:
  UpDownTable table_;
};

} // namespace wormcast
