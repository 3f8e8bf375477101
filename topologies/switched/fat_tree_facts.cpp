#include "wormcast/topologies/dependency/channel_dependency.hpp"
#include "wormcast/topologies/drawing/drawing.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"
#include "wormcast/topologies/switched/fat_tree.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace wormcast {

TopologyMetrics measure_fat_tree(const FatTree& tree)
{
  TopologyMetrics metrics;
  metrics.nodes = tree.node_count();
  metrics.channels = tree.channel_count();
  metrics.links = metrics.channels / 2;
  metrics.smallest_degree = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t level = 0; level <= tree.sizes().levels(); ++level) {
    const std::uint32_t degree = tree.out_degree(tree.first_of_level(level));
    metrics.smallest_degree = std::min(metrics.smallest_degree, degree);
    metrics.largest_degree = std::max(metrics.largest_degree, degree);
  }
  std::uint64_t sum = 0;
  std::uint64_t nearer = 1; // hosts below one ancestor of the level below
  std::uint32_t diameter = 0;
  for (std::uint32_t level = 1; level <= tree.sizes().levels(); ++level) {
    const std::uint64_t within = nearer * tree.sizes().children[level - 1];
    sum += std::uint64_t{2} * level * (within - nearer);
    diameter = within > nearer ? 2 * level : diameter;
    nearer = within;
  }
  metrics.diameter = diameter;
  metrics.mean_distance = boost::multiprecision::cpp_rational(sum, std::max<std::uint64_t>(tree.host_count() - 1, 1));
  metrics.bisection = search_bisection(tree);
  return metrics;
}

ChannelDependencies fat_tree_dependencies(const FatTree& tree)
{
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t id = 0; id < tree.channel_count(); ++id) {
    const NodeId from = tree.channel_source(ChannelId{id});
    const NodeId to = tree.channel_target(ChannelId{id});
    const bool comes_from_above = tree.level(from) > tree.level(to);
    const std::uint32_t first = index(tree.first_channel(to));
    for (std::uint32_t next = first; next < first + tree.out_degree(to); ++next) {
      const NodeId end = tree.channel_target(ChannelId{next});
      const bool goes_up = tree.level(end) > tree.level(to);
      if (end != from && !(comes_from_above && goes_up)) {
        edges.emplace_back(id, next);
      }
    }
  }
  ChannelDependencies dependencies;
  dependencies.graph =
      ChannelDependencies::Graph(boost::edges_are_sorted, edges.begin(), edges.end(), tree.channel_count());
  return dependencies;
}

Drawing draw_fat_tree(const FatTree& tree)
{
  Drawing drawing;
  std::uint32_t widest = 0;
  for (std::uint32_t level = 0; level <= tree.sizes().levels(); ++level) {
    widest = std::max(widest, tree.nodes_of_level(level));
  }
  const double apart = std::max(1.5, widest * 9.0 / 16 / (tree.sizes().levels() + 1));
  for (std::uint32_t level = 0; level <= tree.sizes().levels(); ++level) {
    const std::uint32_t nodes = tree.nodes_of_level(level);
    for (std::uint32_t number = 0; number < nodes; ++number) {
      drawing.nodes.push_back({(number + 0.5) * widest / nodes, level * apart});
    }
  }
  drawing.channels.resize(tree.channel_count());
  fit_extent(drawing);
  return drawing;
}

} // namespace wormcast
