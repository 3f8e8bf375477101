#pragma once

#include "wormcast/experiments/sweep/curves.hpp"
#include "wormcast/experiments/sweep/figure.hpp"
#include "wormcast/experiments/sweep/run_table.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wormcast::testing {

/// A plan and its results, filled point by point.
struct FilledResults {
  SweepPlan plan;
  std::vector<StoredPoint> stored;

  explicit FilledResults(std::vector<std::string> axes) { plan.axes = std::move(axes); }

  StoredPoint& add(std::vector<std::string> cells, const std::string& latency, const std::string& predicted = "1")
  {
    SweepPoint point;
    point.cells = std::move(cells);
    point.config = R"({"algorithm": {"name": "recursion_based"}})";
    point.key = fmt::format("{}", stored.size());
    plan.points.push_back(point);
    StoredPoint result;
    result.key = point.key;
    result.config = point.config;
    result.result = fmt::format(R"({{"format": "f", "config": {{"a": {{"b": [1, 2]}}}}, "engine": "worm",
 "latency_us": {0}, "latency_from_source_us": {0}, "beta": "39/16", "predicted_us": {1}, "contention": {{"step": 1, "step_wait_us": 0.5}},
 "version": "0.1.0"}})",
                                latency, predicted);
    stored.push_back(result);
    return stored.back();
  }
  SweepCurves curves() const { return sweep_curves(plan, stored); }
  RunTable table() const { return run_table(plan, stored); }
};

/// The figure of a plot as --plot asks for it.
inline Figure figure_of(const FilledResults& results, const std::string& plot = "",
                        const std::vector<std::optional<CostLine>>& formulas = {})
{
  return run_figure(parse_plot_request(plot), results.table(), {.formulas = formulas}, "mesh 4 x 4");
}

} // namespace wormcast::testing
