#include "wormcast/experiments/sweep/run_table.hpp"

#include "wormcast/experiments/sweep/columns.hpp"
#include "wormcast/formats/json_fields.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace wormcast {

namespace {

Cell json_cell(const nlohmann::ordered_json& value)
{
  switch (value.type()) {
  case nlohmann::ordered_json::value_t::null:
    return {};
  case nlohmann::ordered_json::value_t::string:
    return {Cell::Type::text, value.get<std::string>()};
  case nlohmann::ordered_json::value_t::boolean:
    return {Cell::Type::truth, value.dump()};
  default:
    return {value.is_number() ? Cell::Type::number : Cell::Type::text, value.dump()};
  }
}

Cell::Type cell_type(JsonField::Kind kind)
{
  switch (kind) {
  case JsonField::Kind::null:
    break;
  case JsonField::Kind::boolean:
    return Cell::Type::truth;
  case JsonField::Kind::number:
    return Cell::Type::number;
  case JsonField::Kind::text:
    return Cell::Type::text;
  }
  return Cell::Type::none;
}

/// The value of an axis at a point: of a case or a section a name, of a key what its effective value is.
Cell axis_cell(const std::string& axis, const std::string& text, const ResultFields& keys)
{
  const auto key = std::ranges::find(keys, axis, &std::pair<std::string, Cell>::first);
  const bool is_text =
      axis.find('.') == std::string::npos || (key != keys.end() && key->second.type() == Cell::Type::text);
  const bool is_truth = key != keys.end() && key->second.type() == Cell::Type::truth;
  return is_text ? Cell(Cell::Type::text, text) : is_truth ? Cell(Cell::Type::truth, text) : Cell::read(text);
}

/// The keys of an effective configuration with their values as in a configuration file: "topology.dims", "[4,4]".
ResultFields config_fields(const std::string& config)
{
  ResultFields fields;
  if (config.empty()) {
    return fields;
  }
  const nlohmann::ordered_json sections = nlohmann::ordered_json::parse(config);
  for (const auto& [section, content] : sections.items()) {
    if (!content.is_object()) {
      continue;
    }
    for (const auto& [name, value] : content.items()) {
      fields.emplace_back(section + "." + name, json_cell(value));
    }
  }
  return fields;
}

/// Columns as they come up, and rows whose cells are put into them by name.
class TableMaker {
public:
  TableMaker(const SweepPlan& plan, std::span<const StoredPoint> stored) : plan_(plan), stored_(stored) {}

  RunTable table()
  {
    for (const std::string& axis : plan_.axes) {
      add(axis, RunTable::Origin::axis);
    }
    for (std::size_t axis = 0; axis < plan_.axes.size(); ++axis) {
      if (axis_unit(plan_, axis) == CellUnit::microseconds) {
        add(plan_.axes[axis] + "_us", RunTable::Origin::quantity);
      }
    }
    std::vector<ResultFields> keys;
    std::vector<ResultFields> quantities;
    for (std::size_t i = 0; i < stored_.size(); ++i) {
      quantities.push_back(quantities_of(i));
      keys.push_back(config_fields(stored_[i].config));
      for (const auto& [name, cell] : quantities.back()) {
        add(name, RunTable::Origin::quantity);
      }
    }
    for (const ResultFields& fields : keys) {
      for (const auto& [name, cell] : fields) {
        add(name, RunTable::Origin::key);
      }
    }
    for (std::size_t i = 0; i < stored_.size(); ++i) {
      RunTable::Row row{stored_[i].state, stored_[i].key, stored_[i].error, {}};
      row.cells.resize(table_.columns.size());
      for (const ResultFields* fields : {&keys[i], &quantities[i]}) {
        for (const auto& [name, cell] : *fields) {
          row.cells[positions_.at(name)] = cell;
        }
      }
      for (std::size_t axis = 0; axis < plan_.axes.size(); ++axis) {
        row.cells[axis] = axis_cell(plan_.axes[axis], plan_.points[i].cells[axis], keys[i]); // as written in the sweep
        if (const auto in_us = positions_.find(plan_.axes[axis] + "_us"); in_us != positions_.end()) {
          row.cells[in_us->second] = Cell::read(row.cells[axis].decimal().value_or(""));
        }
      }
      table_.rows.push_back(std::move(row));
    }
    return std::move(table_);
  }

private:
  void add(const std::string& name, RunTable::Origin origin)
  {
    if (positions_.emplace(name, table_.columns.size()).second) {
      table_.columns.push_back({name, origin});
    }
  }

  ResultFields quantities_of(std::size_t point) const
  {
    ResultFields fields;
    for (const auto& [name, digits] : plan_.points[point].facts) {
      fields.emplace_back(name, Cell(Cell::Type::number, digits));
    }
    if (!stored_[point].result.empty()) {
      for (auto& [name, cell] : result_fields(stored_[point].result)) {
        if (name == "bounds" || name == "load") {
          continue; // null: there are none
        }
        const Quantity* quantity = find_quantity(name);
        if (quantity == nullptr || quantity->type != QuantityType::fraction) {
          fields.emplace_back(std::move(name), std::move(cell));
          continue;
        }
        Cell decimals = Cell::read(cell.decimal().value_or(""));
        fields.emplace_back(std::move(name), std::move(cell));
        fields.emplace_back(decimals_of(*quantity).name, std::move(decimals));
      }
    }
    return fields;
  }

  const SweepPlan& plan_;
  std::span<const StoredPoint> stored_;
  std::map<std::string, std::size_t> positions_;
  RunTable table_;
};

} // namespace

ResultFields result_fields(std::string_view result)
{
  ResultFields fields;
  for (JsonField& json : read_json_fields(result)) {
    const std::string_view outer = std::string_view(json.name).substr(0, json.name.find('.'));
    if (outer != "format" && outer != "config" && outer != "version" && outer != "deadlock" && outer != "broadcasts") {
      fields.emplace_back(std::move(json.name), Cell(cell_type(json.kind), std::move(json.text)));
    }
  }
  return fields;
}

std::string field(const ResultFields& fields, std::string_view name)
{
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const auto& candidate) { return candidate.first == name; });
  return found == fields.end() ? std::string() : found->second.text();
}

std::optional<std::size_t> RunTable::find(std::string_view name) const
{
  const auto found = std::ranges::find(columns, name, &Column::name);
  return found == columns.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - columns.begin()));
}

std::vector<std::string> RunTable::names() const
{
  std::vector<std::string> names;
  for (const Column& column : columns) {
    names.push_back(column.name);
  }
  return names;
}

RunTable run_table(const SweepPlan& plan, std::span<const StoredPoint> stored)
{
  return TableMaker(plan, stored).table();
}

bool tells_rival(std::string_view axis)
{
  return axis == "case" || axis == "algorithm" ||
         (axis.starts_with("algorithm.") && axis != "algorithm.source" && axis != "algorithm.operation");
}

std::string axis_title(const std::string& axis, const std::string& cell)
{
  const bool speaks_for_itself = axis == "algorithm.name" || axis == "topology.kind" || axis == "case" ||
                                 axis == "topology" || axis == "network" || axis == "algorithm";
  return speaks_for_itself ? cell : axis + "=" + cell;
}

} // namespace wormcast
