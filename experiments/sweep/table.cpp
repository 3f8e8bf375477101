#include "wormcast/experiments/sweep/table.hpp"

#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/columns.hpp"
#include "wormcast/experiments/sweep/statistics.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace wormcast {

namespace {

constexpr std::size_t max_columns = 6;
constexpr std::size_t max_lines = 40;

/// Characters of a UTF-8 text.
std::size_t width(std::string_view text)
{
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

std::string x_label(const SweepPlan& plan, std::size_t axis)
{
  const std::string_view unit = cell_unit_names.text(axis_unit(plan, axis));
  return plan.axes[axis] == length_axis || unit.empty() ? plan.axes[axis]
                                                        : fmt::format("{} ({})", plan.axes[axis], unit);
}

/// "saturated", "2 of 10 saturated"; empty where the curve is not saturated at `x`.
std::string saturation_at(const SweepCurve& curve, const Decimal& x)
{
  const auto here = [&](const auto& point) { return point.x == x; };
  const auto saturated = std::ranges::count_if(curve.unfinished, [&](const UnfinishedPoint& point) {
    return here(point) && point.state == PointState::saturated;
  });
  const auto all = std::ranges::count_if(curve.points, here) + std::ranges::count_if(curve.unfinished, here);
  return saturated == 0 ? "" : saturated == all ? "saturated" : fmt::format("{} of {} saturated", saturated, all);
}

/// The latency at `x`; of several the mean with half its 95 % interval; "-" of none. A mean of the runs that a load has
/// let through, where others are saturated, would be too low, and is not given.
std::string latencies_at(const SweepCurve& curve, const Decimal& x)
{
  if (std::string saturation = saturation_at(curve, x); !saturation.empty()) {
    return saturation;
  }
  std::vector<double> latencies;
  const CurvePoint* first = nullptr;
  for (const CurvePoint& point : curve.points) {
    if (point.x == x) {
      first = first == nullptr ? &point : first;
      latencies.push_back(point.latency_us.nearest());
    }
  }
  if (first == nullptr) {
    return "-";
  }
  if (latencies.size() == 1) {
    return first->latency_us.text();
  }
  const Statistics statistics = statistics_of(std::move(latencies), skew_of(shown_latency));
  if (statistics.smallest == statistics.largest) {
    return first->latency_us.text();
  }
  return statistics.interval
             ? fmt::format("{:.3f} +- {:.3f}", statistics.mean, statistics.interval->high - statistics.mean)
             : fmt::format("{:.3f}, no interval", statistics.mean);
}

/// "", ", mean of 30 runs +- 95 % interval".
std::string mean_heading(const SweepCurves& curves)
{
  std::size_t fewest = 0;
  std::size_t most = 0;
  for (const SweepCurve& curve : curves.curves) {
    std::map<Decimal, std::size_t> runs;
    for (const CurvePoint& point : curve.points) {
      ++runs[point.x];
    }
    for (const auto& [x, count] : runs) {
      if (!saturation_at(curve, x).empty()) {
        continue; // shown without a mean
      }
      fewest = fewest == 0 ? count : std::min(fewest, count);
      most = std::max(most, count);
    }
  }
  if (most < 2) {
    return "";
  }
  return fmt::format(", mean of {}{} runs +- 95 % interval", fewest == most ? "" : fmt::format("{} to ", fewest), most);
}

/// One line for each value of the x axis, one column for each curve.
std::vector<std::vector<std::string>> side_by_side(const SweepPlan& plan, const SweepCurves& curves)
{
  std::vector<std::vector<std::string>> lines = {{x_label(plan, curves.x_axis)}};
  for (const SweepCurve& curve : curves.curves) {
    lines.front().push_back(curve.title);
  }
  std::vector<Decimal> rows;
  for (const SweepCurve& curve : curves.curves) {
    for (const CurvePoint& point : curve.points) {
      rows.push_back(point.x);
    }
    for (const UnfinishedPoint& point : curve.unfinished) {
      if (point.state == PointState::saturated) {
        rows.push_back(point.x);
      }
    }
  }
  std::stable_sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  for (const Decimal& row : rows) {
    std::vector<std::string> line = {curves.x_text(row)};
    for (const SweepCurve& curve : curves.curves) {
      line.push_back(latencies_at(curve, row));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

/// One line for each point.
std::vector<std::vector<std::string>> point_by_point(const SweepPlan& plan, std::span<const StoredPoint> stored)
{
  std::vector<std::vector<std::string>> lines = {plan.axes};
  lines.front().emplace_back(shown_latency);
  for (std::size_t i = 0; i < stored.size() && lines.size() <= max_lines; ++i) {
    if (is_answer(stored[i].state)) {
      lines.push_back(plan.points[i].cells);
      lines.back().push_back(stored[i].state == PointState::saturated
                                 ? "saturated"
                                 : field(result_fields(stored[i].result), shown_latency));
    }
  }
  return lines;
}

/// The lines of an error message on one line.
std::string joined_lines(const std::string& text)
{
  std::string joined;
  bool begins_line = false;
  for (const char character : text) {
    if (character == '\n') {
      joined += joined.ends_with(':') ? " " : "; ";
      begins_line = true;
    } else if (character != ' ' || !begins_line) {
      joined += character;
      begins_line = false;
    }
  }
  return joined;
}

std::string point_title(const SweepPlan& plan, const SweepPoint& point)
{
  std::string title;
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    title += fmt::format("{}{}={}", i == 0 ? "" : ", ", plan.axes[i], point.cells[i]);
  }
  return title;
}

} // namespace

namespace {

/// The columns that files of a sweep have.
std::vector<std::size_t> written_columns(const RunTable& table, bool with_keys)
{
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (with_keys || table.columns[i].origin != RunTable::Origin::key) {
      columns.push_back(i);
    }
  }
  return columns;
}

/// A cell as JSON: numbers with their own digits, nothing as null.
nlohmann::ordered_json cell_json(const Cell& cell)
{
  if (cell.empty()) {
    return nullptr;
  }
  if (cell.type() == Cell::Type::text) {
    return cell.text();
  }
  auto value = nlohmann::ordered_json::parse(cell.text(), nullptr, false);
  if (value.is_discarded()) {
    return cell.text();
  }
  return value.is_number_float() ? exact_number(cell.text()) : value;
}

} // namespace

std::string sweep_csv(const RunTable& table, bool with_keys)
{
  const std::vector<std::size_t> columns = written_columns(table, with_keys);
  std::vector<std::string> header;
  for (const std::size_t column : columns) {
    header.push_back(table.columns[column].name);
  }
  header.insert(header.end(), {"state", "error"});
  std::string csv = csv_line(header);
  for (const RunTable::Row& row : table.rows) {
    std::vector<std::string> cells;
    for (const std::size_t column : columns) {
      cells.push_back(row.cells[column].text());
    }
    cells.emplace_back(point_state_names.text(row.state));
    cells.push_back(joined_lines(row.error));
    csv += csv_line(cells);
  }
  return csv;
}

std::string single_run_csv(const StoredPoint& run, const Topology& topology)
{
  SweepPlan plan;
  plan.points.push_back({.facts = topology_facts(topology), .config = run.config});
  return sweep_csv(run_table(plan, std::span(&run, 1)), true);
}

std::string sweep_json_text(const RunTable& table, bool with_keys)
{
  const std::vector<std::size_t> columns = written_columns(table, with_keys);
  nlohmann::ordered_json json = {{"format", "wormcast-sweep/1"}, {"points", nlohmann::ordered_json::array()}};
  for (const RunTable::Row& row : table.rows) {
    nlohmann::ordered_json point;
    for (const std::size_t column : columns) {
      point[table.columns[column].name] = cell_json(row.cells[column]);
    }
    point["state"] = point_state_names.text(row.state);
    point["error"] = row.error;
    json["points"].push_back(std::move(point));
  }
  json["version"] = program_version();
  return json_text(json, JsonLayout::indented) + "\n";
}

std::string aligned(const std::vector<std::vector<std::string>>& lines)
{
  std::vector<std::size_t> widths;
  for (const auto& line : lines) {
    widths.resize(std::max(widths.size(), line.size()));
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], width(line[i]));
    }
  }
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string padding(widths[i] - width(line[i]), ' ');
      if (i == 0) {
        text += line[i] + (line.size() == 1 ? "" : padding);
      } else {
        text += "  " + padding + line[i];
      }
    }
    text += '\n';
  }
  return text;
}

