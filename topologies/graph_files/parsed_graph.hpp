#pragma once

#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/printable.hpp"

#include <string>
#include <vector>

namespace wormcast {

/// A node as a graph file describes it.
struct FileNode {
  std::string id;
  std::string name = {};
  std::string label = {};
  std::string kind = {}; ///< "host", "switch", or empty for a host
  std::string pos = {};  ///< "x,y" as Graphviz writes it; empty: none

  std::string shown() const { return printable(!name.empty() ? name : !label.empty() ? label : id); }
};

/// An edge as a graph file describes it, by the places of its nodes in ParsedGraph::nodes.
struct FileEdge {
  ChannelEnds ends;
  std::string link_class = {}; ///< empty: "link"
  std::string per_byte = {};   ///< T_c as in a configuration; empty: none
  std::string per_hop = {};    ///< T_f as in a configuration; empty: none
};

/// What a graph file says, before it is checked.
struct ParsedGraph {
  std::vector<FileNode> nodes;
  std::vector<FileEdge> edges;
  bool directed = false;
};

} // namespace wormcast
