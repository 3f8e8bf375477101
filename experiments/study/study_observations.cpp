#include "wormcast/experiments/study/study_observations.hpp"

#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/sweep/columns.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/csv_reader.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace wormcast {

namespace {

void add_once(std::vector<std::string>& names, const std::string& name)
{
  if (std::ranges::find(names, name) == names.end()) {
    names.push_back(name);
  }
}

std::vector<std::string> keys_of(std::span<const RunTable> tables)
{
  std::vector<std::string> keys;
  for (const RunTable& table : tables) {
    for (const RunTable::Column& column : table.columns) {
      if (column.origin != RunTable::Origin::quantity) {
        add_once(keys, column.name);
      }
    }
  }
  return keys;
}

void check_columns(const RunExpression& expression, const Origin& origin, std::string_view key,
                   const std::vector<std::string>& known)
{
  for (const std::string& column : expression.columns()) {
    if (std::ranges::find(known, column) == known.end()) {
      throw_at(origin, key, fmt::format("\"{}\" is no column of results.csv{}", column, suggestion(column, known)));
    }
  }
}

void check_value_columns(const StudyDesign& design, std::span<const SweepPlan> plans)
{
  std::vector<std::string> known;
  for (const SweepPlan& plan : plans) {
    for (const std::string& column : known_columns(plan)) {
      add_once(known, column);
    }
  }
  for (const StudyQuestion& question : design.questions) {
    check_columns(question.value, question.origin, "question.value", known);
    check_columns(question.on, question.on_origin, "question.on", known);
  }
}

void check_level(const StudyObservations& observations, const StudyQuestion& question, std::string_view key,
                 const std::string& factor, const std::string& level)
{
  const std::vector<std::string> levels = factor_levels(observations, factor);
  if (std::ranges::find(levels, level) == levels.end()) {
    throw_at(question.origin, fmt::format("question.{}", key),
             fmt::format("no run has {} \"{}\", but {}{}", factor, level, fmt::join(levels, ", "),
                         suggestion(level, levels)));
  }
}

void check_levels(const StudyDesign& design, const StudyObservations& observations)
{
  for (const NamedFactor& factor : named_factors(design)) {
    const std::vector<std::string> levels = factor_levels(observations, factor.name);
    if (factor.must_vary && levels.size() < 2) {
      throw_at(factor.origin, factor.key,
               fmt::format("\"{}\" does not vary at scale {}: all runs have {}", factor.name,
                           study_scale_names.text(design.scale), fmt::join(levels, ", ")));
    }
  }
  for (const StudyQuestion& question : design.questions) {
    for (const auto& [factor, levels] : question.where) {
      for (const std::string& level : levels) {
        check_level(observations, question, "where", factor, level);
      }
    }
    if (!question.between.empty()) {
      check_level(observations, question, "first", question.between, question.first);
      check_level(observations, question, "second", question.between, question.second);
    }
  }
}

/// Whether a column has the values of a key of configurations.
bool is_key(const std::string& column)
{
  return !declarations(column).empty();
}

/// The columns without rows.
StudyObservations no_observations(const StudyDesign& design, std::vector<std::string> axes)
{
  StudyObservations observations{.columns = std::move(axes), .factors = 0, .rows = {}};
  for (const NamedFactor& factor : named_factors(design)) {
    add_once(observations.columns, factor.name);
  }
  const std::vector<std::string> values = value_columns(design);
  for (const std::string& column : values) {
    if (is_key(column)) { // a slope on what is varied
      add_once(observations.columns, column);
    }
  }
  observations.factors = observations.columns.size();
  for (const std::string& column : values) {
    add_once(observations.columns, column);
  }
  return observations;
}

} // namespace

std::size_t StudyObservations::position(std::string_view column) const
{
  const auto found = std::ranges::find(columns, column);
  if (found == columns.end()) {
    throw std::logic_error(fmt::format("observations without the column {}", column));
  }
  return static_cast<std::size_t>(found - columns.begin());
}

StudyObservations study_observations(const StudyDesign& design, std::span<const RunTable> tables,
                                     std::span<const SweepPlan> plans)
{
  const std::vector<std::string> keys = keys_of(tables);
  for (const NamedFactor& factor : named_factors(design)) {
    if (std::ranges::find(keys, factor.name) == keys.end()) {
      throw_at(
          factor.origin, factor.key,
          fmt::format("\"{}\" is no key of the study's configurations{}", factor.name, suggestion(factor.name, keys)));
    }
  }
  check_value_columns(design, plans);
  std::vector<std::string> axes;
  for (const SweepPlan& plan : plans) {
    std::ranges::for_each(plan.axes, [&](const std::string& axis) { add_once(axes, axis); });
  }
  StudyObservations observations = no_observations(design, std::move(axes));
  for (const RunTable& table : tables) {
    std::vector<std::optional<std::size_t>> positions;
    for (const std::string& column : observations.columns) {
      positions.push_back(table.find(column));
    }
    for (const RunTable::Row& row : table.rows) {
      StudyObservations::Row& observed = observations.rows.emplace_back();
      observed.state = point_state_names.text(row.state);
      for (const std::optional<std::size_t>& position : positions) {
        observed.cells.push_back(position ? row.cells[*position].text() : std::string());
      }
    }
  }
  check_levels(design, observations);
  return observations;
}

std::string observations_csv(const StudyObservations& observations)
{
  std::vector<std::string> cells = observations.columns;
  cells.emplace_back("state");
  std::string text = csv_line(cells);
  for (const StudyObservations::Row& row : observations.rows) {
    cells = row.cells;
    cells.push_back(row.state);
    text += csv_line(cells);
  }
  return text;
}

StudyObservations read_observations(const StudyDesign& design, std::string_view csv, const std::string& file)
{
  CsvTable table;
  try {
    table = read_csv(csv);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", file, error.what()));
  }
  if (table.columns.back() != "state") {
    throw InputError(fmt::format("{}:1: found \"{}\" as the last column, expected \"state\": runs.csv of a study", file,
                                 table.columns.back()));
  }
  table.columns.pop_back();
  const std::vector<std::string> values = value_columns(design);
  std::vector<std::string> axes;
  for (const std::string& column : table.columns) {
    if (is_key(column) || std::ranges::find(values, column) == values.end()) {
      axes.push_back(column);
    }
  }
  StudyObservations observations = no_observations(design, std::move(axes));
  if (observations.columns != table.columns) {
    throw InputError(fmt::format("{}:1: found the columns {}, expected {}: the runs are not those of this study", file,
                                 fmt::join(table.columns, ", "), fmt::join(observations.columns, ", ")));
  }
  for (CsvRow& row : table.rows) {
    StudyObservations::Row& observed = observations.rows.emplace_back();
    observed.state = std::move(row.cells.back());
    row.cells.pop_back();
    observed.cells = std::move(row.cells);
  }
  check_levels(design, observations);
  return observations;
}

std::vector<std::string> factor_levels(const StudyObservations& observations, std::string_view factor)
{
  const std::size_t column = observations.position(factor);
  std::vector<std::string> levels;
  std::set<std::string_view> known;
  for (const StudyObservations::Row& row : observations.rows) {
    if (known.insert(row.cells[column]).second) {
      levels.push_back(row.cells[column]);
    }
  }
  return levels;
}

} // namespace wormcast
