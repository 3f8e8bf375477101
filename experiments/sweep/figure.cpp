#include "wormcast/experiments/sweep/figure.hpp"

#include "wormcast/experiments/sweep/columns.hpp"
#include "wormcast/experiments/sweep/curve_choice.hpp"
#include "wormcast/experiments/sweep/figure_runs.hpp"
#include "wormcast/experiments/sweep/formula.hpp"
#include "wormcast/experiments/sweep/measure.hpp"
#include "wormcast/experiments/sweep/statistics.hpp"
#include "wormcast/values/quantity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace wormcast {

namespace {

/// Values that grow by factors rather than by steps: positive, spread over more than a factor of 8, and the middle one
/// nearer to the geometric than to the arithmetic mean of the ends.
bool spread_like_powers(const std::vector<double>& ascending)
{
  if (ascending.size() < 3 || ascending.front() <= 0) {
    return false;
  }
  const double low = ascending.front();
  const double high = ascending.back();
  return high > 8 * low && ascending[ascending.size() / 2] < (low + high) / 4;
}

/// One figure made step by step.
class FigureMaker {
public:
  FigureMaker(const PlotRequest& plot, const RunTable& table, const CurveLines& lines)
      : plot_(plot), table_(table), lines_(lines), runs_(plot, table)
  {
    constexpr std::string_view mean = ".mean";
    if (plot.y.ends_with(mean)) { // of a run that has measured many messages, with its own interval
      const std::string of = plot.y.substr(0, plot.y.size() - mean.size());
      low_ = table.find(of + ".low");
      high_ = table.find(of + ".high");
    }
  }

  Figure figure(const std::string& title)
  {
    figure_.title = plot_.title.empty() ? title : plot_.title;
    figure_.x = {.label = measure_label(table_, runs_.x_name()), .unit = measure_unit(runs_.x_name())};
    figure_.y = {.label = measure_label(table_, plot_.y), .unit = measure_unit(plot_.y)};
    choose_scale();
    add_tics();
    add_panels();
    if (averaged_) {
      figure_.y.label += plot_.spread == PlotSpread::none ? ", mean" : ", mean and 95 % interval";
    } else if (has_intervals_) {
      figure_.y.label += ", 95 % interval";
    }
    add_keys();
    return std::move(figure_);
  }

private:
  void choose_scale()
  {
    std::vector<double> xs;
    std::vector<double> ys;
    for (const std::size_t row : runs_.rows()) {
      xs.push_back(decimal_value(runs_.x_of(row)));
      ys.push_back(decimal_value(runs_.y_of(row)));
    }
    std::ranges::sort(xs);
    xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
    x_values_ = xs;
    const double lowest = *std::ranges::min_element(ys);
    const double highest = *std::ranges::max_element(ys);
    switch (plot_.scale) {
    case PlotScale::automatic:
      figure_.x.log =
          runs_.categories().empty() && ((runs_.x_name() == length_axis && xs.front() > 0) || spread_like_powers(xs));
      figure_.y.log = figure_.x.log && lowest > 0 && highest > 4 * lowest;
      return;
    case PlotScale::linear:
      return;
    case PlotScale::log_x:
    case PlotScale::log_y:
    case PlotScale::log:
      figure_.x.log = plot_.scale != PlotScale::log_y;
      figure_.y.log = plot_.scale != PlotScale::log_x;
    }
    if (figure_.x.log && (!runs_.categories().empty() || xs.front() <= 0)) {
      fail_plot(plot_, "scale",
                fmt::format("a logarithmic x axis needs numbers above 0, which {} is not always", runs_.x_name()));
    }
    if (figure_.y.log && lowest <= 0) {
      fail_plot(plot_, "scale",
                fmt::format("a logarithmic y axis needs numbers above 0, which {} is not always", plot_.y));
    }
  }

