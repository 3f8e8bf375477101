#include "wormcast/topologies/up_down_order.hpp"

#include "wormcast/topologies/shortest_path_routing.hpp"
#include "wormcast/values/work_watch.hpp"

#include <algorithm>
#include <utility>

namespace wormcast {

UpDownOrder::UpDownOrder(std::span<const std::uint32_t> levels) : rank_(levels.size())
{
  for (std::uint32_t node = 0; node < levels.size(); ++node) {
    by_rank_.push_back(NodeId{node});
  }
  std::ranges::stable_sort(by_rank_, {}, [&](NodeId node) { return levels[index(node)]; });
  for (std::uint32_t rank = 0; rank < levels.size(); ++rank) {
    rank_[index(by_rank_[rank])] = rank;
  }
}

UpDownOrder up_down_order(const Topology& topology)
{
  const ChannelGraph reversed = reverse_channels(topology);
  std::vector<std::uint32_t> levels;
  std::uint32_t least = no_path;
  WorkSteps steps;
  const std::uint32_t first = topology.has_switches() ? topology.host_count() : 0;
  for (std::uint32_t node = first; node < topology.node_count(); ++node) {
    steps.add(topology.node_count());
    std::vector<std::uint32_t> distances = distances_to(topology, reversed, NodeId{node});
    const std::uint32_t farthest = std::ranges::max(distances);
    if (levels.empty() || farthest < least) {
      least = farthest;
      levels = std::move(distances);
    }
  }
  return UpDownOrder(levels);
}

} // namespace wormcast
