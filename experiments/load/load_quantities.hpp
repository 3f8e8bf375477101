#pragma once

#include "wormcast/experiments/config/config.hpp"
#include "wormcast/experiments/run/quantity.hpp"
#include "wormcast/simulator/traffic/load_run.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// What the quantities of a point of a latency-load curve are read from.
struct LoadOutcome {
  const LoadExperiment& experiment;
  const LoadResult& result;
};

/// How tables for people show a quantity.
struct LoadColumn {
  std::string heading = {};     ///< empty: they do not show it
  std::string format = {};      ///< of its numbers: "{:.5g}"
  std::string above = {};       ///< the quantity whose distance to this one is shown; empty: the value itself
  std::string repeated_as = {}; ///< the key of its mean over the seeds in "repetitions"; empty: it has none there
  int repeated_digits = 0;      ///< significant digits of that mean in the table over the seeds
};

/// A quantity of a point.
struct LoadQuantity {
  ResultQuantity<LoadOutcome> declared;
  bool in_csv = true; ///< a column of results.csv
  LoadColumn column = {};

  const std::string& name() const { return declared.quantity.name; }
};

/// The names of those that the search for the saturation and the picture refer to.
namespace load_quantity {
inline constexpr std::string_view offered = "offered";
inline constexpr std::string_view accepted = "accepted";
inline constexpr std::string_view verdict = "verdict";
inline constexpr std::string_view undecided_by = "undecided_by";
inline constexpr std::string_view stable = "stable";
inline constexpr std::string_view latency = "latency_us";                 ///< the object with the next three
inline constexpr std::string_view network_latency = "network_latency_us"; ///< the same object of other latencies
inline constexpr std::string_view mean_latency = "latency_us.mean";
inline constexpr std::string_view lowest_mean = "latency_us.low";
inline constexpr std::string_view highest_mean = "latency_us.high";
} // namespace load_quantity

/// The quantities of an element of "points" of `wormcast load --json`, in its order: the columns of results.csv, of
/// statistics.csv and of the tables for people, and the rows of the page of results.
std::span<const LoadQuantity> load_quantities();

/// The columns of results.csv that come from a point's result, as LoadPoint::value has them.
std::span<const std::string_view> load_columns();

/// "points" of `wormcast load --json` without histograms: an object in it none of whose quantities has a value is null.
nlohmann::ordered_json load_quantities_json(const LoadOutcome& outcome);

/// Whether a point has latencies: it is stable, or undecided and lacks no more than an interval.
bool has_latency(const LoadResult& result);

} // namespace wormcast
