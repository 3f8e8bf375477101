#pragma once

#include "wormcast/experiments/run/rows.hpp"
#include "wormcast/experiments/run/run_quantities.hpp"

#include <span>

namespace wormcast {

/// The rows of the table that `run` prints for people, in their order.
std::span<const TableRow<RunResult>> run_row_texts();

/// What they say besides run_quantities().
std::span<const ShownValue<RunResult>> other_values_of_runs();

} // namespace wormcast
