#include "wormcast/experiments/reproduction/cang_wu/graded_halvings.hpp"

#include "wormcast/algorithms/tcd/halving_table.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

namespace wormcast::cang_wu {

namespace {

/// A box of the mesh with its one informed node.
struct GradedBox {
  Cuts cuts{};
  AxisValues lower{};  ///< of the mesh
  AxisValues holder{}; ///< from `lower`
};

NodeId holder_of(const Grid& grid, const GradedBox& box)
{
  std::int64_t id = 0;
  for (std::size_t axis = 0; axis < grid.sizes().size(); ++axis) {
    id += (box.lower[axis] + box.holder[axis]) * grid.stride(axis);
  }
  return NodeId{static_cast<std::uint32_t>(id)};
}

/// Quarters of the way from one coordinate to another, rounded to the nearest, halves away from the start.
std::int64_t on_the_way(std::int64_t from, std::int64_t to, int quarters)
{
  const std::int64_t way = (to - from) * quarters;
  return from + (way + (way < 0 ? -2 : 2)) / most_quarters;
}

std::pair<GradedBox, GradedBox> graded_halves(const HalvingTable& table, const GradedBox& box, int quarters)
{
  const HalvingCut cut = table.best_cut(box.cuts, box.holder);
  GradedBox kept = box;
  GradedBox other = box;
  ++kept.cuts[cut.axis];
  ++other.cuts[cut.axis];
  (cut.source_in_lower_half ? other : kept).lower[cut.axis] += table.length(cut.axis, kept.cuts[cut.axis]);
  kept.holder = cut.source;
  for (std::size_t axis = 0; axis < table.dimensions(); ++axis) {
    const std::int64_t last = table.length(axis, other.cuts[axis]) - 1;
    const std::int64_t from = box.lower[axis] + box.holder[axis] - other.lower[axis];
    const std::int64_t farthest = std::abs(from) >= std::abs(from - last) ? 0 : last;
    other.holder[axis] = on_the_way(cut.target[axis], farthest, quarters);
  }
  return {kept, other};
}

} // namespace

Schedule graded_halving(const Grid& grid, NodeId source, int quarters)
{
  const HalvingTable table(grid, "graded_halving");
  Schedule schedule;
  schedule.topology = grid.description();
  schedule.routing = grid.routing();
  schedule.source = source;
  const BlockSetId message = schedule.block_sets.intern({0, 1});
  std::vector<GradedBox> boxes(1);
  unsigned steps = 0;
  for (std::size_t axis = 0; axis < table.dimensions(); ++axis) {
    boxes[0].holder[axis] = grid.coordinate(source, axis);
    steps += table.levels(axis);
  }
  for (unsigned step = 0; step < steps; ++step) {
    std::vector<GradedBox> halves;
    for (const GradedBox& box : boxes) {
      auto [kept, other] = graded_halves(table, box, quarters);
      schedule.messages.push_back({step, holder_of(grid, kept), holder_of(grid, other), message});
      halves.push_back(kept);
      halves.push_back(other);
    }
    boxes = std::move(halves);
  }
  return schedule;
}

} // namespace wormcast::cang_wu
