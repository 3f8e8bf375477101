#include "wormcast/topologies/grid.hpp"
#include "wormcast/topologies/metrics/metrics.hpp"

#include <algorithm>
#include <functional>

namespace wormcast {

namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

/// A dimension as a line or a ring. A torus dimension of two nodes is a line: it has one link.
struct Dimension {
  std::int64_t size = 1;
  bool ring = false;
};

std::vector<Dimension> dimensions_of(const Grid& grid)
{
  std::vector<Dimension> dimensions;
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    const std::int64_t size = grid.sizes()[dimension];
    dimensions.push_back({size, grid.wraps(dimension) && size > 2});
  }
  return dimensions;
}

/// Sum of the distances between all ordered pairs of nodes of one line or ring.
cpp_int distance_sum(const Dimension& dimension)
{
  const cpp_int size = dimension.size;
  if (!dimension.ring) {
    return size * (size * size - 1) / 3;
  }
  return dimension.size % 2 == 0 ? cpp_int(size * size * size / 4) : cpp_int(size * (size * size - 1) / 4);
}

cpp_rational mean_distance(std::uint32_t nodes, const std::vector<Dimension>& dimensions)
{
  if (nodes < 2) {
    return 0;
  }
  cpp_rational mean = 0;
  for (const Dimension& dimension : dimensions) {
    cpp_rational mean_of_dimension(distance_sum(dimension));
    mean_of_dimension /= dimension.size * dimension.size;
    mean += mean_of_dimension;
  }
  // The mean so far includes the pairs of a node with itself.
  mean *= nodes;
  mean /= nodes - 1;
  return mean;
}

/// Links of the cut across the longest dimension; where that is odd, through the middle of it, where the middle layer
/// is cut in the same way. The bisection width of meshes, and of tori of rings alone without dimensions of size 2: J.
/// Arjona Aroca and A. Fernandez Anta, Bisection (band)width of product networks with application to data centers, IEEE
/// Trans. Parallel and Distributed Systems 25(3), 2014.
std::uint64_t links_across(std::uint32_t nodes, std::vector<Dimension> dimensions)
{
  // A ring is cut at two positions, so it equals a line of half its length.
  const auto worth = [](const Dimension& dimension) { return dimension.ring ? dimension.size : 2 * dimension.size; };
  std::sort(dimensions.begin(), dimensions.end(),
            [&](const Dimension& a, const Dimension& b) { return worth(a) > worth(b); });
  std::uint64_t links = 0;
  std::uint64_t layer = nodes;
  for (const Dimension& dimension : dimensions) {
    layer /= static_cast<std::uint64_t>(dimension.size);
    if (dimension.size > 1) {
      links += dimension.ring ? 2 * layer : layer;
    }
    if (dimension.size % 2 == 0) {
      break;
    }
  }
  return links;
}

/// No bisection cuts fewer links than this: the routes between all ordered pairs, spread evenly over the
/// links of each dimension, cross it 2 * |half| * |other half| times, and no link lies on more of them than the
/// busiest.
cpp_rational fewest_links_by_traffic(std::uint32_t nodes, const std::vector<Dimension>& dimensions)
{
  cpp_rational busiest = 0;
  for (const Dimension& dimension : dimensions) {
    if (dimension.size > 1) {
      const cpp_int size = dimension.size;
      const cpp_rational links = dimension.ring ? cpp_rational(nodes) : cpp_rational(nodes, 2);
      const cpp_rational load = cpp_rational(distance_sum(dimension), size * size) * nodes * nodes / links;
      busiest = std::max(busiest, load);
    }
  }
  const std::uint64_t half = nodes / 2;
  return cpp_rational(2 * half * (nodes - half)) / busiest;
}

Bisection bisect(std::uint32_t nodes, const std::vector<Dimension>& dimensions)
{
  Bisection bisection;
  bisection.links = links_across(nodes, dimensions);
  bisection.channels = 2 * bisection.links;
  const bool has_ring = std::any_of(dimensions.begin(), dimensions.end(), std::mem_fn(&Dimension::ring));
  const bool has_line = std::any_of(dimensions.begin(), dimensions.end(),
                                    [](const Dimension& dimension) { return !dimension.ring && dimension.size > 1; });
  bisection.exact =
      !(has_ring && has_line) || cpp_rational(bisection.links - 1) < fewest_links_by_traffic(nodes, dimensions);
  return bisection;
}

} // namespace

TopologyMetrics measure_grid(const Grid& grid)
{
  const std::vector<Dimension> dimensions = dimensions_of(grid);
  TopologyMetrics metrics;
  metrics.nodes = grid.node_count();
  metrics.channels = grid.channel_count();
  metrics.links = grid.channel_count() / 2;
  for (const Dimension& dimension : dimensions) {
    if (dimension.size > 1) {
      metrics.smallest_degree += dimension.ring ? 2 : 1;
      metrics.largest_degree += dimension.ring || dimension.size > 2 ? 2 : 1;
    }
  }
  metrics.diameter = grid.longest_route();
  metrics.mean_distance = mean_distance(metrics.nodes, dimensions);
  if (metrics.nodes > 1) {
    metrics.bisection = bisect(metrics.nodes, dimensions);
    if (!metrics.bisection->exact && metrics.nodes <= most_nodes_for_exact_bisection) {
      metrics.bisection = search_bisection(grid);
    }
  }
  return metrics;
}

} // namespace wormcast
