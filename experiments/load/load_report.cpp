#include "wormcast/experiments/load/load_report.hpp"

#include "wormcast/experiments/config/keys.hpp"
#include "wormcast/experiments/load/load_nodes.hpp"
#include "wormcast/experiments/load/load_point.hpp"
#include "wormcast/experiments/load/load_quantities.hpp"
#include "wormcast/experiments/load/load_repetitions.hpp"
#include "wormcast/experiments/load/saturation_text.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/run_table.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <ranges>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

std::string curve_title(const std::vector<std::string>& axes, const std::vector<std::string>& cells)
{
  std::vector<std::string> parts;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const bool tells_itself = axes[axis] == case_axis || cells[axis].find('=') != std::string::npos;
    const std::size_t of_class = section_of(axes[axis]).rfind('.'); // else there is none
    const std::size_t dot = of_class != std::string_view::npos ? of_class : axes[axis].rfind('.');
    const std::string name = axes[axis].substr(dot + 1);
    parts.push_back(tells_itself ? cells[axis] : fmt::format("{} = {}", name, cells[axis]));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

auto shown_quantities()
{
  return load_quantities() |
         std::views::filter([](const LoadQuantity& quantity) { return !quantity.column.heading.empty(); });
}

/// The cell of a quantity in the table for people: a point without latencies has blanks for them, and whatever else is
/// missing is a dash.
std::string shown(const LoadPoint& point, const LoadQuantity& quantity)
{
  const Json value = point.value(quantity.name());
  if (!value.is_number()) {
    const bool is_latency = quantity.name().starts_with(load_quantity::latency);
    return is_latency && !point.value(load_quantity::latency).is_object() ? "" : "-";
  }
  const std::string& above = quantity.column.above;
  const double reference = above.empty() ? 0 : point.value(above).get<double>();
  return fmt::format(fmt::runtime(quantity.column.format), value.get<double>() - reference);
}

/// "stable", "undecided (growth)", "deadlock".
std::string verdict_cell(const LoadPoint& point)
{
  if (point.state != PointState::done) {
    return std::string(point_state_names.text(point.state));
  }
  const std::string reason = point.cell(load_quantity::undecided_by);
  return std::string(load_verdict_names.text(point.verdict())) + (reason.empty() ? "" : fmt::format(" ({})", reason));
}

std::string loads_without_wait(const LoadCurve& curve)
{
  return fmt::format("zero-load latency {:.7g} us, {} full at {:.4g}\n", curve.expected.zero_load_picoseconds / 1e6,
                     curve.expected.capacity_known ? "busiest channel" : "ports or all channels",
                     curve.expected.capacity);
}

/// The classes of all points, a line each; empty: there are none.
std::string class_listing(const LoadCurve& curve)
{
  std::vector<std::vector<std::string>> lines = {{std::string(load_quantity::offered), "class", "load", "accepted",
                                                  "latency us", "+-", "p50", "p95", "p99", "largest"}};
  for (const LoadPoint& point : curve.points) {
    for (const Json& one : point.value(counted_figures::classes)) {
      const auto number = [&](std::string_view key, int digits) {
        return one.at(key).is_number() ? fmt::format("{:.{}g}", one.at(key).get<double>(), digits) : std::string();
      };
      const bool has_interval = one.at("latency_high_us").is_number();
      const double above =
          has_interval ? one.at("latency_high_us").get<double>() - one.at("latency_us").get<double>() : 0;
      lines.push_back({fmt::format("{}", point.offered), one.at(counted_figures::class_name).get<std::string>(),
                       number(counted_figures::class_load, 4), number("accepted", 4), number("latency_us", 5),
                       has_interval ? fmt::format("{:.2g}", above) : std::string(), number("latency_p50_us", 5),
                       number("latency_p95_us", 5), number("latency_p99_us", 5), number("latency_max_us", 5)});
    }
  }
  return lines.size() == 1 ? std::string() : "\n" + aligned(lines);
}

} // namespace

