#pragma once

#include "wormcast/topologies/described_links.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace wormcast {

/// A network as a graph file lists it.
struct ListedGraph {
  std::vector<std::string> names;    ///< by node, hosts before switches; no two are the same
  std::vector<ChannelEnds> channels; ///< of an undirected edge both directions; no loops, no two with the same ends
  bool directed = false;
  std::uint32_t hosts = 0;                         ///< the number of nodes that are no switches
  std::vector<DescribedLink> links = {};           ///< classes of links by name, numbers in it as numbers, and times
  std::vector<std::uint32_t> channel_classes = {}; ///< by channel as in `channels`
  std::vector<DrawingPoint> places = {};           ///< by node, in the file's unit; empty: one has none
};

/// Reads the first graph of a GraphML file (.graphml, .xml), a file in Graphviz's language (.dot, .gv), both with the
/// readers of Boost.Graph, or a network of BookSim2 (.anynet; anynet.hpp). A node's name is its attribute `name`, else
/// `label`, else its id; if names would not be unique, all nodes are called by their ids. A node with the attribute
/// `kind` "switch" is a switch, one without it or with "host" a host. An edge's attribute `class` names its class of
/// links, "link" without it; its attributes `per_byte` and `per_hop` are its times as a configuration writes them, and
/// edges of one name with other times are another class. A node's attribute `pos`, two numbers with a comma as Graphviz
/// writes them, is its place. Nodes are in a GraphML file's order, hosts first; those of a
/// DOT file, whose order the reader loses, are sorted by id with numbers in it compared as numbers ("n2" before "n10").
///
/// Throws FileError if the file cannot be read, and InputError with its name if the name does not determine the format,
/// its content is malformed (for XML with the line) or larger than 64 MiB, it has no hosts, a node of another kind, an
/// edge to a node that is not declared, a time that a configuration could not have, a loop, two edges with the same
/// ends, or, beside switches, an edge between two hosts.
ListedGraph read_graph_file(const std::filesystem::path& file);

} // namespace wormcast
