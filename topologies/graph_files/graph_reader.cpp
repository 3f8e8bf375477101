#include "wormcast/topologies/graph_files/graph_reader.hpp"

#include "wormcast/formats/whole_file.hpp"
#include "wormcast/topologies/graph_files/anynet.hpp"
#include "wormcast/topologies/graph_files/graph_listing.hpp"
#include "wormcast/topologies/graph_files/graph_text.hpp"
#include "wormcast/topologies/graph_files/parsed_graph.hpp"
#include "wormcast/values/input_error.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <new>
#include <optional>
#include <sstream>
#include <type_traits>

namespace wormcast {

namespace {

namespace property_tree = boost::property_tree;

constexpr std::size_t deepest_nesting = 500; // the readers recurse
constexpr std::uint64_t most_edges_of_groups = std::uint64_t{1} << 22;

void check_nesting(std::size_t depth)
{
  if (depth > deepest_nesting) {
    throw InputError(fmt::format("it is nested {} deep, expected at most {}", depth, deepest_nesting));
  }
}

/// Attributes of elements by names that can hold dots.
std::string attribute(const property_tree::ptree& element, const std::string& name)
{
  return element.get(property_tree::ptree::path_type("<xmlattr>/" + name, '/'), "");
}

/// A <key> declaration of data of nodes, edges and others.
struct GraphmlKey {
  std::string name;
  bool of_nodes = false;
  bool of_edges = false;
  std::optional<std::string> fallback = {};
};

using GraphmlKeys = std::map<std::string, GraphmlKey>; ///< by id

GraphmlKeys read_keys(const property_tree::ptree& root)
{
  constexpr std::array<std::string_view, 8> owners = {"graph", "node",     "edge", "hyperedge",
                                                      "port",  "endpoint", "all",  "graphml"};
  GraphmlKeys keys;
  for (const auto& [tag, element] : root) {
    if (tag == "key") {
      const std::string owner = attribute(element, "for");
      if (std::ranges::find(owners, owner) == owners.end()) {
        throw InputError(fmt::format("found a <key> for=\"{}\", expected one of {}", owner, fmt::join(owners, ", ")));
      }
      GraphmlKey& key = keys[attribute(element, "id")];
      key.name = attribute(element, "attr.name");
      key.of_nodes = owner == "node";
      key.of_edges = owner == "edge";
      if (const auto fallback = element.get_optional<std::string>("default")) {
        key.fallback = *fallback;
      }
    }
  }
  return keys;
}

void describe_node(FileNode& node, const std::string& key, const std::string& value)
{
  if (key == "name") {
    node.name = value;
  } else if (key == "label") {
    node.label = value;
  } else if (key == "kind") {
    node.kind = value;
  } else if (key == "pos") {
    node.pos = value;
  }
}

void describe_edge(FileEdge& edge, const std::string& key, const std::string& value)
{
  if (key == "class") {
    edge.link_class = value;
  } else if (key == "per_byte") {
    edge.per_byte = value;
  } else if (key == "per_hop") {
    edge.per_hop = value;
  }
}

/// Calls `visit(key, data)` for the data of an element. Throws InputError if one has no key.
template <typename Visit> void for_each_datum(const property_tree::ptree& element, const Visit& visit)
{
  for (const auto& [tag, data] : element) {
    if (tag == "data") {
      const std::string key = attribute(data, "key");
      if (key.empty()) {
        throw InputError("found a <data> without a key");
      }
      visit(key, data);
    }
  }
}

void check_data(const property_tree::ptree& element)
{
  for_each_datum(element, [](const std::string&, const property_tree::ptree&) {});
}

FileNode read_graphml_node(const property_tree::ptree& element, const GraphmlKeys& keys)
{
  FileNode node{.id = attribute(element, "id")};
  if (node.id.empty()) {
    throw InputError("found a <node> without an id");
  }
  for (const auto& [id, key] : keys) {
    if (key.of_nodes && key.fallback) {
      describe_node(node, key.name, *key.fallback);
    }
  }
  for_each_datum(element, [&](const std::string& id, const property_tree::ptree& data) {
    if (const auto key = keys.find(id); key != keys.end()) {
      describe_node(node, key->second.name, data.get_value(""));
    }
  });
  return node;
}

using NodesById = std::map<std::string, NodeId, std::less<>>;

FileEdge read_graphml_edge(const property_tree::ptree& element, const GraphmlKeys& keys, const NodesById& nodes,
                           bool graph_is_directed)
{
  FileEdge edge;
  for (const auto& [id, key] : keys) {
    if (key.of_edges && key.fallback) {
      describe_edge(edge, key.name, *key.fallback);
    }
  }
  for_each_datum(element, [&](const std::string& id, const property_tree::ptree& data) {
    if (const auto key = keys.find(id); key != keys.end()) {
      describe_edge(edge, key->second.name, data.get_value(""));
    }
  });
  const auto end = [&](const char* name) {
    const std::string id = attribute(element, name);
    const auto node = nodes.find(id);
    if (node == nodes.end()) {
      throw InputError(fmt::format("found an edge whose {} is \"{}\", expected the id of a node", name, id));
    }
    return node->second;
  };
  edge.ends = {end("source"), end("target")};
  const std::string directed = attribute(element, "directed");
  if (!directed.empty() && (directed == "true") != graph_is_directed) {
    throw InputError(fmt::format("found {} edge in {} graph, expected edges of one kind",
                                 graph_is_directed ? "an undirected" : "a directed",
                                 graph_is_directed ? "a directed" : "an undirected"));
  }
  return edge;
}

ParsedGraph read_graphml_graph(const property_tree::ptree& element, const GraphmlKeys& keys)
{
  check_data(element);
  ParsedGraph graph;
  const std::string edge_default = attribute(element, "edgedefault");
  if (edge_default != "directed" && edge_default != "undirected") {
    throw InputError(fmt::format("found edgedefault=\"{}\", expected \"directed\" or \"undirected\"", edge_default));
  }
  graph.directed = edge_default == "directed";
  NodesById nodes;
  for (const auto& [tag, child] : element) {
    if (tag == "graph") {
      throw InputError("found a <graph> in the <graph>, expected one alone");
    }
    if (tag == "node") {
      graph.nodes.push_back(read_graphml_node(child, keys));
      const std::string& id = graph.nodes.back().id;
      if (!nodes.emplace(id, NodeId{static_cast<std::uint32_t>(nodes.size())}).second) {
        throw InputError(fmt::format("found the node id \"{}\" twice, expected each once", id));
      }
    }
  }
  for (const auto& [tag, child] : element) { // edges can precede their nodes
    if (tag == "edge") {
      graph.edges.push_back(read_graphml_edge(child, keys, nodes, graph.directed));
    }
  }
  return graph;
}

/// Boost's reader of GraphML makes this property tree, too, but does not report the ids of the nodes, and not in
/// advance whether edges are directed.
ParsedGraph read_graphml_text(const std::string& text)
{
  check_nesting(xml_nesting(text));
  std::istringstream in(text);
  property_tree::ptree document;
  try {
    property_tree::read_xml(in, document,
                            property_tree::xml_parser::no_comments | property_tree::xml_parser::trim_whitespace);
  } catch (const property_tree::xml_parser_error& error) {
    throw InputError(fmt::format("line {}: not valid XML: {}", error.line(), error.message()));
  }
  const auto root = document.find("graphml");
  if (root == document.not_found()) {
    throw InputError("found no <graphml> element, expected one");
  }
  const auto first = root->second.find("graph");
  if (first == root->second.not_found()) {
    throw InputError("found no <graph> element in <graphml>, expected one");
  }
  return read_graphml_graph(first->second, read_keys(root->second));
}

template <typename Direction> ParsedGraph read_dot_as(const std::string& text)
{
  boost::adjacency_list<boost::vecS, boost::vecS, Direction, FileNode, FileEdge> graph;
  boost::dynamic_properties attributes(boost::ignore_other_properties);
  attributes.property("node_id", get(&FileNode::id, graph));
  attributes.property("name", get(&FileNode::name, graph));
  attributes.property("label", get(&FileNode::label, graph));
  attributes.property("kind", get(&FileNode::kind, graph));
  attributes.property("pos", get(&FileNode::pos, graph));
  attributes.property("class", get(&FileEdge::link_class, graph));
  attributes.property("per_byte", get(&FileEdge::per_byte, graph));
  attributes.property("per_hop", get(&FileEdge::per_hop, graph));
  boost::read_graphviz(text, graph, attributes, "node_id");
  ParsedGraph read;
  read.directed = std::is_same_v<Direction, boost::directedS>;
  for (const auto& vertex : boost::make_iterator_range(vertices(graph))) {
    read.nodes.push_back(graph[vertex]);
  }
  for (const auto& edge : boost::make_iterator_range(edges(graph))) {
    read.edges.push_back({.ends = {NodeId{static_cast<std::uint32_t>(source(edge, graph))},
                                   NodeId{static_cast<std::uint32_t>(target(edge, graph))}},
                          .link_class = graph[edge].link_class,
                          .per_byte = graph[edge].per_byte,
                          .per_hop = graph[edge].per_hop});
  }
  return read;
}

ParsedGraph read_dot_text(const std::string& text)
{
  const DotOutline outline = dot_outline(text);
  check_nesting(outline.nesting);
  if (outline.edges > most_edges_of_groups) {
    throw InputError(fmt::format("its edges between subgraphs are up to {}, expected at most {}", outline.edges,
                                 most_edges_of_groups));
  }
  ParsedGraph graph;
  try {
    graph = read_dot_as<boost::directedS>(text);
  } catch (const boost::undirected_graph_error&) {
    graph = read_dot_as<boost::undirectedS>(text);
  }
  sort_nodes(graph, [](const FileNode& a, const FileNode& b) { return naturally_before(a.id, b.id); });
  return graph;
}

ParsedGraph read_as_named(const std::filesystem::path& file)
{
  const std::string extension = file.extension().string();
  if (extension == ".graphml" || extension == ".xml") {
    return read_graphml_text(read_whole_file(file));
  }
  if (extension == ".dot" || extension == ".gv") {
    return read_dot_text(read_whole_file(file));
  }
  if (extension == ".anynet") {
    return read_anynet(read_whole_file(file));
  }
  throw InputError(fmt::format("found the ending \"{}\", expected .graphml or .xml (GraphML), .dot or .gv (Graphviz), "
                               "or .anynet (BookSim2)",
                               extension));
}

} // namespace

ListedGraph read_graph_file(const std::filesystem::path& file)
{
  try {
    return listed(read_as_named(file));
  } catch (const FileError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file.string(), error.what()));
  } catch (const std::exception& error) { // the readers throw many kinds, all about the text
    throw InputError(fmt::format("{}: not a valid graph: {}", file.string(), error.what()));
  }
}

} // namespace wormcast
