#include "wormcast/topologies/graph_files/export.hpp"

#include "wormcast/topologies/described_links.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/values/input_error.hpp"

#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/property_map/dynamic_property_map.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <span>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

using Vertex = ChannelGraph::vertex_descriptor;
using Edge = ChannelGraph::edge_descriptor;

ChannelId channel_of(const Topology& topology, const Edge& edge)
{
  return ChannelId{get(boost::edge_index, topology.graph(), edge)};
}

/// The classes of links of a topology by their names in files, with the times that its own file gives.
std::vector<DescribedLink> classes_of(const Topology& topology)
{
  const std::span<const DescribedLink> described = described_links(topology);
  std::vector<DescribedLink> classes(described.begin(), described.end());
  if (classes.empty()) {
    for (std::string& name : topology.link_classes()) {
      classes.push_back({.name = std::move(name)});
    }
  }
  return classes;
}

std::string byte_time_text(const DescribedLink& link)
{
  return link.per_byte ? format_byte_time(*link.per_byte) : std::string();
}

std::string hop_time_text(const DescribedLink& link)
{
  return link.per_hop ? format_time(*link.per_hop) : std::string();
}

std::string xml_text(std::string_view text)
{
  std::string escaped;
  for (const char c : text) {
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  }
  return escaped;
}

double in_hundredths(double number)
{
  constexpr double hundredths = 100;
  return std::round(number * hundredths) / hundredths;
}

/// The sum of the lengths of all routes, or a part of it that is above `limit`.
std::uint64_t sum_of_route_lengths(const Topology& topology, std::uint64_t limit)
{
  std::uint64_t sum = 0;
  for (std::uint32_t from = 0; from < topology.host_count() && sum <= limit; ++from) {
    for (std::uint32_t to = 0; to < topology.host_count() && sum <= limit; ++to) {
      sum += topology.distance(NodeId{from}, NodeId{to});
    }
  }
  return sum;
}

} // namespace

std::string host_name(NodeId node)
{
  return fmt::format("n{}", index(node));
}

std::string link_name(ChannelId channel)
{
  return fmt::format("c{}", index(channel));
}

void write_dot(const Topology& topology, std::ostream& out)
{
  const Drawing drawing = draw_topology(topology);
  const auto write_node = [&](std::ostream& stream, Vertex vertex) {
    const NodeId node{vertex};
    constexpr double points_apart = 72;
    const DrawingPoint place = drawing.nodes[vertex];
    stream << "[label=" << boost::escape_dot_string(topology.node_name(node))
           << fmt::format(", pos=\"{},{}\"", in_hundredths(points_apart * place.x),
                          in_hundredths(points_apart * place.y));
    stream << (topology.is_host(node) ? "]" : ", kind=switch]");
  };
  const std::vector<DescribedLink> classes = classes_of(topology);
  const bool has_classes = topology.has_switches() || !described_links(topology).empty();
  const auto write_channel = [&](std::ostream& stream, const Edge& edge) {
    const ChannelId channel = channel_of(topology, edge);
    const DescribedLink& link = classes.at(topology.link_class(channel));
    stream << fmt::format("[id=\"{}\"", link_name(channel));
    if (has_classes) {
      stream << ", class=" << boost::escape_dot_string(link.name);
    }
    if (link.per_byte) {
      stream << fmt::format(", per_byte=\"{}\"", byte_time_text(link));
    }
    if (link.per_hop) {
      stream << fmt::format(", per_hop=\"{}\"", hop_time_text(link));
    }
    stream << ']';
  };
  const auto name = [](Vertex vertex) { return host_name(NodeId{vertex}); };
  boost::write_graphviz(out, topology.graph(), write_node, write_channel, boost::default_writer(),
                        boost::make_function_property_map<Vertex, std::string>(name));
}

