#include "wormcast/algorithms/grid/dimension_halving.hpp"

#include "wormcast/algorithms/grid/line_halving.hpp"
#include "wormcast/algorithms/schedule/ownership.hpp"
#include "wormcast/topologies/grid_requirements.hpp"

namespace wormcast {

namespace {

// Gives the blocks of a scatter the numbers of the nodes at which they end.
Schedule numbered_by_nodes(const Schedule& scatter, NodeId source)
{
  std::vector<std::uint32_t> last(scatter.blocks, index(source)); // by block: its last receiver
  for (const Message& message : scatter.messages) {
    for (const BlockRange range : scatter.block_sets.ranges(message.blocks)) {
      for (std::uint32_t block = range.begin; block < range.end; ++block) {
        last[block] = index(message.destination);
      }
    }
  }
  Schedule numbered;
  numbered.operation = Operation::scatter;
  numbered.blocks = scatter.blocks;
  for (const Message& message : scatter.messages) {
    std::vector<BlockRange> ranges;
    for (const BlockRange range : scatter.block_sets.ranges(message.blocks)) {
      for (std::uint32_t block = range.begin; block < range.end; ++block) {
        ranges.push_back({last[block], last[block] + 1});
      }
    }
    numbered.messages.push_back(message);
    numbered.messages.back().blocks = numbered.block_sets.intern(ranges);
  }
  return numbered;
}

Schedule dimension_halving(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, "dimension_halving");
  Ownership ownership(grid.node_count(), request.source, grid.node_count());
  std::uint64_t blocks_per_place = grid.node_count();
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    blocks_per_place /= static_cast<std::uint64_t>(grid.sizes()[dimension]);
    for (const HalvingStep& step : halving_steps(grid, dimension, request.source)) {
      ownership.transfer(step.partner, [&](NodeId node) { return step.kept_nodes(node) * blocks_per_place; });
    }
  }
  return numbered_by_nodes(ownership.take_schedule(), request.source);
}

} // namespace

Algorithm dimension_halving_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "dimension_halving";
  algorithm.summary = "scatter by recursive halving of lines, in x, then in y, ...";
  algorithm.operation = Operation::scatter;
  algorithm.ports = "one-port";
  algorithm.topologies = "mesh and torus of any dimensions and sizes";
  algorithm.costs = "alpha = sum of ceil(log2 size); N nodes, sizes powers of two: beta = N - 1; gather the same";
  algorithm.source = "the scatter of scatter-collect, Zhuang & Liberatore, section 4.3, after Barnett et al.";
  algorithm.by_reversal = {Operation::gather};
  algorithm.make = dimension_halving;
  return algorithm;
}

} // namespace wormcast
