#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A line of a table in CSV.
struct CsvRow {
  std::uint64_t line = 0;         ///< of the text, from 1, where it begins
  std::vector<std::string> cells; ///< as many as the table has columns
};

/// A table in CSV whose first line names its columns.
struct CsvTable {
  std::vector<std::string> columns; ///< at least one; each name is there once
  std::vector<CsvRow> rows;
};

/// Reads a table after RFC 4180: lines end with LF or CRLF, a cell in double quotes may hold commas, line breaks and
/// doubled quotes. Empty lines are skipped. Throws InputError with the line where a line has more or fewer cells than
/// the first one, a column has no name or one that occurs twice, a quote is not closed or something follows it, and
/// where there is no first line.
CsvTable read_csv(std::string_view text);

} // namespace wormcast
