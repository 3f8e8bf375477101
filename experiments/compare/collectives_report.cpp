#include "wormcast/experiments/compare/collectives_report.hpp"

#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

std::string heading(const ProgramMachine& machine, const CollectivePlace& place, const CollectiveTable& table)
{
  return fmt::format("{} among {} ranks on {}, mapped by {}", table.collective, place.ranks, machine.topology->title(),
                     place.map);
}

// Wide enough for most times: how long they are is not known before the last algorithm is timed.
constexpr std::size_t time_width = 8;

/// Widths of the columns of times by length, the first of them that of the algorithms.
std::vector<std::size_t> column_widths(const CollectiveTable& table, std::string_view first)
{
  std::vector<std::size_t> widths = {first.size()};
  for (const CollectiveRow& row : table.rows) {
    widths.front() = std::max(widths.front(), row.title().size());
  }
  for (const std::uint64_t length : table.lengths) {
    widths.push_back(std::max(time_width, format_bytes(length).size()));
  }
  return widths;
}

std::string in_columns(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths)
{
  std::string line = fmt::format("{:<{}}", cells.front(), widths.front());
  for (std::size_t i = 1; i < cells.size(); ++i) {
    line += fmt::format("  {:>{}}", cells[i], widths[i]);
  }
  return line + "\n";
}

/// Name and time of the fastest one, or two dashes.
void append_fastest(const CollectiveTable& table, std::size_t length, bool own, std::vector<std::string>& cells)
{
  const auto row = table.fastest(length, own);
  cells.push_back(row ? table.rows[*row].title() : "-");
  cells.push_back(row ? format_microseconds(table.rows[*row].runs[length].latency) : "-");
}

std::string ratio_text(const CollectiveTable& table, std::size_t length)
{
  const auto smpi = table.fastest(length, false);
  const auto own = table.fastest(length, true);
  if (!smpi || !own || table.rows[*own].runs[length].latency == Time{}) {
    return "-";
  }
  return fmt::format("{:.2f} times as long",
                     static_cast<double>(table.rows[*smpi].runs[length].latency.picoseconds) /
                         static_cast<double>(table.rows[*own].runs[length].latency.picoseconds));
}

/// How many of SMPI's or of wormcast's have a time at some length.
std::size_t timed_count(const CollectiveTable& table, bool own)
{
  return static_cast<std::size_t>(std::ranges::count_if(table.rows, [&](const CollectiveRow& row) {
    return row.own == own &&
           std::ranges::any_of(row.runs, [](const CollectiveRun& run) { return run.state == CollectiveState::done; });
  }));
}

std::string fastest_text(const CollectiveTable& table)
{
  const bool own = std::ranges::any_of(table.rows, &CollectiveRow::own);
  std::vector<std::vector<std::string>> lines = {
      {"fastest", fmt::format("of {} of SMPI's", timed_count(table, false)), "us"}};
  if (own) {
    lines.front().insert(lines.front().end(),
                         {fmt::format("of {} of wormcast's", timed_count(table, true)), "us", "SMPI's takes"});
  }
  for (std::size_t length = 0; length < table.lengths.size(); ++length) {
    std::vector<std::string> cells = {format_bytes(table.lengths[length])};
    append_fastest(table, length, false, cells);
    if (own) {
      append_fastest(table, length, true, cells);
      cells.push_back(ratio_text(table, length));
    }
    lines.push_back(std::move(cells));
  }
  return aligned(lines);
}

/// Which runs of a row have this error: nothing where all have, else at which lengths.
std::string lengths_with(const CollectiveTable& table, const CollectiveRow& row, const std::string& error)
{
  std::vector<std::string> lengths;
  for (std::size_t i = 0; i < row.runs.size(); ++i) {
    if (row.runs[i].error == error) {
      lengths.push_back(format_bytes(table.lengths[i]));
    }
  }
  return lengths.size() == row.runs.size() ? std::string() : fmt::format(" at {}", fmt::join(lengths, ", "));
}

/// Errors in the order of the table, with the algorithms that have them.
std::string errors_text(const CollectiveTable& table)
{
  std::vector<std::pair<std::string, std::vector<std::string>>> errors;
  for (const CollectiveRow& row : table.rows) {
    std::set<std::string> seen = {""};
    for (const CollectiveRun& run : row.runs) {
      if (!seen.insert(run.error).second) {
        continue;
      }
      auto found = std::ranges::find(errors, run.error, &std::pair<std::string, std::vector<std::string>>::first);
      if (found == errors.end()) {
        found = errors.insert(errors.end(), {run.error, {}});
      }
      found->second.push_back(row.title() + lengths_with(table, row, run.error));
    }
  }
  std::string text = errors.empty() ? "" : "\nno time\n";
  for (const auto& [error, names] : errors) {
    text += fmt::format("  {}: {}\n", fmt::join(names, "; "), error);
  }
  return text;
}

class TableLines final : public CollectiveLines {
public:
  TableLines(const ProgramMachine& machine, CollectivePlace place) : machine_(machine), place_(std::move(place)) {}

  std::string begin(const CollectiveTable& table) const override
  {
    std::vector<std::string> cells = {first_heading};
    for (const std::uint64_t length : table.lengths) {
      cells.push_back(format_bytes(length));
    }
    return heading(machine_, place_, table) + "\n\n" + in_columns(cells, column_widths(table, first_heading));
  }

