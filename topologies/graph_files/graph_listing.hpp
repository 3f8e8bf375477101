#pragma once

#include "wormcast/topologies/graph_files/graph_reader.hpp"
#include "wormcast/topologies/graph_files/parsed_graph.hpp"

namespace wormcast {

/// Checks what a graph file says, whatever its format, and lists it with its hosts first. Throws InputError as
/// read_graph_file(), without the file's name.
ListedGraph listed(ParsedGraph graph);

} // namespace wormcast
