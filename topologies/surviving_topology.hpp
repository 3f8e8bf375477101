#pragma once

#include "wormcast/topologies/faults.hpp"
#include "wormcast/topologies/shortest_path_routing.hpp"
#include "wormcast/topologies/up_down_routing.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace wormcast {

struct Drawing;
struct TopologyKind;

/// The routings of any network, with or without faults: "up_down" and "shortest_path".
const std::vector<std::string>& table_routings();

/// What faults leave of a network. Working nodes have the NodeIds 0 .. node_count-1 in the order of the whole network,
/// first the hosts, then the switches; their coordinates and names, which users write and read, are those of the whole
/// network, also where they are one number. Routes are those of an UpDownTable or a ShortestPathTable of what is left,
/// or those of the whole network where no fault is in their way.
class SurvivingTopology final : public Topology {
public:
  /// `whole` has the routing `routing` unless that is one of table_routings(); `description` has its faults. Throws
  /// InputError as read_faults and the tables do, and for two hosts between which a route of the whole network crosses
  /// a fault.
  SurvivingTopology(const TopologyDescription& description, const std::shared_ptr<const Topology>& whole,
                    const RoutingChoice& routing);

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t drawn_bits() const override;
  bool draws_route(NodeId from, NodeId to) const override;
  void append_drawn_route(NodeId from, NodeId to, std::uint64_t draw, std::vector<ChannelId>& route) const override;
  bool headers_choose() const override { return has_routes_of_whole() && whole_->headers_choose(); }
  bool lengths_differ() const override { return has_routes_of_whole() && whole_->lengths_differ(); }
  double mean_route_length(NodeId from, NodeId to) const override;
  void add_mean_route(NodeId from, NodeId to, double share, std::span<double> channels) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint32_t longest_route() const override;
  std::vector<std::int64_t> coordinates(NodeId node) const override;
  NodeId node_at(std::span<const std::int64_t> coordinates) const override;
  std::string node_name(NodeId node) const override;
  std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const override;
  void assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                      std::span<std::uint8_t> classes) const override;
  std::vector<std::string> link_classes() const override { return whole_->link_classes(); }
  std::uint32_t link_class(ChannelId channel) const override { return whole_->link_class(whole_channel(channel)); }
  /// "mesh 8 x 8 without 1 node and 3 links"; without faults "mesh 8 x 8 by up_down".
  std::string title() const override;

  const Topology& whole() const { return *whole_; }
  /// Returns the NodeId here of a node of the whole network. Throws InputError if it is dead.
  NodeId survivor(NodeId node) const;
  NodeId whole_node(NodeId node) const { return nodes_[index(node)]; }
  ChannelId whole_channel(ChannelId channel) const { return channels_[index(channel)]; }

private:
  struct Parts; ///< what the constructors of the base class and of this one need
  SurvivingTopology(TopologyDescription description, std::shared_ptr<const Topology> whole,
                    const RoutingChoice& routing, Parts parts);
  bool has_routes_of_whole() const { return !up_down_ && !shortest_; }
  void check_routes_of_whole(const Faults& faults) const;
  /// Puts the channels here in the place of those of the whole network.
  void take_own_channels(std::span<ChannelId> route) const;
  [[noreturn]] void refuse_route(NodeId from, NodeId to, ChannelId blocked, const Faults& faults) const;

  std::shared_ptr<const Topology> whole_;
  std::vector<NodeId> nodes_;                          ///< of the whole network, by node
  std::vector<ChannelId> channels_;                    ///< of the whole network, by channel
  std::vector<std::optional<NodeId>> own_nodes_;       ///< by node of the whole network
  std::vector<std::optional<ChannelId>> own_channels_; ///< by channel of the whole network
  std::uint32_t dead_nodes_ = 0;
  std::uint32_t dead_links_ = 0;
  std::optional<UpDownTable> up_down_;
  std::optional<ShortestPathTable> shortest_;
};

/// The whole network of a SurvivingTopology, any other topology itself.
const Topology& whole_of(const Topology& topology);

/// The NodeId that a node has in whole_of(topology): the number that users read and write.
NodeId node_in_whole(const Topology& topology, NodeId node);

/// As resolve_node, for a node that a user wrote: a number is that of the whole network. Throws InputError also for a
/// node that is dead.
NodeId resolve_whole_node(const Topology& topology, const ParameterValue& value);

/// Returns the kind of a topology, whose closed forms are true of it; null for a SurvivingTopology, for ParallelLinks,
/// and for one whose kind is not registered.
const TopologyKind* kind_of_whole(const Topology& topology);

/// Adds the keys of faults and table_routings() to a kind, whose `make` then makes a SurvivingTopology where a
/// description has faults or the routing is not the kind's own.
void add_faults(TopologyKind& kind);

} // namespace wormcast
