#include "wormcast/simulator/traffic/router_work.hpp"

#include "wormcast/simulator/random/random_stream.hpp"

namespace wormcast {

std::vector<std::uint32_t> router_work(const Topology& topology, const Pattern& pattern, std::uint64_t seed)
{
  constexpr int draws = 8;
  std::vector<std::uint32_t> work(topology.node_count());
  std::vector<ChannelId> route;
  for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
    if (!pattern.sends(NodeId{node})) {
      continue;
    }
    RandomStream random(seed, node);
    for (int i = 0; i < draws; ++i) {
      ++work[node];
      route.clear();
      topology.append_drawn_route(NodeId{node}, pattern.destination(NodeId{node}, random), random.next(), route);
      for (const ChannelId channel : route) {
        ++work[index(topology.channel_target(channel))];
      }
    }
  }
  return work;
}

} // namespace wormcast
