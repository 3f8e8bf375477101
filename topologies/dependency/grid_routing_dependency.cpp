#include "wormcast/topologies/dependency/grid_routing_dependency.hpp"

#include "wormcast/topologies/grid.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/memory.hpp"

#include <boost/range/iterator_range.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr std::uint32_t no_channel = std::numeric_limits<std::uint32_t>::max();

// From one node to one destination.
struct PermittedHops {
  std::uint16_t others = 0; // ports other than the escape hop's
  EscapeHop escape;
};

// The channels of a grid by node and output port.
class PortChannels {
public:
  explicit PortChannels(const Grid& grid)
      : grid_(grid), ports_(2 * grid.sizes().size()), channels_(grid.node_count() * ports_, no_channel)
  {
    for (std::uint32_t channel = 0; channel < grid.channel_count(); ++channel) {
      const NodeId from = grid.channel_source(ChannelId{channel});
      channels_[index(from) * ports_ + port_of_channel(grid, ChannelId{channel})] = channel;
    }
  }

  std::uint32_t ports() const { return static_cast<std::uint32_t>(ports_); }
  std::uint32_t channel(NodeId node, std::uint32_t port) const { return channels_[index(node) * ports_ + port]; }
  NodeId target(std::uint32_t channel) const { return grid_.channel_target(ChannelId{channel}); }

private:
  const Grid& grid_;
  std::size_t ports_;
  std::vector<std::uint32_t> channels_;
};

template <typename Visit> void for_each_port(std::uint32_t ports, Visit visit)
{
  for (; ports != 0; ports &= ports - 1) {
    visit(static_cast<std::uint32_t>(std::countr_zero(ports)));
  }
}

// The nodes that messages for one destination can reach.
class Reach {
public:
  Reach(const Grid& grid, const PortChannels& channels) : channels_(channels), seen_(grid.node_count(), 0) {}

  /// Calls visit(node, its ports) for every node that a message at one of `starts` can reach, where ports(node) are the
  /// permitted ports.
  template <typename Ports, typename Visit> void walk(std::span<const NodeId> starts, Ports ports_of, Visit visit)
  {
    ++round_;
    queue_.assign(starts.begin(), starts.end());
    for (const NodeId start : starts) {
      seen_[index(start)] = round_;
    }
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const NodeId node = queue_[head];
      const std::uint32_t ports = ports_of(node);
      visit(node, ports);
      for_each_port(ports, [&](std::uint32_t port) {
        const NodeId next = channels_.target(channels_.channel(node, port));
        if (seen_[index(next)] != round_) {
          seen_[index(next)] = round_;
          queue_.push_back(next);
        }
      });
    }
  }

private:
  const PortChannels& channels_;
  std::vector<std::uint32_t> seen_; // by node: in which round
  std::vector<NodeId> queue_;
  std::uint32_t round_ = 0;
};

ChannelDependencies made_of(Edges& edges, std::uint32_t vertices, std::uint32_t classes)
{
  std::ranges::sort(edges);
  const auto repeated = std::ranges::unique(edges);
  edges.erase(repeated.begin(), repeated.end());
  return {.graph = ChannelDependencies::Graph(boost::edges_are_sorted, edges.begin(), edges.end(), vertices),
          .classes = classes};
}

