#include "wormcast/experiments/sweep/crossing_table.hpp"

#include "wormcast/experiments/sweep/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace wormcast {

namespace {

constexpr unsigned shown_decimals = 3;

/// One latency for each length: of runs with several seeds the mean, rounded down to a picosecond.
std::vector<MeasuredLatency> measured(const SweepCurve& curve)
{
  std::vector<MeasuredLatency> latencies;
  for (std::size_t i = 0; i < curve.points.size();) {
    const std::string& x = curve.points[i].x;
    std::int64_t sum = 0;
    std::int64_t count = 0;
    for (; i < curve.points.size() && curve.points[i].x == x; ++i, ++count) {
      sum += parse_time(curve.points[i].latency_us + "us").picoseconds;
    }
    latencies.push_back({std::stoull(x), sum / count});
  }
  return latencies;
}

/// The crossings of two curves; a predicted one stands with the measured one that it explains.
std::vector<Crossing> curve_crossings(std::size_t a, std::size_t b, const SweepCurves& curves,
                                      const std::vector<LatencyFormula>& formulas)
{
  std::vector<Crossing> crossings;
  for (const MeasuredCrossing& crossing : measured_crossings(measured(curves.curves[a]), measured(curves.curves[b]))) {
    const bool a_leads = crossing.first_leads;
    crossings.push_back({a_leads ? a : b, a_leads ? b : a, std::nullopt, crossing});
  }
  const std::optional<CostLine>& line_a = formulas[a].line;
  const std::optional<CostLine>& line_b = formulas[b].line;
  if (!line_a || !line_b) {
    return crossings;
  }
  const std::optional<ExactNumber> length = crossing_length(*line_a, *line_b);
  if (!length) {
    return crossings;
  }
  const bool a_leads = line_a->per_byte > line_b->per_byte;
  const std::size_t first = a_leads ? a : b;
  const auto explained = std::find_if(crossings.begin(), crossings.end(), [&](const Crossing& crossing) {
    return crossing.first == first &&
           (crossings.size() == 1 || (crossing.measured->from <= *length && *length <= crossing.measured->to));
  });
  if (explained != crossings.end()) {
    explained->predicted = length;
  } else {
    crossings.push_back({first, a_leads ? b : a, length, std::nullopt});
  }
  return crossings;
}

ExactNumber length_of(const Crossing& crossing)
{
  return crossing.predicted ? *crossing.predicted : crossing.measured->at;
}

/// The lower envelope of the curves that have a formula.
void find_fastest(CrossingGroup& group, const SweepCurves& curves, const std::vector<LatencyFormula>& formulas)
{
  std::vector<CostLine> lines;
  std::vector<std::size_t> curve_of_line;
  for (const std::size_t curve : group.curves) {
    if (curves.curves[curve].deadlocks) {
      group.without_formula.push_back({curve, "ended in a deadlock"});
    } else if (formulas[curve].line) {
      lines.push_back(*formulas[curve].line);
      curve_of_line.push_back(curve);
    } else {
      group.without_formula.push_back({curve, formulas[curve].why_not});
    }
  }
  group.fastest = lower_envelope(lines);
  for (EnvelopePiece& piece : group.fastest) {
    piece.line = curve_of_line[piece.line];
  }
}

/// The fastest curve at each length that all of them have been measured at; of equal ones the first.
void find_fastest_measured(CrossingGroup& group, const SweepCurves& curves)
{
  std::map<std::uint64_t, std::vector<std::pair<std::int64_t, std::size_t>>> at_length;
  std::size_t compared = 0;
  for (const std::size_t curve : group.curves) {
    if (!curves.curves[curve].deadlocks) {
      ++compared;
      for (const MeasuredLatency& latency : measured(curves.curves[curve])) {
        at_length[latency.bytes].emplace_back(latency.picoseconds, curve);
      }
    }
  }
  for (const auto& [bytes, latencies] : at_length) {
    if (latencies.size() < compared) {
      continue;
    }
    const std::size_t fastest = std::ranges::min_element(latencies)->second;
    if (group.fastest_measured.empty() || group.fastest_measured.back().curve != fastest) {
      group.fastest_measured.push_back({bytes, bytes, fastest});
    }
    group.fastest_measured.back().to = bytes;
  }
}

void find_crossings(CrossingGroup& group, const SweepCurves& curves, const std::vector<LatencyFormula>& formulas)
{
  for (std::size_t i = 0; i < group.curves.size(); ++i) {
    const SweepCurve& first = curves.curves[group.curves[i]];
    group.averaged = group.averaged || measured(first).size() < first.points.size();
    for (std::size_t j = i + 1; j < group.curves.size(); ++j) {
      if (!first.deadlocks && !curves.curves[group.curves[j]].deadlocks) {
        std::ranges::move(curve_crossings(group.curves[i], group.curves[j], curves, formulas),
                          std::back_inserter(group.crossings));
      }
    }
  }
  std::stable_sort(group.crossings.begin(), group.crossings.end(),
                   [](const Crossing& a, const Crossing& b) { return length_of(a) < length_of(b); });
  find_fastest(group, curves, formulas);
  find_fastest_measured(group, curves);
}

std::string rounded(const std::optional<ExactNumber>& length)
{
  return length ? format_rounded(*length, shown_decimals) : std::string();
}

} // namespace

