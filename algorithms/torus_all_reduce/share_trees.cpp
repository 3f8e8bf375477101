#include "wormcast/algorithms/torus_all_reduce/share_trees.hpp"

#include "wormcast/algorithms/torus_all_reduce/collectives.hpp"
#include "wormcast/algorithms/torus_all_reduce/exchange_variants.hpp"
#include "wormcast/algorithms/torus_all_reduce/swing.hpp"
#include "wormcast/algorithms/torus_all_reduce/torus_doubling.hpp"
#include "wormcast/algorithms/tuning/segments.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace wormcast {

namespace {

constexpr std::string_view bine_name = "torus_bine_tree";
constexpr std::string_view binomial_name = "torus_binomial_tree";

SegmentTrees share_trees(const Grid& grid, std::string_view algorithm, const RingPatterns& patterns,
                         const ScheduleRequest& request)
{
  require_share_trees(grid, algorithm);
  SegmentTrees trees;
  for (const ShareCollective& collective :
       share_collectives(grid, request, MirroredToo::yes, ShareOrder::dimensions_first)) {
    trees.trees.push_back(share_tree(grid, collective, patterns, request.source, TreeDistances::decreasing));
  }
  const std::vector<TreeEdge>& first = trees.trees.front();
  trees.period = first.empty() ? 1 : first.back().start + 1; // the source sends a segment to that many children
  return trees;
}

Algorithm share_tree_algorithm(std::string_view name, const RingPatterns& patterns)
{
  Algorithm algorithm;
  algorithm.name = name;
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "torus of any dimensions, sizes powers of two";
  algorithm.costs = "N nodes, k segments, P shares, P divides k: alpha = k/P log2 N, beta = log2 N / P";
  algorithm.source = "De Sensi et al. 2025, arXiv 2508.17311, section 4";
  algorithm.parameters = {segments_parameter(), shares_parameter()};
  algorithm.share_blocks = ShareBlocks::in_turn;
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  const auto trees_on = [name = std::string(name), patterns](const Topology& topology, const ScheduleRequest& request) {
    return share_trees(require_grid(topology, name), name, patterns, request);
  };
  algorithm.make = [name = std::string(name), trees_on](const Topology& topology, const ScheduleRequest& request) {
    return make_segmented(name, trees_on(topology, request), topology, request);
  };
  algorithm.tune = [trees_on](const Topology& topology, const ScheduleRequest& request) {
    return best_segments(trees_on(topology, request), topology, request);
  };
  algorithm.segments = "segments";
  algorithm.segment_costs = [trees_on](const Topology& topology, const ScheduleRequest& request) {
    return segment_costs(trees_on(topology, request), topology);
  };
  return algorithm;
}

} // namespace

std::vector<TreeEdge> share_tree(const Grid& grid, const ShareCollective& collective, const RingPatterns& patterns,
                                 NodeId source, TreeDistances distances)
{
  std::map<std::size_t, RingPattern> rings; // by dimension
  for (const std::size_t dimension : collective.dimensions) {
    rings.emplace(dimension, patterns(static_cast<std::uint32_t>(grid.sizes()[dimension]), collective.mirrored));
  }
  std::vector<ServedStep> served =
      served_steps(collective, [&](std::size_t dimension) { return rings.at(dimension).steps; });
  if (distances == TreeDistances::decreasing) {
    std::ranges::reverse(served);
  }
  std::vector<NodeId> reached = {source};
  std::vector<TreeEdge> edges;
  for (std::uint32_t step = 0; step < served.size(); ++step) {
    const auto [dimension, relative] = served[step];
    for (std::size_t i = reached.size(); i-- > 0;) {
      const auto here = static_cast<std::uint32_t>(grid.coordinate(reached[i], dimension));
      for (const std::uint32_t peer : rings.at(dimension).peers(here, relative)) {
        const NodeId to = at_coordinate(grid, reached[i], dimension, peer);
        edges.push_back({.from = reached[i], .to = to, .start = step});
        reached.push_back(to);
      }
    }
  }
  return edges;
}

void require_share_trees(const Grid& grid, std::string_view algorithm)
{
  if (!grid.wraps()) {
    throw InputError(fmt::format("{} is made for tori, not for a {}", algorithm, grid.title()));
  }
  require_powers(grid, algorithm, 2);
}

Algorithm torus_bine_tree_algorithm()
{
  Algorithm algorithm = share_tree_algorithm(bine_name, swing_pattern);
  algorithm.summary = "binomial trees along rings at the distances ..., 11, -5, 3, -1, 1, dimension in turn; with all "
                      "ports 2D of them at once";
  return algorithm;
}

Algorithm torus_binomial_tree_algorithm()
{
  Algorithm algorithm = share_tree_algorithm(binomial_name, doubling_pattern);
  algorithm.summary =
      "binomial trees along rings at the distances ..., 8, 4, 2, 1, dimension in turn; with all ports 2D of them at once";
  return algorithm;
}

} // namespace wormcast
