#include "wormcast/experiments/sweep/figure.hpp"

#include "wormcast/topologies/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wormcast {

namespace {

constexpr double picoseconds_in_microsecond = 1e6;

double number(const std::string& decimal)
{
  return std::strtod(decimal.c_str(), nullptr);
}

/// The x values of all curves, ascending, each once.
std::vector<std::string> x_values(const SweepCurves& curves)
{
  std::vector<std::string> values;
  for (const SweepCurve& curve : curves.curves) {
    for (const CurvePoint& point : curve.points) {
      values.push_back(point.x);
    }
  }
  std::stable_sort(values.begin(), values.end(),
                   [](const std::string& a, const std::string& b) { return number(a) < number(b); });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Values that grow by factors rather than by steps: positive, spread over more than a factor of 8, and the middle one
/// nearer to the geometric than to the arithmetic mean of the ends.
bool spread_like_powers(const std::vector<std::string>& values)
{
  if (values.size() < 3 || number(values.front()) <= 0) {
    return false;
  }
  const double low = number(values.front());
  const double high = number(values.back());
  const double middle = number(values[values.size() / 2]);
  return high > 8 * low && middle < (low + high) / 4;
}

bool all_positive(const SweepCurves& curves)
{
  return std::all_of(curves.curves.begin(), curves.curves.end(), [](const SweepCurve& curve) {
    return std::all_of(curve.points.begin(), curve.points.end(),
                       [](const CurvePoint& point) { return number(point.latency_us) > 0; });
  });
}

std::vector<PlotTic> x_tics(const SweepCurves& curves, const std::vector<std::string>& values, bool lengths)
{
  std::vector<PlotTic> tics;
  if (!curves.categories.empty()) {
    for (std::size_t i = 0; i < curves.categories.size(); ++i) {
      tics.push_back({fmt::format("{}", i), curves.categories[i]});
    }
  } else if (lengths && values.size() <= 24) {
    for (const std::string& value : values) {
      tics.push_back({value, format_bytes(std::stoull(value))});
    }
  }
  return tics;
}

/// 100 points of the formula from the smallest to the largest swept length, at equal distances on the axis.
std::vector<PlotPoint> formula_points(const CostLine& line, double low, double high, bool logarithmic)
{
  constexpr int pieces = 99;
  const auto fixed = line.fixed.convert_to<double>() / picoseconds_in_microsecond;
  const auto per_byte = line.per_byte.convert_to<double>() / picoseconds_in_microsecond;
  std::vector<PlotPoint> points;
  for (int i = 0; i <= pieces && low < high; ++i) {
    const double part = static_cast<double>(i) / pieces;
    const double x = logarithmic ? low * std::pow(high / low, part) : low + part * (high - low);
    points.push_back({fmt::format("{:.9g}", x), fmt::format("{:.9g}", fixed + per_byte * x)});
  }
  return points;
}

} // namespace

Figure sweep_figure(const SweepPlan& plan, const SweepCurves& curves, const std::vector<LatencyFormula>& formulas,
                    const std::string& title)
{
  const bool lengths = plan.axes[curves.x_axis] == "message.bytes";
  const std::vector<std::string> values = x_values(curves);
  const std::string unit = axis_unit(plan, curves.x_axis);
  Figure figure;
  figure.title = title;
  figure.x_label = lengths ? "message length" : plan.axes[curves.x_axis] + (unit.empty() ? "" : " (" + unit + ")");
  figure.y_label = "latency (us)";
  figure.log_x = curves.categories.empty() && (lengths || spread_like_powers(values));
  figure.log_y = figure.log_x && all_positive(curves);
  figure.x_tics = x_tics(curves, values, lengths);
  unsigned colour = 0;
  for (std::size_t i = 0; i < curves.curves.size(); ++i) {
    const SweepCurve& curve = curves.curves[i];
    PlotSeries measured;
    measured.title = curve.title + ", measured";
    measured.colour = colour;
    PlotSeries line;
    line.title = curve.title + ", predicted";
    line.look = PlotSeries::Look::line;
    line.colour = colour++;
    for (const CurvePoint& point : curve.points) {
      measured.points.push_back({point.x, point.latency_us});
    }
    if (formulas[i].line) {
      line.points = formula_points(*formulas[i].line, number(values.front()), number(values.back()), figure.log_x);
    }
    const bool lengths_repeat =
        std::adjacent_find(curve.points.begin(), curve.points.end(),
                           [](const CurvePoint& a, const CurvePoint& b) { return a.x == b.x; }) != curve.points.end();
    measured.look = !line.points.empty() || !curves.categories.empty() || lengths_repeat
                        ? PlotSeries::Look::points
                        : PlotSeries::Look::points_and_line;
    figure.series.push_back(std::move(measured));
    if (!line.points.empty()) {
      figure.series.push_back(std::move(line));
    }
  }
  return figure;
}

} // namespace wormcast
