#include "tests/fuzz/limits.hpp"
#include "tests/fuzz/targets.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/run_table.hpp"

namespace wormcast::fuzz {

bool run_sweep(std::string_view input)
{
  const InputFile file(input, ".toml");
  const RawConfig config = read_config(file.path());
  std::uint64_t points = 1;
  for (const SweepAxis& axis : config.sweep) {
    points *= axis.values.size();
  }
  if (points > most_points || most_nodes_of(config) > most_nodes) {
    return false;
  }
  const SweepPlan plan = plan_sweep(config);
  require(plan.points.size() == points, "a sweep has a point for each combination of values");
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
    axis_unit(plan, axis);
    for (const SweepPoint& point : plan.points) {
      cell_number(point.cells.at(axis));
    }
  }
  return true;
}

} // namespace wormcast::fuzz
