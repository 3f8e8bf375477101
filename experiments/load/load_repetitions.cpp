#include "wormcast/experiments/load/load_repetitions.hpp"

#include "wormcast/experiments/load/load_nodes.hpp"
#include "wormcast/experiments/load/load_quantities.hpp"
#include "wormcast/experiments/load/saturation_text.hpp"
#include "wormcast/experiments/sweep/run_table.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <ranges>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

Json mean_json(double mean, const std::optional<Interval>& interval)
{
  return {{"mean", measured_number(mean)},
          {"low", interval ? measured_number(interval->low) : Json(nullptr)},
          {"high", interval ? measured_number(interval->high) : Json(nullptr)}};
}

Json statistics_json(const std::vector<double>& values)
{
  if (values.empty()) {
    return nullptr;
  }
  const Statistics statistics = statistics_of(values);
  return mean_json(statistics.mean, statistics.interval);
}

auto repeated_quantities()
{
  return load_quantities() |
         std::views::filter([](const LoadQuantity& quantity) { return !quantity.column.repeated_as.empty(); });
}

/// What is shown of each class, as in counted_figures::classes.
struct ClassColumn {
  std::string_view key;
  std::string_view heading;
  int digits; ///< significant ones of its mean
};
constexpr std::array class_columns = {ClassColumn{"accepted", "accepted", 4},
                                      ClassColumn{"latency_us", "latency us", 5},
                                      ClassColumn{"latency_p95_us", "p95", 5}, ClassColumn{"latency_p99_us", "p99", 5}};

std::string class_path(std::string_view class_name, std::string_view key)
{
  return fmt::format("{}.{}.{}", counted_figures::classes, class_name, key);
}

/// Mean and half interval with the digits of a table.
std::pair<std::string, std::string> mean_cells(const std::vector<double>& values, int digits)
{
  if (values.empty()) {
    return {"-", "-"};
  }
  const Statistics statistics = statistics_of(values);
  return {fmt::format("{:.{}g}", statistics.mean, digits),
          statistics.interval ? fmt::format("{:.2g}", statistics.interval->high - statistics.mean) : "-"};
}

std::string saturation_of_seeds(const RepeatedCurves& group)
{
  const std::size_t seeds = group.curves.size();
  const std::optional<RepeatedSaturation> saturation = repeated_saturation(group);
  if (!saturation) {
    return fmt::format("saturation bracketed with {} of {} seeds: no mean", group.bracketed(), seeds);
  }
  const auto& interval = saturation->interval;
  return fmt::format("saturation {:.4g}, {}", saturation->mean,
                     interval ? fmt::format("95 % interval {:.4g} .. {:.4g} over {} seeds, "
                                            "what each one's search leaves open included",
                                            interval->low, interval->high, seeds)
                              : "one seed, no interval");
}

std::vector<std::string> cells_without_seed(const LoadCurves& curves, const std::vector<std::string>& cells)
{
  std::vector<std::string> others;
  for (std::size_t axis = 0; axis < curves.axes.size(); ++axis) {
    if (curves.axes[axis] != seed_axis) {
      others.push_back(cells[axis]);
    }
  }
  return others;
}

void add_statistics(std::string& csv, const RepeatedCurves& group, const std::string& load, std::string_view quantity,
                    const std::vector<double>& values, std::size_t runs)
{
  std::vector<std::string> cells = group.cells;
  cells.insert(cells.end(),
               {load, std::string(quantity), fmt::format("{}", runs), fmt::format("{}", group.curves.size() - runs)});
  if (values.empty()) {
    cells.resize(cells.size() + statistics_names().size());
  } else {
    std::ranges::move(statistics_cells(statistics_of(values)), std::back_inserter(cells));
  }
  csv += csv_line(cells);
}

} // namespace

std::vector<const LoadPoint*> RepeatedCurves::points_at(double load) const
{
  std::vector<const LoadPoint*> points;
  for (const LoadCurve* curve : curves) {
    const auto found = std::ranges::find(curve->points, load, &LoadPoint::offered);
    if (found != curve->points.end()) {
      points.push_back(&*found);
    }
  }
  return points;
}