Json load_json(const LoadCurves& curves)
{
  Json json;
  json["format"] = "wormcast-load/1";
  json["curves"] = Json::array();
  for (const LoadCurve& curve : curves.curves) {
    Json entry;
    entry["setting"] = Json::object();
    for (std::size_t axis = 0; axis < curves.axes.size(); ++axis) {
      entry["setting"][curves.axes[axis]] = curve.cells[axis];
    }
    if (!curve.error.empty()) {
      entry["error"] = curve.error;
      json["curves"].push_back(std::move(entry));
      continue;
    }
    entry["config"] = Json::parse(curve.config);
    entry["zero_load_us"] = measured_microseconds(curve.expected.zero_load_picoseconds);
    entry["capacity"] = curve.expected.capacity_known ? measured_number(curve.expected.capacity) : Json(nullptr);
    entry[std::string(saturation_key::saturation)] = saturation_json(curve);
    entry["points"] = Json::array();
    for (const LoadPoint& point : curve.points) {
      Json result = point.result.is_null() ? saturated_point_json(point.offered) : point.result;
      if (point.state != PointState::done) {
        result["state"] = point_state_names.text(point.state);
        result["error"] = point.error;
      }
      entry["points"].push_back(std::move(result));
    }
    json["curves"].push_back(std::move(entry));
  }
  if (has_seeds(curves)) {
    json["repetitions"] = repetitions_json(curves);
  }
  json["version"] = program_version();
  return json;
}

std::string load_csv(const LoadCurves& curves)
{
  std::vector<std::string> heading = curves.axes;
  heading.emplace_back(load_quantity::offered);
  heading.insert(heading.end(), load_columns().begin(), load_columns().end());
  for (const char* name : {"zero_load_us", "state", "error"}) {
    heading.emplace_back(name);
  }
  std::string text = csv_line(heading);
  for (const LoadCurve& curve : curves.curves) {
    std::vector<LoadPoint> points = curve.points;
    if (!curve.error.empty()) {
      points.push_back({.offered = 0, .state = PointState::bad_input, .error = curve.error, .result = nullptr});
    }
    for (const LoadPoint& point : points) {
      std::vector<std::string> cells = curve.cells;
      cells.push_back(curve.error.empty() ? fmt::format("{}", point.offered) : std::string());
      for (const std::string_view column : load_columns()) {
        cells.push_back(point.cell(column));
      }
      cells.push_back(curve.error.empty() ? measured_microseconds(curve.expected.zero_load_picoseconds).dump()
                                          : std::string());
      cells.emplace_back(point_state_names.text(point.state));
      std::string error = point.error;
      std::ranges::replace(error, '\n', ' ');
      cells.push_back(std::move(error));
      text += csv_line(cells);
    }
  }
  return text;
}

std::string load_listing(const LoadCurves& curves)
{
  std::string text;
  if (has_seeds(curves)) {
    const std::vector<std::string> axes = repeated_axes(curves);
    for (const RepeatedCurves& group : repeated_curves(curves)) {
      const std::string title = curve_title(axes, group.cells);
      text += (text.empty() ? "" : "\n") + (title.empty() ? std::string() : title + "\n");
      text += group.curves.front()->error.empty() ? loads_without_wait(*group.curves.front()) : std::string();
      text += repeated_listing(group);
    }
    return text;
  }
  for (const LoadCurve& curve : curves.curves) {
    const std::string title = curve_title(curves.axes, curve.cells);
    text += (text.empty() ? "" : "\n") + (title.empty() ? std::string() : title + "\n");
    if (!curve.error.empty()) {
      text += curve.error + "\n";
      continue;
    }
    text += loads_without_wait(curve);
    std::vector<std::vector<std::string>> lines = {{std::string(load_quantity::offered), ""}};
    std::ranges::transform(shown_quantities(), std::back_inserter(lines.front()),
                           [](const LoadQuantity& quantity) { return quantity.column.heading; });
    for (const LoadPoint& point : curve.points) {
      std::vector<std::string>& line = lines.emplace_back();
      line.push_back(fmt::format("{}", point.offered));
      line.push_back(verdict_cell(point));
      for (const LoadQuantity& quantity : shown_quantities()) {
        line.push_back(shown(point, quantity));
      }
    }
    text += aligned(lines) + saturation_text(curve) + class_listing(curve);
  }
  return text;
}

} // namespace wormcast
