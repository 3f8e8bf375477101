#include "wormcast/topologies/dependency/channel_dependency.hpp"

#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/surviving_topology.hpp"
#include "wormcast/values/input_error.hpp"

#include <boost/graph/strong_components.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/range/iterator_range.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

using Graph = ChannelDependencies::Graph;
using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// Edges that the search for a short cycle may look at.
constexpr std::uint64_t search_budget = 20'000'000;

/// `edges` in ascending order.
Graph make_graph(const Edges& edges, std::size_t vertices)
{
  return Graph(boost::edges_are_sorted, edges.begin(), edges.end(), static_cast<std::uint32_t>(vertices));
}

void add_once(std::vector<std::uint32_t>& vertices, std::uint32_t vertex)
{
  if (std::find(vertices.begin(), vertices.end(), vertex) == vertices.end()) {
    vertices.push_back(vertex);
  }
}

/// Searches breadth-first inside one strong component for cycles through single vertices.
class CycleSearch {
public:
  CycleSearch(const Graph& graph, std::vector<std::uint32_t> components)
      : graph_(graph), components_(std::move(components)), parent_(components_.size(), none)
  {}

  /// A shortest cycle through `start` if it is shorter than `best`, which it replaces.
  void improve(std::uint32_t start, std::vector<std::uint32_t>& best)
  {
    queue_.assign(1, start);
    std::size_t level_end = 1;
    std::size_t depth = 1; // length of the cycle that an edge from the current level to `start` would close
    for (std::size_t head = 0; head < queue_.size() && (best.empty() || depth < best.size()); ++head) {
      if (head == level_end) {
        level_end = queue_.size();
        ++depth;
        if (!best.empty() && depth >= best.size()) {
          break;
        }
      }
      if (visit(queue_[head], start)) {
        take_cycle(queue_[head], start, best);
        break;
      }
    }
    for (const std::uint32_t vertex : queue_) {
      parent_[vertex] = none;
    }
  }

  std::uint64_t edges_seen() const { return edges_seen_; }

private:
  /// Puts the successors of `vertex` into the queue; whether `start` is one of them.
  bool visit(std::uint32_t vertex, std::uint32_t start)
  {
    for (const auto& next : boost::make_iterator_range(adjacent_vertices(vertex, graph_))) {
      ++edges_seen_;
      if (next == start) {
        return true;
      }
      if (parent_[next] == none && components_[next] == components_[start]) {
        parent_[next] = vertex;
        queue_.push_back(next);
      }
    }
    return false;
  }

  void take_cycle(std::uint32_t last, std::uint32_t start, std::vector<std::uint32_t>& cycle) const
  {
    cycle.clear();
    for (std::uint32_t vertex = last; vertex != start; vertex = parent_[vertex]) {
      cycle.push_back(vertex);
    }
    cycle.push_back(start);
    std::reverse(cycle.begin(), cycle.end());
  }

  const Graph& graph_;
  std::vector<std::uint32_t> components_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> queue_;
  std::uint64_t edges_seen_ = 0;
};

std::vector<std::uint32_t> find_short_cycle(const Graph& graph)
{
  const auto vertices = static_cast<std::uint32_t>(num_vertices(graph));
  std::vector<std::uint32_t> components(vertices);
  const auto indices = get(boost::vertex_index, graph);
  const auto count = boost::strong_components(graph, boost::make_iterator_property_map(components.begin(), indices));
  std::vector<std::uint32_t> sizes(count, 0);
  for (const std::uint32_t component : components) {
    ++sizes[component];
  }
  CycleSearch search(graph, components);
  std::vector<std::uint32_t> cycle;
  for (std::uint32_t vertex = 0; vertex < vertices; ++vertex) {
    const bool may_lie_on_one = sizes[components[vertex]] > 1 || edge(vertex, vertex, graph).second;
    if (may_lie_on_one && (cycle.empty() || search.edges_seen() < search_budget)) {
      search.improve(vertex, cycle);
    }
  }
  return cycle;
}

} // namespace