std::vector<double> RepeatedCurves::values_at(double load, std::string_view path) const
{
  std::vector<double> values;
  for (const LoadPoint* point : points_at(load)) {
    const Json value = point->value(path);
    if (!value.is_number()) {
      return {};
    }
    values.push_back(value.get<double>());
  }
  return values;
}

std::vector<std::string> RepeatedCurves::classes() const
{
  const std::vector<LoadPoint>& points = curves.front()->points;
  return points.empty() ? std::vector<std::string>() : points.front().classes();
}

std::size_t RepeatedCurves::stable_at(double load) const
{
  const std::vector<const LoadPoint*> points = points_at(load);
  return static_cast<std::size_t>(
      std::ranges::count_if(points, [](const LoadPoint* point) { return point->stable(); }));
}

std::vector<double> RepeatedCurves::saturation_ends(std::optional<double> SaturationBracket::* end) const
{
  std::vector<double> ends;
  for (const LoadCurve* curve : curves) {
    if (!curve->saturation.closed()) {
      return {};
    }
    ends.push_back((curve->saturation.*end).value());
  }
  return ends;
}

std::size_t RepeatedCurves::bracketed() const
{
  return static_cast<std::size_t>(
      std::ranges::count_if(curves, [](const LoadCurve* curve) { return curve->saturation.closed(); }));
}

std::optional<RepeatedSaturation> repeated_saturation(const RepeatedCurves& group)
{
  const std::vector<double> stable = group.saturation_ends(&SaturationBracket::stable);
  const std::vector<double> saturated = group.saturation_ends(&SaturationBracket::saturated);
  if (stable.empty()) {
    return {};
  }
  // Searches of different seeds often end at the same loads.
  const Statistics below = statistics_of(stable, Skew::absent);
  const Statistics above = statistics_of(saturated, Skew::absent);
  RepeatedSaturation found{.mean = (below.mean + above.mean) / 2, .interval = {}};
  if (below.interval && above.interval) {
    found.interval = Interval{below.interval->low, above.interval->high};
  }
  return found;
}

bool has_seeds(const LoadCurves& curves)
{
  return std::ranges::find(curves.axes, seed_axis) != curves.axes.end();
}

std::vector<std::string> repeated_axes(const LoadCurves& curves)
{
  return cells_without_seed(curves, curves.axes);
}

std::vector<RepeatedCurves> repeated_curves(const LoadCurves& curves)
{
  std::vector<RepeatedCurves> groups;
  std::map<std::vector<std::string>, std::size_t> positions;
  for (const LoadCurve& curve : curves.curves) {
    const std::vector<std::string> cells = cells_without_seed(curves, curve.cells);
    const auto [entry, is_new] = positions.emplace(cells, groups.size());
    if (is_new) {
      groups.push_back({.cells = cells, .curves = {}, .loads = {}});
    }
    groups[entry->second].curves.push_back(&curve);
  }
  for (RepeatedCurves& group : groups) {
    for (const LoadPoint& point : group.curves.front()->points) {
      if (group.points_at(point.offered).size() == group.curves.size()) {
        group.loads.push_back(point.offered);
      }
    }
  }
  return groups;
}

Json repetitions_json(const LoadCurves& curves)
{
  const std::vector<std::string> axes = repeated_axes(curves);
  Json all = Json::array();
  for (const RepeatedCurves& group : repeated_curves(curves)) {
    Json entry;
    entry["setting"] = Json::object();
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      entry["setting"][axes[axis]] = group.cells[axis];
    }
    entry["seeds"] = group.curves.size();
    const std::optional<RepeatedSaturation> saturation = repeated_saturation(group);
    Json& known = entry[std::string(saturation_key::saturation)];
    known = saturation ? mean_json(saturation->mean, saturation->interval)
                       : Json{{"mean", nullptr}, {"low", nullptr}, {"high", nullptr}};
    known[std::string(saturation_key::bracketed)] = group.bracketed();
    entry["points"] = Json::array();
    for (const double load : group.loads) {
      Json point = {{load_quantity::offered, load}, {load_quantity::stable, group.stable_at(load)}};
      for (const LoadQuantity& quantity : repeated_quantities()) {
        point[quantity.column.repeated_as] = statistics_json(group.values_at(load, quantity.name()));
      }
      for (const std::string& name : group.classes()) {
        Json one = {{counted_figures::class_name, name}};
        for (const ClassColumn& column : class_columns) {
          one[column.key] = statistics_json(group.values_at(load, class_path(name, column.key)));
        }
        point[counted_figures::classes].push_back(std::move(one));
      }
      entry["points"].push_back(std::move(point));
    }
    all.push_back(std::move(entry));
  }
  return all;
}

