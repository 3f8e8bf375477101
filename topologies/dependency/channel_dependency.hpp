#pragma once

#include "wormcast/topologies/topology.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// The virtual channels of one class of an external channel, any of which a worm may use.
struct VirtualChannel {
  ChannelId channel{};
  std::uint32_t number = 0; ///< class, 0 .. classes-1

  friend bool operator==(const VirtualChannel&, const VirtualChannel&) = default;
};

/// The channel dependency graph: an edge from one virtual channel to another that some route uses right after it.
/// Vertex channel * classes + number denotes the virtual channels of one class of Topology::virtual_channel_classes.
/// Without a cycle the routing is free of deadlock: W. J. Dally and C. L. Seitz, Deadlock-free message routing in
/// multiprocessor interconnection networks, IEEE Trans. Computers C-36(5), 1987, theorem 1. With a cycle there is
/// traffic that deadlocks if each class has one virtual channel.
struct ChannelDependencies {
  using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                   boost::no_property, std::uint32_t, std::uint64_t>;
  Graph graph;
  std::uint32_t classes = 1;
  bool of_escape_channels =
      false; ///< the extended graph of grid_routing.hpp: Duato's condition, not Dally's and Seitz'

  VirtualChannel at(std::uint32_t vertex) const { return {ChannelId{vertex / classes}, vertex % classes}; }
};

class Grid;

/// The dependencies of all routes of `topology`: TopologyKind::dependencies where its kind has them, else
/// enumerate_channel_dependencies.
ChannelDependencies channel_dependencies(const Topology& topology, std::uint32_t virtual_channels);

/// The classes of virtual channels on the rings of a torus.
enum class RingClasses : std::uint8_t {
  by_dateline, ///< Topology::virtual_channel_classes: the class changes after the wrap-around channel
  kept ///< router "input_queued": a worm uses one half on a whole ring, docs/routers.md; with an odd number the middle
       ///< one is a class of its own that worms of both halves may use
};

/// Returns the dependencies of a mesh or torus, composed of the routes of single lines. Cost O(channels * degree), and
/// O(size^2) for each dimension.
ChannelDependencies grid_channel_dependencies(const Grid& grid, std::uint32_t virtual_channels,
                                              RingClasses rings = RingClasses::by_dateline);

/// Calls its second argument with every route of a pair of hosts.
using RoutesOfPair =
    std::function<void(NodeId from, NodeId to, const std::function<void(std::span<const ChannelId>)>& take)>;

/// Returns the dependencies of the routes that `routes` gives for each pair of hosts. Throws InputError as below.
ChannelDependencies dependencies_of_routes(const Topology& topology, std::uint32_t virtual_channels,
                                           const RoutesOfPair& routes);

/// Returns the dependencies of any topology by following every route, including all draws of drawn ones: cost O(sum of
/// all route lengths). Throws InputError if that may exceed 2^33 without counting draws.
ChannelDependencies enumerate_channel_dependencies(const Topology& topology, std::uint32_t virtual_channels);

/// A proof that there is no cycle, or a cycle.
struct DeadlockCheck {
  /// By vertex: numbers that increase along every edge; empty if there is a cycle.
  std::vector<std::uint32_t> numbering;
  /// Each channel depends on the next, and the last on the first; empty if there is no cycle. The shortest of the
  /// cycles found.
  std::vector<VirtualChannel> cycle;

  bool deadlock_free() const { return cycle.empty(); }
};

/// Searches for a cycle. Cost O(vertices + edges), and a bounded search for a short cycle if there are cycles.
DeadlockCheck check_deadlock(const ChannelDependencies& dependencies);

/// Returns "(0, 0) -> (1, 0)", followed by " [1]" (the class) if there are several classes.
std::string describe_channel(const Topology& topology, ChannelId channel);
std::string describe_channel(const Topology& topology, VirtualChannel channel, std::uint32_t classes);

} // namespace wormcast
