#include "wormcast/experiments/sweep/repetitions.hpp"

#include "wormcast/experiments/sweep/columns.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace wormcast {

namespace {

constexpr std::size_t most_listed_lines = 40;

/// The axes of a table that `wanted` accepts.
template <typename Wanted> std::vector<std::size_t> axes_where(const RunTable& table, Wanted&& wanted)
{
  std::vector<std::size_t> axes;
  for (std::size_t i = 0; i < table.columns.size() && table.columns[i].origin == RunTable::Origin::axis; ++i) {
    if (wanted(table.columns[i].name)) {
      axes.push_back(i);
    }
  }
  return axes;
}

std::vector<std::string> cells_of(const RunTable::Row& row, const std::vector<std::size_t>& columns)
{
  std::vector<std::string> cells;
  for (const std::size_t column : columns) {
    cells.push_back(row.cells[column].text());
  }
  return cells;
}

std::vector<std::string> names_of(const RunTable& table, const std::vector<std::size_t>& columns)
{
  std::vector<std::string> names;
  for (const std::size_t column : columns) {
    names.push_back(table.columns[column].name);
  }
  return names;
}

bool is_setting(std::string_view axis)
{
  return axis != seed_axis;
}

bool is_common(std::string_view axis)
{
  return axis != seed_axis && !tells_rival(axis);
}

std::string rival_title(const RunTable& table, const RunTable::Row& row, const std::vector<std::size_t>& axes)
{
  std::string title;
  for (const std::size_t axis : axes) {
    title += title.empty() ? "" : ", ";
    title += axis_title(table.columns[axis].name, row.cells[axis].text());
  }
  return title;
}

/// Groups of rows with equal cells in some columns.
std::vector<RepeatedRuns> grouped(const RunTable& table, const std::vector<std::size_t>& columns)
{
  std::vector<RepeatedRuns> groups;
  std::map<std::vector<std::string>, std::size_t> positions;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    std::vector<std::string> setting = cells_of(table.rows[row], columns);
    const auto [entry, is_new] = positions.emplace(setting, groups.size());
    if (is_new) {
      groups.push_back({std::move(setting), {}});
    }
    groups[entry->second].rows.push_back(row);
  }
  return groups;
}

/// The name of the faster one; empty: not decided.
std::string verdict(const PairedDifference& paired)
{
  const Faster faster = faster_of(paired);
  return faster == Faster::not_decided ? "" : faster == Faster::first ? paired.first : paired.second;
}

std::string percent(const PairedDifference& paired)
{
  return paired.first_mean > 0 ? fmt::format("{:.4g}", 100 * paired.difference->mean / paired.first_mean) : "";
}

} // namespace

PairedDifference paired_difference(const BySeed& first, const BySeed& second)
{
  PairedDifference paired;
  std::vector<double> differences;
  for (const auto& [seed, latency] : first) {
    const auto other = second.find(seed);
    if (latency && other != second.end() && other->second) {
      differences.push_back(std::round((*other->second - *latency) * 1e6) / 1e6); // both are whole picoseconds
      paired.first_mean += *latency;
    } else {
      ++paired.unpaired;
    }
  }
  if (!differences.empty()) {
    paired.first_mean /= static_cast<double>(differences.size());
    paired.difference = statistics_of(std::move(differences));
  }
  return paired;
}

Faster faster_of(const PairedDifference& paired)
{
  constexpr std::size_t fewest_signs = 6;
  if (!paired.difference || (!paired.difference->interval && paired.difference->count < fewest_signs)) {
    return Faster::not_decided;
  }
  const Statistics& difference = *paired.difference;
  const Interval decides = difference.interval.value_or(Interval{difference.smallest, difference.largest});
  return decides.low > 0 ? Faster::first : decides.high < 0 ? Faster::second : Faster::not_decided;
}

bool has_repetitions(const RunTable& table)
{
  return !axes_where(table, [](std::string_view axis) { return axis == seed_axis; }).empty();
}

std::vector<RepeatedRuns> repeated_runs(const RunTable& table)
{
  return grouped(table, axes_where(table, is_setting));
}