  std::string row(const CollectiveTable& table, std::size_t row) const override
  {
    const CollectiveRow& timed = table.rows[row];
    if (std::ranges::none_of(timed.runs, [](const CollectiveRun& run) { return run.state == CollectiveState::done; })) {
      return {};
    }
    std::vector<std::string> cells = {timed.title()};
    for (const CollectiveRun& run : timed.runs) {
      cells.push_back(run.state == CollectiveState::done ? format_microseconds(run.latency) : "-");
    }
    return in_columns(cells, column_widths(table, first_heading));
  }

  std::string end(const CollectiveTable& table) const override
  {
    const CollectiveTable timed = table.timed_rows();
    return "\n" + fastest_text(timed) + errors_text(timed);
  }

private:
  static constexpr const char* first_heading = "algorithm, us";

  const ProgramMachine& machine_;
  CollectivePlace place_;
};

class CsvLines final : public CollectiveLines {
public:
  std::string begin(const CollectiveTable&) const override
  {
    return csv_line(
        std::vector<std::string>{"collective", "algorithm", "parameters", "bytes", "state", "latency_us", "error"});
  }

  std::string row(const CollectiveTable& table, std::size_t row) const override
  {
    const CollectiveRow& timed = table.rows[row];
    std::string lines;
    for (std::size_t i = 0; i < timed.runs.size(); ++i) {
      const CollectiveRun& run = timed.runs[i];
      lines += csv_line(std::vector<std::string>{
          table.collective, timed.algorithm, timed.parameters, fmt::to_string(table.lengths[i]),
          std::string(collective_state_names.text(run.state)),
          run.state == CollectiveState::done ? format_microseconds(run.latency) : std::string(), run.error});
    }
    return lines;
  }

  std::string end(const CollectiveTable&) const override { return {}; }
};

Json fastest_json(const CollectiveTable& table, std::size_t length, bool own)
{
  const auto row = table.fastest(length, own);
  return row ? Json{{"algorithm", table.rows[*row].algorithm},
                    {"parameters", table.rows[*row].values},
                    {"latency_us", exact_microseconds(table.rows[*row].runs[length].latency)}}
             : Json(nullptr);
}

} // namespace

std::unique_ptr<CollectiveLines> collectives_table(const ProgramMachine& machine, const CollectivePlace& place)
{
  return std::make_unique<TableLines>(machine, place);
}

std::unique_ptr<CollectiveLines> collectives_csv()
{
  return std::make_unique<CsvLines>();
}

std::string collectives_text(const CollectiveLines& lines, const CollectiveTable& table)
{
  std::string text = lines.begin(table);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    text += lines.row(table, row);
  }
  return text + lines.end(table);
}

std::string collectives_json_text(const ProgramMachine& machine, const CollectivePlace& place,
                                  const CollectiveTable& all)
{
  const CollectiveTable table = all.timed_rows();
  Json json;
  json["format"] = "wormcast-collectives/1";
  json["config"] = machine.effective;
  json["collective"] = table.collective;
  json["ranks"] = place.ranks;
  json["map"] = place.map;
  json["algorithms"] = Json::array();
  for (const CollectiveRow& row : table.rows) {
    Json runs = Json::array();
    for (std::size_t i = 0; i < row.runs.size(); ++i) {
      const CollectiveRun& run = row.runs[i];
      runs.push_back(
          {{"bytes", table.lengths[i]},
           {"state", std::string(collective_state_names.text(run.state))},
           {"latency_us", run.state == CollectiveState::done ? exact_microseconds(run.latency) : Json(nullptr)},
           {"error", run.error.empty() ? Json(nullptr) : Json(run.error)}});
    }
    json["algorithms"].push_back({{"algorithm", row.algorithm}, {"parameters", row.values}, {"runs", std::move(runs)}});
  }
  json["fastest"] = Json::array();
  for (std::size_t length = 0; length < table.lengths.size(); ++length) {
    json["fastest"].push_back({{"bytes", table.lengths[length]},
                               {"smpi", fastest_json(table, length, false)},
                               {"wormcast", fastest_json(table, length, true)}});
  }
  if (table.interrupted_by != 0) {
    json["interrupted"] = true;
  }
  json["version"] = program_version();
  return json_text(json, JsonLayout::indented) + "\n";
}

Figure collectives_figure(const ProgramMachine& machine, const CollectivePlace& place, const CollectiveTable& table)
{
  std::set<std::size_t> rows;
  for (std::size_t length = 0; length < table.lengths.size(); ++length) {
    for (const bool own : {false, true}) {
      if (const auto row = table.fastest(length, own)) {
        rows.insert(*row);
      }
    }
  }
  if (rows.empty()) {
    throw InputError("--picture: there is nothing to draw: no algorithm has a time");
  }
  Figure figure;
  figure.title = heading(machine, place, table);
  figure.x = {.label = "message length", .log = true, .unit = AxisUnit::bytes};
  figure.y = {.label = "time until the last rank is through (us)", .log = true};
  for (const std::uint64_t length : table.lengths) {
    figure.x.tics.push_back({fmt::to_string(length), format_bytes(length)});
  }
  std::vector<PlotSeries>& all = figure.panels.emplace_back().series;
  for (const std::size_t place_in_table : rows) {
    const CollectiveRow& row = table.rows[place_in_table];
    PlotSeries series{
        .title = row.title(), .look = PlotSeries::Look::points_and_line, .style = static_cast<unsigned>(all.size())};
    for (std::size_t i = 0; i < row.runs.size(); ++i) {
      if (row.runs[i].state == CollectiveState::done) {
        series.points.push_back({.x = fmt::to_string(table.lengths[i]), .y = format_microseconds(row.runs[i].latency)});
      }
    }
    all.push_back(std::move(series));
  }
  return figure;
}

} // namespace wormcast
