#include "wormcast/simulator/traffic/router_work.hpp"

#include "wormcast/simulator/random/random_stream.hpp"

#include <algorithm>
#include <cmath>

namespace wormcast {

std::vector<std::uint32_t> router_work(const Topology& topology, const TrafficClasses& classes, std::uint64_t seed)
{
  constexpr int draws = 8;
  constexpr double most = 64; // of one message
  std::vector<std::uint32_t> work(topology.node_count());
  std::vector<ChannelId> route;
  for (const TrafficClasses::Class& one : classes.all()) {
    const auto weight = static_cast<std::uint32_t>(
        classes.all().size() == 1 ? 1 : std::max(1.0, std::round(most * one.generation.weight)));
    for (std::uint32_t node = 0; node < topology.host_count(); ++node) {
      if (!one.pattern.sends(NodeId{node})) {
        continue;
      }
      RandomStream random(seed, node);
      for (int i = 0; i < draws; ++i) {
        work[node] += weight;
        route.clear();
        topology.append_drawn_route(NodeId{node}, one.pattern.destination(NodeId{node}, random), random.next(), route);
        for (const ChannelId channel : route) {
          work[index(topology.channel_target(channel))] += weight;
        }
      }
    }
  }
  return work;
}

} // namespace wormcast
