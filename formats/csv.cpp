#include "wormcast/formats/csv.hpp"

namespace wormcast {

std::string csv_cell(std::string_view text)
{
  // Spreadsheets would interpret such a text as a formula.
  const bool looks_like_formula =
      !text.empty() && std::string_view("=@\t\r").find(text.front()) != std::string_view::npos;
  if (!looks_like_formula && text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string cell = looks_like_formula ? "\"'" : "\"";
  for (const char character : text) {
    cell += character;
    if (character == '"') {
      cell += '"';
    }
  }
  return cell + '"';
}

std::string csv_line(std::span<const std::string> cells)
{
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += i == 0 ? "" : ",";
    line += csv_cell(cells[i]);
  }
  return line + "\n";
}

} // namespace wormcast
