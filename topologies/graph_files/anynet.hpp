#pragma once

#include "wormcast/topologies/graph_files/parsed_graph.hpp"

#include <string_view>

namespace wormcast {

/// Reads a network of BookSim2's topology "anynet" (N. Jiang et al., BookSim 2.0 User's Guide, 2010, and the comment of
/// its reader). A line begins with a router and lists what is linked to it, each with the latency of the link in cycles
/// or without, which means 1: `router 0 node 0 node 1 5 router 1 15`; or it begins with a node and names its router.
/// Links lead in both directions. The latency of a node's link is that of both, that of a link between routers of the
/// direction that the line names; the other direction has its own line, or 1.
///
/// Nodes become hosts "node0", "node1", ... by number, routers switches "router0", ...; the class of a link is
/// "latency L". Throws InputError with the line where the text is malformed, where a node has two routers, two
/// latencies are given for one channel, a router is linked to itself, or numbers are left out.
ParsedGraph read_anynet(std::string_view text);

} // namespace wormcast
