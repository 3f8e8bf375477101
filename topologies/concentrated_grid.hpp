#pragma once

#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

struct Drawing;
struct TopologyMetrics;

/// The most hosts that a router of a mesh or torus may have.
inline constexpr std::int64_t most_hosts_of_router = 256;

/// Mesh or torus with several hosts at each router (concentration: W. J. Dally and B. Towles, Principles and Practices
/// of Interconnection Networks, Morgan Kaufmann 2004, section 3.3). The routers are switches. Host i of the router that
/// has number r in the Grid is host c*r + i of c hosts a router, and has one link to it. Hosts of one router send to
/// each other through it. Between routers a route is the Grid's, with its classes of virtual channels; links of hosts
/// are in class 0.
class ConcentratedGrid final : public Topology {
public:
  /// For descriptions with "concentration", at least 2. Throws InputError as Grid does, and if there are too many
  /// hosts.
  ConcentratedGrid(const TopologyDescription& description, const RoutingChoice& routing);

  /// The routers without their hosts, as nodes.
  const Grid& routers() const { return *routers_; }
  /// Returns the number of hosts at each router.
  std::uint32_t concentration() const { return concentration_; }
  /// Returns the router of a host, or the one that a switch is, as a node of routers().
  NodeId router(NodeId node) const
  {
    return NodeId{is_host(node) ? index(node) / concentration_ : index(node) - host_count()};
  }

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t drawn_bits() const override { return routers_->drawn_bits(); }
  bool draws_route(NodeId from, NodeId to) const override { return routers_->draws_route(router(from), router(to)); }
  void append_drawn_route(NodeId from, NodeId to, std::uint64_t draw, std::vector<ChannelId>& route) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint32_t longest_route() const override { return 2 + routers_->longest_route(); }
  /// Returns the router's coordinates, and of a host its number at the router as the last.
  std::vector<std::int64_t> coordinates(NodeId node) const override;
  NodeId node_at(std::span<const std::int64_t> coordinates) const override;
  /// Returns "(3, 4, 0)" of a host, "s3.4" of a switch.
  std::string node_name(NodeId node) const override;
  /// "host", then one for each dimension: "x", "y", ...
  std::vector<std::string> link_classes() const override;
  std::uint32_t link_class(ChannelId channel) const override;
  std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const override;
  void assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                      std::span<std::uint8_t> classes) const override;
  std::string title() const override;

private:
  ConcentratedGrid(const TopologyDescription& description, const RoutingChoice& routing,
                   std::unique_ptr<const Grid> routers);

  /// The grid's channel of a channel between two routers.
  ChannelId between_routers(ChannelId channel) const;
  void append_hops(NodeId from, NodeId to, const std::vector<ChannelId>& hops, std::vector<ChannelId>& route) const;

  std::unique_ptr<const Grid> routers_;
  std::uint32_t concentration_;
};

/// Returns the metrics by the closed forms of the grid; the bisection is an upper bound.
TopologyMetrics measure_concentrated_grid(const ConcentratedGrid& topology);

/// Draws the routers as a grid, and the hosts of each below it to the right.
Drawing draw_concentrated_grid(const ConcentratedGrid& topology);

} // namespace wormcast
