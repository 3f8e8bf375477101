#pragma once

#include "wormcast/simulator/simgrid/platform_routes.hpp"
#include "wormcast/topologies/described_links.hpp"
#include "wormcast/topologies/numbered_topology.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/turn_classes.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// A SimGrid platform as a network: its hosts and the routes between them as SimGrid gives them. Each link in a route
/// is one channel, which one worm at a time holds, or, where SHARED links are to be two channels, one in each direction
/// in which routes cross it; links of no route are left out. The ends of links follow from the routes: a link begins at
/// the host where a route begins with it, or where the link before it ends, and all points that coincide in this way
/// are one node; where nothing speaks against it, the halves of SPLITDUPLEX links have their ends in common. Nodes that
/// are no hosts are switches, s0, s1, ..., in the order in which routes first meet them. Virtual channels are divided
/// by TurnClasses.
class PlatformTopology final : public NumberedTopology, public LinkDescriptions {
public:
  /// Nodes, channels and their classes, before the topology numbers the channels.
  struct Plan {
    std::vector<std::string> names; ///< by node, hosts first
    std::uint32_t hosts = 0;
    std::vector<ChannelEnds> channels;
    std::vector<std::uint32_t> classes; ///< by channel
    std::vector<DescribedLink> links;   ///< classes in the order of their times
    std::vector<std::uint32_t> ends;    ///< as in PlatformRoutes
    std::vector<std::uint32_t> route_channels;
  };

  /// Throws InputError, with the file's name in front, if the links of a route would have to lead in two directions at
  /// once, as a link does that routes cross both ways unless it is SPLITDUPLEX, or SHARED and such are
  /// `shared_two_ways`, two channels; or if times are out of range.
  static Plan plan(const std::string& file, PlatformRoutes routes, bool shared_two_ways);

  PlatformTopology(TopologyDescription description, const RoutingChoice& routing, Plan plan);

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint32_t longest_route() const override { return longest_; }
  std::string node_name(NodeId node) const override { return names_[index(node)]; }
  std::vector<std::string> link_classes() const override { return names_of_links(links_); }
  std::uint32_t link_class(ChannelId channel) const override { return classes_[index(channel)]; }
  std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const override
  {
    return turn_classes_.virtual_channel_classes(virtual_channels);
  }
  void assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                      std::span<std::uint8_t> classes) const override
  {
    turn_classes_.assign(*this, route, virtual_channels, classes);
  }
  std::span<const DescribedLink> described_links() const override { return links_; }
  std::string title() const override;

private:
  std::span<const ChannelId> route(NodeId from, NodeId to) const;

  std::vector<std::string> names_;
  std::vector<DescribedLink> links_;
  std::vector<std::uint32_t> classes_; ///< by channel
  std::vector<std::uint32_t> ends_;    ///< of routes in route_channels_, by pair of hosts
  std::vector<ChannelId> route_channels_;
  std::uint32_t longest_ = 0;
  TurnClasses turn_classes_;
};

/// The kind "simgrid".
TopologyKind platform_kind();

/// Registers platform_kind() (register_topology), once in a process.
void register_platform_topology();

} // namespace wormcast
