#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/load/measure_curves.hpp"
#include "wormcast/experiments/sweep/statistics.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wormcast {

/// Curves that differ in nothing but their seed.
struct RepeatedCurves {
  std::vector<std::string> cells;       ///< of the axes but run.seed
  std::vector<const LoadCurve*> curves; ///< by seed, in the order of the axis
  std::vector<double> loads;            ///< that were measured with every seed, ascending

  /// The points of all seeds at one of the loads.
  std::vector<const LoadPoint*> points_at(double load) const;
  /// The number at `path` in each of these points; empty unless every one has it: a mean of those that are stable alone
  /// would be too small.
  std::vector<double> values_at(double load, std::string_view path) const;
  /// The names of the classes of traffic; empty: there are none.
  std::vector<std::string> classes() const;
  /// How many of the points are stable.
  std::size_t stable_at(double load) const;
  /// How many seeds have a saturation that is bracketed (SaturationBracket::closed).
  std::size_t bracketed() const;
  /// For each seed one end of its bracket; empty unless every seed's is bracketed.
  std::vector<double> saturation_ends(std::optional<double> SaturationBracket::* end) const;
};

/// The saturation over several seeds.
struct RepeatedSaturation {
  double mean = 0; ///< the middle of the means of all stable and of all saturated ends
  /// From the lower end of the 95 % interval of the mean stable load to the upper end of that of the mean saturated
  /// one: what the search leaves open is in it. None of one seed.
  std::optional<Interval> interval;
};

/// None unless every seed's saturation is bracketed.
std::optional<RepeatedSaturation> repeated_saturation(const RepeatedCurves& group);

/// Whether the curves were measured with several seeds.
bool has_seeds(const LoadCurves& curves);

/// All curves in groups; axes without run.seed.
std::vector<std::string> repeated_axes(const LoadCurves& curves);
std::vector<RepeatedCurves> repeated_curves(const LoadCurves& curves);

/// "repetitions" of `wormcast load --json`.
nlohmann::ordered_json repetitions_json(const LoadCurves& curves);

/// The text of statistics.csv: for each group, load and quantity that every seed has the statistics over the seeds, and
/// for each group those of the two loads around the saturation, with an empty load.
std::string load_statistics_csv(const LoadCurves& curves);

/// Means over the seeds with their 95 % intervals for people, below a group's title.
std::string repeated_listing(const RepeatedCurves& group);

} // namespace wormcast
