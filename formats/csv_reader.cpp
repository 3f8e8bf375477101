#include "wormcast/formats/csv_reader.hpp"

#include "wormcast/values/input_error.hpp"
#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace wormcast {

namespace {

/// Cuts a text into lines of cells.
class CsvLines {
public:
  explicit CsvLines(std::string_view text) : text_(text) {}

  /// Returns the next line that is not empty; nothing at the end.
  std::optional<CsvRow> next()
  {
    while (position_ < text_.size() && at_line_end()) {
      take_line_end();
    }
    if (position_ == text_.size()) {
      return std::nullopt;
    }
    CsvRow row{.line = line_, .cells = {}};
    row.cells.push_back(take_cell());
    while (position_ < text_.size() && text_[position_] == ',') {
      ++position_;
      row.cells.push_back(take_cell());
    }
    take_line_end();
    return row;
  }

private:
  bool at_line_end() const
  {
    return text_[position_] == '\n' || (text_[position_] == '\r' && text_.substr(position_, 2) == "\r\n");
  }

  void take_line_end()
  {
    if (position_ < text_.size()) {
      position_ += text_[position_] == '\r' ? 2 : 1;
      ++line_;
    }
  }

  std::string take_cell()
  {
    if (position_ < text_.size() && text_[position_] == '"') {
      return take_quoted_cell();
    }
    const std::size_t begin = position_;
    while (position_ < text_.size() && text_[position_] != ',' && !at_line_end()) {
      ++position_;
    }
    return std::string(text_.substr(begin, position_ - begin));
  }

  std::string take_quoted_cell()
  {
    const std::uint64_t begin = line_;
    std::string cell;
    ++position_;
    while (true) {
      const std::size_t quote = text_.find('"', position_);
      if (quote == std::string_view::npos) {
        throw InputError(fmt::format("line {}: found a quote that no other quote closes", begin));
      }
      const std::string_view part = text_.substr(position_, quote - position_);
      line_ += static_cast<std::uint64_t>(std::ranges::count(part, '\n'));
      cell += part;
      position_ = quote + 1;
      if (position_ == text_.size() || text_[position_] != '"') {
        break;
      }
      cell += '"';
      ++position_;
    }
    if (position_ < text_.size() && text_[position_] != ',' && !at_line_end()) {
      throw InputError(fmt::format(
          "line {}: found '{}' behind the quote that closes a cell, expected a comma or the end of the line", line_,
          printable(text_.substr(position_, 1))));
    }
    return cell;
  }

  std::string_view text_;
  std::size_t position_ = 0;
  std::uint64_t line_ = 1;
};

void check_columns(const CsvRow& first)
{
  for (auto column = first.cells.begin(); column != first.cells.end(); ++column) {
    if (column->empty()) {
      throw InputError(fmt::format("line {}: column {} has no name", first.line, column - first.cells.begin() + 1));
    }
    if (std::find(first.cells.begin(), column, *column) != column) {
      throw InputError(fmt::format("line {}: found the column {} twice", first.line, printable(*column)));
    }
  }
}

} // namespace

CsvTable read_csv(std::string_view text)
{
  CsvLines lines(text);
  std::optional<CsvRow> first = lines.next();
  if (!first) {
    throw InputError("found no line, expected one with the names of the columns");
  }
  check_columns(*first);
  CsvTable table{.columns = std::move(first->cells), .rows = {}};
  while (std::optional<CsvRow> row = lines.next()) {
    if (row->cells.size() != table.columns.size()) {
      throw InputError(fmt::format("line {}: found {} cell{}, expected {}, one for each column", row->line,
                                   row->cells.size(), row->cells.size() == 1 ? "" : "s", table.columns.size()));
    }
    table.rows.push_back(*std::move(row));
  }
  return table;
}

} // namespace wormcast
