#include "wormcast/experiments/sweep/figure.hpp"

#include "wormcast/topologies/quantity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace wormcast {

namespace {

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
    return std::all_of(curve.points.begin(), curve.points.end(), [](const CurvePoint& point) {
      return number(point.latency_us) > 0 && (point.predicted_us.empty() || number(point.predicted_us) > 0);
    });
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

} // namespace

Figure sweep_figure(const SweepPlan& plan, const SweepCurves& curves, const std::string& title)
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
  for (const SweepCurve& curve : curves.curves) {
    const bool predicted = std::none_of(curve.points.begin(), curve.points.end(),
                                        [](const CurvePoint& point) { return point.predicted_us.empty(); });
    const bool categories = !curves.categories.empty();
    PlotSeries measured;
    measured.title = curve.title + ", measured";
    measured.colour = colour;
    PlotSeries line;
    line.title = curve.title + ", predicted";
    line.look = PlotSeries::Look::line;
    line.colour = colour++;
    for (const CurvePoint& point : curve.points) {
      measured.points.push_back({point.x, point.latency_us});
      if (line.points.empty() || line.points.back().x != point.x) {
        line.points.push_back({point.x, point.predicted_us});
      }
    }
    const bool repeated = line.points.size() < measured.points.size();
    measured.look = predicted || categories || repeated ? PlotSeries::Look::points : PlotSeries::Look::points_and_line;
    figure.series.push_back(std::move(measured));
    if (predicted && !categories) {
      figure.series.push_back(std::move(line));
    }
  }
  return figure;
}

} // namespace wormcast
