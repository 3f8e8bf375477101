#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/output/output_name.hpp"
#include "wormcast/experiments/sweep/columns.hpp"
#include "wormcast/experiments/sweep/figure.hpp"
#include "wormcast/experiments/sweep/measure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

/// Whether all runs that are done have a number in the column.
bool has_numbers(const RunTable& table, const std::string& column)
{
  const std::size_t position = table.find(column).value();
  return std::ranges::all_of(table.rows, [&](const RunTable::Row& row) {
    return row.state != PointState::done || row.cells[position].decimal().has_value();
  });
}

/// Whether the topologies of an axis differ in their number of nodes, but for their kind.
bool differ_in_nodes(const RunTable& table, const std::string& axis)
{
  const auto position = table.find(axis);
  const auto nodes = table.find("nodes");
  const auto kind = table.find("topology.kind");
  if (!axis.starts_with("topology") || !position || !nodes) {
    return false;
  }
  std::map<std::pair<std::string, std::string>, std::string> axis_of;
  std::set<std::string> numbers;
  for (const RunTable::Row& row : table.rows) {
    if (row.state == PointState::done) {
      const auto [entry, is_new] = axis_of.emplace(
          std::pair(row.cells[*nodes].text(), kind ? row.cells[*kind].text() : ""), row.cells[*position].text());
      if (!is_new && entry->second != row.cells[*position].text()) {
        return false;
      }
      numbers.insert(row.cells[*nodes].text());
    }
  }
  return numbers.size() > 1;
}

/// "; did you mean ...?": the nearest column, else those that begin with what was found; without one, the latencies.
std::string column_suggestion(const std::string& column, const std::vector<std::string>& known)
{
  constexpr std::size_t most = 4;
  std::string text = suggestion(column, known);
  if (!text.empty() || column.empty()) {
    return text;
  }
  std::vector<std::string> begin_so;
  for (const std::string& candidate : known) {
    if (candidate.starts_with(column) && begin_so.size() < most) {
      begin_so.push_back(fmt::format("\"{}\"", candidate));
    }
  }
  if (!begin_so.empty()) {
    return fmt::format("; did you mean {}?", fmt::join(begin_so, " or "));
  }
  std::vector<std::string> latencies;
  std::ranges::copy_if(known, std::back_inserter(latencies),
                       [](const std::string& name) { return name.starts_with("latency"); });
  return latencies.empty() ? std::string() : fmt::format(", such as {}", fmt::join(latencies, ", "));
}

void check_column(const PlotRequest& plot, std::string_view key, const std::string& column,
                  const std::vector<std::string>& known)
{
  if (std::ranges::find(known, column) == known.end()) {
    fail_plot(plot, key,
              fmt::format("found \"{}\", expected a column of results.csv or a key of the configuration{}", column,
                          column_suggestion(column, known)));
  }
}

} // namespace

void check_plot(const PlotRequest& plot, const SweepPlan& plan)
{
  check_plot(plot, known_columns(plan));
}

void check_plot(const PlotRequest& plot, const std::vector<std::string>& known)
{
  const auto check_expression = [&](std::string_view key, const std::string& expression) {
    if (!expression.empty()) {
      for (const std::string& column : columns_of(expression)) {
        check_column(plot, key, column, known);
      }
    }
  };
  check_expression("x", plot.x);
  check_expression("y", plot.y);
  for (const std::string& column : plot.group) {
    check_column(plot, "group", column, known);
  }
  if (!plot.facet.empty()) {
    check_column(plot, "facet", plot.facet, known);
  }
  if (plot.bounds) {
    bound_column(plot);
  }
}

std::string plot_x(const PlotRequest& plot, const RunTable& table)
{
  if (!plot.x.empty()) {
    return plot.x;
  }
  std::vector<std::string> axes = table_axes(table);
  if (std::ranges::find(axes, length_axis) != axes.end()) {
    return std::string(length_axis);
  }
  if (axes.size() > 1) {
    std::erase(axes, seed_axis);
  }
  const auto with_numbers =
      std::ranges::find_if(axes, [&](const std::string& axis) { return has_numbers(table, axis); });
  if (with_numbers != axes.end()) {
    return *with_numbers;
  }
  const auto with_sizes =
      std::ranges::find_if(axes, [&](const std::string& axis) { return differ_in_nodes(table, axis); });
  return with_sizes != axes.end() ? "nodes" : axes.front();
}

std::string plot_name(const PlotRequest& plot, const RunTable& table)
{
  if (!plot.name.empty()) {
    return plot.name;
  }
  const bool is_default = plot.x.empty() && plot.y == default_plot_quantity;
  std::string name = is_default ? "latency_from_source" : plot.y + "-" + plot_x(plot, table);
  std::ranges::replace(name, '.', '_');
  return as_output_name(std::move(name));
}

} // namespace wormcast
