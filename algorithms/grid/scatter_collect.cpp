#include "wormcast/algorithms/grid/scatter_collect.hpp"

#include "wormcast/algorithms/grid/line_halving.hpp"
#include "wormcast/algorithms/grid/symmetry_mappings.hpp"
#include "wormcast/algorithms/schedule/ownership.hpp"
#include "wormcast/topologies/grid_requirements.hpp"

namespace wormcast {

namespace {

Schedule scatter_collect(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, "scatter_collect");
  const std::size_t dimensions = grid.sizes().size();
  Ownership ownership(grid.node_count(), request.source, grid.node_count());

  std::uint64_t blocks_per_place = grid.node_count();
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    blocks_per_place /= static_cast<std::uint64_t>(grid.sizes()[dimension]);
    for (const HalvingStep& step : halving_steps(grid, dimension, request.source)) {
      ownership.transfer(step.partner, [&](NodeId node) { return step.kept_nodes(node) * blocks_per_place; });
    }
  }
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    const std::int64_t size = grid.sizes()[dimension];
    ownership.all_gather([&](NodeId node) { return ring_neighbour(grid, node, dimension, 0, size, 1); },
                         static_cast<std::uint32_t>(size));
  }
  return ownership.take_schedule();
}

} // namespace

Algorithm scatter_collect_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "scatter_collect";
  algorithm.summary = "scatter by recursive halving, then ring all-gather in every line of x, y, ...";
  algorithm.ports = "one-port";
  algorithm.topologies = "mesh and torus of any dimensions and sizes";
  algorithm.costs =
      "2^n x 2^n: alpha = 2n + 2(2^n - 1), beta = 2 - 2/4^n; any powers of two, N nodes: alpha = log2 N + sum "
      "of (size - 1), beta = 2 - 2/N";
  algorithm.source = "Zhuang & Liberatore, section 4.3 and table 1 (SC), after Barnett et al.";
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = scatter_collect;
  return algorithm;
}

} // namespace wormcast
