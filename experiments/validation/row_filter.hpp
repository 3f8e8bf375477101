#pragma once

#include "wormcast/experiments/validation/measured_rows.hpp"

#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// Returns the rows that fulfil all conditions, each a text COLUMN=PATTERN: the column collective, shape, algorithm,
/// ports or bytes; in the pattern of the first three * stands for any characters, also for none; ports is a number,
/// bytes a size ("1MiB") or a range of two ("1MiB..8MiB", "1MiB.."). Throws InputError for another text, and
/// where no row is left.
std::vector<MeasuredRow> filtered_rows(std::vector<MeasuredRow> rows, std::span<const std::string> conditions);

} // namespace wormcast