// Dimension order in both phases, and turns from the first to the second: from and to every class of the rings, whether
// or not some message uses both.
ChannelDependencies phase_dependencies(const Grid& grid, std::uint32_t virtual_channels, bool may_turn_back)
{
  const ChannelDependencies order = grid_channel_dependencies(grid, virtual_channels / 2, RingClasses::kept);
  const std::uint32_t rings = order.classes;
  const auto vertex = [rings](std::uint32_t channel, std::uint32_t phase, std::uint32_t ring) {
    return (2 * channel + phase) * rings + ring;
  };
  const PortChannels channels(grid);
  Edges edges;
  for (std::uint32_t from = 0; from < grid.channel_count() * rings; ++from) {
    for (const std::uint32_t to : boost::make_iterator_range(adjacent_vertices(from, order.graph))) {
      for (std::uint32_t phase = 0; phase < 2; ++phase) {
        edges.emplace_back(vertex(from / rings, phase, from % rings), vertex(to / rings, phase, to % rings));
      }
    }
  }
  for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
    for (std::uint32_t port = 0; port < channels.ports(); ++port) {
      const std::uint32_t into = channels.channel(NodeId{node}, port);
      for (std::uint32_t out = 0; into != no_channel && out < channels.ports(); ++out) {
        const std::uint32_t from = channels.channel(channels.target(into), out);
        for (std::uint32_t ring = 0; ring < rings * rings; ++ring) {
          if (from != no_channel && (may_turn_back || out != (port ^ 1U))) {
            edges.emplace_back(vertex(into, 0, ring / rings), vertex(from, 1, ring % rings));
          }
        }
      }
    }
  }
  return made_of(edges, 2 * grid.channel_count() * rings, 2 * rings);
}

// Groups of nodes with messages that have the same permitted ports at every node.
std::vector<std::vector<NodeId>> source_groups(const Grid& grid, SourceMatters matters)
{
  const std::uint32_t count = matters == SourceMatters::no       ? 1
                              : matters == SourceMatters::column ? static_cast<std::uint32_t>(grid.sizes()[0])
                                                                 : grid.node_count();
  std::vector<std::vector<NodeId>> groups(count);
  for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
    groups[node % count].push_back(NodeId{node}); // x is the lowest digit of a node
  }
  return groups;
}

} // namespace

void check_dependency_size(const Grid& grid, GridRouting routing)
{
  constexpr double most_steps = 8'589'934'592; // 2^33
  constexpr std::uint32_t most_nodes = 16'384;
  const double nodes = grid.node_count();
  const auto longest = static_cast<double>(*std::ranges::max_element(grid.sizes()));
  double steps = 0;
  switch (routing) {
  case GridRouting::dimension_order:
  case GridRouting::valiant:
  case GridRouting::romm:
    return;
  case GridRouting::west_first:
    steps = nodes * nodes;
    break;
  case GridRouting::odd_even:
    steps = nodes * nodes * static_cast<double>(grid.sizes()[0]);
    break;
  case GridRouting::minimal_adaptive:
    steps = nodes * nodes * (nodes / longest);
    break;
  }
  if (steps > most_steps || grid.node_count() > most_nodes) {
    throw InputError(fmt::format(
        "the {} is too large to examine all paths of routing \"{}\" for channel dependencies: they are looked at for "
        "squares of up to 97 x 97 nodes and cubes of up to 17 x 17 x 17",
        grid.title(), grid_routing_names.text(routing)));
  }
}

ChannelDependencies turn_dependencies(const Grid& grid, const PortRelation& permitted, SourceMatters matters)
{
  const PortChannels channels(grid);
  Reach reach(grid, channels);
  // By channel: output ports by which some message goes on.
  std::vector<std::uint32_t> goes_on(grid.channel_count(), 0);
  for (const std::vector<NodeId>& sources : source_groups(grid, matters)) {
    for (std::uint32_t to = 0; to < grid.node_count(); ++to) {
      const NodeId last{to};
      const auto ports_at = [&](NodeId node) { return node == last ? 0 : permitted(sources.front(), node, last); };
      reach.walk(sources, ports_at, [&](NodeId node, std::uint32_t open) {
        for_each_port(open, [&](std::uint32_t port) {
          const std::uint32_t channel = channels.channel(node, port);
          goes_on[channel] |= ports_at(channels.target(channel));
        });
      });
    }
  }
  Edges edges;
  for (std::uint32_t channel = 0; channel < goes_on.size(); ++channel) {
    for_each_port(goes_on[channel], [&](std::uint32_t port) {
      edges.emplace_back(channel, channels.channel(channels.target(channel), port));
    });
  }
  return made_of(edges, grid.channel_count(), 1);
}