std::vector<double> values_of(const RunTable& table, const RepeatedRuns& runs, std::size_t column)
{
  std::vector<double> values;
  for (const std::size_t row : runs.rows) {
    if (table.rows[row].state == PointState::done) {
      if (const std::optional<double> value = table.rows[row].cells[column].value()) {
        values.push_back(*value);
      }
    }
  }
  return values;
}

std::string statistics_csv(const RunTable& table)
{
  std::vector<std::string> header = names_of(table, axes_where(table, is_setting));
  header.insert(header.end(), {"quantity", "runs", "not_done"});
  std::ranges::copy(statistics_names(), std::back_inserter(header));
  std::string csv = csv_line(header);
  for (const RepeatedRuns& runs : repeated_runs(table)) {
    const auto not_done =
        std::ranges::count_if(runs.rows, [&](std::size_t row) { return table.rows[row].state != PointState::done; });
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
      const std::string& name = table.columns[column].name;
      const bool of_axis = name.ends_with("_us") && table.find(name.substr(0, name.size() - 3));
      if (table.columns[column].origin != RunTable::Origin::quantity || of_axis) {
        continue;
      }
      std::vector<double> values = values_of(table, runs, column);
      if (values.empty()) {
        continue;
      }
      std::vector<std::string> cells = runs.setting;
      cells.insert(cells.end(),
                   {table.columns[column].name, fmt::format("{}", values.size()), fmt::format("{}", not_done)});
      std::ranges::move(statistics_cells(statistics_of(std::move(values), skew_of(name))), std::back_inserter(cells));
      csv += csv_line(cells);
    }
  }
  return csv;
}

std::string statistics_listing(const RunTable& table)
{
  std::vector<std::vector<std::string>> lines = {names_of(table, axes_where(table, is_setting))};
  lines.front().insert(lines.front().end(),
                       {"runs", "mean", "median", "deviation", "95 % interval", "smallest", "largest"});
  const std::optional<std::size_t> latency = table.find(shown_latency);
  for (const RepeatedRuns& runs : repeated_runs(table)) {
    std::vector<double> values = latency ? values_of(table, runs, *latency) : std::vector<double>();
    if (values.empty() || lines.size() > most_listed_lines) {
      continue;
    }
    const Statistics statistics = statistics_of(std::move(values), skew_of(shown_latency));
    std::vector<std::string> line = runs.setting;
    const auto& interval = statistics.interval;
    line.insert(line.end(),
                {fmt::format("{}", statistics.count), number_text(statistics.mean), number_text(statistics.median),
                 statistics.deviation ? fmt::format("{:.6g}", *statistics.deviation) : "-",
                 interval ? number_text(interval->low) + " .. " + number_text(interval->high) : "-",
                 number_text(statistics.smallest), number_text(statistics.largest)});
    lines.push_back(std::move(line));
  }
  return lines.size() == 1 ? std::string()
                           : fmt::format("{} (us), over the seeds\n{}", shown_latency_title, aligned(lines));
}

std::vector<PairedDifference> paired_differences(const RunTable& table)
{
  std::vector<PairedDifference> differences;
  const std::optional<std::size_t> latency = table.find(shown_latency);
  const std::optional<std::size_t> seed = table.find(seed_axis);
  const std::vector<std::size_t> rival_axes = axes_where(table, tells_rival);
  if (!has_repetitions(table) || !latency || rival_axes.empty()) {
    return differences;
  }
  for (const RepeatedRuns& common : grouped(table, axes_where(table, is_common))) {
    std::vector<std::pair<std::string, BySeed>> rivals;
    for (const std::size_t number : common.rows) {
      const RunTable::Row& row = table.rows[number];
      const std::string title = rival_title(table, row, rival_axes);
      auto rival = std::ranges::find(rivals, title, &std::pair<std::string, BySeed>::first);
      if (rival == rivals.end()) {
        rival = rivals.insert(rivals.end(), {title, {}});
      }
      rival->second[row.cells[*seed].text()] =
          row.state == PointState::done ? row.cells[*latency].value() : std::nullopt;
    }
    for (std::size_t i = 0; i < rivals.size(); ++i) {
      for (std::size_t j = i + 1; j < rivals.size(); ++j) {
        PairedDifference paired = paired_difference(rivals[i].second, rivals[j].second);
        paired.setting = common.setting;
        paired.first = rivals[i].first;
        paired.second = rivals[j].first;
        differences.push_back(std::move(paired));
      }
    }
  }
  return differences;
}