namespace {

/// The points that failed, each reason once; a reason that all have in common goes to stderr alone.
std::string failed_points(const SweepPlan& plan, std::span<const StoredPoint> stored)
{
  struct Failure {
    std::string reason;
    std::string first;
    std::size_t others = 0;
  };
  std::vector<Failure> failures;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (has_failed(stored[i])) {
      std::string reason = joined_lines(stored[i].error);
      const auto same = std::ranges::find(failures, reason, &Failure::reason);
      if (same == failures.end()) {
        failures.push_back({std::move(reason), point_title(plan, plan.points[i])});
      } else {
        ++same->others;
      }
    }
  }
  if (failures.empty()) {
    return {};
  }
  std::string text = "points that failed\n";
  for (std::size_t i = 0; i < std::min(failures.size(), max_lines); ++i) {
    const Failure& failure = failures[i];
    text += fmt::format("  {}{}{}\n", failure.first,
                        failure.others == 0   ? std::string()
                        : failure.others == 1 ? std::string(" and 1 other")
                                              : fmt::format(" and {} others", failure.others),
                        failures.size() == 1 ? std::string() : ": " + failure.reason);
  }
  if (failures.size() > max_lines) {
    text += fmt::format("  ... and {} more reasons\n", failures.size() - max_lines);
  }
  return text;
}

} // namespace

std::string sweep_listing(const SweepPlan& plan, std::span<const StoredPoint> stored, const SweepCurves& curves)
{
  std::string text;
  if (!curves.curves.empty()) {
    const bool fits = curves.curves.size() <= max_columns;
    text += fmt::format("{} (us){}\n", shown_latency_title, fits ? mean_heading(curves) : std::string());
    text += aligned(fits ? side_by_side(plan, curves) : point_by_point(plan, stored));
    const auto done = static_cast<std::size_t>(
        std::count_if(stored.begin(), stored.end(), [](const StoredPoint& point) { return is_answer(point.state); }));
    if (!fits && done > max_lines) {
      text += fmt::format("... and {} more points\n", done - max_lines);
    }
  }
  const auto unchecked = std::ranges::count_if(stored, is_unchecked);
  if (unchecked > 0) {
    text +=
        fmt::format("\n{} points are left out, since their schedules do not do their operation: results.csv has them "
                    "in the state incomplete\n",
                    unchecked);
  }
  const std::string failed = failed_points(plan, stored);
  text += failed.empty() || text.empty() ? failed : "\n" + failed;
  return text;
}

} // namespace wormcast
