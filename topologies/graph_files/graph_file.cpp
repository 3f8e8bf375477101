#include "wormcast/topologies/graph_files/graph_file.hpp"

#include "wormcast/topologies/graph_files/graph_reader.hpp"
#include "wormcast/topologies/shortest_path_routing.hpp"
#include "wormcast/topologies/up_down_routing.hpp"
#include "wormcast/values/input_error.hpp"

#include <boost/graph/strong_components.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

namespace wormcast {

namespace {

constexpr std::size_t shown_parts = 4;
constexpr std::size_t shown_names = 6;

/// The nodes of each strong component; components in the order of their first nodes.
std::vector<std::vector<NodeId>> strong_parts(const ListedGraph& graph)
{
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const ChannelEnds& ends : graph.channels) {
    edges.emplace_back(index(ends.from), index(ends.to));
  }
  const ChannelGraph channels(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(),
                              static_cast<std::uint32_t>(graph.names.size()));
  std::vector<std::uint32_t> component(graph.names.size());
  boost::strong_components(channels,
                           boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, channels)));
  std::map<std::uint32_t, std::size_t> part_of_component;
  std::vector<std::vector<NodeId>> parts;
  for (std::uint32_t node = 0; node < component.size(); ++node) {
    const auto [place, is_new] = part_of_component.try_emplace(component[node], parts.size());
    if (is_new) {
      parts.emplace_back();
    }
    parts[place->second].push_back(NodeId{node});
  }
  return parts;
}

/// "{a, b}, {c, d, ...}"; long lists are cut.
std::string describe_parts(const ListedGraph& graph, const std::vector<std::vector<NodeId>>& parts)
{
  std::vector<std::string> described;
  for (const std::vector<NodeId>& part : parts) {
    if (described.size() == shown_parts) {
      described.emplace_back("...");
      break;
    }
    std::vector<std::string> names;
    for (const NodeId node : part) {
      names.push_back(names.size() == shown_names ? "..." : graph.names[index(node)]);
      if (names.size() > shown_names) {
        break;
      }
    }
    described.push_back(fmt::format("{{{}}}", fmt::join(names, ", ")));
  }
  return fmt::format("{}", fmt::join(described, ", "));
}

ListedGraph read_connected(const std::string& file)
{
  ListedGraph graph = read_graph_file(file);
  if (graph.names.size() > most_nodes_for_route_table) {
    throw InputError(
        fmt::format("{}: found {} nodes, expected at most {}", file, graph.names.size(), most_nodes_for_route_table));
  }
  const std::vector<std::vector<NodeId>> parts = strong_parts(graph);
  if (parts.size() > 1) {
    throw InputError(fmt::format("{}: the graph is not {}connected: it has the {} parts {}; expected a path from every "
                                 "node to every other",
                                 file, graph.directed ? "strongly " : "", parts.size(), describe_parts(graph, parts)));
  }
  return graph;
}

/// A graph with the routes of TableRoutedTopology or UpDownTopology.
template <typename Routed> class FileGraph final : public Routed {
public:
  FileGraph(TopologyDescription description, RoutingChoice routing, ListedGraph graph)
      : Routed(std::move(description), static_cast<std::uint32_t>(graph.names.size()), std::move(graph.channels),
               std::move(routing)),
        names_(std::move(graph.names))
  {}

  std::string node_name(NodeId node) const override { return names_[index(node)]; }
  std::string title() const override
  {
    return "graph " + std::filesystem::path(this->description().parameters.text("file")).filename().string();
  }

private:
  std::vector<std::string> names_;
};

} // namespace

TopologyKind graph_kind()
{
  return {"graph",
          "Any connected network from a file, directed or undirected",
          {{.name = "file",
            .type = ParameterType::file,
            .text = "GraphML (.graphml, .xml) or Graphviz (.dot, .gv); nodes are called by their attribute name or "
                    "label, else by their id"}},
          {"shortest_path", "up_down"},
          "U. Brandes et al., GraphML progress report, Graph Drawing 2001, LNCS 2265; the DOT language, graphviz.org",
          [](const TopologyDescription& description, const RoutingChoice& routing) -> std::unique_ptr<Topology> {
            ListedGraph graph = read_connected(description.parameters.text("file"));
            if (routing.routing == "up_down") {
              return std::make_unique<FileGraph<UpDownTopology>>(description, routing, std::move(graph));
            }
            return std::make_unique<FileGraph<TableRoutedTopology>>(description, routing, std::move(graph));
          }};
}

} // namespace wormcast
