#pragma once

#include "wormcast/simulator/simgrid/platform_routes.hpp"
#include "wormcast/topologies/described_links.hpp"
#include "wormcast/topologies/numbered_topology.hpp"
#include "wormcast/topologies/registry.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// A SimGrid platform as a network: its hosts and the routes between them as SimGrid gives them. Each link in a route
/// is one channel, which one worm at a time holds; links of no route are left out. The ends of links follow from the
/// routes: a link begins at the host where a route begins with it, or where the link before it ends, and all points
/// that coincide in this way are one node; where nothing speaks against it, the halves of SPLITDUPLEX links have their
/// ends in common. Nodes that are no hosts are switches, s0, s1, ..., in the order in which
/// routes first meet them.
class PlatformTopology final : public NumberedTopology, public LinkDescriptions {
public:
  /// Nodes, channels and their classes, before the topology numbers the channels.
  struct Plan {
    std::vector<std::string> names;     ///< by node, hosts first
    std::vector<ChannelEnds> channels;  ///< by link
    std::vector<std::uint32_t> classes; ///< by link
    std::vector<DescribedLink> links;   ///< classes in the order of their times
  };

  /// Throws InputError, with the file's name in front, if the links of a route would have to lead in two directions at
  /// once, as a link does that routes cross both ways unless it is SPLITDUPLEX, or if times are out of range.
  static Plan plan(const std::string& file, const PlatformRoutes& routes);

  PlatformTopology(TopologyDescription description, const RoutingChoice& routing, Plan plan, PlatformRoutes routes);

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint32_t longest_route() const override { return longest_; }
  std::string node_name(NodeId node) const override { return names_[index(node)]; }
  std::vector<std::string> link_classes() const override { return names_of_links(links_); }
  std::uint32_t link_class(ChannelId channel) const override { return classes_[index(channel)]; }
  std::span<const DescribedLink> described_links() const override { return links_; }
  std::string title() const override;

private:
  std::span<const std::uint32_t> route(NodeId from, NodeId to) const;

  std::vector<std::string> names_;
  std::vector<DescribedLink> links_;
  std::vector<std::uint32_t> classes_; ///< by channel
  PlatformRoutes routes_;              ///< with channels in place of links
  std::uint32_t longest_ = 0;
};

/// The kind "simgrid".
TopologyKind platform_kind();

/// Registers platform_kind() (register_topology), once in a process.
void register_platform_topology();

} // namespace wormcast
