#include "wormcast/algorithms/grid/dimension_ring.hpp"

#include "wormcast/algorithms/grid/symmetry_mappings.hpp"
#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

constexpr std::string_view dimension_ring_name = "dimension_ring";

// The block sets of an all-gather before the rings of one dimension: all nodes that agree from this dimension on.
std::vector<BlockSetId> units_before(const Grid& grid, std::size_t dimension, BlockSets& sets)
{
  std::vector<BlockSetId> units;
  const auto stride = static_cast<std::uint32_t>(grid.stride(dimension));
  for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
    const std::uint32_t begin = node / stride * stride;
    units.push_back(sets.intern({begin, begin + stride}));
  }
  return units;
}

Schedule gather_along_lines(const Grid& grid)
{
  Schedule schedule;
  schedule.operation = Operation::multinode_broadcast;
  schedule.blocks = grid.node_count();
  std::uint32_t step = 0;
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    const std::int64_t size = grid.sizes()[dimension];
    std::vector<BlockSetId> unit = units_before(grid, dimension, schedule.block_sets);
    for (std::int64_t turn = 1; turn < size; ++turn, ++step) {
      std::vector<BlockSetId> received(unit.size());
      for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
        const NodeId to = ring_neighbour(grid, NodeId{node}, dimension, 0, size, 1);
        schedule.messages.push_back({.step = step, .source = NodeId{node}, .destination = to, .blocks = unit[node]});
        received[index(to)] = unit[node];
      }
      unit = std::move(received);
    }
  }
  return schedule;
}

// The blocks at `node` before the rings of one dimension for nodes `ahead` positions further along. Coordinates below
// the dimension are already those of their target, the others still those of their source.
class Exchange {
public:
  Exchange(const Grid& grid, std::size_t dimension) : grid_(grid), dimension_(dimension) {}

  void append(NodeId node, std::int64_t ahead, std::vector<BlockRange>& ranges) const
  {
    const std::int64_t size = grid_.sizes()[dimension_];
    const std::int64_t below = grid_.stride(dimension_); // nodes that differ in lower dimensions only
    const std::int64_t nodes = grid_.node_count();
    const std::int64_t place = grid_.coordinate(node, dimension_);
    const std::int64_t target = (place + ahead) % size;
    const std::int64_t low = index(node) % below;
    const std::int64_t high = index(node) / below / size;
    const std::int64_t above = nodes / below / size;
    for (std::int64_t from = 0; from < below; ++from) {
      const std::int64_t source = from + below * (place + size * high);
      for (std::int64_t to = 0; to < above; ++to) {
        const std::int64_t block = source * nodes + low + below * (target + size * to);
        ranges.push_back({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block + 1)});
      }
    }
  }

private:
  const Grid& grid_;
  std::size_t dimension_;
};

Schedule exchange_along_lines(const Grid& grid)
{
  require_total_exchange_blocks(dimension_ring_name, grid.title(), grid.node_count());
  Schedule schedule;
  schedule.operation = Operation::total_exchange;
  schedule.blocks = std::uint64_t{grid.node_count()} * grid.node_count();
  std::uint32_t step = 0;
  for (std::size_t dimension = 0; dimension < grid.sizes().size(); ++dimension) {
    const std::int64_t size = grid.sizes()[dimension];
    const Exchange exchange(grid, dimension);
    for (std::int64_t turn = 1; turn < size; ++turn, ++step) {
      for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
        const NodeId to = ring_neighbour(grid, NodeId{node}, dimension, 0, size, 1);
        // Blocks that pass here began turn - 1 positions back and go at least one position on.
        const std::int64_t back = (grid.coordinate(NodeId{node}, dimension) + size - (turn - 1)) % size;
        const std::int64_t first = node + (back - grid.coordinate(NodeId{node}, dimension)) * grid.stride(dimension);
        std::vector<BlockRange> ranges;
        for (std::int64_t ahead = turn; ahead < size; ++ahead) {
          exchange.append(NodeId{static_cast<std::uint32_t>(first)}, ahead, ranges);
        }
        schedule.messages.push_back(
            {.step = step, .source = NodeId{node}, .destination = to, .blocks = schedule.block_sets.intern(ranges)});
      }
    }
  }
  return schedule;
}

Schedule dimension_ring(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, dimension_ring_name);
  std::uint64_t steps = 0;
  for (const std::int64_t size : grid.sizes()) {
    steps += static_cast<std::uint64_t>(size - 1);
  }
  require_message_limit(dimension_ring_name, std::max<std::uint64_t>(steps, 1), "steps", grid.node_count());
  const bool exchanges = request.parameters.has("operation") &&
                         find_operation(request.parameters.text("operation")) == Operation::total_exchange;
  return exchanges ? exchange_along_lines(grid) : gather_along_lines(grid);
}

} // namespace

Algorithm dimension_ring_algorithm()
{
  Algorithm algorithm;
  algorithm.name = dimension_ring_name;
  algorithm.summary = "rings along all lines of a mesh or torus, dimension after dimension";
  algorithm.operation = Operation::multinode_broadcast;
  algorithm.ports = "one-port";
  algorithm.topologies = "mesh and torus of any dimensions and sizes";
  algorithm.costs =
      "N nodes, S = sum of (size - 1): all_gather alpha = S, beta = N - 1; reduce_scatter alpha = S, beta = "
      "1 - 1/N; all_reduce twice that; all_to_all alpha = S, beta = N S/2";
  algorithm.source = "the collect of scatter-collect, Zhuang & Liberatore, section 4.3, after Barnett et al.";
  algorithm.further = {Operation::total_exchange};
  algorithm.by_reversal = {Operation::reduce_scatter, Operation::all_reduce};
  algorithm.make = dimension_ring;
  return algorithm;
}

} // namespace wormcast
