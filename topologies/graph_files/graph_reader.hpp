#pragma once

#include "wormcast/topologies/topology.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace wormcast {

/// A network as a graph file lists it.
struct ListedGraph {
  std::vector<std::string> names;    ///< by node; no two are the same
  std::vector<ChannelEnds> channels; ///< of an undirected edge both directions; no loops, no two with the same ends
  bool directed = false;
};

/// Reads the first graph of a GraphML file (.graphml, .xml) or a file in Graphviz's language (.dot, .gv) with the
/// readers of Boost.Graph. A node's name is its attribute `name`, else `label`, else its id; if names would not be
/// unique, all nodes are called by their ids. Nodes are in a GraphML file's order; those of a DOT file, whose order the
/// reader loses, are sorted by id with numbers in it compared as numbers ("n2" before "n10").
///
/// Throws FileError if the file cannot be read, and InputError with its name if the name does not determine the format,
/// its content is malformed (for XML with the line) or larger than 64 MiB, it has no nodes, an edge to a node that is
/// not declared, a loop, or two edges with the same ends.
ListedGraph read_graph_file(const std::filesystem::path& file);

} // namespace wormcast
