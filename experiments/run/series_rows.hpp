#pragma once

#include "wormcast/experiments/run/rows.hpp"
#include "wormcast/experiments/run/series_quantities.hpp"

#include <span>

namespace wormcast {

/// The rows of the table that `run` prints of a series for people, in their order.
std::span<const TableRow<SeriesOutcome>> series_row_texts();

/// What they say besides series_quantities().
std::span<const ShownValue<SeriesOutcome>> other_values_of_series();

} // namespace wormcast
