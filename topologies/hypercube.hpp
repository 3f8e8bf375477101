#pragma once

#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

struct ChannelDependencies;
struct Drawing;

inline constexpr std::uint32_t most_hypercube_dimensions = 20;

/// Hypercube of dimension d: 2^d nodes, an edge between ids that differ in one bit. Links are numbered 1 .. d from the
/// lowest bit; coordinates are the bits in that order, so that bit 1 is x. The channels of a node are those of link
/// 1, 2, ..., d.
///
/// Routing "dimension_order" is e-cube: the lowest differing bit is corrected first. Routing "shortest_path" goes to
/// the smallest id that is nearer: it clears the highest bit that must be cleared first, then sets the lowest that must
/// be set. Both are free of deadlock: every route uses the channels in an order common to all routes.
class Hypercube final : public Topology {
public:
  Hypercube(const TopologyDescription& description, const RoutingChoice& routing);

  std::uint32_t dimension() const { return dimension_; }

  /// The channel of `node` over link 1 .. d.
  ChannelId channel(NodeId node, std::uint32_t link) const { return ChannelId{index(first_channel(node)) + link - 1}; }

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint32_t longest_route() const override { return dimension_; }
  std::vector<std::int64_t> coordinates(NodeId node) const override;
  NodeId node_at(std::span<const std::int64_t> coordinates) const override;
  /// The id, which is shorter than the coordinates.
  std::string node_name(NodeId node) const override;
  /// One for each dimension: "x", "y", ...
  std::vector<std::string> link_classes() const override;
  std::uint32_t link_class(ChannelId channel) const override;
  std::string title() const override;

  /// Returns the links that some route uses right after it has reached `node` over `link`, ascending.
  std::vector<std::uint32_t> links_after(NodeId node, std::uint32_t link) const;

private:
  std::uint32_t next_link(std::uint32_t from, std::uint32_t to) const;

  std::uint32_t dimension_;
  bool lowest_bit_first_;
};

/// The metrics in closed form, all exact.
TopologyMetrics measure_hypercube(const Hypercube& hypercube);

/// The channel dependencies of all routes, of one class of virtual channels, put together from links_after. Cost
/// O(channels * dimension).
ChannelDependencies hypercube_channel_dependencies(const Hypercube& hypercube);

/// Draws squares of links 1 and 2, four of them as the corners of a larger square for links 3 and 4, and so on; each
/// square is turned against the next smaller ones, so that links do not overlap. Up to dimension 6 links are at least a
/// fifth of a unit from nodes.
Drawing draw_hypercube(const Hypercube& hypercube);

/// The kind "hypercube".
TopologyKind hypercube_kind();

} // namespace wormcast
