#include "wormcast/experiments/compare/tcd_report.hpp"

#include "wormcast/experiments/sweep/crossings.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/topologies/drawing/grid_drawing.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace wormcast {

namespace {

/// The nodes that differ only in x and y: ids first .. first + width * height - 1.
struct Plane {
  std::string title; ///< "z = 3"; empty where there are no other coordinates
  std::uint32_t first = 0;
};

std::uint32_t width(const Grid& grid)
{
  return static_cast<std::uint32_t>(grid.sizes()[0]);
}

std::uint32_t height(const Grid& grid)
{
  return grid.sizes().size() < 2 ? 1 : static_cast<std::uint32_t>(grid.sizes()[1]);
}

std::vector<Plane> planes(const Grid& grid)
{
  std::vector<Plane> all;
  for (std::uint32_t first = 0; first < grid.node_count(); first += width(grid) * height(grid)) {
    all.push_back({plane_name(grid, NodeId{first}), first});
  }
  return all;
}

bool is_difference(const TcdColumn& column)
{
  return column.value == TcdValue::difference || column.value == TcdValue::gap;
}

std::size_t digits(std::int64_t number)
{
  return fmt::formatted_size("{}", number);
}

/// "69 .. 79, mean 72.25", of differences also how many sources have one.
std::string summary(const TcdColumn& column)
{
  const auto [least, greatest] = std::ranges::minmax(column.tcds);
  const auto sum = std::accumulate(column.tcds.begin(), column.tcds.end(), std::int64_t{0});
  std::string text =
      fmt::format("{} .. {}, mean {}", least, greatest, format_rounded(ExactNumber(sum, column.tcds.size()), 3));
  if (is_difference(column)) {
    const auto none = std::ranges::count(column.tcds, 0);
    text +=
        fmt::format(", at {} of {} sources", column.tcds.size() - static_cast<std::size_t>(none), column.tcds.size());
  }
  return text;
}

std::string matrix(const TcdTable& table, const TcdColumn& column, const Plane& plane)
{
  const Grid& grid = *table.grid;
  const auto [least, greatest] = std::ranges::minmax(column.tcds);
  const std::size_t cell = std::max({digits(least), digits(greatest), digits(width(grid) - 1)});
  const std::size_t label = std::max<std::size_t>(digits(height(grid) - 1), 1);
  std::string text;
  for (std::uint32_t y = height(grid); y-- > 0;) {
    text += fmt::format("{:>{}}  ", y, label);
    for (std::uint32_t x = 0; x < width(grid); ++x) {
      const std::uint32_t node = plane.first + x + width(grid) * y;
      const bool eye = table.eyes[node];
      const std::string number = fmt::format("{}{}{}", eye ? "[" : " ", column.tcds[node], eye ? "]" : " ");
      text += fmt::format("{:>{}}", number, cell + 2);
    }
    text += '\n';
  }
  text += fmt::format("{:>{}}  ", "", label);
  for (std::uint32_t x = 0; x < width(grid); ++x) {
    text += fmt::format("{:>{}} ", x, cell + 1);
  }
  return text + '\n';
}

std::string eyes_text(const TcdTable& table, std::string_view mark)
{
  return std::ranges::find(table.eyes, true) == table.eyes.end() ? std::string() : fmt::format("; eyes {}", mark);
}

/// Ends of the scale that the column shares: with all other distances, or in a plane, where they stand side by side,
/// with all other differences. Differences begin at none.
std::pair<std::int64_t, std::int64_t> scale(const TcdTable& table, const TcdColumn& like)
{
  std::pair<std::int64_t, std::int64_t> ends = {like.tcds.front(), like.tcds.front()};
  for (const TcdColumn& column : table.columns) {
    const bool shares = !is_difference(like) || table.grid->sizes().size() <= 2;
    if (shares && is_difference(column) == is_difference(like)) {
      const auto [least, greatest] = std::ranges::minmax(column.tcds);
      ends = {std::min(ends.first, least), std::max(ends.second, greatest)};
    }
  }
  if (is_difference(like)) {
    ends.first = std::min<std::int64_t>(ends.first, 0);
  }
  return ends;
}

MatrixPanel panel(const TcdTable& table, const TcdColumn& column, const Plane& plane)
{
  const std::uint32_t nodes = width(*table.grid) * height(*table.grid);
  MatrixPanel result;
  result.columns = width(*table.grid);
  result.title = plane.title.empty() ? column.title : plane.title;
  const auto begin = static_cast<std::ptrdiff_t>(plane.first);
  const auto end = begin + std::ptrdiff_t{nodes};
  result.values.assign(column.tcds.begin() + begin, column.tcds.begin() + end);
  result.framed.assign(table.eyes.begin() + begin, table.eyes.begin() + end);
  return result;
}

} // namespace

