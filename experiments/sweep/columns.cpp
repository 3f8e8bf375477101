#include "wormcast/experiments/sweep/columns.hpp"

#include "wormcast/experiments/run/run_quantities.hpp"
#include "wormcast/experiments/run/series_quantities.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace wormcast {

namespace {

const std::string decimal_suffix = "_decimal";

std::vector<Quantity> declare_columns()
{
  std::vector<Quantity> columns;
  const auto add = [&](const auto& declared) {
    if (std::ranges::find(columns, declared.quantity.name, &Quantity::name) != columns.end()) {
      return; // of a run and of a series
    }
    columns.push_back(declared.quantity);
    if (declared.quantity.type == QuantityType::fraction) {
      columns.push_back(decimals_of(declared.quantity));
    }
  };
  std::ranges::for_each(topology_quantities(), add);
  std::ranges::for_each(run_quantities(), add);
  std::ranges::for_each(series_quantities(), add);
  return columns;
}

std::string trimmed(std::string_view text)
{
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string()
                                         : std::string(text.substr(first, text.find_last_not_of(' ') + 1 - first));
}

} // namespace

Quantity decimals_of(const Quantity& fraction)
{
  return {.name = fraction.name + decimal_suffix,
          .type = QuantityType::number,
          .text = fmt::format("`{}` as a decimal", fraction.name),
          .bound = fraction.bound.empty() ? "" : fraction.bound + decimal_suffix};
}

std::span<const Quantity> quantity_columns()
{
  static const std::vector<Quantity> columns = declare_columns();
  return columns;
}

std::optional<Quantity> fraction_of(std::string_view column)
{
  for (const Quantity& quantity : quantity_columns()) {
    if (quantity.type == QuantityType::fraction && column == quantity.name + decimal_suffix) {
      return quantity;
    }
  }
  return std::nullopt;
}

const Quantity* find_quantity(std::string_view column)
{
  const auto found = std::ranges::find(quantity_columns(), column, &Quantity::name);
  return found == quantity_columns().end() ? nullptr : &*found;
}

std::vector<std::string> known_columns(const SweepPlan& plan)
{
  std::vector<std::string> columns = plan.axes;
  for (const std::string& axis : plan.axes) {
    columns.push_back(axis + "_us");
  }
  for (const Quantity& column : quantity_columns()) {
    columns.push_back(column.name);
  }
  std::set<std::string> keys;
  for (const SweepPoint& point : plan.points) {
    if (point.config.empty()) {
      continue;
    }
    const nlohmann::json config = nlohmann::json::parse(point.config);
    for (const auto& [section, content] : config.items()) {
      for (const auto& [name, value] : content.items()) {
        keys.insert(section + "." + name);
        if (value.is_string() && value.get<std::string>().starts_with("best")) {
          keys.insert("chosen." + name);
        }
      }
    }
  }
  columns.insert(columns.end(), keys.begin(), keys.end());
  return columns;
}

Skew skew_of(std::string_view expression)
{
  const auto is_skewed = [](const std::string& column) {
    const Quantity* quantity = find_quantity(column);
    return quantity != nullptr && quantity->skewed;
  };
  return std::ranges::any_of(columns_of(expression), is_skewed) ? Skew::expected : Skew::by_sample;
}

std::vector<std::string> columns_of(std::string_view expression)
{
  const std::size_t slash = expression.find('/');
  if (slash == std::string_view::npos) {
    return {trimmed(expression)};
  }
  return {trimmed(expression.substr(0, slash)), trimmed(expression.substr(slash + 1))};
}

} // namespace wormcast
