#include "wormcast/algorithms/tcd/recursive_halving_tcd.hpp"

#include "wormcast/algorithms/tcd/halving_table.hpp"
#include "wormcast/topologies/grid_requirements.hpp"

#include <numeric>

namespace wormcast {

namespace {

constexpr std::string_view recursive_halving_tcd_name = "recursive_halving_tcd";

/// A part of the grid with one informed node.
struct Box {
  Cuts cuts{};
  AxisValues origin{}; ///< lowest coordinates; on a ring not cut yet those of the informed node
  AxisValues holder{}; ///< the informed node, relative to the origin
};

Box whole_grid(const Grid& grid, const HalvingTable& table, NodeId source)
{
  Box box;
  for (std::size_t axis = 0; axis < table.dimensions(); ++axis) {
    (table.is_ring(axis, 0) ? box.origin : box.holder)[axis] = grid.coordinate(source, axis);
  }
  return box;
}

NodeId holder_node(const Grid& grid, const Box& box)
{
  std::int64_t node = 0;
  for (std::size_t axis = 0; axis < grid.sizes().size(); ++axis) {
    const std::int64_t size = grid.sizes()[axis];
    node += (box.origin[axis] + box.holder[axis] + size) % size * grid.stride(axis);
  }
  return NodeId{static_cast<std::uint32_t>(node)};
}

struct Halves {
  Box kept;  ///< of the informed node
  Box other; ///< its informed node is the target
};

Halves cut_in_two(const HalvingTable& table, const Box& box)
{
  const HalvingCut cut = table.best_cut(box.cuts, box.holder);
  Halves halves = {box, box};
  halves.kept.holder = cut.source;
  halves.other.holder = cut.target;
  for (Box* half : {&halves.kept, &halves.other}) {
    ++half->cuts[cut.axis];
    if (table.is_ring(cut.axis, box.cuts[cut.axis])) {
      half->origin[cut.axis] -= cut.source[cut.axis];
    }
  }
  Box& upper = cut.source_in_lower_half ? halves.other : halves.kept;
  upper.origin[cut.axis] += table.length(cut.axis, upper.cuts[cut.axis]);
  return halves;
}

Schedule recursive_halving(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, recursive_halving_tcd_name);
  const HalvingTable table(grid, recursive_halving_tcd_name);
  unsigned steps = 0;
  for (std::size_t axis = 0; axis < table.dimensions(); ++axis) {
    steps += table.levels(axis);
  }
  Schedule schedule;
  const BlockSetId message = schedule.block_sets.intern({0, 1});
  schedule.messages.reserve(grid.node_count() - 1);
  std::vector<Box> boxes = {whole_grid(grid, table, request.source)};
  for (unsigned step = 0; step < steps; ++step) {
    std::vector<Box> halves;
    halves.reserve(2 * boxes.size());
    for (const Box& box : boxes) {
      const auto [kept, other] = cut_in_two(table, box);
      schedule.messages.push_back({step, holder_node(grid, kept), holder_node(grid, other), message});
      halves.push_back(kept);
      halves.push_back(other);
    }
    boxes = std::move(halves);
  }
  return schedule;
}

} // namespace

std::vector<std::uint64_t> recursive_halving_tcds(const Grid& grid)
{
  const HalvingTable table(grid, recursive_halving_tcd_name);
  std::vector<std::uint64_t> tcds(grid.node_count());
  for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
    tcds[node] = table.tcd({}, whole_grid(grid, table, NodeId{node}).holder);
  }
  return tcds;
}

Algorithm recursive_halving_tcd_algorithm()
{
  Algorithm algorithm;
  algorithm.name = recursive_halving_tcd_name;
  algorithm.summary =
      "cuts boxes in two, each time to the node and across the axis that keep the sum of all hops least";
  algorithm.ports = "one-port";
  algorithm.topologies = "mesh and torus of any dimensions, sizes powers of two";
  algorithm.costs = "alpha = beta = log2 N; TCD: the exact minimum over recursive halvings (wormcast tcd)";
  algorithm.source = "dynamic programming over recursive halvings, of which the broadcasts of Cang & Wu 1998 and 2000 "
                     "are some; it refutes theorem 2 of 1998 and theorem 3 of 2000";
  algorithm.by_reversal = {Operation::reduce};
  algorithm.make = recursive_halving;
  return algorithm;
}

} // namespace wormcast
