#include "wormcast/topologies/graph_files/graph_file.hpp"

#include "wormcast/topologies/drawing/placed_drawing.hpp"
#include "wormcast/topologies/graph_files/graph_reader.hpp"
#include "wormcast/topologies/graph_files/routing_table.hpp"
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

/// The nodes of each strong component, where there are switches of these alone; components in the order of their first
/// nodes.
std::vector<std::vector<NodeId>> strong_parts(const ListedGraph& graph)
{
  const auto nodes = static_cast<std::uint32_t>(graph.names.size());
  const std::uint32_t first = graph.hosts < nodes ? graph.hosts : 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const ChannelEnds& ends : graph.channels) {
    if (index(ends.from) >= first && index(ends.to) >= first) {
      edges.emplace_back(index(ends.from), index(ends.to));
    }
  }
  const ChannelGraph channels(boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(), nodes);
  std::vector<std::uint32_t> component(graph.names.size());
  boost::strong_components(channels,
                           boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, channels)));
  std::map<std::uint32_t, std::size_t> part_of_component;
  std::vector<std::vector<NodeId>> parts;
  for (std::uint32_t node = first; node < nodes; ++node) {
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

/// Throws InputError for a host beside switches that cannot send or cannot receive.
void check_hosts(const std::string& file, const ListedGraph& graph)
{
  std::vector<bool> sends(graph.names.size());
  std::vector<bool> receives(graph.names.size());
  for (const ChannelEnds& ends : graph.channels) {
    sends[index(ends.from)] = true;
    receives[index(ends.to)] = true;
  }
  for (std::uint32_t host = 0; graph.hosts < graph.names.size() && host < graph.hosts; ++host) {
    if (!sends[host] || !receives[host]) {
      throw InputError(fmt::format("{}: found host {} without an edge {} a switch", file, graph.names[host],
                                   sends[host] ? "from" : "to"));
    }
  }
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
    const bool has_switches = graph.hosts < graph.names.size();
    throw InputError(
        fmt::format("{}: the graph{} is not {}connected: it has the {} parts {}; expected a path from every "
                    "{} to every other",
                    file, has_switches ? " of its switches" : "", graph.directed ? "strongly " : "", parts.size(),
                    describe_parts(graph, parts), has_switches ? "switch" : "node"));
  }
  check_hosts(file, graph);
  return graph;
}

/// A graph with the routes of TableRoutedTopology, UpDownTopology or GivenRoutesTopology.
template <typename Routed> class FileGraph final : public Routed, public LinkDescriptions, public NodePlaces {
public:
  template <typename... More>
  FileGraph(TopologyDescription description, RoutingChoice routing, ListedGraph graph, const More&... more)
      : Routed(std::move(description), static_cast<std::uint32_t>(graph.names.size()), graph.channels,
               std::move(routing), graph.hosts, more...),
        names_(std::move(graph.names)), places_(std::move(graph.places)), links_(std::move(graph.links)),
        channel_classes_(graph.channels.size())
  {
    std::map<std::pair<NodeId, NodeId>, std::uint32_t> class_of;
    for (std::size_t i = 0; i < graph.channels.size(); ++i) {
      class_of.emplace(std::pair(graph.channels[i].from, graph.channels[i].to), graph.channel_classes[i]);
    }
    for (std::uint32_t id = 0; id < this->channel_count(); ++id) {
      const ChannelId channel{id};
      channel_classes_[id] = class_of.at({this->channel_source(channel), this->channel_target(channel)});
    }
  }

  std::string node_name(NodeId node) const override { return names_[index(node)]; }
  std::vector<std::string> link_classes() const override { return names_of_links(links_); }
  std::span<const DescribedLink> described_links() const override { return links_; }
  std::span<const DrawingPoint> node_places() const override { return places_; }
  std::uint32_t link_class(ChannelId channel) const override { return channel_classes_[index(channel)]; }
  std::string title() const override
  {
    return "graph " + std::filesystem::path(this->description().parameters.text("file")).filename().string();
  }

private:
  std::vector<std::string> names_;
  std::vector<DrawingPoint> places_;
  std::vector<DescribedLink> links_;
  std::vector<std::uint32_t> channel_classes_; ///< by channel
};

std::unique_ptr<Topology> routed_by_table(const TopologyDescription& description, const RoutingChoice& routing,
                                          ListedGraph graph)
{
  try {
    const RoutingTable table = read_routing_table(description.parameters.text("routes_file"), graph.names);
    return std::make_unique<FileGraph<GivenRoutesTopology>>(description, routing, std::move(graph), table);
  } catch (const FileError&) {
    throw;
  } catch (const InputError& error) {
    throw InputError(fmt::format("routes_file: {}", error.what()));
  }
}

} // namespace

TopologyKind graph_kind()
{
  return {
      "graph",
      "Any connected network from a file, directed or undirected",
      {{.name = "file",
        .type = ParameterType::file,
        .text = "GraphML (.graphml, .xml), Graphviz (.dot, .gv) or BookSim2's anynet (.anynet); nodes are called by "
                "their attribute name or label, else by their id, and with the attribute kind = switch are switches; "
                "pictures have them where their attribute pos says; "
                "an edge's attribute class is its class of links, per_byte and per_hop are its T_c and T_f"},
       {.name = "routes_file",
        .type = ParameterType::file,
        .text = "routing table for routing given: a line for each node and destination, NODE DESTINATION NEXT, with * "
                "for all other destinations",
        .optional = true}},
      {"shortest_path", "up_down", "given"},
      "U. Brandes et al., GraphML progress report, Graph Drawing 2001, LNCS 2265; the DOT language, graphviz.org",
      [](const TopologyDescription& description, const RoutingChoice& routing) -> std::unique_ptr<Topology> {
        const bool has_table = description.parameters.has("routes_file");
        if (has_table != (routing.routing == "given")) {
          throw InputError(has_table ? fmt::format("routes_file: found it with the routing {}, expected "
                                                   "network.routing = \"given\"",
                                                   routing.routing)
                                     : "network.routing = \"given\" takes the routes of a table, expected one in "
                                       "topology.routes_file");
        }
        ListedGraph graph = read_connected(description.parameters.text("file"));
        if (has_table) {
          return routed_by_table(description, routing, std::move(graph));
        }
        if (routing.routing == "up_down") {
          return std::make_unique<FileGraph<UpDownTopology>>(description, routing, std::move(graph));
        }
        return std::make_unique<FileGraph<TableRoutedTopology>>(description, routing, std::move(graph));
      },
      {},
      {},
      draw_by_places};
}

} // namespace wormcast
