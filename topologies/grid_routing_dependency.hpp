#pragma once

#include "wormcast/topologies/channel_dependency.hpp"
#include "wormcast/topologies/grid_routing.hpp"

#include <cstdint>
#include <functional>

namespace wormcast {

/// Output ports by which a header may go on: of (source, here, destination), as permitted_ports() gives them.
using PortRelation = std::function<std::uint32_t(NodeId source, NodeId here, NodeId to)>;

/// The channel dependency graph of a routing that lets headers choose: all turns that some message may take. Without a
/// cycle it is free of deadlock, also where a buffer holds several messages. Cost O(nodes^3) at most. Throws InputError
/// where that passes 2^33.
ChannelDependencies turn_dependencies(const Grid& grid, const PortRelation& permitted);

/// The extended channel dependency graph (Duato 1993) of escape channels: an edge from one to another where a message
/// may ask for the second after it has taken the first, right behind it (direct) or after other channels by `adaptive`
/// (indirect). `escape` gives one port everywhere but at the destination. Without a cycle the routing is free of
/// deadlock, provided that a buffer holds one message at a time. Throws InputError as turn_dependencies does.
ChannelDependencies escape_dependencies(const Grid& grid, const PortRelation& adaptive, const PortRelation& escape);

/// Those of a routing as router "input_queued" has it; which graph follows from the routing. That of valiant and romm
/// has a class for each phase.
ChannelDependencies routing_dependencies(const Grid& grid, GridRouting routing, std::uint32_t virtual_channels);

} // namespace wormcast
