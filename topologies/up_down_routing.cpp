#include "wormcast/topologies/up_down_routing.hpp"

#include "wormcast/topologies/shortest_path_routing.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <ranges>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace wormcast {

namespace {

constexpr std::uint16_t no_route = std::numeric_limits<std::uint16_t>::max();

void check_opposite_channels(const Topology& topology)
{
  std::vector<std::pair<NodeId, NodeId>> ends;
  for (std::uint32_t id = 0; id < topology.channel_count(); ++id) {
    ends.emplace_back(topology.channel_source(ChannelId{id}), topology.channel_target(ChannelId{id}));
  }
  std::ranges::sort(ends);
  for (const auto& [from, to] : ends) {
    if (!std::ranges::binary_search(ends, std::pair(to, from))) {
      throw InputError(fmt::format("up*/down* routing: found a channel from {} to {} and none back, expected links of "
                                   "both directions",
                                   topology.node_name(from), topology.node_name(to)));
    }
  }
}

UpDownOrder checked_order(const Topology& topology)
{
  if (topology.node_count() > most_nodes_for_up_down_table) {
    throw InputError(fmt::format("a {} of {} nodes is too large for a table of up*/down* routes, expected at most {}",
                                 topology.description().kind, topology.node_count(), most_nodes_for_up_down_table));
  }
  check_opposite_channels(topology);
  return up_down_order(topology);
}

} // namespace

UpDownTable::UpDownTable(const Topology& topology) : order_(checked_order(topology))
{
  const std::size_t nodes = topology.node_count();
  rising_.resize(nodes * nodes);
  falling_.resize(nodes * nodes);
  WorkSteps steps;
  for (std::uint32_t to = 0; to < nodes; ++to) {
    steps.add(nodes);
    fill(topology, NodeId{to});
  }
  if (longest_distance_ == no_route) {
    throw std::logic_error("up*/down* routing in a topology that is not connected");
  }
}

void UpDownTable::fill(const Topology& topology, NodeId to)
{
  // The best channel of a node: the fewest channels to `to`, then the target with the smallest id.
  struct Best {
    std::uint32_t distance = no_route;
    NodeId target{};
    std::uint32_t channel = 0;
    void offer(std::uint32_t beyond, NodeId node, std::uint32_t place)
    {
      if (beyond != no_route && std::tuple(beyond + 1, node) < std::tuple(distance, target)) {
        *this = {.distance = beyond + 1, .target = node, .channel = place};
      }
    }
  };
  const auto put = [](Entry& entry, const Best& best) {
    entry = {.distance = static_cast<std::uint16_t>(best.distance),
             .channel = static_cast<std::uint16_t>(best.channel)};
  };
  const auto leads_on = [&](NodeId target) { return target == to || forwards(topology, target); };
  // Down leads to higher ranks: those of a node's targets are known where the last rank comes first.
  for (const NodeId from : std::views::reverse(order_.nodes())) {
    Best best;
    for (std::uint32_t place = 0; place < topology.out_degree(from); ++place) {
      const NodeId target = topology.channel_target(ChannelId{index(topology.first_channel(from)) + place});
      if (leads_down(from, target) && leads_on(target)) {
        best.offer(falling_[pair(target, to)].distance, target, place);
      }
    }
    put(falling_[pair(from, to)], from == to ? Best{.distance = 0} : best);
  }
  for (const NodeId from : order_.nodes()) {
    Best best;
    for (std::uint32_t place = 0; place < topology.out_degree(from); ++place) {
      const NodeId target = topology.channel_target(ChannelId{index(topology.first_channel(from)) + place});
      if (leads_on(target)) {
        best.offer((leads_down(from, target) ? falling_ : rising_)[pair(target, to)].distance, target, place);
      }
    }
    put(rising_[pair(from, to)], from == to ? Best{.distance = 0} : best);
    longest_distance_ = std::max<std::uint32_t>(longest_distance_, rising_[pair(from, to)].distance);
  }
}

UpDownTopology::UpDownTopology(TopologyDescription description, std::uint32_t node_count,
                               std::vector<ChannelEnds> channels, RoutingChoice routing,
                               std::optional<std::uint32_t> host_count)
    : NumberedTopology(std::move(description), node_count, std::move(channels), std::move(routing), host_count),
      table_(*this)
{}

void UpDownTopology::append_route(NodeId from, NodeId to, std::vector<ChannelId>& route) const
{
  bool has_gone_down = false;
  while (from != to) {
    const ChannelId channel{index(first_channel(from)) + table_.next_channel(from, to, has_gone_down)};
    route.push_back(channel);
    const NodeId next = channel_target(channel);
    has_gone_down = has_gone_down || table_.leads_down(from, next);
    from = next;
  }
}

} // namespace wormcast
