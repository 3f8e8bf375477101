#include "wormcast/experiments/sweep/curves.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace wormcast {

namespace {

std::vector<std::string> distinct_cells(const SweepPlan& plan, std::size_t axis)
{
  std::vector<std::string> cells;
  for (const SweepPoint& point : plan.points) {
    if (std::find(cells.begin(), cells.end(), point.cells[axis]) == cells.end()) {
      cells.push_back(point.cells[axis]);
    }
  }
  return cells;
}

bool has_numbers(const SweepPlan& plan, std::size_t axis)
{
  return std::all_of(plan.points.begin(), plan.points.end(), [&](const SweepPoint& point) {
    return !point.error.empty() || cell_number(point.cells[axis]).has_value();
  });
}

std::size_t choose_x_axis(const SweepPlan& plan)
{
  std::optional<std::size_t> first;
  std::optional<std::size_t> first_with_numbers;
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
    if (plan.axes[axis] == length_axis) {
      return axis;
    }
    if (plan.axes[axis] == seed_axis) {
      continue;
    }
    if (!first) {
      first = axis;
    }
    if (!first_with_numbers && has_numbers(plan, axis)) {
      first_with_numbers = axis;
    }
  }
  return first_with_numbers.value_or(first.value_or(0));
}

std::string curve_title(const SweepPlan& plan, const SweepPoint& point, std::size_t x_axis)
{
  std::string title;
  for (std::size_t axis = 0; axis < plan.axes.size(); ++axis) {
    if (axis != x_axis && plan.axes[axis] != seed_axis) {
      title += title.empty() ? "" : ", ";
      title += axis_title(plan.axes[axis], point.cells[axis]);
    }
  }
  return title;
}

/// What a sweep over one axis alone calls its only curve.
std::string algorithm_title(const SweepPoint& point)
{
  return nlohmann::json::parse(point.config)["algorithm"].value("name", std::string(shown_latency));
}

} // namespace

SweepCurves sweep_curves(const SweepPlan& plan, std::span<const StoredPoint> stored)
{
  SweepCurves result;
  result.x_axis = choose_x_axis(plan);
  if (!has_numbers(plan, result.x_axis)) {
    result.categories = distinct_cells(plan, result.x_axis);
  }

  std::map<std::vector<std::string>, std::size_t> curve_of_setting;
  std::map<std::vector<std::string>, std::vector<UnfinishedPoint>> unfinished;
  std::set<std::vector<std::string>> deadlocked;
  const auto x_of = [&](const SweepPoint& point) -> std::optional<Decimal> {
    const std::string& cell = point.cells[result.x_axis];
    if (!result.categories.empty()) {
      return Decimal(fmt::format("{}", std::ranges::find(result.categories, cell) - result.categories.begin()));
    }
    std::optional<std::string> number = cell_number(cell);
    return number ? std::optional(Decimal(*std::move(number))) : std::nullopt;
  };
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const SweepPoint& point = plan.points[i];
    std::vector<std::string> setting = point.cells;
    for (std::size_t axis = 0; axis < setting.size(); ++axis) {
      if (axis == result.x_axis || plan.axes[axis] == seed_axis) {
        setting[axis].clear();
      }
    }
    if (stored[i].state == PointState::deadlock) {
      deadlocked.insert(setting);
    }
    const std::optional<Decimal> x = x_of(point);
    if (stored[i].state != PointState::done && x) {
      unfinished[setting].push_back({*x, stored[i].state});
    }
    if (!is_answer(stored[i].state)) {
      continue;
    }
    const auto [entry, is_new] = curve_of_setting.emplace(setting, result.curves.size());
    if (is_new) {
      std::string title = curve_title(plan, point, result.x_axis);
      if (title.empty()) {
        title = plan.axes[result.x_axis] == "algorithm.name" ? std::string(shown_latency) : algorithm_title(point);
      }
      result.curves.push_back({.title = std::move(title), .setting = std::move(setting), .points = {}});
    }
    if (stored[i].state == PointState::done) {
      result.curves[entry->second].points.push_back(
          {i, x.value_or(Decimal()), Decimal(field(result_fields(stored[i].result), shown_latency))});
    }
  }
  for (SweepCurve& curve : result.curves) {
    curve.unfinished = std::move(unfinished[curve.setting]);
    curve.deadlocks = deadlocked.contains(curve.setting);
    std::stable_sort(curve.points.begin(), curve.points.end(),
                     [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
    const auto repeated =
        std::unique(curve.points.begin(), curve.points.end(), [&](const CurvePoint& a, const CurvePoint& b) {
          return stored[a.point].key == stored[b.point].key;
        });
    curve.points.erase(repeated, curve.points.end());
  }
  return result;
}

std::string SweepCurves::x_text(const Decimal& x) const
{
  return categories.empty() ? x.text() : categories[x.whole()];
}

} // namespace wormcast
