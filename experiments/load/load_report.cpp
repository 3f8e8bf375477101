#include "wormcast/experiments/load/load_report.hpp"

#include "wormcast/experiments/load/load_point.hpp"
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

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// Columns of results.csv behind the axes, by their place in a point's result.
constexpr std::string_view columns[] = {
    "created",
    "delivered",
    "accepted",
    "verdict",
    "undecided_by",
    "stable",
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

std::string shown(const Json& value, const char* format)
{
  return value.is_number() ? fmt::format(fmt::runtime(format), value.get<double>()) : "-";
}

/// "stable", "undecided (growth)", "deadlock".
std::string verdict_cell(const LoadPoint& point)
{
  if (point.state != PointState::done) {
    return std::string(point_state_names.text(point.state));
  }
  const std::string reason = point.cell("undecided_by");
  return std::string(load_verdict_names.text(point.verdict())) + (reason.empty() ? "" : fmt::format(" ({})", reason));
}

std::string loads_without_wait(const LoadCurve& curve)
{
  return fmt::format("zero-load latency {:.7g} us, {} full at {:.4g}\n", curve.expected.zero_load_picoseconds / 1e6,
                     curve.expected.capacity_known ? "busiest channel" : "ports or all channels",
                     curve.expected.capacity);
}

} // namespace

std::span<const std::string_view> load_columns()
{
  return columns;
}

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
      Json result = point.result.is_null() ? Json{{"offered", point.offered}, {"stable", false}} : point.result;
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
    std::vector<std::vector<std::string>> lines = {
        {"offered", "", "accepted", "latency us", "+-", "p50", "p95", "p99", "largest", "hops", "busiest"}};
    for (const LoadPoint& point : curve.points) {
      std::vector<std::string>& line = lines.emplace_back();
      line.push_back(fmt::format("{}", point.offered));
      line.push_back(verdict_cell(point));
      line.push_back(shown(point.value("accepted"), "{:.4f}"));
      if (point.value("latency_us").is_object()) {
        const Json mean = point.value("latency_us.mean");
        const Json high = point.value("latency_us.high");
        line.push_back(shown(mean, "{:.5g}"));
        line.push_back(high.is_number() ? fmt::format("{:.2g}", high.get<double>() - mean.get<double>()) : "-");
        for (const char* column : {"latency_us.p50", "latency_us.p95", "latency_us.p99", "latency_us.max"}) {
          line.push_back(shown(point.value(column), "{:.5g}"));
        }
      } else {
        line.insert(line.end(), 6, "");
      }
      line.push_back(shown(point.value("hops"), "{:.4g}"));
      line.push_back(shown(point.value("busiest_channel.busy"), "{:.3f}"));
    }
    text += aligned(lines) + saturation_text(curve);
  }
  return text;
}

} // namespace wormcast
