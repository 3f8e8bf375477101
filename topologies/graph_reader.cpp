#include "wormcast/topologies/graph_reader.hpp"

#include "wormcast/topologies/graph_text.hpp"
#include "wormcast/topologies/input_error.hpp"
#include "wormcast/topologies/printable.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <new>
#include <numeric>
#include <set>
#include <sstream>
#include <system_error>
#include <utility>

namespace wormcast {

namespace {

namespace property_tree = boost::property_tree;

constexpr std::size_t largest_file = std::size_t{1} << 26;
constexpr std::size_t deepest_nesting = 500; // the readers recurse
constexpr std::uint64_t most_edges_of_groups = std::uint64_t{1} << 22;

struct FileNode {
  std::string id;
  std::string name;
  std::string label;

  std::string shown() const { return printable(!name.empty() ? name : !label.empty() ? label : id); }
};

struct ParsedGraph {
  std::vector<FileNode> nodes;
  std::vector<ChannelEnds> edges;
  bool directed = false;
};

std::string read_text(const std::filesystem::path& file)
{
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw FileError(fmt::format("{}: cannot be read: it is a directory", file.string()));
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw FileError(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno)));
  }
  std::string text;
  std::array<char, 1 << 16> part{};
  while (in.read(part.data(), part.size()), in.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > largest_file) {
      throw InputError("the file is larger than 64 MiB");
    }
  }
  return text;
}

void check_nesting(std::size_t depth)
{
  if (depth > deepest_nesting) {
    throw InputError(fmt::format("it is nested {} deep, expected at most {}", depth, deepest_nesting));
  }
}

