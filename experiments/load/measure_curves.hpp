#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/load/load_search.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/result_store.hpp"
#include "wormcast/experiments/sweep/sweep.hpp"
#include "wormcast/simulator/traffic/expected_load.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

/// A measured point of a latency-load curve.
struct LoadPoint {
  double offered = 0;
  PointState state = PointState::done;
  std::string error;             ///< empty when done
  nlohmann::ordered_json result; ///< load_point_json; null where there is none
  std::string key = {};          ///< of the store

  /// The verdict of load_point_json; for a network that stops saturated, for a failed measurement undecided.
  LoadVerdict verdict() const;
  bool stable() const { return verdict() == LoadVerdict::stable; }

  /// Returns the value at "a.b" of the result, and at "classes.NAME.a" that of a class; null if there is none.
  nlohmann::ordered_json value(std::string_view path) const;
  /// Returns the names of its classes of traffic; none: the traffic has no classes, or there is no result.
  std::vector<std::string> classes() const;
  /// The same as value() in a table: empty for null.
  std::string cell(std::string_view path) const;
};

/// A latency-load curve.
struct LoadCurve {
  std::vector<std::string> cells; ///< the values of the sweep's axes
  std::string error;              ///< the error of its configuration; then all else is empty
  std::string config;             ///< effective configuration, JSON
  ExpectedLoad expected;
  std::vector<LoadPoint> points; ///< ascending by load
  SaturationBracket saturation;
  std::optional<double> largest_accepted; ///< of all points
};

/// All curves of a configuration.
struct LoadCurves {
  std::vector<std::string> axes; ///< keys of [sweep]; empty: one curve
  std::vector<LoadCurve> curves;
  std::size_t kept = 0;                  ///< points with stored results
  std::size_t computed = 0;              ///< points computed now
  std::vector<std::string> missing = {}; ///< points left to others (SharedPart), for people; the curves end before them
  int interrupted_by = 0;                ///< as SweepOutcome's
};

/// The curves that a configuration asks for, one for each combination of the values in [sweep], without points. Throws
/// InputError where no curve has a valid configuration (with the first one's error).
SweepPlan plan_curves(const RawConfig& config);

/// Adds stored points with their loads to a curve without any, and what they say of its saturation.
void add_points(LoadCurve& curve, const std::vector<std::pair<double, StoredPoint>>& points);

/// How the points of the curves of `plan` are measured, which lies beside `config` for as long as that is done. The
/// parameters of a task are `curve`, a position in the plan, and `load`.
TaskWork load_work(const RawConfig& config, const SweepPlan& plan);

/// Measures the points of all curves, those of all curves side by side, and keeps them in `store`: the loads of a curve
/// that are measured next are chosen when all of the last ones are known (LoadSearch), so that they do not depend on
/// the number of jobs. Points that the store has are not measured again. Shards share the points of all curves where
/// these are listed, else the curves.
LoadCurves measure_curves(const RawConfig& config, const SweepPlan& plan, ResultStore& store,
                          const SweepOptions& options);

} // namespace wormcast
