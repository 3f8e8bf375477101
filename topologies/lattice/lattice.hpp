#pragma once

#include "wormcast/topologies/lattice/lattice_box.hpp"
#include "wormcast/topologies/lattice/shortest_vectors.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/topology.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

struct Drawing;
struct TopologyMetrics;

/// Z^n modulo the rows of an integer matrix: nodes are the points of a LatticeBox, and each is linked to the points one
/// step away in each dimension. A diagonal matrix gives a torus; others give twisted tori, lattices such as FCC and
/// BCC, midimew networks and circulant graphs (C. Camarero, C. Martinez and R. Beivide, Lattice graphs for high-scale
/// interconnection topologies, IEEE TPDS 26(9), 2015). A dimension whose step leads back to the same node has
/// no channels; one where a step up and a step down lead to the same node has one link there.
///
/// Dimension order: of the vectors with the fewest steps between two nodes one is chosen, and its steps in x are taken
/// first. Of several vectors with tie "no_wrap" it is the one with the fewest wrap-around links, that is links that
/// leave the box, with tie "positive" and in other cases the one with the most steps upwards in x, then in y, and so
/// on. On a diagonal matrix these are the routes of a torus.
///
/// With two or more virtual channels there are two classes: along each dimension channels form cycles, on each of which
/// a worm uses class 1 after the link to or from the cycle's lowest node that closes it, else class 0 (a dateline:
/// Dally & Seitz, IEEE Trans. Computers C-36(5), 1987). A route crosses it at most once.
class Lattice final : public Topology {
public:
  Lattice(const TopologyDescription& description, LatticeBox box, const RoutingChoice& routing);

  const LatticeBox& box() const { return box_; }

  /// A step of one node to a neighbour.
  struct Step {
    std::uint8_t dimension = 0;
    bool up = false;
  };
  /// Returns the step along a channel; upwards where both directions lead to the same node.
  Step step_of(ChannelId channel) const { return steps_[index(channel) % steps_.size()]; }
  /// Returns whether a channel leaves the box.
  bool wraps(ChannelId channel) const { return leaves_box(index(channel_source(channel)), step_of(channel)); }

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override { return vectors_.distance(difference(from, to)); }
  std::uint32_t longest_route() const override { return vectors_.longest_distance(); }
  std::vector<std::int64_t> coordinates(NodeId node) const override;
  NodeId node_at(std::span<const std::int64_t> coordinates) const override;
  std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const override;
  void assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                      std::span<std::uint8_t> classes) const override;
  /// One for each dimension: "x", "y", ...
  std::vector<std::string> link_classes() const override;
  std::uint32_t link_class(ChannelId channel) const override;
  std::string title() const override;

private:
  std::uint32_t difference(NodeId from, NodeId to) const;
  bool leaves_box(std::uint32_t node, Step step) const;
  ChannelId channel(std::uint32_t node, Step step) const;
  std::uint32_t wrap_around_links(std::uint32_t from, const LatticeSteps& steps) const;
  template <typename Visit> void follow(std::uint32_t from, const LatticeSteps& steps, Visit&& visit) const;

  LatticeBox box_;
  ShortestVectors vectors_;
  bool fewest_wraps_;
  std::vector<Step> steps_; ///< of the channels of every node, in order
  std::array<std::array<std::uint8_t, 2>, most_lattice_dimensions> slots_{}; ///< by dimension, down and up: in steps_
  std::vector<std::uint8_t> lowest_; ///< by node: bits of dimensions on whose cycle it is the lowest
};

/// Draws the nodes as those of a mesh of the box's sizes, wrap-around links as stubs; a circle where one dimension of
/// the box has all nodes.
Drawing draw_lattice(const Lattice& lattice);

/// Sizes, diameter and mean distance by the distances from one node, as all nodes are alike; search_bisection.
TopologyMetrics measure_lattice(const Lattice& lattice);

/// The kind "lattice".
TopologyKind lattice_kind();

} // namespace wormcast
