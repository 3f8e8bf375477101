#pragma once

#include "tests/topologies/sample_topologies.hpp"
#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/shortest_path_routing.hpp"

namespace wormcast {

/// Whether the channels lead from host to host, and by switches only between them.
inline bool leads(const Topology& topology, NodeId from, NodeId to, const std::vector<ChannelId>& route)
{
  NodeId at = from;
  for (std::size_t hop = 0; hop < route.size(); ++hop) {
    if (topology.channel_source(route[hop]) != at || topology.is_host(at) != (hop == 0)) {
      return false;
    }
    at = topology.channel_target(route[hop]);
  }
  return at == to;
}

/// Checks routes, their lengths and the mean routes of all pairs of hosts.
inline void check_minimal_routes(const Topology& topology)
{
  const ChannelGraph reversed = reverse_channels(topology);
  for (std::uint32_t to = 0; to < topology.host_count(); ++to) {
    const std::vector<std::uint32_t> distances = distances_to(topology, reversed, NodeId{to});
    for (std::uint32_t from = 0; from < topology.host_count(); ++from) {
      RC_ASSERT(topology.distance(NodeId{from}, NodeId{to}) == distances[from]);
      RC_ASSERT(distances[from] <= topology.longest_route());
      std::vector<double> shares(topology.channel_count());
      topology.add_mean_route(NodeId{from}, NodeId{to}, 1, shares);
      RC_ASSERT(std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - distances[from]) < 1e-9);
      for (const std::uint64_t draw :
           {std::uint64_t{0}, std::uint64_t{0x9e3779b97f4a7c15} * (from + 1), ~std::uint64_t{0}}) {
        std::vector<ChannelId> route;
        topology.append_drawn_route(NodeId{from}, NodeId{to}, draw, route);
        RC_ASSERT(leads(topology, NodeId{from}, NodeId{to}, route));
        RC_ASSERT(route.size() == distances[from]);
        for (const ChannelId channel : route) {
          RC_ASSERT(shares[index(channel)] > 0);
        }
      }
    }
  }
}

} // namespace wormcast