  void add_tics()
  {
    figure_.x.names = !runs_.categories().empty();
    for (std::size_t i = 0; i < runs_.categories().size(); ++i) {
      figure_.x.tics.push_back({fmt::format("{}", i), runs_.categories()[i]});
    }
    constexpr double largest_whole = 1e15;
    const bool whole =
        std::ranges::all_of(x_values_, [](double x) { return x == std::floor(x) && std::fabs(x) < largest_whole; });
    if (!runs_.categories().empty() || x_values_.size() > 24 || !whole) {
      return;
    }
    const double room = (x_values_.back() - x_values_.front()) / 30;
    const bool crowded = std::ranges::adjacent_find(x_values_, [&](double a, double b) {
                           return figure_.x.log ? b < 1.1 * a : b - a < room;
                         }) != x_values_.end();
    if (crowded) {
      return;
    }
    for (const double x : x_values_) {
      const std::string text = fmt::format("{:.0f}", x);
      const bool bytes = figure_.x.unit == AxisUnit::bytes && x >= 0;
      figure_.x.tics.push_back({text, bytes ? format_bytes(static_cast<std::uint64_t>(x)) : text});
    }
  }

  /// The point of one run, with the interval that it has by itself.
  PlotPoint measured_point(const std::string& x, std::size_t number)
  {
    const RunTable::Row& row = table_.rows[number];
    PlotPoint point{x, runs_.y_of(number)};
    if (low_ && high_ && plot_.spread != PlotSpread::none) {
      const std::optional<std::string> low = row.cells[*low_].decimal();
      const std::optional<std::string> high = row.cells[*high_].decimal();
      if (low && high && (!figure_.y.log || decimal_value(*low) > 0)) {
        point.low = *low;
        point.high = *high;
        has_intervals_ = true;
      }
    }
    return point;
  }

  PlotPoint averaged(const RunsAtX& runs)
  {
    if (runs.rows.size() == 1) {
      return measured_point(runs.x, runs.rows.front());
    }
    std::vector<double> values;
    for (const std::size_t row : runs.rows) {
      values.push_back(decimal_value(runs_.y_of(row)));
    }
    averaged_ = true;
    const Statistics statistics = statistics_of(std::move(values), skew_of(plot_.y));
    PlotPoint point{runs.x, number_text(statistics.mean)};
    if (plot_.spread != PlotSpread::none && statistics.interval) {
      point.low = number_text(statistics.interval->low);
      point.high = number_text(statistics.interval->high);
      if (figure_.y.log && statistics.interval->low <= 0) {
        point.low = number_text(statistics.smallest); // a logarithmic axis has no position for the interval's end
      }
    }
    return point;
  }

  /// The formula of a curve, where all of its rows have the same.
  std::optional<CostLine> formula(const FigureCurve& curve) const
  {
    if (!plot_.predicted || runs_.x_name() != length_axis || !is_latency_column(plot_.y) || lines_.formulas.empty()) {
      return std::nullopt;
    }
    const std::optional<CostLine>& first = lines_.formulas[curve.rows.front()];
    const bool same = first && std::ranges::all_of(curve.rows, [&](std::size_t row) {
                        const std::optional<CostLine>& other = lines_.formulas[row];
                        return other && other->fixed == first->fixed && other->per_byte == first->per_byte;
                      });
    return same ? first : std::nullopt;
  }

  void add_curve(PlotPanel& panel, const FigureCurve& curve)
  {
    std::vector<std::string> cells = curve.cells;
    cells.pop_back();
    const std::vector<RunsAtX> all = runs_.runs_by_x(curve);
    const auto style = styles_.emplace(cells, static_cast<unsigned>(styles_.size())).first->second;
    PlotSeries series{.title = runs_.curve_title(curve), .style = style};
    PlotSeries line{.look = PlotSeries::Look::line, .style = series.style};
    if (const std::optional<CostLine> cost = formula(curve)) {
      line.points = formula_points(*cost, x_values_.front(), x_values_.back(), figure_.x.log);
      predicted_ = predicted_ || !line.points.empty();
    }
    const bool repeated = std::ranges::all_of(all, [&](const RunsAtX& runs) { return runs_.are_repetitions(runs); });
    for (const RunsAtX& runs : all) {
      if (repeated) {
        series.points.push_back(averaged(runs));
        continue;
      }
      for (const std::size_t row : runs.rows) {
        series.points.push_back(measured_point(runs.x, row));
      }
    }
    const bool joined = repeated && line.points.empty() && runs_.categories().empty();
    joined_ = joined_ || joined;
    if (joined) {
      series.look = plot_.spread == PlotSpread::band ? PlotSeries::Look::band : PlotSeries::Look::points_and_line;
    }
    panel.series.push_back(std::move(series));
    if (!line.points.empty()) {
      panel.series.push_back(std::move(line));
    }
    if (!lines_.marks.empty()) {
      for (const std::vector<PlotPoint>& mark : lines_.marks[curve.rows.front()]) {
        panel.series.push_back({.look = PlotSeries::Look::mark, .style = style, .points = mark});
      }
    }
  }

