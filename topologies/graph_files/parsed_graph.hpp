#pragma once

#include "wormcast/topologies/topology.hpp"
#include "wormcast/values/printable.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
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

/// Puts the nodes in the order `before(node, other)`, equal ones as they are.
template <typename Before> void sort_nodes(ParsedGraph& graph, const Before& before)
{
  std::vector<std::uint32_t> order(graph.nodes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(
      order, [&](std::uint32_t node, std::uint32_t other) { return before(graph.nodes[node], graph.nodes[other]); });
  std::vector<FileNode> sorted;
  std::vector<NodeId> place(order.size());
  for (const std::uint32_t node : order) {
    place[node] = NodeId{static_cast<std::uint32_t>(sorted.size())};
    sorted.push_back(std::move(graph.nodes[node]));
  }
  graph.nodes = std::move(sorted);
  for (FileEdge& edge : graph.edges) {
    edge.ends = {place[index(edge.ends.from)], place[index(edge.ends.to)]};
  }
}

} // namespace wormcast
