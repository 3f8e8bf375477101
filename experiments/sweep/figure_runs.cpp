#include "wormcast/experiments/sweep/figure_runs.hpp"

#include "wormcast/experiments/sweep/figure.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace wormcast {

std::string value_title(const std::string& axis, const std::string& cell)
{
  if (axis_title(axis, cell) == cell) {
    return cell;
  }
  const std::optional<double> number = cell_value(cell);
  if (axis == length_axis && number && *number >= 0) {
    return format_bytes(static_cast<std::uint64_t>(*number));
  }
  const bool has_names = cell.find('=') != std::string::npos; // a table of a section
  return has_names ? cell : fmt::format("{} = {}", axis.substr(axis.rfind('.') + 1), cell);
}

FigureRuns::FigureRuns(const PlotRequest& plot, const RunTable& table)
    : plot_(plot), table_(table), x_name_(plot_x(plot, table)), x_(table, x_name_), y_(table, plot.y),
      seed_(table.find(seed_axis))
{
  find_rows();
  find_categories();
  choose_columns();
  find_curves();
}

void FigureRuns::find_rows()
{
  std::set<std::string> known;
  for (std::size_t i = 0; i < table_.rows.size(); ++i) {
    const RunTable::Row& row = table_.rows[i];
    if (row.state == PointState::done && y_.value(row) && !x_.text(row).empty() && known.insert(identity(row)).second) {
      rows_.push_back(i);
    }
  }
  if (rows_.empty()) {
    fail_plot(plot_, "y", fmt::format("no run that is done has a number for {} over {}", plot_.y, x_name_));
  }
}

/// Equal runs can be at several points of the plan, where algorithms do not have a swept parameter.
std::string FigureRuns::identity(const RunTable::Row& row) const
{
  std::string text = row.key;
  for (const std::string& column : plot_.group) {
    text += "\n" + Measure(table_, column).text(row);
  }
  return text + "\n" + x_.text(row);
}

void FigureRuns::find_categories()
{
  if (std::ranges::all_of(rows_, [&](std::size_t row) { return x_.value(table_.rows[row]).has_value(); })) {
    return;
  }
  for (const std::size_t row : rows_) {
    const std::string text = x_.text(table_.rows[row]);
    if (std::ranges::find(categories_, text) == categories_.end()) {
      categories_.push_back(text);
    }
  }
}

std::string FigureRuns::x_of(std::size_t index) const
{
  const RunTable::Row& row = table_.rows[index];
  if (categories_.empty()) {
    return x_.value(row).value();
  }
  return fmt::format("{}", std::ranges::find(categories_, x_.text(row)) - categories_.begin());
}

void FigureRuns::choose_columns()
{
  group_ = plot_.group;
  if (group_.empty()) {
    const bool sizes_on_x = x_name_ == "nodes" || x_name_ == "channels";
    for (const std::string& axis : table_axes(table_)) {
      const bool is_size = axis == "topology.dims" || axis == "topology.dimension";
      if (axis == x_name_ || axis == seed_axis || axis == plot_.facet || (sizes_on_x && is_size)) {
        continue;
      }
      const bool is_kind = sizes_on_x && axis == "topology" && table_.find("topology.kind");
      group_.push_back(is_kind ? "topology.kind" : axis);
    }
  }
  std::erase(group_, plot_.facet);
  facet_ = plot_.facet;
  if (facet_.empty()) {
    facet_ = needed_facet();
    std::erase(group_, facet_);
  }
}

std::string FigureRuns::cell(std::size_t row, const std::string& column) const
{
  const auto position = table_.find(column);
  return position ? table_.rows[row].cells[*position].text() : std::string();
}

std::vector<std::string> FigureRuns::group_cells(std::size_t row) const
{
  std::vector<std::string> cells;
  for (const std::string& column : group_) {
    cells.push_back(cell(row, column));
  }
  return cells;
}

/// Where there are too many curves for one panel: of the columns that distinguish them the one that makes the fewest
/// panels of few enough curves.
std::string FigureRuns::needed_facet() const
{
  std::set<std::vector<std::string>> all;
  std::map<std::string, std::map<std::string, std::set<std::vector<std::string>>>> by_column;
  for (const std::size_t row : rows_) {
    const std::vector<std::string> cells = group_cells(row);
    all.insert(cells);
    for (std::size_t i = 0; i < group_.size(); ++i) {
      by_column[group_[i]][cells[i]].insert(cells);
    }
  }
  std::string best;
  std::size_t fewest = 0;
  if (all.size() <= most_curves_in_a_panel || group_.size() < 2) {
    return best;
  }
  for (const std::string& column : group_) {
    const auto& panels = by_column[column];
    const bool fits =
        std::ranges::all_of(panels, [](const auto& panel) { return panel.second.size() <= most_curves_in_a_panel; });
    if (fits && (fewest == 0 || panels.size() < fewest)) {
      best = column;
      fewest = panels.size();
    }
  }
  return best;
}

void FigureRuns::find_curves()
{
  std::map<std::vector<std::string>, std::size_t> positions;
  for (const std::size_t row : rows_) {
    std::vector<std::string> key = group_cells(row);
    key.push_back(facet_.empty() ? "" : cell(row, facet_));
    if (std::ranges::find(panels_, key.back()) == panels_.end()) {
      panels_.push_back(key.back());
    }
    const auto [entry, is_new] = positions.emplace(key, curves_.size());
    if (is_new) {
      curves_.push_back({std::move(key), {}});
    }
    curves_[entry->second].rows.push_back(row);
  }
}

std::string FigureRuns::curve_title(const FigureCurve& curve) const
{
  std::string title;
  for (std::size_t i = 0; i < group_.size(); ++i) {
    title += (title.empty() ? "" : ", ") + value_title(group_[i], curve.cells[i]);
  }
  if (!title.empty()) {
    return title;
  }
  const std::string algorithm = "algorithm.name";
  const bool same = std::ranges::all_of(
      rows_, [&](std::size_t row) { return cell(row, algorithm) == cell(rows_.front(), algorithm); });
  const std::string only = cell(rows_.front(), algorithm);
  return same && !only.empty() ? only : "runs";
}

std::vector<RunsAtX> FigureRuns::runs_by_x(const FigureCurve& curve) const
{
  std::map<double, RunsAtX> by_x;
  for (const std::size_t row : curve.rows) {
    const std::string x = x_of(row);
    RunsAtX& runs = by_x[decimal_value(x)];
    runs.x = x;
    runs.rows.push_back(row);
  }
  std::vector<RunsAtX> ascending;
  for (auto& [x, runs] : by_x) {
    ascending.push_back(std::move(runs));
  }
  return ascending;
}

bool FigureRuns::are_repetitions(const RunsAtX& runs) const
{
  std::set<std::string> seeds;
  return runs.rows.size() == 1 || (seed_ && std::ranges::all_of(runs.rows, [&](std::size_t row) {
                                     return seeds.insert(table_.rows[row].cells[*seed_].text()).second;
                                   }));
}

} // namespace wormcast
