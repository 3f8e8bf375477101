#pragma once

#include "wormcast/topologies/registry.hpp"

namespace wormcast {

/// Kind `graph`: the network of a GraphML or DOT file (graph_reader.hpp) with shortest-path routing by a table. Its
/// nodes have their names from the file, and their numbers as coordinates. Throws InputError if the file is malformed,
/// has more nodes than a table of routes may have, or is not connected; in a directed graph every node must reach every
/// other. The error then lists the parts.
TopologyKind graph_kind();

} // namespace wormcast
