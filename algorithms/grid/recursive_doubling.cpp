#include "wormcast/algorithms/grid/recursive_doubling.hpp"

#include "wormcast/algorithms/grid/line_halving.hpp"
#include "wormcast/algorithms/schedule/ownership.hpp"
#include "wormcast/topologies/grid_requirements.hpp"

namespace wormcast {

namespace {

Schedule recursive_doubling(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, "recursive_doubling");
  Ownership ownership(grid.node_count(), request.source, 1);
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    for (const HalvingStep& step : halving_steps(grid, dimension, request.source)) {
      ownership.share(step.partner);
    }
  }
  return ownership.take_schedule();
}

} // namespace

Algorithm recursive_doubling_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "recursive_doubling";
  algorithm.summary = "every informed node sends the whole message to the other half of its line, x first";
  algorithm.ports = "one-port";
  algorithm.topologies = "mesh and torus of any dimensions and sizes";
  algorithm.costs = "alpha = beta = sum over the dimensions of ceil(log2 size)";
  algorithm.source = "Zhuang & Liberatore, section 4.3 and table 1 (RD), after Barnett et al.";
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = recursive_doubling;
  return algorithm;
}

} // namespace wormcast
