#pragma once

#include "wormcast/topologies/topology.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// Largest number of dimensions of a mesh or torus.
inline constexpr std::size_t max_grid_dimensions = 8;

/// Largest number of nodes of a mesh or torus.
inline constexpr std::int64_t most_grid_nodes = std::int64_t{1} << 26;

/// Mesh or torus of 1 to 8 dimensions with sizes X, Y, Z, ... Node (x, y, z, ...) has id x + X*(y + Y*(z + ...)). A
/// dimension is a line on a mesh and a ring on a torus, whose parameter `wrap` can make lines of some dimensions.
/// Dimension order: x is corrected first. On a torus each ring uses the shorter direction round the ring; at
/// exactly half the ring the direction without the wrap-around link, or upwards with tie "positive", or with tie
/// "random" upwards if bit d of the message's draw is set, d the dimension, from 0. A torus dimension of size 2 has one
/// link between its two nodes (no second, parallel wrap-around link), one of size 1 none. The channels of a node are
/// numbered x-, x+, y-, y+, ..., without those that do not exist. With two or more virtual channels a torus has two
/// classes of them, with any ring: a worm enters each dimension in class 0 and uses class 1 after the wrap-around link
/// (a dateline: Dally & Seitz, IEEE Trans. Computers C-36(5), 1987, section on k-ary n-cubes), which breaks the cycles
/// of the rings.
class Grid final : public Topology {
public:
  Grid(const TopologyDescription& description, const RoutingChoice& routing);

  std::span<const std::int64_t> sizes() const { return sizes_; }
  /// Whether there are rings: whether any of the dimensions of more than two nodes is one, or if there is none of
  /// these, whether the others are.
  bool wraps() const { return wraps_; }
  /// Whether a dimension is a ring. One of at most two nodes, which are the same as line and ring, is what wraps() is.
  bool wraps(std::size_t dimension) const { return rings_[dimension]; }
  /// Whether some dimensions of more than two nodes are rings and others lines.
  bool mixes_rings_and_lines() const { return mixed_; }
  bool ties_go_up() const { return ties_go_up_; }
  bool ties_are_drawn() const { return ties_are_drawn_; }

  std::int64_t coordinate(NodeId node, std::size_t dimension) const
  {
    return index(node) / strides_[dimension] % sizes_[dimension];
  }

  /// Returns the distance in node ids between neighbours in `dimension`.
  std::int64_t stride(std::size_t dimension) const { return strides_[dimension]; }

  /// The part of a route within one dimension.
  struct Travel {
    bool up = false;
    std::int64_t hops = 0;
  };
  /// Returns the part of append_route's route.
  Travel travel(std::size_t dimension, std::int64_t from, std::int64_t to) const;
  /// Returns the part of append_drawn_route's route.
  Travel drawn_travel(std::size_t dimension, std::int64_t from, std::int64_t to, std::uint64_t draw) const;
  /// Returns whether both directions round the ring are equally long, and not the same link.
  bool is_tie(std::size_t dimension, std::int64_t from, std::int64_t to) const
  {
    const std::int64_t size = sizes_[dimension];
    return rings_[dimension] && size > 2 && 2 * (to > from ? to - from : from - to) == size;
  }

  void append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const override;
  std::uint32_t drawn_bits() const override;
  bool draws_route(NodeId from, NodeId to) const override;
  void append_drawn_route(NodeId from, NodeId to, std::uint64_t draw, std::vector<ChannelId>& route) const override;
  std::uint32_t distance(NodeId from, NodeId to) const override;
  std::uint32_t longest_route() const override;
  std::vector<std::int64_t> coordinates(NodeId node) const override;
  NodeId node_at(std::span<const std::int64_t> coordinates) const override;
  /// One for each dimension: "x", "y", ...
  std::vector<std::string> link_classes() const override;
  std::uint32_t link_class(ChannelId channel) const override;
  std::string title() const override;
  std::uint32_t virtual_channel_classes(std::uint32_t virtual_channels) const override;
  void assign_virtual_channel_classes(std::span<const ChannelId> route, std::uint32_t virtual_channels,
                                      std::span<std::uint8_t> classes) const override;

private:
  template <typename TravelIn>
  void append_lines(NodeId from, NodeId to, TravelIn travel_in, std::vector<ChannelId>& route) const;

  std::vector<std::int64_t> sizes_;
  std::vector<std::int64_t> strides_;
  std::array<bool, max_grid_dimensions> rings_{}; ///< by dimension
  bool wraps_ = false;
  bool mixed_ = false;
  bool ties_go_up_ = false;
  bool ties_are_drawn_ = false;
  std::vector<std::uint16_t> directions_; ///< by node: bit 2*dimension + (1 if upwards) where a channel exists
};

struct TopologyMetrics;

/// The metrics in closed form; cost O(dimensions). The bisection is exact but for some tori of more than
/// most_nodes_for_exact_bisection nodes that have both a dimension of size 2 and a longest one of odd size.
TopologyMetrics measure_grid(const Grid& grid);

/// The number of nodes of a mesh or torus with "dims", without making it; of routers where they have several hosts.
/// Throws InputError where a size is less than 1, or the network has too many nodes or too many for the memory.
std::uint32_t grid_node_count(const TopologyDescription& description);

/// "torus 8 x 8"; "torus 4 x 3 closed in y" where some dimensions are no rings, "torus 4 x 3 without rings" where none
/// is; "mesh 4 x 3 with 2 hosts at each router". Only for descriptions of a mesh or torus with "dims".
std::string grid_title(const TopologyDescription& description);

/// Returns the hosts at each router of a mesh or torus: the parameter "concentration", or 1.
std::int64_t hosts_of_router(const TopologyDescription& description);

/// "x", "y", "z", "dimension 4", ...
std::string dimension_name(std::size_t dimension);
/// The names of the first `count` dimensions.
std::vector<std::string> dimension_names(std::size_t count);

} // namespace wormcast