std::string load_statistics_csv(const LoadCurves& curves)
{
  std::vector<std::string> header = repeated_axes(curves);
  header.insert(header.end(), {std::string(load_quantity::offered), "quantity", "runs", "not_done"});
  std::ranges::copy(statistics_names(), std::back_inserter(header));
  std::string csv = csv_line(header);
  for (const RepeatedCurves& group : repeated_curves(curves)) {
    for (const double load : group.loads) {
      for (const std::string_view quantity : load_columns()) {
        const std::vector<double> values = group.values_at(load, quantity);
        if (!values.empty()) {
          add_statistics(csv, group, fmt::format("{}", load), quantity, values, values.size());
        }
      }
      for (const std::string& name : group.classes()) {
        const Json of_class = group.points_at(load).front()->value(class_path(name, ""));
        for (const auto& [key, value] : of_class.items()) {
          const std::vector<double> values = group.values_at(load, class_path(name, key));
          if (!values.empty() && key != counted_figures::class_load) {
            add_statistics(csv, group, fmt::format("{}", load), class_path(name, key), values, values.size());
          }
        }
      }
    }
    for (const SaturationEnd& end : saturation_ends) {
      add_statistics(csv, group, "", fmt::format("{}.{}", saturation_key::saturation, end.key),
                     group.saturation_ends(end.load), group.bracketed());
    }
  }
  return csv;
}

namespace {

/// The means of all classes, a line for each load and class; empty: there are none.
std::string repeated_classes(const RepeatedCurves& group)
{
  std::vector<std::vector<std::string>> lines = {{std::string(load_quantity::offered), "class"}};
  for (const ClassColumn& column : class_columns) {
    lines.front().insert(lines.front().end(), {std::string(column.heading), "+-"});
  }
  for (const double load : group.loads) {
    for (const std::string& name : group.classes()) {
      std::vector<std::string>& line = lines.emplace_back();
      line.insert(line.end(), {fmt::format("{}", load), name});
      for (const ClassColumn& column : class_columns) {
        auto [mean, half] = mean_cells(group.values_at(load, class_path(name, column.key)), column.digits);
        line.insert(line.end(), {std::move(mean), std::move(half)});
      }
    }
  }
  return lines.size() == 1 ? std::string() : "\n" + aligned(lines);
}

} // namespace

std::string repeated_listing(const RepeatedCurves& group)
{
  std::string text;
  for (const LoadCurve* curve : group.curves) {
    if (!curve->error.empty()) {
      return curve->error + "\n";
    }
  }
  std::vector<std::vector<std::string>> lines = {
      {std::string(load_quantity::offered), std::string(load_quantity::stable)}};
  for (const LoadQuantity& quantity : repeated_quantities()) {
    lines.front().insert(lines.front().end(), {quantity.column.heading, "+-"});
  }
  for (const double load : group.loads) {
    std::vector<std::string>& line = lines.emplace_back();
    line.push_back(fmt::format("{}", load));
    line.push_back(fmt::format("{} of {}", group.stable_at(load), group.curves.size()));
    for (const LoadQuantity& quantity : repeated_quantities()) {
      auto [mean, half] = mean_cells(group.values_at(load, quantity.name()), quantity.column.repeated_digits);
      line.insert(line.end(), {std::move(mean), std::move(half)});
    }
  }
  text += aligned(lines) + saturation_of_seeds(group) + "\n";
  for (const LoadCurve* curve : group.curves) {
    if (!curve->saturation.closed()) {
      text += fmt::format("seed {}: {}", Json::parse(curve->config)["run"]["seed"].dump(), saturation_text(*curve));
    }
  }
  text += repeated_classes(group);
  return text;
}

} // namespace wormcast