std::string differences_csv(const RunTable& table, const std::vector<PairedDifference>& differences)
{
  std::vector<std::string> header = names_of(table, axes_where(table, is_common));
  header.insert(header.end(), {"quantity", "first", "second", "pairs", "unpaired", "first_mean_us"});
  for (const std::string& name : statistics_names()) {
    header.push_back(name == "interval" ? name : "difference_" + name + "_us");
  }
  header.insert(header.end(), {"difference_percent", "faster"});
  std::string csv = csv_line(header);
  for (const PairedDifference& paired : differences) {
    std::vector<std::string> cells = paired.setting;
    cells.insert(cells.end(),
                 {std::string(shown_latency), paired.first, paired.second,
                  fmt::format("{}", paired.difference ? paired.difference->count : 0),
                  fmt::format("{}", paired.unpaired), paired.difference ? number_text(paired.first_mean) : ""});
    if (paired.difference) {
      std::ranges::move(statistics_cells(*paired.difference), std::back_inserter(cells));
      cells.insert(cells.end(), {percent(paired), verdict(paired)});
    } else {
      cells.resize(header.size());
    }
    csv += csv_line(cells);
  }
  return csv;
}

namespace {

/// Of settings with many rivals the pairs in which one has the least mean: that is what the others are compared with.
std::vector<PairedDifference> pairs_with_fastest(const std::vector<PairedDifference>& differences)
{
  constexpr std::size_t few_rivals = 3;
  std::map<std::vector<std::string>, std::map<std::string, std::size_t>> losses;
  for (const PairedDifference& paired : differences) {
    if (paired.difference) {
      auto& of_setting = losses[paired.setting];
      of_setting[paired.second] += paired.difference->mean > 0 ? 1 : 0;
      of_setting[paired.first] += paired.difference->mean < 0 ? 1 : 0;
    }
  }
  std::vector<PairedDifference> kept;
  std::ranges::copy_if(differences, std::back_inserter(kept), [&](const PairedDifference& paired) {
    auto& of_setting = losses[paired.setting];
    return of_setting.size() <= few_rivals ||
           (paired.difference && (of_setting[paired.first] == 0 || of_setting[paired.second] == 0));
  });
  return kept;
}

} // namespace

std::string differences_listing(const RunTable& table, const std::vector<PairedDifference>& differences)
{
  const std::vector<std::string> common = names_of(table, axes_where(table, is_common));
  std::vector<std::vector<std::string>> lines = {common};
  lines.front().insert(lines.front().end(), {"second - first", "us", "95 % interval", "%", "faster"});
  const std::vector<PairedDifference> shown = pairs_with_fastest(differences);
  for (const PairedDifference& paired : shown) {
    if (lines.size() > most_listed_lines) {
      break;
    }
    std::vector<std::string> line = paired.setting;
    line.push_back(paired.second + " - " + paired.first);
    if (paired.difference) {
      const auto& interval = paired.difference->interval;
      const std::string faster = verdict(paired);
      line.insert(line.end(), {fmt::format("{:.6g}", paired.difference->mean),
                               interval ? fmt::format("{:.6g} .. {:.6g}", interval->low, interval->high) : "-",
                               percent(paired), faster.empty() ? "not decided" : faster});
    } else {
      line.insert(line.end(), {"-", "-", "-", "-"});
    }
    lines.push_back(std::move(line));
  }
  std::string text = fmt::format("{}: differences with the same seed\n{}", shown_latency_title, aligned(lines));
  if (const std::size_t listed = lines.size() - 1; differences.size() > listed) {
    text += fmt::format("... and {} more in differences.csv\n", differences.size() - listed);
  }
  return text;
}

} // namespace wormcast