void write_graphml(const Topology& topology, std::ostream& out)
{
  const auto name = [&](Vertex vertex) { return xml_text(topology.node_name(NodeId{vertex})); };
  const auto place = [&](Vertex vertex) {
    return fmt::format("{}", fmt::join(topology.coordinates(NodeId{vertex}), " "));
  };
  const auto channel = [&](const Edge& edge) { return static_cast<int>(index(channel_of(topology, edge))); };
  boost::dynamic_properties attributes;
  attributes.property("name", boost::make_function_property_map<Vertex, std::string>(name));
  attributes.property("coordinates", boost::make_function_property_map<Vertex, std::string>(place));
  attributes.property("channel", boost::make_function_property_map<Edge, int>(channel));
  if (topology.has_switches()) {
    const auto kind = [&](Vertex vertex) { return std::string(topology.is_host(NodeId{vertex}) ? "host" : "switch"); };
    attributes.property("kind", boost::make_function_property_map<Vertex, std::string>(kind));
  }
  const std::vector<DescribedLink> classes = classes_of(topology);
  const auto add_of_edges = [&](const char* attribute, std::string (*text)(const DescribedLink&)) {
    const auto of_edge = [&topology, &classes, text](const Edge& edge) {
      return text(classes.at(topology.link_class(channel_of(topology, edge))));
    };
    attributes.property(attribute, boost::make_function_property_map<Edge, std::string>(of_edge));
  };
  if (topology.has_switches() || !described_links(topology).empty()) {
    add_of_edges("class", [](const DescribedLink& link) { return xml_text(link.name); });
  }
  if (std::ranges::any_of(classes, [](const DescribedLink& link) { return link.per_byte.has_value(); })) {
    add_of_edges("per_byte", byte_time_text);
  }
  if (std::ranges::any_of(classes, [](const DescribedLink& link) { return link.per_hop.has_value(); })) {
    add_of_edges("per_hop", hop_time_text);
  }
  boost::write_graphml(out, topology.graph(), attributes, true);
}

void write_simgrid_xml(const Topology& topology, const ChannelSpeed& speed, std::ostream& out)
{
  if (speed.per_byte.picoseconds() <= 0) {
    throw InputError(
        fmt::format("a SimGrid link needs a time per byte above 0, found {}", format_byte_time(speed.per_byte)));
  }
  if (sum_of_route_lengths(topology, most_simgrid_xml_hops) > most_simgrid_xml_hops) {
    throw InputError(
        fmt::format("the {} is too large for a SimGrid file with all routes: expected routes of at most {} "
                    "channels in all (a mesh 32 x 32 has 22347776)",
                    topology.title(), most_simgrid_xml_hops));
  }
  out << "<?xml version='1.0'?>\n"
         "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n"
      << fmt::format("  <zone id=\"{}\" routing=\"Full\">\n", xml_text(topology.title()));
  // Routes list all links, so that SimGrid needs no switches.
  for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
    out << fmt::format("    <host id=\"{}\" speed=\"1Gf\"><prop id=\"name\" value=\"{}\"/></host>\n",
                       host_name(NodeId{node}), xml_text(topology.node_name(NodeId{node})));
  }
  for (std::uint32_t channel = 0; channel < topology.channel_count(); ++channel) {
    const std::uint32_t of_class = topology.link_class(ChannelId{channel});
    const ByteTime per_byte = speed.link_per_byte.empty() ? speed.per_byte : speed.link_per_byte.at(of_class);
    const Time per_hop = speed.link_per_hop.empty() ? speed.per_hop : speed.link_per_hop.at(of_class);
    out << fmt::format("    <link id=\"{}\" bandwidth=\"{}Bps\" latency=\"{}ps\" sharing_policy=\"SHARED\"/>\n",
                       link_name(ChannelId{channel}), 1e12 / per_byte.nearest(), per_hop.picoseconds);
  }
  std::vector<ChannelId> route;
  for (std::uint32_t from = 0; from < topology.host_count(); ++from) {
    for (std::uint32_t to = 0; to < topology.host_count(); ++to) {
      route.clear();
      topology.append_route(NodeId{from}, NodeId{to}, route);
      if (from != to) {
        out << fmt::format("    <route src=\"{}\" dst=\"{}\" symmetrical=\"NO\">", host_name(NodeId{from}),
                           host_name(NodeId{to}));
        for (const ChannelId channel : route) {
          out << "<link_ctn id=\"c" << index(channel) << "\"/>";
        }
        out << "</route>\n";
      }
    }
  }
  out << "  </zone>\n</platform>\n";
}

} // namespace wormcast
