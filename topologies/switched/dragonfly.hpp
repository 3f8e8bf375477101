#pragma once

#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

struct ChannelDependencies;
struct Drawing;

/// The sizes of a dragonfly with the parallel links of each kind.
struct DragonflySizes {
  std::uint32_t groups = 1;
  std::uint32_t group_links = 1; ///< between two groups
  std::uint32_t chassis = 1;     ///< of a group
  std::uint32_t chassis_links = 1;
  std::uint32_t routers = 1; ///< of a chassis
  std::uint32_t router_links = 1;
  std::uint32_t hosts = 1; ///< of a router
  /// Groups to which a router is linked, in the absolute arrangement; 0: as SimGrid's DragonflyZone is wired.
  std::uint32_t global_links = 0;
};

/// A dragonfly (J. Kim, W. J. Dally, S. Scott and D. Abts, Technology-driven, highly-scalable dragonfly topology, ISCA
/// 2008) as Cray wires it, with the sizes of SimGrid's DragonflyZone: hosts are linked to routers; all routers of a
/// chassis are linked, all routers of a group with the same number in their chassis, and router i of the first chassis
/// of group j with router j of the first chassis of group i.
///
/// With `global_links` = h each router is linked to h groups, so that there can be a h + 1 groups of a routers (Kim et
/// al., section 3). The links are in the absolute arrangement (E. Hastings et al., Comparing global link arrangements
/// for dragonfly networks, CLUSTER 2015): group i is linked to the groups 0, 1, ... without i in their order, the first
/// h by router 0 of its first chassis, the next h by router 1, and so on, chassis after chassis.
///
/// Routing "minimal": within a group first to the router with the wanted number in the chassis, then to the chassis; to
/// another group by the one router that is linked to it, also where two links between groups would be a shorter way. Of
/// parallel links that with the destination's number modulo their number is taken. With two or more virtual channels
/// there are two classes, 1 after the link between two groups: so no channels depend on each other in a cycle.
///
/// Routing "valiant" (L. G. Valiant, A scheme for fast parallel communication, SIAM J. Computing 11(2), 1982; for
/// dragonflies Kim et al.): a message to another group draws one of all groups, goes to it as to the router there that
/// is linked to its own group, and from that on to its destination, both minimally; drawing its own or the
/// destination's group it goes there at once. Three classes, one more after each link between groups.
///
/// Routing "ugal_l" (UGAL-L of Kim et al., section 4): a header chooses at the router of its source between the minimal
/// route and that of "valiant", by the messages that wait there. The classes are those of "valiant".
class Dragonfly final : public Topology {
public:
  Dragonfly(const TopologyDescription& description, const DragonflySizes& sizes, const RoutingChoice& routing);

  const DragonflySizes& sizes() const { return sizes_; }

  /// A router by its group, chassis and number in it.
  struct Router {
    std::uint32_t group = 0;
    std::uint32_t chassis = 0;
    std::uint32_t number = 0;

    friend bool operator==(const Router&, const Router&) = default;
  };
  /// Returns the router of a host, or the one that a switch is.
  Router router(NodeId node) const;
  NodeId switch_of(const Router& router) const;

  /// Appends the minimal route, also with "valiant" and "ugal_l".
  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t drawn_bits() const override { return draws_groups() ? 64 : 0; }
  bool draws_route(NodeId from, NodeId to) const override;
  bool headers_choose() const override { return chooses_ && draws_groups(); }
  void append_drawn_route(NodeId from, NodeId to, std::uint64_t draw, std::vector<ChannelId>& route) const override;
  bool lengths_differ() const override { return draws_groups(); }
  double mean_route_length(NodeId from, NodeId to) const override;
  void add_mean_route(NodeId from, NodeId to, double share, std::span<double> channels) const override;
  /// Whether routes lead through drawn groups: of two groups there is no other one.
  bool draws_groups() const { return (valiant_ || chooses_) && sizes_.groups > 2; }
  /// Appends the route by way of `group`, the minimal one if that is the group of `from` or of `to`.
  void append_route_by(std::uint32_t group, NodeId from, NodeId to, std::vector<ChannelId>& route) const;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint32_t longest_route() const override;
  /// Returns (group, chassis, router, host) of a host, without the last of a switch.
  std::vector<std::int64_t> coordinates(NodeId node) const override;
  NodeId node_at(std::span<const std::int64_t> coordinates) const override;
  std::string node_name(NodeId node) const override;
  /// "host", "router", "chassis", "group": links from hosts to routers, within a chassis, between the chassis of a
  /// group, and between groups.
  std::vector<std::string> link_classes() const override;
  std::uint32_t link_class(ChannelId channel) const override;
  std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const override;
  void assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                      std::span<std::uint8_t> classes) const override;
  std::string title() const override;

private:
  template <typename Visit> void visit_routers(NodeId from, NodeId to, std::uint32_t by, Visit&& visit) const;
  std::uint32_t between_linked_routers() const;
  ChannelId channel_between(const Router& from, const Router& to, std::uint32_t destination) const;

  DragonflySizes sizes_;
  bool valiant_;
  bool chooses_; ///< "ugal_l"
};

/// The dependencies of all routes, by way of each group where groups are drawn.
ChannelDependencies dragonfly_dependencies(const Dragonfly& dragonfly, std::uint32_t virtual_channels);

/// Draws the groups on a circle, each as a table of its chassis with hosts below their routers.
Drawing draw_dragonfly(const Dragonfly& dragonfly);

/// The kind "dragonfly".
TopologyKind dragonfly_kind();

} // namespace wormcast
