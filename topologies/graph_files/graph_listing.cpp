#include "wormcast/topologies/graph_files/graph_listing.hpp"

#include "wormcast/topologies/graph_files/graph_text.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <locale>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

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

/// Puts the hosts first and returns their number.
std::uint32_t sort_hosts(ParsedGraph& graph)
{
  const auto is_switch = [](const FileNode& node) { return node.kind == "switch"; };
  for (const FileNode& node : graph.nodes) {
    if (!node.kind.empty() && node.kind != "host" && !is_switch(node)) {
      throw InputError(fmt::format("found node {} of kind \"{}\", expected \"host\" or \"switch\"", node.shown(),
                                   printable(node.kind)));
    }
  }
  sort_nodes(graph, [&](const FileNode& a, const FileNode& b) { return is_switch(a) < is_switch(b); });
  return static_cast<std::uint32_t>(graph.nodes.size()) -
         static_cast<std::uint32_t>(std::ranges::count_if(graph.nodes, is_switch));
}

/// A time of an edge by the rules of the configuration's key of the same name; none for an empty text.
template <typename Of>
std::optional<Of> time_of_edge(const char* key, const std::string& text, Of (*parse)(std::string_view),
                               bool can_be_zero)
{
  if (text.empty()) {
    return std::nullopt;
  }
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("{} = \"{}\": {}", key, printable(text), why));
  };
  Of time;
  try {
    time = parse(text);
  } catch (const InputError& error) {
    refuse(error.what());
  }
  std::int64_t picoseconds = 0;
  if constexpr (std::is_same_v<Of, Time>) {
    picoseconds = time.picoseconds;
  } else {
    picoseconds = time.picoseconds();
  }
  if (picoseconds > longest_link_time || (picoseconds == 0 && !can_be_zero)) {
    refuse(fmt::format("expected a time {} up to {}s (2^61 ps)", can_be_zero ? "from 0s" : "above 0s",
                       longest_link_time / 1'000'000'000'000));
  }
  return time;
}

/// The class of links of an edge.
DescribedLink described(const FileEdge& edge, const std::vector<std::string>& names)
{
  try {
    return {.name = edge.link_class.empty() ? "link" : printable(edge.link_class),
            .per_byte = time_of_edge<ByteTime>("per_byte", edge.per_byte, parse_byte_time, false),
            .per_hop = time_of_edge<Time>("per_hop", edge.per_hop, parse_time, true)};
  } catch (const InputError& error) {
    throw InputError(fmt::format("the edge from {} to {} has {}", names[index(edge.ends.from)],
                                 names[index(edge.ends.to)], error.what()));
  }
}

/// A position "x,y", behind which Graphviz may have a third number and "!"; none if it is not one.
std::optional<DrawingPoint> place_of(const std::string& pos)
{
  std::istringstream in(pos);
  in.imbue(std::locale::classic());
  DrawingPoint place;
  char comma = 0;
  if (!(in >> place.x >> comma >> place.y) || comma != ',' || !std::isfinite(place.x) || !std::isfinite(place.y)) {
    return std::nullopt;
  }
  return place;
}

/// The positions of all nodes; empty where one has none.
std::vector<DrawingPoint> places_of(const ParsedGraph& graph)
{
  std::vector<DrawingPoint> places;
  for (const FileNode& node : graph.nodes) {
    const std::optional<DrawingPoint> place = place_of(node.pos);
    if (!place) {
      return {};
    }
    places.push_back(*place);
  }
  return places;
}

/// The order of classes of links: by name, then by times, those without one first.
bool comes_before(const DescribedLink& a, const DescribedLink& b)
{
  if (a.name != b.name) {
    return naturally_before(a.name, b.name) || (!naturally_before(b.name, a.name) && a.name < b.name);
  }
  const auto times = [](const DescribedLink& link) {
    // Exact: an order of doubles could take two different times for one.
    const ByteTime per_byte = link.per_byte.value_or(ByteTime());
    return std::tuple(per_byte.nearest(), per_byte.picoseconds(), per_byte.bytes(),
                      link.per_hop ? link.per_hop->picoseconds : -1);
  };
  return times(a) < times(b);
}

/// The classes of links, and the class of each edge.
void list_classes(const ParsedGraph& graph, ListedGraph& result)
{
  std::map<DescribedLink, std::uint32_t, decltype(&comes_before)> number_of(&comes_before);
  std::vector<DescribedLink> of_edges;
  for (const FileEdge& edge : graph.edges) {
    of_edges.push_back(described(edge, result.names));
    number_of.emplace(of_edges.back(), 0);
  }
  for (auto& [link, number] : number_of) {
    number = static_cast<std::uint32_t>(result.links.size());
    result.links.push_back(link);
  }
  for (const DescribedLink& link : of_edges) {
    result.channel_classes.push_back(number_of.at(link));
  }
}

} // namespace

ListedGraph listed(ParsedGraph graph)
{
  if (graph.nodes.empty()) {
    throw InputError("the graph has no nodes");
  }
  ListedGraph result;
  result.hosts = sort_hosts(graph);
  if (result.hosts == 0) {
    throw InputError("the graph has switches but no host");
  }
  result.names = names_of(graph);
  result.places = places_of(graph);
  result.directed = graph.directed;
  list_classes(graph, result);
  for (const FileEdge& edge : graph.edges) {
    result.channels.push_back(edge.ends);
  }
  if (!graph.directed) {
    for (const FileEdge& edge : graph.edges) {
      result.channels.push_back({edge.ends.to, edge.ends.from});
    }
    const std::vector<std::uint32_t> of_edges = result.channel_classes;
    result.channel_classes.insert(result.channel_classes.end(), of_edges.begin(), of_edges.end());
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
    if (result.hosts < result.names.size() && index(ends.from) < result.hosts && index(ends.to) < result.hosts) {
      throw InputError(fmt::format("found an edge between the hosts {} and {}, expected a switch at one end, as there "
                                   "are switches",
                                   result.names[index(ends.from)], result.names[index(ends.to)]));
    }
  }
  return result;
}

} // namespace wormcast
