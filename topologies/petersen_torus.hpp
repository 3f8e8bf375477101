#pragma once

#include "wormcast/topologies/petersen.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/topology.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace wormcast {

struct Drawing;

/// The number of modules of 3PT(l, m, n) in z, x and y. A module is a Petersen graph of ten nodes.
struct PetersenTorusSize {
  std::int64_t l = 1;
  std::int64_t m = 1;
  std::int64_t n = 1;

  std::int64_t nodes() const { return petersen_nodes * l * m * n; }
};

/// A node (z, x, y, p): node p of the module (z, x, y). Also a distance of modules, where p is the number at the end.
struct PetersenTorusNode {
  std::int64_t z = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;
  int p = 0;

  friend bool operator==(const PetersenTorusNode&, const PetersenTorusNode&) = default;
};

/// Node ids are ((z*m + x)*n + y)*10 + p. Coordinates outside of the torus wrap around.
NodeId petersen_torus_id(const PetersenTorusSize& size, const PetersenTorusNode& node);
PetersenTorusNode petersen_torus_node(const PetersenTorusSize& size, NodeId id);

/// The one external edge of a node p (Kim et al., Definition 2): how many modules on it ends in z, x and y, and at
/// which p.
const PetersenTorusNode& external_edge(int p);

/// Returns the node at the other end of the external edge of `node`; its coordinates may be outside of the torus by
/// one.
PetersenTorusNode external_partner(const PetersenTorusNode& node);

/// The images of p under automorphisms of the torus: sigma belongs to x -> -x, tau to y -> -y, rho (which swaps x with
/// y, and m with n) to z -> -z.
inline constexpr PetersenPermutation petersen_sigma = {0, 4, 7, 8, 1, 5, 6, 2, 3, 9};
inline constexpr PetersenPermutation petersen_tau = {0, 1, 8, 7, 4, 5, 9, 3, 2, 6};
inline constexpr PetersenPermutation petersen_rho = {5, 6, 2, 3, 9, 0, 1, 8, 7, 4};

/// The images of a node under the automorphisms of 3PT(l, m, n), and under rho, the isomorphism to 3PT(l, n, m). Their
/// coordinates may be negative; petersen_torus_id wraps them around.
PetersenTorusNode image_under_sigma(const PetersenTorusNode& node);
PetersenTorusNode image_under_tau(const PetersenTorusNode& node);
PetersenTorusNode image_under_rho(const PetersenTorusNode& node);
PetersenTorusNode translated(const PetersenTorusNode& node, std::int64_t dz, std::int64_t dx, std::int64_t dy);

/// The 3-D Petersen-torus 3PT(l, m, n), l, m, n >= 2: Petersen graphs as modules of a torus, degree 4. Coordinates of
/// a node are (z, x, y, p). Shortest-path routing as ShortestPathTable has it, but from distances of the nodes of one
/// module only, as all modules are alike: 20 bytes a node, O(1) a hop. If there are at least as many virtual channels
/// as the longest route has channels, a worm uses class i on its i-th channel, so that no cycle of channels is possible
/// (K. D. Guenther, Prevention of deadlocks in packet-switched data transport systems, IEEE Trans. Communications
/// 29(4), 1981); with fewer there is one class.
class PetersenTorus final : public Topology {
public:
  PetersenTorus(const TopologyDescription& description, const RoutingChoice& routing);

  const PetersenTorusSize& size() const { return size_; }

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint32_t longest_route() const override { return longest_distance_; }
  std::vector<std::int64_t> coordinates(NodeId node) const override;
  NodeId node_at(std::span<const std::int64_t> coordinates) const override;
  std::string title() const override;
  std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const override;
  void assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                      std::span<std::uint8_t> classes) const override;

  /// Returns the distances between node p of module (0, 0, 0) and all nodes, by node.
  std::span<const std::uint16_t> distances_from_first_module(int p) const;

private:
  std::uint32_t distance(NodeId from, const PetersenTorusNode& to) const;

  PetersenTorusSize size_;
  std::vector<std::uint16_t> distances_; ///< of p = 0, then of p = 1, ...
  std::uint32_t longest_distance_ = 0;
};

/// The metrics; cost that of search_bisection and O(nodes), as all modules are alike.
TopologyMetrics measure_petersen_torus(const PetersenTorus& torus);

/// Draws modules as in petersen_place, turned upside down so that external edges have the directions of their offsets,
/// on a grid of x to the right and y upwards; planes of z next to each other, or in several rows if that fits a screen
/// better. External edges between planes, and those that wrap around, are stubs.
Drawing draw_petersen_torus(const PetersenTorus& torus);

/// The kind "petersen_torus".
TopologyKind petersen_torus_kind();

} // namespace wormcast
