#include "wormcast/topologies/grid_routing_dependency.hpp"

#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <boost/range/iterator_range.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

constexpr std::uint32_t no_channel = std::numeric_limits<std::uint32_t>::max();

// The channels of a mesh by node and output port.
class PortChannels {
public:
  explicit PortChannels(const Grid& grid)
      : grid_(grid), ports_(2 * grid.sizes().size()), channels_(grid.node_count() * ports_, no_channel)
  {
    for (std::uint32_t channel = 0; channel < grid.channel_count(); ++channel) {
      const NodeId from = grid.channel_source(ChannelId{channel});
      const NodeId to = grid.channel_target(ChannelId{channel});
      for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
        const std::int64_t step = grid.coordinate(to, dimension) - grid.coordinate(from, dimension);
        if (step != 0) {
          channels_[index(from) * ports_ + 2 * dimension + (step > 0 ? 0 : 1)] = channel;
        }
      }
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

void refuse_large(const Grid& grid, std::uint64_t exponent)
{
  constexpr double most = 8'589'934'592; // 2^33
  double cost = 1;
  for (std::uint64_t i = 0; i < exponent; ++i) {
    cost *= grid.node_count();
  }
  if (cost > most) {
    throw InputError(
        fmt::format("the {} is too large to look at all ways of this routing for channel dependencies", grid.title()));
  }
}

// Nodes that messages between two nodes, or from anywhere, can come to.
class Reach {
public:
  Reach(const Grid& grid, const PortChannels& channels) : channels_(channels), seen_(grid.node_count(), 0) {}

  /// Calls visit(node, its ports) for every node that a message from `source` for `to` that is at `start` can come to.
  template <typename Visit>
  void walk(const PortRelation& permitted, NodeId source, NodeId start, NodeId to, Visit visit)
  {
    ++round_;
    queue_.assign(1, start);
    seen_[index(start)] = round_;
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const NodeId node = queue_[head];
      const std::uint32_t ports = node == to ? 0 : permitted(source, node, to);
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

// Dimension order in both phases, and turns from the first to the second.
ChannelDependencies phase_dependencies(const Grid& grid, bool may_turn_back)
{
  const ChannelDependencies order = grid_channel_dependencies(grid, 1);
  const PortChannels channels(grid);
  Edges edges;
  for (std::uint32_t channel = 0; channel < grid.channel_count(); ++channel) {
    for (const std::uint32_t to : boost::make_iterator_range(adjacent_vertices(channel, order.graph))) {
      edges.emplace_back(2 * channel, 2 * to);
      edges.emplace_back(2 * channel + 1, 2 * to + 1);
    }
  }
  for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
    for (std::uint32_t port = 0; port < channels.ports(); ++port) {
      const std::uint32_t into = channels.channel(NodeId{node}, port);
      for (std::uint32_t out = 0; into != no_channel && out < channels.ports(); ++out) {
        const std::uint32_t from = channels.channel(channels.target(into), out);
        if (from != no_channel && (may_turn_back || out != (port ^ 1U))) {
          edges.emplace_back(2 * into, 2 * from + 1);
        }
      }
    }
  }
  return made_of(edges, 2 * grid.channel_count(), 2);
}

} // namespace

ChannelDependencies turn_dependencies(const Grid& grid, const PortRelation& permitted)
{
  refuse_large(grid, 3);
  const PortChannels channels(grid);
  Reach reach(grid, channels);
  // By channel: output ports by which some message goes on.
  std::vector<std::uint32_t> goes_on(grid.channel_count(), 0);
  for (std::uint32_t from = 0; from < grid.node_count(); ++from) {
    for (std::uint32_t to = 0; to < grid.node_count(); ++to) {
      const NodeId source{from};
      const NodeId last{to};
      reach.walk(permitted, source, source, last, [&](NodeId node, std::uint32_t ports) {
        for_each_port(ports, [&](std::uint32_t port) {
          const std::uint32_t channel = channels.channel(node, port);
          const NodeId next = channels.target(channel);
          goes_on[channel] |= next == last ? 0 : permitted(source, next, last);
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

ChannelDependencies escape_dependencies(const Grid& grid, const PortRelation& adaptive, const PortRelation& escape)
{
  refuse_large(grid, 3);
  const PortChannels channels(grid);
  const PortRelation any = [&](NodeId source, NodeId here, NodeId to) {
    return adaptive(source, here, to) | escape(source, here, to);
  };
  const auto escape_channel = [&](NodeId source, NodeId here, NodeId to) {
    return channels.channel(here, static_cast<std::uint32_t>(std::countr_zero(escape(source, here, to))));
  };
  Reach reach(grid, channels);
  Edges edges;
  std::vector<bool> found(std::size_t{grid.channel_count()} * grid.channel_count());
  for (std::uint32_t from = 0; from < grid.node_count(); ++from) {
    for (std::uint32_t to = 0; to < grid.node_count(); ++to) {
      const NodeId here{from};
      const NodeId last{to};
      if (from == to) {
        continue;
      }
      // A message may have come here from anywhere: its own node is taken for its source.
      const std::uint32_t first = escape_channel(here, here, last);
      reach.walk(any, here, channels.target(first), last, [&](NodeId node, std::uint32_t) {
        if (node != last) {
          const std::uint32_t second = escape_channel(here, node, last);
          auto&& known = found[std::size_t{first} * grid.channel_count() + second];
          if (!known) {
            known = true;
            edges.emplace_back(first, second);
          }
        }
      });
    }
  }
  ChannelDependencies dependencies = made_of(edges, grid.channel_count(), 1);
  dependencies.of_escape_channels = true;
  return dependencies;
}

ChannelDependencies routing_dependencies(const Grid& grid, GridRouting routing, std::uint32_t virtual_channels)
{
  const PortRelation permitted = [&](NodeId source, NodeId here, NodeId to) {
    return permitted_ports(routing, grid, source, here, to);
  };
  switch (routing) {
  case GridRouting::dimension_order:
    break;
  case GridRouting::west_first:
  case GridRouting::odd_even:
    return turn_dependencies(grid, permitted);
  case GridRouting::minimal_adaptive:
    return escape_dependencies(grid, permitted, [&](NodeId source, NodeId here, NodeId to) {
      const std::uint32_t ports = permitted(source, here, to);
      return ports & (~ports + 1); // the lowest dimension
    });
  case GridRouting::valiant:
  case GridRouting::romm:
    return phase_dependencies(grid, routing == GridRouting::valiant);
  }
  return grid_channel_dependencies(grid, virtual_channels, RingClasses::kept);
}

} // namespace wormcast
