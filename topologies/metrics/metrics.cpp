#include "wormcast/topologies/metrics/metrics.hpp"

#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/topologies/registry.hpp"
#include "wormcast/topologies/surviving_topology.hpp"

#include <algorithm>
#include <functional>
#include <span>

namespace wormcast {

namespace {

void measure_all_pairs(const Topology& topology, TopologyMetrics& metrics)
{
  const std::uint32_t nodes = topology.host_count();
  std::uint32_t longest = 0;
  std::uint64_t sum = 0;
  for (std::uint32_t from = 0; from < nodes; ++from) {
    for (std::uint32_t to = 0; to < nodes; ++to) {
      const std::uint32_t distance = topology.distance(NodeId{from}, NodeId{to});
      longest = std::max(longest, distance);
      sum += distance;
    }
  }
  metrics.diameter = longest;
  const std::uint64_t pairs = std::uint64_t{nodes} * (nodes - 1);
  metrics.mean_distance = boost::multiprecision::cpp_rational(sum, std::max<std::uint64_t>(pairs, 1));
}

void count_channels(const Topology& topology, TopologyMetrics& metrics)
{
  metrics.channels = topology.channel_count();
  metrics.links = count_links(topology);
  metrics.smallest_degree = topology.out_degree(NodeId{0});
  metrics.largest_degree = 0;
  for (std::uint32_t node = 0; node < metrics.nodes; ++node) {
    const std::uint32_t degree = topology.out_degree(NodeId{node});
    metrics.smallest_degree = std::min(metrics.smallest_degree, degree);
    metrics.largest_degree = std::max(metrics.largest_degree, degree);
  }
}

// By those of the network with single links; its bisection is that of the other where all links are there equally
// often.
TopologyMetrics measure_parallel_links(const ParallelLinks& topology)
{
  TopologyMetrics metrics = measure_topology(topology.single());
  count_channels(topology, metrics);
  const std::span<const std::uint32_t> copies = topology.copies();
  if (std::ranges::adjacent_find(copies, std::ranges::not_equal_to{}) != copies.end()) {
    metrics.bisection = search_bisection(topology);
  } else if (metrics.bisection) {
    metrics.bisection->channels *= copies.front();
    metrics.bisection->links *= copies.front();
  }
  return metrics;
}

} // namespace

TopologyMetrics measure_by_enumeration(const Topology& topology)
{
  TopologyMetrics metrics;
  metrics.nodes = topology.node_count();
  count_channels(topology, metrics);
  if (topology.host_count() <= most_nodes_for_all_pairs) {
    measure_all_pairs(topology, metrics);
  }
  metrics.bisection = search_bisection(topology);
  return metrics;
}

TopologyMetrics measure_topology(const Topology& topology)
{
  if (const auto* parallel = dynamic_cast<const ParallelLinks*>(&topology)) {
    return measure_parallel_links(*parallel);
  }
  const TopologyKind* kind = kind_of_whole(topology);
  if (kind != nullptr && kind->measure) {
    return kind->measure(topology);
  }
  return measure_by_enumeration(topology);
}

} // namespace wormcast
