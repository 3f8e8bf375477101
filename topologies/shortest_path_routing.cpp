#include "wormcast/topologies/shortest_path_routing.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <boost/range/iterator_range.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace wormcast {

ChannelGraph reverse_channels(const Topology& topology)
{
  std::vector<std::pair<std::uint32_t, std::uint32_t>> channels;
  channels.reserve(topology.channel_count());
  for (std::uint32_t id = 0; id < topology.channel_count(); ++id) {
    channels.emplace_back(index(topology.channel_target(ChannelId{id})), index(topology.channel_source(ChannelId{id})));
  }
  return ChannelGraph(boost::edges_are_unsorted_multi_pass, channels.begin(), channels.end(), topology.node_count());
}

std::vector<std::uint32_t> distances_to(const Topology& topology, const ChannelGraph& reversed, NodeId to)
{
  std::vector<std::uint32_t> distances(num_vertices(reversed), no_path);
  distances[index(to)] = 0;
  std::vector<std::uint32_t> reached{index(to)};
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const std::uint32_t node = reached[next];
    if (NodeId{node} != to && !forwards(topology, NodeId{node})) {
      continue;
    }
    for (const auto& channel : boost::make_iterator_range(out_edges(node, reversed))) {
      std::uint32_t& distance = distances[target(channel, reversed)];
      if (distance == no_path) {
        distance = distances[node] + 1;
        reached.push_back(static_cast<std::uint32_t>(target(channel, reversed)));
      }
    }
  }
  return distances;
}

ShortestPathTable::ShortestPathTable(const Topology& topology) : nodes_(topology.node_count())
{
  if (nodes_ > most_nodes_for_route_table) {
    throw InputError(fmt::format("a {} of {} nodes is too large for a table of shortest paths, expected at most {}",
                                 topology.description().kind, nodes_, most_nodes_for_route_table));
  }
  const ChannelGraph reversed = reverse_channels(topology);
  entries_.resize(nodes_ * nodes_);
  WorkSteps steps;
  for (std::uint32_t to = 0; to < nodes_; ++to) {
    steps.add(nodes_);
    const std::vector<std::uint32_t> distances = distances_to(topology, reversed, NodeId{to});
    for (std::uint32_t from = 0; from < nodes_; ++from) {
      Entry& entry = entries_[to * nodes_ + from];
      if (distances[from] == no_path) {
        throw std::logic_error("shortest paths in a topology that is not connected");
      }
      entry.distance = static_cast<std::uint16_t>(distances[from]);
      longest_distance_ = std::max(longest_distance_, distances[from]);
      if (from != to) {
        const auto next =
            next_channel_by_distance(topology, NodeId{from}, [&](NodeId node) { return distances[index(node)]; });
        entry.channel = static_cast<std::uint16_t>(index(next.value()) - index(topology.first_channel(NodeId{from})));
      }
    }
  }
  divide_virtual_channels(topology);
}

void ShortestPathTable::divide_virtual_channels(const Topology& topology)
{
  turn_classes_.emplace(up_down_order(topology));
  std::vector<NodeId> nodes(nodes_);
  std::vector<NodeId> next(nodes_);
  std::vector<std::uint32_t> begins; // by distance, of the nodes that have it
  WorkSteps steps;
  for (std::uint32_t to = 0; to < nodes_; ++to) {
    steps.add(nodes_);
    const std::span<const Entry> entries = std::span(entries_).subspan(to * nodes_, nodes_);
    begins.assign(std::size_t{longest_distance_} + 2, 0);
    for (const Entry& entry : entries) {
      ++begins[entry.distance + 1U];
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    for (std::uint32_t from = 0; from < nodes_; ++from) {
      const Entry& entry = entries[from];
      nodes[begins[entry.distance]++] = NodeId{from};
      next[from] =
          from == to ? NodeId{to}
                     : topology.channel_target(ChannelId{index(topology.first_channel(NodeId{from})) + entry.channel});
    }
    turn_classes_->add_routes(topology, nodes, next);
  }
}

TableRoutedTopology::TableRoutedTopology(TopologyDescription description, std::uint32_t node_count,
                                         std::vector<ChannelEnds> channels, RoutingChoice routing,
                                         std::optional<std::uint32_t> host_count)
    : NumberedTopology(std::move(description), node_count, std::move(channels), std::move(routing), host_count),
      table_(*this)
{}

void TableRoutedTopology::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  while (from != to) {
    const ChannelId channel{index(first_channel(from)) + table_.next_channel(from, to)};
    route.push_back(channel);
    from = channel_target(channel);
  }
}

} // namespace wormcast