/// What Boost's GraphML reader does not tell: the ids of the nodes in the order in which it makes them, and whether
/// edges are directed.
ParsedGraph read_graphml_outline(std::istream& in)
{
  property_tree::ptree document;
  try {
    property_tree::read_xml(in, document);
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
  ParsedGraph outline;
  const std::string edge_default = first->second.get("<xmlattr>.edgedefault", "");
  if (edge_default != "directed" && edge_default != "undirected") {
    throw InputError(fmt::format("found edgedefault=\"{}\", expected \"directed\" or \"undirected\"", edge_default));
  }
  outline.directed = edge_default == "directed";
  std::set<std::string> ids;
  for (const auto& [tag, element] : first->second) {
    if (tag == "node") {
      const std::string id = element.get("<xmlattr>.id", "");
      if (id.empty()) {
        throw InputError("found a <node> without an id");
      }
      if (!ids.insert(id).second) {
        throw InputError(fmt::format("found the node id \"{}\" twice, expected each once", id));
      }
      outline.nodes.push_back({id, "", ""});
    }
  }
  for (const auto& [tag, element] : first->second) {
    for (const char* end : {"source", "target"}) {
      const std::string id = tag == "edge" ? element.get(std::string("<xmlattr>.") + end, "") : "";
      if (tag == "edge" && !ids.contains(id)) {
        throw InputError(fmt::format("found an edge whose {} is \"{}\", expected the id of a node", end, id));
      }
    }
  }
  return outline;
}

/// Takes from Boost's GraphML reader what a ParsedGraph holds.
class GraphmlTarget final : public boost::mutate_graph {
public:
  explicit GraphmlTarget(ParsedGraph& graph) : graph_(graph) {}

  bool is_directed() const override { return graph_.directed; }
  boost::any do_add_vertex() override { return next_node_++; }
  std::pair<boost::any, bool> do_add_edge(boost::any source, boost::any target) override
  {
    graph_.edges.push_back(
        {NodeId{boost::any_cast<std::uint32_t>(source)}, NodeId{boost::any_cast<std::uint32_t>(target)}});
    return {boost::any(), true};
  }
  void set_vertex_property(const std::string& key, boost::any node, const std::string& value,
                           const std::string& /*type*/) override
  {
    FileNode& described = graph_.nodes.at(boost::any_cast<std::uint32_t>(node));
    if (key == "name") {
      described.name = value;
    } else if (key == "label") {
      described.label = value;
    }
  }
  void set_edge_property(const std::string&, boost::any, const std::string&, const std::string&) override {}
  void set_graph_property(const std::string&, const std::string&, const std::string&) override {}

private:
  ParsedGraph& graph_;
  std::uint32_t next_node_ = 0;
};

ParsedGraph read_graphml_text(const std::string& text)
{
  check_nesting(xml_nesting(text));
  std::istringstream in(text);
  ParsedGraph graph = read_graphml_outline(in);
  in.clear();
  in.seekg(0);
  GraphmlTarget target(graph);
  try {
    boost::read_graphml(in, target, 0);
  } catch (const boost::directed_graph_error&) {
    throw InputError("found a directed edge in an undirected graph, expected edges of one kind");
  } catch (const boost::undirected_graph_error&) {
    throw InputError("found an undirected edge in a directed graph, expected edges of one kind");
  }
  return graph;
}

/// Less where ids are compared with the numbers in them as numbers.
bool naturally_before(std::string_view a, std::string_view b)
{
  const auto number = [](std::string_view text) {
    const auto end = std::ranges::find_if(text, [](unsigned char c) { return std::isdigit(c) == 0; });
    std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    return std::pair(digits.size(), digits.substr(std::min(digits.find_first_not_of('0'), digits.size())));
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const auto [length_a, digits_a] = number(a.substr(i));
    const auto [length_b, digits_b] = number(b.substr(j));
    if (length_a > 0 && length_b > 0) {
      if (digits_a != digits_b) {
        return std::pair(digits_a.size(), digits_a) < std::pair(digits_b.size(), digits_b);
      }
      i += length_a;
      j += length_b;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return a.size() - i != b.size() - j ? a.size() - i < b.size() - j : a < b;
}

void sort_nodes(ParsedGraph& graph)
{
  std::vector<std::uint32_t> order(graph.nodes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, naturally_before,
                    [&](std::uint32_t node) -> std::string_view { return graph.nodes[node].id; });
  std::vector<FileNode> sorted;
  std::vector<NodeId> place(order.size());
  for (const std::uint32_t node : order) {
    place[node] = NodeId{static_cast<std::uint32_t>(sorted.size())};
    sorted.push_back(std::move(graph.nodes[node]));
  }
  graph.nodes = std::move(sorted);
  for (ChannelEnds& edge : graph.edges) {
    edge = {place[index(edge.from)], place[index(edge.to)]};
  }
}

template <typename Direction> ParsedGraph read_dot_as(const std::string& text)
{
  boost::adjacency_list<boost::vecS, boost::vecS, Direction, FileNode> graph;
  boost::dynamic_properties attributes(boost::ignore_other_properties);
  attributes.property("node_id", get(&FileNode::id, graph));
  attributes.property("name", get(&FileNode::name, graph));
  attributes.property("label", get(&FileNode::label, graph));
  boost::read_graphviz(text, graph, attributes, "node_id");
  ParsedGraph read;
  read.directed = std::is_same_v<Direction, boost::directedS>;
  for (const auto& vertex : boost::make_iterator_range(vertices(graph))) {
    read.nodes.push_back(graph[vertex]);
  }
  for (const auto& edge : boost::make_iterator_range(edges(graph))) {
    read.edges.push_back({NodeId{static_cast<std::uint32_t>(source(edge, graph))},
                          NodeId{static_cast<std::uint32_t>(target(edge, graph))}});
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
  sort_nodes(graph);
  return graph;
}

ParsedGraph read_as_named(const std::filesystem::path& file)
{
  const std::string extension = file.extension().string();
  if (extension == ".graphml" || extension == ".xml") {
    return read_graphml_text(read_text(file));
  }
  if (extension == ".dot" || extension == ".gv") {
    return read_dot_text(read_text(file));
  }
  throw InputError(
      fmt::format("found the ending \"{}\", expected .graphml or .xml (GraphML), .dot or .gv (Graphviz)", extension));
}

std::vector<std::string> names_of(const ParsedGraph& graph)
{
  std::vector<std::string> names;
  std::vector<std::string> ids;
  std::set<std::string> different;
  for (const FileNode& node : graph.nodes) {
    names.push_back(node.shown());
    ids.push_back(printable(node.id));
    different.insert(node.shown());
  }
  return different.size() == names.size() ? names : ids;
}

ListedGraph listed(const ParsedGraph& graph)
{
  if (graph.nodes.empty()) {
    throw InputError("the graph has no nodes");
  }
  ListedGraph result{names_of(graph), graph.edges, graph.directed};
  if (!graph.directed) {
    for (const ChannelEnds& edge : graph.edges) {
      result.channels.push_back({edge.to, edge.from});
    }
  }
  std::set<std::pair<NodeId, NodeId>> seen;
  for (const ChannelEnds& ends : result.channels) {
    if (ends.from == ends.to) {
      throw InputError(fmt::format("found an edge from node {} to itself", result.names[index(ends.from)]));
    }
    if (!seen.insert({ends.from, ends.to}).second) {
      throw InputError(fmt::format("found two edges {} node {} {} node {}, expected one: no route would use the other",
                                   graph.directed ? "from" : "between", result.names[index(ends.from)],
                                   graph.directed ? "to" : "and", result.names[index(ends.to)]));
    }
  }
  return result;
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