ChannelDependencies escape_dependencies(const Grid& grid, const PortRelation& adaptive, const EscapeRelation& escape)
{
  const std::uint32_t classes = escape_channel_count(grid);
  const std::uint32_t nodes = grid.node_count();
  reserve_memory(std::uint64_t{nodes} * nodes * sizeof(PermittedHops),
                 fmt::format("the paths of all messages on a {}", grid.title()));
  const PortChannels channels(grid);
  std::vector<PermittedHops> hops(std::size_t{nodes} * nodes); // by destination and node
  for (std::uint32_t to = 0; to < nodes; ++to) {
    for (std::uint32_t node = 0; node < nodes; ++node) {
      if (node != to) {
        // A message may have come here from anywhere: the node is treated as its source.
        const EscapeHop hop = escape(NodeId{node}, NodeId{to});
        hops[std::size_t{to} * nodes + node] = {
            .others = static_cast<std::uint16_t>(adaptive(NodeId{node}, NodeId{node}, NodeId{to}) & ~(1U << hop.port)),
            .escape = hop};
      }
    }
  }
  const auto vertex = [&](std::uint32_t node, EscapeHop hop) {
    return channels.channel(NodeId{node}, hop.port) * classes + hop.virtual_channel;
  };
  Reach reach(grid, channels);
  Edges edges;
  std::vector<bool> known(std::size_t{channels.ports()} * classes * grid.channel_count() * classes);
  std::vector<std::size_t> marks; // in known
  for (std::uint32_t from = 0; from < nodes; ++from) {
    for (std::uint32_t to = 0; to < nodes; ++to) {
      if (from == to) {
        continue;
      }
      const PermittedHops* hops_to = &hops[std::size_t{to} * nodes];
      const EscapeHop hop = hops_to[from].escape;
      const std::uint32_t first = vertex(from, hop);
      const std::array start = {channels.target(channels.channel(NodeId{from}, hop.port))};
      const std::size_t row = std::size_t{hop.port * classes + hop.virtual_channel} * grid.channel_count() * classes;
      // The dependencies after an escape hop follow from the dependencies of its channel.
      const auto others_at = [&](NodeId node) { return index(node) == to ? 0U : hops_to[index(node)].others; };
      reach.walk(start, others_at, [&](NodeId node, std::uint32_t) {
        if (index(node) == to) {
          return;
        }
        const std::uint32_t second = vertex(index(node), hops_to[index(node)].escape);
        if (!known[row + second]) {
          known[row + second] = true;
          marks.push_back(row + second);
          edges.emplace_back(first, second);
        }
      });
    }
    for (const std::size_t mark : marks) {
      known[mark] = false;
    }
    marks.clear();
  }
  ChannelDependencies dependencies = made_of(edges, grid.channel_count() * classes, classes);
  dependencies.of_escape_channels = true;
  return dependencies;
}

ChannelDependencies routing_dependencies(const Grid& grid, GridRouting routing, std::uint32_t virtual_channels)
{
  check_dependency_size(grid, routing);
  const PortRelation permitted = [&](NodeId source, NodeId here, NodeId to) {
    return permitted_ports(routing, grid, source, here, to);
  };
  switch (routing) {
  case GridRouting::dimension_order:
    break;
  case GridRouting::west_first:
    return turn_dependencies(grid, permitted, SourceMatters::no);
  case GridRouting::odd_even:
    return turn_dependencies(grid, permitted, SourceMatters::column);
  case GridRouting::minimal_adaptive:
    return escape_dependencies(grid, permitted, [&](NodeId here, NodeId to) { return escape_hop(grid, here, to); });
  case GridRouting::valiant:
  case GridRouting::romm:
    return phase_dependencies(grid, virtual_channels, routing == GridRouting::valiant);
  }
  return grid_channel_dependencies(grid, virtual_channels, RingClasses::kept);
}

} // namespace wormcast
