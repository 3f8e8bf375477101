#pragma once

#include "wormcast/experiments/run/quantity.hpp"
#include "wormcast/experiments/sweep/plan.hpp"
#include "wormcast/experiments/sweep/statistics.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The quantities that are columns of results.csv, in the order of their declarations, each fraction with its decimals.
/// Besides these there are `chosen.NAME`, what an algorithm chose for a parameter that was "best", and AXIS_us for each
/// axis of times.
std::span<const Quantity> quantity_columns();

/// The quantity of a column; null for other columns.
const Quantity* find_quantity(std::string_view column);

/// The column beside a fraction: its value as a decimal.
Quantity decimals_of(const Quantity& fraction);

/// The fraction whose decimals a column has; none for other columns.
std::optional<Quantity> fraction_of(std::string_view column);

/// All columns that the runs of a sweep can have: axes, quantities, and the keys of their configurations.
std::vector<std::string> known_columns(const SweepPlan& plan);

/// Whether the mean of a column over seeds can be far from normal: waits and what contention costs are 0 in many runs
/// and large in few. Also of a quotient of two columns.
Skew skew_of(std::string_view expression);

/// The two columns of a quotient ("a/b"), or the one column.
std::vector<std::string> columns_of(std::string_view expression);

} // namespace wormcast
