#include "wormcast/experiments/load/load_report.hpp"

#include "wormcast/experiments/load/load_point.hpp"
#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/output/version.hpp"
#include "wormcast/experiments/sweep/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& value)
{
  return value ? measured_number(*value) : Json(nullptr);
}

/// The value at "a.b" of a point's result; null where it has none.
Json value_at(const LoadPoint& point, std::string_view path)
{
  const Json* value = &point.result;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const std::string name(path.substr(0, dot));
    if (!value->is_object() || !value->contains(name)) {
      return nullptr;
    }
    value = &value->at(name);
    path = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  }
  return *value;
}

/// As in a table: nothing for null.
std::string cell_of(const LoadPoint& point, std::string_view path)
{
  const Json value = value_at(point, path);
  return value.is_null() ? std::string() : value.is_string() ? value.get<std::string>() : value.dump();
}

/// Columns of results.csv behind the axes, by their place in a point's result.
constexpr std::string_view columns[] = {
    "created",
    "accepted",
    "stable",
    "saturated_by",
    "latency_us.mean",
    "latency_us.low",
    "latency_us.high",
    "latency_us.p50",
    "latency_us.p95",
    "latency_us.p99",
    "latency_us.max",
    "network_latency_us.mean",
    "network_latency_us.low",
    "network_latency_us.high",
    "network_latency_us.p50",
    "network_latency_us.p95",
    "network_latency_us.p99",
    "network_latency_us.max",
    "hops",
    "busy",
    "busiest_channel.channel",
    "busiest_channel.busy",
    "smallest_share.node",
    "smallest_share.share",
    "contention.step",
    "contention.port",
    "contention.sharing",
    "contention.step_wait_us",
    "contention.port_wait_us",
    "contention.sharing_wait_us",
    "silent_nodes",
    "warm_up_us",
    "measured_us",
    "messages",
    "unfinished",
    "batches",
    "engine",
};

