#pragma once

#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/grid_routing.hpp"

#include <cstdint>
#include <functional>

namespace wormcast {

/// The output ports permitted to a header: of (source, here, destination), as permitted_ports() returns them.
using PortRelation = std::function<std::uint32_t(NodeId source, NodeId here, NodeId to)>;
/// The escape channel of a header: of (here, destination), as escape_hop() returns it.
using EscapeRelation = std::function<EscapeHop(NodeId here, NodeId to)>;

/// Returns whether the permitted ports of a header depend on the source of its message.
enum class SourceMatters : std::uint8_t {
  no,
  column, ///< on the source's x alone
  yes
};

/// Returns the channel dependency graph of an adaptive routing: all turns that some message may make. Without a cycle
/// it is free of deadlock, also where a buffer holds several messages. Cost O(nodes^2) for each group of sources that
/// `matters` does not distinguish.
ChannelDependencies turn_dependencies(const Grid& grid, const PortRelation& permitted, SourceMatters matters);

/// Returns the extended channel dependency graph (Duato 1993) of escape channels, of which each channel has
/// escape_channel_count() classes: an edge from one to another that a message may request after it has used the first,
/// right after it (direct) or after other channels permitted by `adaptive` (indirect). If another escape channel lies
/// between the two on the message's path, the edge is left out, as it follows from the edges to and from that one; so
/// there is a cycle if and only if there is one with these edges. Without a cycle the routing is free of deadlock,
/// provided that a buffer holds one message at a time. Cost: for each pair of nodes the nodes that a message can reach
/// without its escape hops; memory 4 bytes for each pair. Throws InputError if the memory is not available.
ChannelDependencies escape_dependencies(const Grid& grid, const PortRelation& adaptive, const EscapeRelation& escape);

/// Throws InputError if routing_dependencies would take too long: with more than 16,384 nodes, or 2^33 steps for turns
/// or escape channels, each a few nanoseconds (squares of 97 x 97, cubes of 17 x 17 x 17).
void check_dependency_size(const Grid& grid, GridRouting routing);

/// Returns the dependencies of a routing of router "input_queued"; the routing determines which graph. The graph of
/// valiant and romm has a class for each phase, on a torus one for each phase and half. Throws as check_dependency_size
/// does.
ChannelDependencies routing_dependencies(const Grid& grid, GridRouting routing, std::uint32_t virtual_channels);

} // namespace wormcast