CrossingTable crossing_table(const SweepPlan& plan, const SweepCurves& curves,
                             const std::vector<LatencyFormula>& formulas)
{
  CrossingTable table;
  if (plan.axes[curves.x_axis] != "message.bytes" || std::none_of(plan.axes.begin(), plan.axes.end(), tells_rival)) {
    return table;
  }
  std::vector<std::size_t> common;
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
    if (axis != curves.x_axis && plan.axes[axis] != "run.seed" && !tells_rival(plan.axes[axis])) {
      common.push_back(axis);
      table.axes.push_back(plan.axes[axis]);
    }
  }
  std::map<std::vector<std::string>, std::size_t> group_of_setting;
  for (std::size_t i = 0; i < curves.curves.size(); ++i) {
    const SweepCurve& curve = curves.curves[i];
    std::vector<std::string> setting;
    setting.reserve(common.size());
    for (const std::size_t axis : common) {
      setting.push_back(curve.setting[axis]);
    }
    const auto [entry, is_new] = group_of_setting.emplace(setting, table.groups.size());
    if (is_new) {
      table.groups.push_back({.setting = std::move(setting)});
    }
    table.groups[entry->second].curves.push_back(i);
  }
  for (CrossingGroup& group : table.groups) {
    find_crossings(group, curves, formulas);
  }
  return table;
}

std::string crossings_csv(const CrossingTable& table, const SweepCurves& curves)
{
  std::vector<std::string> header = table.axes;
  header.insert(header.end(),
                {"quantity", "faster_before", "faster_behind", "predicted_bytes", "predicted_bytes_decimal",
                 "measured_from_bytes", "measured_to_bytes", "measured_bytes"});
  std::string csv = csv_line(header);
  for (const CrossingGroup& group : table.groups) {
    for (const Crossing& crossing : group.crossings) {
      std::vector<std::string> cells = group.setting;
      cells.emplace_back(shown_latency);
      cells.push_back(curves.curves[crossing.first].title);
      cells.push_back(curves.curves[crossing.second].title);
      cells.push_back(crossing.predicted ? format_exact(*crossing.predicted) : "");
      cells.push_back(rounded(crossing.predicted));
      cells.push_back(crossing.measured ? fmt::format("{}", crossing.measured->from) : "");
      cells.push_back(crossing.measured ? fmt::format("{}", crossing.measured->to) : "");
      cells.push_back(crossing.measured ? format_rounded(crossing.measured->at, shown_decimals) : "");
      csv += csv_line(cells);
    }
  }
  return csv;
}

namespace {

std::string fastest_text(const CrossingGroup& group, const SweepCurves& curves)
{
  std::string text;
  for (std::size_t i = 0; i < group.fastest.size(); ++i) {
    const std::string& title = curves.curves[group.fastest[i].line].title;
    const bool last = i + 1 == group.fastest.size();
    text += i == 0 ? "fastest by prediction: " : ", ";
    text += last ? title + (i == 0 ? " for all lengths\n" : " beyond\n")
                 : fmt::format("{} up to {}", title, format_rounded(group.fastest[i + 1].from, shown_decimals));
  }
  for (const WithoutFormula& without : group.without_formula) {
    text += fmt::format("not predicted: {} {}\n", curves.curves[without.curve].title, without.reason);
  }
  for (std::size_t i = 0; i < group.fastest_measured.size(); ++i) {
    const FastestMeasured& piece = group.fastest_measured[i];
    text += i == 0 ? "fastest as measured: " : ", ";
    text += fmt::format("{} at {}", curves.curves[piece.curve].title, piece.from);
    text += piece.from == piece.to ? "" : fmt::format(" .. {}", piece.to);
    text += i + 1 == group.fastest_measured.size() ? "\n" : "";
  }
  return text;
}

} // namespace

std::string crossings_listing(const CrossingTable& table, const SweepCurves& curves)
{
  std::string text;
  for (const CrossingGroup& group : table.groups) {
    text += text.empty() ? "" : "\n";
    text += fmt::format("{}: crossing points (bytes)", shown_latency_title);
    for (std::size_t i = 0; i < table.axes.size(); ++i) {
      text += fmt::format(", {}={}", table.axes[i], group.setting[i]);
    }
    text += '\n';
    if (group.crossings.empty()) {
      text += "none\n";
    } else {
      std::vector<std::vector<std::string>> lines = {{"faster before -> behind", "predicted", "",
                                                      group.averaged ? "measured (mean over seeds)" : "measured",
                                                      "between"}};
      for (const Crossing& crossing : group.crossings) {
        const auto& measured = crossing.measured;
        lines.push_back({curves.curves[crossing.first].title + " -> " + curves.curves[crossing.second].title,
                         crossing.predicted ? format_exact(*crossing.predicted) : "-", rounded(crossing.predicted),
                         measured ? format_rounded(measured->at, shown_decimals) : "-",
                         measured ? fmt::format("{} .. {}", measured->from, measured->to) : "-"});
      }
      text += aligned(lines);
    }
    text += fastest_text(group, curves);
  }
  return text;
}

} // namespace wormcast