  /// The lower bounds of a panel's runs, each line once.
  void add_bounds(PlotPanel& panel, const std::vector<const FigureCurve*>& curves) const
  {
    const Measure bound(table_, bound_column(plot_));
    std::set<std::vector<std::pair<std::string, std::string>>> known;
    for (const FigureCurve* curve : curves) {
      std::vector<std::pair<std::string, std::string>> points;
      for (const RunsAtX& runs : runs_.runs_by_x(*curve)) {
        if (const auto value = bound.value(table_.rows[runs.rows.front()])) {
          points.emplace_back(runs.x, *value);
        }
      }
      if (points.empty() || !known.insert(points).second) {
        continue;
      }
      PlotSeries series{.title = "lower bound", .look = PlotSeries::Look::bound};
      for (auto& [x, y] : points) {
        series.points.push_back({std::move(x), std::move(y)});
      }
      panel.series.push_back(std::move(series));
    }
  }

  CurveValues values_of_curve(const FigureCurve& curve) const
  {
    CurveValues values;
    for (const RunsAtX& runs : runs_.runs_by_x(curve)) {
      double sum = 0;
      for (const std::size_t row : runs.rows) {
        sum += decimal_value(runs_.y_of(row));
      }
      values[decimal_value(runs.x)] = sum / static_cast<double>(runs.rows.size());
    }
    return values;
  }

  /// The curves that a panel has room for; a note names the others.
  std::vector<const FigureCurve*> drawn_curves(const std::string& title, const std::vector<const FigureCurve*>& curves)
  {
    if (curves.size() <= most_curves_in_a_panel) {
      return curves;
    }
    std::vector<CurveValues> values;
    for (const FigureCurve* curve : curves) {
      values.push_back(values_of_curve(*curve));
    }
    const std::vector<std::size_t> chosen = curves_near_envelope(values, most_curves_in_a_panel);
    std::vector<const FigureCurve*> drawn;
    std::vector<std::string> others;
    for (std::size_t i = 0; i < curves.size(); ++i) {
      if (std::ranges::binary_search(chosen, i)) {
        drawn.push_back(curves[i]);
      } else {
        others.push_back(runs_.curve_title(*curves[i]));
      }
    }
    figure_.notes.push_back(fmt::format("Not drawn{}, farther from the lowest curves: {}.",
                                        title.empty() ? "" : " (" + title + ")", fmt::join(others, "; ")));
    return drawn;
  }

  void add_panels()
  {
    for (const std::string& value : runs_.panels()) {
      std::vector<const FigureCurve*> curves;
      for (const FigureCurve& curve : runs_.curves()) {
        if (curve.cells.back() == value) {
          curves.push_back(&curve);
        }
      }
      PlotPanel panel{.title = runs_.facet().empty() ? std::string() : value_title(runs_.facet(), value)};
      const std::vector<const FigureCurve*> drawn = drawn_curves(panel.title, curves);
      for (const FigureCurve* curve : drawn) {
        add_curve(panel, *curve);
      }
      if (plot_.bounds) {
        add_bounds(panel, drawn);
      }
      figure_.panels.push_back(std::move(panel));
    }
  }

  void add_keys()
  {
    if (predicted_) {
      figure_.keys.push_back(
          {.title = joined_ ? "thin lines: predicted" : "lines: predicted", .look = PlotSeries::Look::line});
    }
  }

  const PlotRequest& plot_;
  const RunTable& table_;
  const CurveLines& lines_;
  FigureRuns runs_;
  std::optional<std::size_t> low_; ///< columns with the interval around y
  std::optional<std::size_t> high_;
  std::vector<double> x_values_; ///< ascending, each once
  std::map<std::vector<std::string>, unsigned> styles_;
  bool averaged_ = false;
  bool has_intervals_ = false;
  bool predicted_ = false;
  bool joined_ = false; ///< some curve has a line between its points
  Figure figure_;
};

} // namespace

Figure run_figure(const PlotRequest& plot, const RunTable& table, const CurveLines& lines, const std::string& title)
{
  return FigureMaker(plot, table, lines).figure(title);
}

} // namespace wormcast
