#include "wormcast/experiments/load/load_report.hpp"

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

Json number_or_null(const std::optional<double>& value)
{
  return value ? measured_number(*value) : Json(nullptr);
}

std::string curve_title(const std::vector<std::string>& axes, const std::vector<std::string>& cells)
{
  std::vector<std::string> parts;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const bool tells_itself = axes[axis] == case_axis || cells[axis].find('=') != std::string::npos;
    const std::string name = axes[axis].substr(axes[axis].rfind('.') + 1);
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

/// A curve of the figure, with the loads that are drawn beside it.
struct DrawnCurve {
  std::string title;
  std::vector<PlotPoint> points;
  const LoadCurve* first = nullptr; ///< of its seeds
  std::optional<double> most_accepted;
};

std::vector<DrawnCurve> drawn_curves(const LoadCurves& curves)
{
  std::vector<DrawnCurve> drawn;
  if (has_seeds(curves)) {
    const std::vector<std::string> axes = repeated_axes(curves);
    for (const RepeatedCurves& group : repeated_curves(curves)) {
      drawn.push_back({curve_title(axes, group.cells), repeated_plot_points(group), group.curves.front(), {}});
    }
    return drawn;
  }
  for (const LoadCurve& curve : curves.curves) {
    DrawnCurve& next =
        drawn.emplace_back(DrawnCurve{curve_title(curves.axes, curve.cells), {}, &curve, curve.largest_accepted});
    for (const LoadPoint& point : curve.points) {
      if (point.stable()) {
        next.points.push_back({.x = point.cell(load_quantity::offered),
                               .y = point.cell(load_quantity::mean_latency),
                               .low = point.cell(load_quantity::lowest_mean),
                               .high = point.cell(load_quantity::highest_mean)});
      }
    }
  }
  return drawn;
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
    entry["saturation"] = saturation_json(curve);
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
    text += aligned(lines) + saturation_text(curve);
  }
  return text;
}

Figure load_figure(const LoadCurves& curves, const std::string& title)
{
  Figure figure;
  figure.title = title;
  figure.x_label = "offered load (fraction of a channel's rate, per node)";
  figure.y_label =
      has_seeds(curves) ? "mean latency over the seeds (us), 95 % interval" : "mean latency (us), 95 % interval";
  PlotPanel& panel = figure.panels.emplace_back();
  const std::vector<DrawnCurve> drawn = drawn_curves(curves);
  double highest = 0;
  double zero_load = 0;
  for (const DrawnCurve& curve : drawn) {
    zero_load = std::max(zero_load, curve.first->expected.zero_load_picoseconds / 1e6);
    for (const PlotPoint& point : curve.points) {
      highest = std::max(highest, cell_value(point.y).value_or(0));
    }
  }
  // A point next to the saturation would make everything else flat.
  constexpr double most_times_zero_load = 8;
  if (zero_load > 0 && highest > most_times_zero_load * zero_load) {
    highest = most_times_zero_load * zero_load;
    figure.y_end = highest;
  }
  unsigned style = 0;
  std::vector<PlotSeries> bounds;
  for (const DrawnCurve& curve : drawn) {
    PlotSeries series{.title = curve.title.empty() ? "measured" : curve.title,
                      .look = PlotSeries::Look::points_and_line,
                      .style = style++,
                      .points = curve.points};
    if (series.points.empty()) {
      continue;
    }
    const std::string zero = measured_microseconds(curve.first->expected.zero_load_picoseconds).dump();
    const std::string last = curve.most_accepted ? number_or_null(curve.most_accepted).dump() : series.points.back().x;
    bounds.push_back({.title = curve.most_accepted ? "zero-load latency, most accepted load" : "zero-load latency",
                      .look = PlotSeries::Look::bound,
                      .points = {{.x = "0", .y = zero}, {.x = last, .y = zero}}});
    if (curve.most_accepted && curve.first->saturation.saturated) {
      bounds.back().points.push_back({.x = last, .y = fmt::format("{:.7g}", highest)});
    }
    panel.series.push_back(std::move(series));
  }
  std::ranges::move(bounds, std::back_inserter(panel.series));
  return figure;
}

} // namespace wormcast
