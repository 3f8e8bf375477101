#include "wormcast/experiments/sweep/measure.hpp"

#include "wormcast/experiments/run/run_quantities.hpp"
#include "wormcast/experiments/sweep/columns.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

Measure::Measure(const RunTable& table, const std::string& expression)
{
  for (const std::string& column : columns_of(expression)) {
    positions_.push_back(table.find(column));
  }
}

std::optional<std::string> Measure::value(const RunTable::Row& row) const
{
  std::vector<std::string> numbers;
  for (const std::optional<std::size_t>& position : positions_) {
    std::optional<std::string> decimal = position ? row.cells[*position].decimal() : std::nullopt;
    if (!decimal) {
      return std::nullopt;
    }
    numbers.push_back(std::move(*decimal));
  }
  if (numbers.size() == 1) {
    return numbers.front();
  }
  const double below = decimal_value(numbers[1]);
  return below == 0 ? std::nullopt : std::optional(fmt::format("{:.9g}", decimal_value(numbers[0]) / below));
}

std::string Measure::text(const RunTable::Row& row) const
{
  return positions_.front() ? row.cells[*positions_.front()].text() : "";
}

std::string measure_label(const RunTable& table, const std::string& expression)
{
  if (expression == length_axis) {
    return "message length";
  }
  if (columns_of(expression).size() == 1 && expression.ends_with("_us")) {
    const std::string name = expression.substr(0, expression.size() - 3);
    return fmt::format("{} (us)", expression == shown_latency ? shown_latency_title : name);
  }
  if (const auto column = table.find(expression)) {
    const auto shown =
        std::ranges::find_if(table.rows, [&](const RunTable::Row& row) { return !row.cells[*column].empty(); });
    if (shown != table.rows.end()) {
      const std::optional<CellNumber> number = shown->cells[*column].number();
      const std::string_view unit = cell_unit_names.text(number ? number->unit : CellUnit::none);
      return unit.empty() ? expression : fmt::format("{} ({})", expression, unit);
    }
  }
  return expression;
}

AxisUnit measure_unit(const std::string& expression)
{
  const Quantity* quantity = find_quantity(expression);
  const bool bytes = expression == length_axis || (quantity != nullptr && quantity->unit == "bytes");
  return bytes ? AxisUnit::bytes : AxisUnit::number;
}

std::vector<std::string> table_axes(const RunTable& table)
{
  std::vector<std::string> axes;
  for (const RunTable::Column& column : table.columns) {
    if (column.origin == RunTable::Origin::axis) {
      axes.push_back(column.name);
    }
  }
  return axes;
}

bool is_latency_column(const std::string& y)
{
  const Quantity* quantity = find_quantity(y);
  return quantity != nullptr && quantity->bound == latency_bound;
}

std::string bound_column(const PlotRequest& plot)
{
  const Quantity* quantity = find_quantity(plot.y);
  if (quantity == nullptr || quantity->bound.empty()) {
    fail_plot(plot, "bounds",
              fmt::format("no lower bound of {} is known, expected a latency, alpha or beta on the y axis", plot.y));
  }
  const Quantity* bound = find_quantity(quantity->bound);
  return bound->type == QuantityType::fraction ? decimals_of(*bound).name : bound->name;
}

void fail_plot(const PlotRequest& plot, std::string_view key, const std::string& text)
{
  throw InputError(fmt::format("{}: plot.{}: {}", plot.where, key, text));
}

} // namespace wormcast
