#include "wormcast/algorithms/torus_all_reduce/share_scatters.hpp"

#include "wormcast/algorithms/torus_all_reduce/collectives.hpp"
#include "wormcast/algorithms/torus_all_reduce/share_trees.hpp"
#include "wormcast/algorithms/torus_all_reduce/swing.hpp"
#include "wormcast/algorithms/torus_all_reduce/torus_doubling.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/names.hpp"
#include "wormcast/values/work_watch.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

constexpr std::string_view distances_parameter = "distances";

constexpr auto distances_names =
    names<TreeDistances>({{TreeDistances::decreasing, "decreasing"}, {TreeDistances::increasing, "increasing"}});

/// The nodes below each edge of a tree, in ascending order.
std::vector<std::vector<std::uint32_t>> nodes_below(const std::vector<TreeEdge>& edges, std::uint32_t node_count)
{
  std::vector<std::vector<std::uint32_t>> below(node_count); // by node, itself included
  for (std::uint32_t node = 0; node < node_count; ++node) {
    below[node] = {node};
  }
  std::vector<std::vector<std::uint32_t>> carried(edges.size());
  WorkSteps work;
  for (std::size_t edge = edges.size(); edge-- > 0;) { // children before their parents
    carried[edge] = below[index(edges[edge].to)];
    std::vector<std::uint32_t>& parents = below[index(edges[edge].from)];
    parents.insert(parents.end(), carried[edge].begin(), carried[edge].end());
    std::ranges::sort(carried[edge]);
    work.add(carried[edge].size());
  }
  return carried;
}

Schedule share_scatter(std::string_view name, const RingPatterns& patterns, const Topology& topology,
                       const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, name);
  require_share_trees(grid, name);
  const TreeDistances distances = distances_names.read(request.parameters.text(distances_parameter));
  const std::vector<ShareCollective> collectives =
      share_collectives(grid, request, MirroredToo::yes, ShareOrder::dimensions_first);
  const std::uint32_t nodes = grid.node_count();
  Schedule schedule = schedule_of_shares(Operation::scatter, nodes, collectives.size());
  OrderedMessages messages;
  for (std::uint32_t c = 0; c < collectives.size(); ++c) {
    const std::vector<TreeEdge> edges = share_tree(grid, collectives[c], patterns, request.source, distances);
    const std::vector<std::vector<std::uint32_t>> carried = nodes_below(edges, nodes);
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
      std::vector<BlockRange> blocks;
      for (const std::uint32_t node : carried[edge]) {
        blocks.push_back({c * nodes + node, c * nodes + node + 1});
      }
      messages.add(c, {.step = edges[edge].start,
                       .source = edges[edge].from,
                       .destination = edges[edge].to,
                       .blocks = schedule.block_sets.intern(blocks)});
    }
  }
  messages.take_into(schedule);
  return schedule;
}

Algorithm share_scatter_algorithm(std::string_view name, const RingPatterns& patterns)
{
  Algorithm algorithm;
  algorithm.name = name;
  algorithm.operation = Operation::scatter;
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "torus of any dimensions, sizes powers of two";
  algorithm.costs = "N nodes, P shares: alpha = log2 N, beta = (N - 1)/P; gather the same";
  algorithm.source = "De Sensi et al. 2025, arXiv 2508.17311, sections 3 and 4";
  Parameter distances{.name = std::string(distances_parameter),
                      .type = ParameterType::choice,
                      .text = "whether the tree begins with its longest exchanges or with those of neighbours",
                      .fallback = std::string(distances_names.text(TreeDistances::decreasing)),
                      .choices = distances_names.texts()};
  algorithm.family = every_choice(distances);
  algorithm.parameters = {std::move(distances), shares_parameter()};
  algorithm.share_blocks = ShareBlocks::in_order;
  algorithm.by_reversal = {Operation::gather};
  algorithm.make = [name = std::string(name), patterns](const Topology& topology, const ScheduleRequest& request) {
    return share_scatter(name, patterns, topology, request);
  };
  return algorithm;
}

} // namespace

Algorithm torus_bine_scatter_algorithm()
{
  Algorithm algorithm = share_scatter_algorithm("torus_bine_scatter", swing_pattern);
  algorithm.summary = "scatter down the trees of torus_bine_tree, or of the same exchanges at increasing distances";
  return algorithm;
}

Algorithm torus_binomial_scatter_algorithm()
{
  Algorithm algorithm = share_scatter_algorithm("torus_binomial_scatter", doubling_pattern);
  algorithm.summary = "scatter down the trees of torus_binomial_tree, or of the same exchanges at increasing distances";
  return algorithm;
}

} // namespace wormcast