std::string curve_title(const LoadCurves& curves, const LoadCurve& curve)
{
  std::vector<std::string> parts;
  for (std::size_t axis = 0; axis < curves.axes.size(); ++axis) {
    const bool tells_itself = curves.axes[axis] == case_axis || curve.cells[axis].find('=') != std::string::npos;
    const std::string name = curves.axes[axis].substr(curves.axes[axis].rfind('.') + 1);
    parts.push_back(tells_itself ? curve.cells[axis] : fmt::format("{} = {}", name, curve.cells[axis]));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string shown(const Json& value, const char* format)
{
  return value.is_number() ? fmt::format(fmt::runtime(format), value.get<double>()) : "-";
}

std::string saturation_line(const LoadCurve& curve)
{
  const std::string most =
      curve.largest_accepted ? fmt::format("; most accepted {:.4g}", *curve.largest_accepted) : std::string();
  if (!curve.first_saturated && !curve.last_stable) {
    return "not measured";
  }
  if (!curve.first_saturated) {
    return fmt::format("stable up to {:.4g}, the largest load measured{}", curve.last_stable.value_or(0), most);
  }
  const bool stuck = std::ranges::any_of(curve.points, [&](const LoadPoint& point) {
    return point.state == PointState::deadlock && point.offered == *curve.first_saturated;
  });
  const std::string end = fmt::format("{} at {:.4g}", stuck ? "deadlock" : "saturated", *curve.first_saturated);
  if (!curve.last_stable) {
    return fmt::format("{}, the smallest load measured{}", end, most);
  }
  return fmt::format("stable up to {:.4g}, {}{}", *curve.last_stable, end, most);
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
    entry["saturation"] = {{"offered", number_or_null(curve.last_stable)},
                           {"unstable_at", number_or_null(curve.first_saturated)},
                           {"accepted", number_or_null(curve.largest_accepted)}};
    entry["points"] = Json::array();
    for (const LoadPoint& point : curve.points) {
      Json result = point.result.is_null() ? Json{{"offered", point.offered}, {"stable", false}} : point.result;
      if (point.state != PointState::done) {
        result["state"] = point_state_name(point.state);
        result["error"] = point.error;
      }
      entry["points"].push_back(std::move(result));
    }
    json["curves"].push_back(std::move(entry));
  }
  json["version"] = program_version();
  return json;
}

std::string load_csv(const LoadCurves& curves)
{
  std::vector<std::string> heading = curves.axes;
  heading.emplace_back("offered");
  heading.insert(heading.end(), std::begin(columns), std::end(columns));
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
      for (const std::string_view column : columns) {
        cells.push_back(cell_of(point, column));
      }
      cells.push_back(curve.error.empty() ? measured_microseconds(curve.expected.zero_load_picoseconds).dump()
                                          : std::string());
      cells.emplace_back(point_state_name(point.state));
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
  for (const LoadCurve& curve : curves.curves) {
    const std::string title = curve_title(curves, curve);
    text += (text.empty() ? "" : "\n") + (title.empty() ? std::string() : title + "\n");
    if (!curve.error.empty()) {
      text += curve.error + "\n";
      continue;
    }
    text += fmt::format("zero-load latency {:.7g} us, {} full at {:.4g}\n", curve.expected.zero_load_picoseconds / 1e6,
                        curve.expected.capacity_known ? "busiest channel" : "ports or all channels",
                        curve.expected.capacity);
    std::vector<std::vector<std::string>> lines = {
        {"offered", "accepted", "latency us", "+-", "p50", "p95", "p99", "largest", "hops", "busiest"}};
    for (const LoadPoint& point : curve.points) {
      std::vector<std::string>& line = lines.emplace_back();
      line.push_back(fmt::format("{}", point.offered));
      line.push_back(shown(value_at(point, "accepted"), "{:.4f}"));
      if (point.stable()) {
        const Json mean = value_at(point, "latency_us.mean");
        const Json high = value_at(point, "latency_us.high");
        line.push_back(shown(mean, "{:.5g}"));
        line.push_back(high.is_number() ? fmt::format("{:.2g}", high.get<double>() - mean.get<double>()) : "-");
        for (const char* column : {"latency_us.p50", "latency_us.p95", "latency_us.p99", "latency_us.max"}) {
          line.push_back(shown(value_at(point, column), "{:.5g}"));
        }
      } else {
        line.push_back(point.state != PointState::done             ? std::string(point_state_name(point.state))
                       : cell_of(point, "saturated_by") == "drain" ? "saturated (drain)"
                                                                   : "saturated");
        line.insert(line.end(), 5, "");
      }
      line.push_back(shown(value_at(point, "hops"), "{:.4g}"));
      line.push_back(shown(value_at(point, "busiest_channel.busy"), "{:.3f}"));
    }
    text += aligned(lines) + saturation_line(curve) + "\n";
  }
  return text;
}

Figure load_figure(const LoadCurves& curves, const std::string& title)
{
  Figure figure;
  figure.title = title;
  figure.x_label = "accepted load (fraction of a channel's rate, per node)";
  figure.y_label = "mean latency (us)";
  PlotPanel& panel = figure.panels.emplace_back();
  double highest = 0;
  double zero_load = 0;
  for (const LoadCurve& curve : curves.curves) {
    zero_load = std::max(zero_load, curve.expected.zero_load_picoseconds / 1e6);
    for (const LoadPoint& point : curve.points) {
      if (point.stable()) {
        highest = std::max(highest, value_at(point, "latency_us.mean").get<double>());
      }
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
  for (const LoadCurve& curve : curves.curves) {
    PlotSeries series{.title = curve_title(curves, curve), .look = PlotSeries::Look::points_and_line, .style = style++};
    for (const LoadPoint& point : curve.points) {
      if (point.stable()) {
        series.points.push_back({.x = cell_of(point, "accepted"), .y = cell_of(point, "latency_us.mean")});
      }
    }
    if (series.points.empty()) {
      continue;
    }
    series.title = series.title.empty() ? "measured" : series.title;
    const std::string zero = measured_microseconds(curve.expected.zero_load_picoseconds).dump();
    const std::string last = number_or_null(curve.largest_accepted).dump();
    bounds.push_back({.title = "zero-load latency, most accepted load",
                      .look = PlotSeries::Look::bound,
                      .points = {{.x = "0", .y = zero}, {.x = last, .y = zero}}});
    if (curve.first_saturated) {
      bounds.back().points.push_back({.x = last, .y = fmt::format("{:.7g}", highest)});
    }
    panel.series.push_back(std::move(series));
  }
  std::ranges::move(bounds, std::back_inserter(panel.series));
  return figure;
}

} // namespace wormcast
