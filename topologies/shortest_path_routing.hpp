#pragma once

#include "wormcast/topologies/numbered_topology.hpp"
#include "wormcast/topologies/topology.hpp"
#include "wormcast/topologies/turn_classes.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// The channels with their directions reversed: vertex descriptors are node ids.
ChannelGraph reverse_channels(const Topology& topology);

/// Whether worms for others pass through a node: hosts beside switches forward nothing.
inline bool forwards(const Topology& topology, NodeId node)
{
  return !topology.has_switches() || !topology.is_host(node);
}

/// The distance where no path leads.
inline constexpr std::uint32_t no_path = std::numeric_limits<std::uint32_t>::max();

/// Returns, by node, the number of channels on a shortest path from it to `to`, or no_path; where there are switches,
/// paths lead through no other host. `reversed` is reverse_channels(topology). Breadth-first search, cost O(nodes +
/// channels).
std::vector<std::uint32_t> distances_to(const Topology& topology, const ChannelGraph& reversed, NodeId to);

/// Returns the next channel by the rule of shortest-path routing: of the channels of `from` to a node that is one
/// nearer to the destination, the one to the smallest node id. `distance(node)` is the number of channels from a node
/// to the destination. Cost O(degree).
template <typename Distance>
std::optional<ChannelId> next_channel_by_distance(const Topology& topology, NodeId from, Distance&& distance)
{
  const std::uint32_t wanted = distance(from) - 1; // 0 at the destination alone
  std::optional<ChannelId> next;
  const std::uint32_t first = index(topology.first_channel(from));
  for (std::uint32_t id = first; id < first + topology.out_degree(from); ++id) {
    const NodeId target = topology.channel_target(ChannelId{id});
    const bool leads_on = wanted == 0 || forwards(topology, target);
    if (leads_on && distance(target) == wanted && (!next || target < topology.channel_target(*next))) {
      next = ChannelId{id};
    }
  }
  return next;
}

/// The largest number of nodes for which a table of all routes is stored (268 MB).
inline constexpr std::uint32_t most_nodes_for_route_table = 1U << 13;

/// The next channel and the distance of every ordered pair of nodes, by next_channel_by_distance. Four bytes a pair;
/// construction takes time O(nodes * (nodes + channels)).
class ShortestPathTable {
public:
  /// Throws InputError above most_nodes_for_route_table. All nodes must reach each other, and no two channels may lead
  /// from one node to the same other one.
  explicit ShortestPathTable(const Topology& topology);

  std::uint32_t distance(NodeId from, NodeId to) const { return entry(from, to).distance; }

  /// Returns which of the channels of `from`, counted from 0, leads towards `to`; undefined if both are the same.
  std::uint32_t next_channel(NodeId from, NodeId to) const { return entry(from, to).channel; }

  std::uint32_t longest_distance() const { return longest_distance_; }

  /// The classes of virtual channels for these routes.
  const TurnClasses& turn_classes() const { return *turn_classes_; }

private:
  struct Entry {
    std::uint16_t distance = 0;
    std::uint16_t channel = 0;
  };
  const Entry& entry(NodeId from, NodeId to) const { return entries_[std::size_t{index(to)} * nodes_ + index(from)]; }

  std::size_t nodes_;
  std::vector<Entry> entries_; ///< of one destination after the other
  void divide_virtual_channels(const Topology& topology);

  std::uint32_t longest_distance_ = 0;
  std::optional<TurnClasses> turn_classes_;
};

/// A topology without coordinates whose routes come from a ShortestPathTable and whose virtual channels are divided by
/// its TurnClasses.
class TableRoutedTopology : public NumberedTopology {
public:
  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override { return table_.distance(from, to); }
  std::uint32_t longest_route() const override { return table_.longest_distance(); }
  std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const override
  {
    return table_.turn_classes().virtual_channel_classes(virtual_channels);
  }
  void assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                      std::span<std::uint8_t> classes) const override
  {
    table_.turn_classes().assign(*this, route, virtual_channels, classes);
  }

protected:
  /// As Topology's constructor, with the conditions and errors of ShortestPathTable.
  TableRoutedTopology(TopologyDescription description, std::uint32_t node_count, std::vector<ChannelEnds> channels,
                      RoutingChoice routing, std::optional<std::uint32_t> host_count = std::nullopt);

private:
  ShortestPathTable table_;
};

} // namespace wormcast