ChannelDependencies channel_dependencies(const Topology& topology, std::uint32_t virtual_channels)
{
  const TopologyKind* kind = kind_of_whole(topology);
  if (kind != nullptr && kind->dependencies) {
    return kind->dependencies(topology, virtual_channels);
  }
  return enumerate_channel_dependencies(topology, virtual_channels);
}

ChannelDependencies dependencies_of_routes(const Topology& topology, std::uint32_t virtual_channels,
                                           const RoutesOfPair& routes)
{
  constexpr std::uint64_t most_hops = std::uint64_t{1} << 33;
  const std::uint64_t nodes = topology.host_count();
  if (nodes * nodes > most_hops / std::max(topology.longest_route(), 1U)) {
    throw InputError(
        fmt::format("the {} is too large to look at all of its routes for channel dependencies", topology.title()));
  }
  const std::uint32_t classes = topology.virtual_channel_classes(virtual_channels);
  std::vector<std::vector<std::uint32_t>> successors(std::size_t{topology.channel_count()} * classes);
  std::vector<std::uint8_t> assigned;
  const auto follow = [&](std::span<const ChannelId> route) {
    assigned.resize(route.size());
    topology.assign_virtual_channel_classes(route, virtual_channels, assigned);
    std::uint32_t previous = none;
    for (std::size_t hop = 0; hop < route.size(); ++hop) {
      const std::uint32_t vertex = index(route[hop]) * classes + assigned[hop];
      if (previous != none) {
        add_once(successors[previous], vertex);
      }
      previous = vertex;
    }
  };
  for (std::uint32_t from = 0; from < nodes; ++from) {
    for (std::uint32_t to = 0; to < nodes; ++to) {
      routes(NodeId{from}, NodeId{to}, follow);
    }
  }
  Edges edges;
  for (std::uint32_t vertex = 0; vertex < successors.size(); ++vertex) {
    std::sort(successors[vertex].begin(), successors[vertex].end());
    for (const std::uint32_t next : successors[vertex]) {
      edges.emplace_back(vertex, next);
    }
  }
  return {make_graph(edges, successors.size()), classes};
}

ChannelDependencies enumerate_channel_dependencies(const Topology& topology, std::uint32_t virtual_channels)
{
  std::vector<ChannelId> route;
  return dependencies_of_routes(topology, virtual_channels, [&](NodeId from, NodeId to, const auto& take) {
    const std::uint64_t draws = topology.draws_route(from, to) ? std::uint64_t{1} << topology.drawn_bits() : 1;
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      route.clear();
      topology.append_drawn_route(from, to, draw, route);
      take(route);
    }
  });
}

DeadlockCheck check_deadlock(const ChannelDependencies& dependencies)
{
  DeadlockCheck check;
  std::vector<std::uint32_t> latest_first;
  latest_first.reserve(num_vertices(dependencies.graph));
  try {
    boost::topological_sort(dependencies.graph, std::back_inserter(latest_first));
  } catch (const boost::not_a_dag&) {
    for (const std::uint32_t vertex : find_short_cycle(dependencies.graph)) {
      check.cycle.push_back(dependencies.at(vertex));
    }
    return check;
  }
  check.numbering.resize(latest_first.size());
  for (std::uint32_t position = 0; position < latest_first.size(); ++position) {
    check.numbering[latest_first[position]] = static_cast<std::uint32_t>(latest_first.size()) - 1 - position;
  }
  return check;
}

std::string describe_channel(const Topology& topology, ChannelId channel)
{
  return fmt::format("{} -> {}", topology.node_name(topology.channel_source(channel)),
                     topology.node_name(topology.channel_target(channel)));
}

std::string describe_channel(const Topology& topology, VirtualChannel channel, std::uint32_t classes)
{
  return describe_channel(topology, channel.channel) + (classes > 1 ? fmt::format(" [{}]", channel.number) : "");
}

} // namespace wormcast
