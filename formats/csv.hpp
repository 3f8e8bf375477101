#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wormcast {

/// A cell of a CSV file after RFC 4180: in double quotes where it holds a comma, a quote or a line break.
std::string csv_cell(std::string_view text);

/// Writes one line of a CSV file.
std::string csv_line(std::span<const std::string> cells);

} // namespace wormcast
