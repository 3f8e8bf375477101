#pragma once

#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/grid_routing.hpp"

#include <cstdint>
#include <functional>

namespace wormcast {

/// Output ports by which a header may go on: of (source, here, destination), as permitted_ports() gives them.
using PortRelation = std::function<std::uint32_t(NodeId source, NodeId here, NodeId to)>;
/// The escape channel of a header: of (here, destination), as escape_hop() gives it.
using EscapeRelation = std::function<EscapeHop(NodeId here, NodeId to)>;

/// Whether the ports by which a header may go on depend on where its message began.
enum class SourceMatters : std::uint8_t {
  no,
  column, ///< on the source's x alone
  yes
};

/// The channel dependency graph of a routing that lets headers choose: all turns that some message may take. Without a
/// cycle it is free of deadlock, also where a buffer holds several messages. Cost O(nodes^2) for each group of sources
/// of which `matters` tells no difference.
ChannelDependencies turn_dependencies(const Grid& grid, const PortRelation& permitted, SourceMatters matters);

/// The extended channel dependency graph (Duato 1993) of escape channels, of which each channel has
/// escape_channel_count() classes: an edge from one to another where a message may ask for the second after it has
/// taken the first, right behind it (direct) or after other channels by `adaptive` (indirect). Where another escape
/// channel lies between the two on the message's way, the edge is left out, as it follows from those to and from that
/// one; so there is a cycle if and only if there is one with these edges. Without a cycle the routing is free of
/// deadlock, provided that a buffer holds one message at a time. Cost: for each pair of nodes the nodes that a message
/// can come to without its escape hops; memory 4 bytes for each pair. Throws InputError where that is not there.
ChannelDependencies escape_dependencies(const Grid& grid, const PortRelation& adaptive, const EscapeRelation& escape);

/// Throws InputError where routing_dependencies would take too long: with more than 16,384 nodes, or 2^33 steps for
/// turns or escape channels, each a few nanoseconds (squares of 97 x 97, cubes of 17 x 17 x 17).
void check_dependency_size(const Grid& grid, GridRouting routing);

/// Those of a routing as router "input_queued" has it; which graph follows from the routing. That of valiant and romm
/// has a class for each phase, on a torus one for each phase and half. Throws as check_dependency_size does.
ChannelDependencies routing_dependencies(const Grid& grid, GridRouting routing, std::uint32_t virtual_channels);

} // namespace wormcast
