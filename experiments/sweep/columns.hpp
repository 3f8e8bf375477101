#pragma once

#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/statistics.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A column of results.csv that is no key of the configuration.
struct QuantityColumn {
  std::string name;
  std::string unit; ///< "us", "bytes", "messages"; empty: a number or a text without one
  std::string text; ///< what it is, for people
};

/// All of them, in the order of results.csv. Besides these there are `chosen.NAME`, what an algorithm chose for a
/// parameter that was "best", and AXIS_us for each axis of times.
std::span<const QuantityColumn> quantity_columns();

/// All columns that the runs of a sweep can have: axes, quantities, and the keys of their configurations.
std::vector<std::string> known_columns(const SweepPlan& plan);

/// Whether the mean of a column over seeds can be far from normal: waits and what contention costs are 0 in many runs
/// and large in few. Also of a quotient of two columns.
Skew skew_of(std::string_view expression);

/// The two columns of a quotient ("a/b"), or the one column.
std::vector<std::string> columns_of(std::string_view expression);

} // namespace wormcast
