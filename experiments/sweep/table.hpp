#pragma once

#include "wormcast/experiments/sweep/curves.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The text of results.csv: one line a point in the order of the plan, the axes first, then the numbers of the topology
/// and of the result, with `with_keys` all other keys of the configuration, then `state` and `error` (its lines
/// joined).
std::string sweep_csv(const RunTable& table, bool with_keys);

/// The text of results.csv of one run that is not of a sweep: no axes, all keys of its configuration. Of `run` the
/// configuration, state, result and error are read.
std::string single_run_csv(const StoredPoint& run, const Topology& topology);

/// The same columns as JSON: an object for each point, numbers with the digits of the table, no value as null.
std::string sweep_json_text(const RunTable& table, bool with_keys);

/// A table for people: the latencies of each curve side by side where that fits, else a line for each of the first
/// points. Ends with a list of the points that failed.
std::string sweep_listing(const SweepPlan& plan, std::span<const StoredPoint> stored, const SweepCurves& curves);

/// Columns of equal width: the first column of each line to the left, the others to the right. Widths count characters.
std::string aligned(const std::vector<std::vector<std::string>>& lines);

} // namespace wormcast