std::string tcd_text(const TcdTable& table, bool matrices)
{
  std::string text = fmt::format("{}: total communication distance (hops) by source\n\n", table.grid->title());
  std::size_t name = 0;
  for (const TcdColumn& column : table.columns) {
    name = std::max(name, tcd_value_names.text(column.value).size());
  }
  for (const TcdColumn& column : table.columns) {
    text += fmt::format("{:<{}}  {}: {}\n", tcd_value_names.text(column.value), name, column.title, summary(column));
  }
  for (const TcdColumn& column : table.columns) {
    for (const Plane& plane : planes(*table.grid)) {
      if (matrices) {
        text += fmt::format("\n{}{}{} (x to the right, y upwards{})\n", tcd_value_names.text(column.value),
                            plane.title.empty() ? "" : ", ", plane.title, eyes_text(table, "in brackets"));
        text += matrix(table, column, plane);
      }
    }
  }
  return text;
}

std::string tcd_csv(const TcdTable& table)
{
  const Grid& grid = *table.grid;
  std::vector<std::string> cells = {"node"};
  for (std::size_t axis = 0; axis < grid.sizes().size(); ++axis) {
    cells.push_back(dimension_name(axis));
  }
  cells.emplace_back("eye");
  for (const TcdColumn& column : table.columns) {
    cells.emplace_back(tcd_value_names.text(column.value));
  }
  std::string csv = csv_line(cells);
  for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
    cells = {fmt::to_string(node)};
    for (std::size_t axis = 0; axis < grid.sizes().size(); ++axis) {
      cells.push_back(fmt::to_string(grid.coordinate(NodeId{node}, axis)));
    }
    cells.emplace_back(table.eyes[node] ? "1" : "0");
    for (const TcdColumn& column : table.columns) {
      cells.push_back(fmt::to_string(column.tcds[node]));
    }
    csv += csv_line(cells);
  }
  return csv;
}

MatrixFigure tcd_figure(const TcdTable& table)
{
  const std::vector<Plane> all = planes(*table.grid);
  if (all.size() * table.columns.size() > most_tcd_panels ||
      std::ranges::max(width(*table.grid), height(*table.grid)) > most_panel_cells) {
    throw InputError(fmt::format("a picture of {} columns of a {} has {} heat maps, expected at most {} with at most "
                                 "{} nodes a side (--values takes fewer columns, --format csv has no limit)",
                                 table.columns.size(), table.grid->title(), all.size() * table.columns.size(),
                                 most_tcd_panels, most_panel_cells));
  }
  MatrixFigure figure;
  figure.title = table.grid->title() + ": total communication distance (hops) by source";
  figure.x_label = "x";
  figure.y_label = "y";
  figure.framed = eyes_text(table, "are framed").empty() ? "" : "eyes of Cang & Wu";
  for (const TcdColumn& column : table.columns) {
    const auto [least, greatest] = scale(table, column);
    MatrixRow row;
    row.title = all.size() == 1 ? "" : column.title;
    row.colours = is_difference(column) ? MatrixColours::white_to_dark : MatrixColours::dark_to_bright;
    row.least = least;
    row.greatest = greatest;
    const bool joins = all.size() == 1 && !figure.rows.empty() && figure.rows.back().colours == row.colours;
    if (!joins) {
      figure.rows.push_back(row);
    }
    for (const Plane& plane : all) {
      figure.rows.back().panels.push_back(panel(table, column, plane));
    }
  }
  return figure;
}

} // namespace wormcast
