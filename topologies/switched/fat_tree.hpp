#pragma once

#include "wormcast/topologies/numbered_topology.hpp"
#include "wormcast/topologies/registry.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

struct ChannelDependencies;
struct Drawing;
struct TopologyMetrics;

/// The sizes of a fat tree, each by level from the hosts upwards.
struct FatTreeSizes {
  std::vector<std::uint32_t> children; ///< lower neighbours of a switch of level i + 1
  std::vector<std::uint32_t> parents;  ///< upper neighbours of a node of level i
  std::vector<std::uint32_t> parallel; ///< links between each such pair

  std::uint32_t levels() const { return static_cast<std::uint32_t>(children.size()); }
};

/// A parallel-ports generalised fat tree (E. Zahavi, D-Mod-K routing providing non-blocking traffic for shift
/// permutations on real life fat trees, 2010), with parallel links 1 an XGFT (S. Oehring et al., On generalized fat
/// trees, IPPS 1995): hosts are level 0, switches the levels from 1 on. A node of level l is a tuple of digits, digit
/// j < l below parents[j] and the others below children[j]; it is linked to the nodes of level l + 1 that differ from
/// it at most in digit l. Digit 0 counts first in the order of nodes. Sizes, order and links are those of SimGrid's
/// FatTreeZone.
///
/// All routes go up to a nearest common ancestor and down again, so that up channels depend on up and down channels,
/// but down channels on down channels alone: no cycle. Routing "d_mod_k" chooses the ports up by the destination's
/// number, and of parallel links down by the source's, as FatTreeZone does; "random" draws the parent and the link of
/// each hop.
class FatTree final : public NumberedTopology {
public:
  FatTree(const TopologyDescription& description, FatTreeSizes sizes, const RoutingChoice& routing);

  const FatTreeSizes& sizes() const { return sizes_; }
  std::uint32_t level(NodeId node) const;
  /// Returns the number of nodes of a level.
  std::uint32_t nodes_of_level(std::uint32_t level) const { return first_[level + 1] - first_[level]; }
  /// Returns the first node of a level.
  NodeId first_of_level(std::uint32_t level) const { return NodeId{first_[level]}; }
  bool draws_routes() const { return random_; }

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t drawn_bits() const override { return random_ ? 64 : 0; }
  bool draws_route(NodeId from, NodeId to) const override;
  void append_drawn_route(NodeId from, NodeId to, std::uint64_t draw, std::vector<ChannelId>& route) const override;
  void add_mean_route(NodeId from, NodeId to, double share, std::span<double> channels) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override { return 2 * common_level(from, to); }
  std::uint32_t longest_route() const override { return 2 * sizes_.levels(); }
  std::string node_name(NodeId node) const override;
  /// Links between one level and the next.
  std::vector<std::string> link_classes() const override;
  std::uint32_t link_class(ChannelId channel) const override;
  std::string title() const override;

private:
  /// A node by its level and its number within it.
  struct Place {
    std::uint32_t level = 0;
    std::uint32_t number = 0;
  };
  /// The level of the nearest common ancestors of two hosts; 0 if they are the same.
  std::uint32_t common_level(NodeId from, NodeId to) const;
  std::uint32_t digit(Place place, std::uint32_t position) const;
  std::uint32_t up_ports(std::uint32_t level) const;
  std::uint32_t down_ports(std::uint32_t level) const;
  /// Takes the port of the channels up or down and returns its channel.
  ChannelId go_up(Place& place, std::uint32_t port) const;
  ChannelId go_down(Place& place, std::uint32_t port) const;

  FatTreeSizes sizes_;
  bool random_;
  std::vector<std::uint32_t> first_;                ///< node of each level, and one past the last
  std::vector<std::vector<std::uint32_t>> strides_; ///< by level and digit
};

/// Sizes and distances in closed form; search_bisection.
TopologyMetrics measure_fat_tree(const FatTree& tree);

/// All turns of routes that go up and then down: those of "random", and more than those of "d_mod_k".
ChannelDependencies fat_tree_dependencies(const FatTree& tree);

/// Levels one above the other, the hosts at the bottom.
Drawing draw_fat_tree(const FatTree& tree);

/// The kind "fat_tree".
TopologyKind fat_tree_kind();

} // namespace wormcast
