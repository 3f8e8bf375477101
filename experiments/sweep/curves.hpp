#pragma once

#include "wormcast/experiments/sweep/decimal.hpp"
#include "wormcast/experiments/sweep/run_table.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// A measured point of a curve.
struct CurvePoint {
  std::size_t point = 0; ///< in the plan
  Decimal x;
  Decimal latency_us; ///< from the source's own start

  ExactNumber picoseconds() const { return latency_us.exact() * 1'000'000; }
};

/// A point of a curve that has no latency.
struct UnfinishedPoint {
  Decimal x;
  PointState state = PointState::died;
};

/// The points of a sweep that differ only in the value of one axis, and in run.seed: runs with different seeds are
/// repetitions of one experiment.
struct SweepCurve {
  std::string title;                            ///< the values of the other axes: "scatter_collect, network.ports=2"
  std::vector<std::string> setting;             ///< cells of all axes, the one on x and run.seed empty
  std::vector<CurvePoint> points;               ///< those that are done, by ascending x, then in the order of the plan
  std::vector<UnfinishedPoint> unfinished = {}; ///< the others whose x is known, in the order of the plan
  bool deadlocks = false;                       ///< other points of it ended in a deadlock: it crosses nothing
};

/// A sweep's results as curves over one of its axes.
struct SweepCurves {
  std::size_t x_axis = 0; ///< message.bytes if it is an axis, else the first one with numbers, else the first
  std::vector<std::string> categories; ///< x is the position in this list; empty where the axis has numbers
  std::vector<SweepCurve> curves;      ///< in the order in which the plan first has them

  /// The value of the axis that x stands for, as tables show it.
  std::string x_text(const Decimal& x) const;
};

/// Curves of the points that are done or saturated; `stored` has one entry for each point of the plan.
SweepCurves sweep_curves(const SweepPlan& plan, std::span<const StoredPoint> stored);

} // namespace wormcast
