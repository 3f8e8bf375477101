#include "wormcast/experiments/compare/choice_figure.hpp"

#include "wormcast/experiments/compare/comparison_values.hpp"
#include "wormcast/experiments/compare/latency_figure.hpp"
#include "wormcast/experiments/sweep/cell_number.hpp"
#include "wormcast/experiments/sweep/curve_choice.hpp"
#include "wormcast/experiments/sweep/statistics.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

constexpr double picoseconds_in_microsecond = 1e6;

PlotPoint simulated_point(std::uint64_t length, const SeedLatencies& latencies)
{
  const Statistics statistics = statistics_of({latencies.begin(), latencies.end()});
  PlotPoint point{fmt::to_string(length), rounded_microseconds(statistics.mean)};
  if (statistics.interval) {
    point.low = rounded_microseconds(statistics.interval->low);
    point.high = rounded_microseconds(statistics.interval->high);
  }
  return point;
}

/// The piece of a formula that counts at a length.
const CostLine& line_at(const std::vector<LinePiece>& formula, double length)
{
  const auto behind = std::ranges::upper_bound(formula, length, {}, &LinePiece::from);
  return (behind == formula.begin() ? behind : behind - 1)->line;
}

PlotSeries series_of(const ChoiceCurve& curve, const SearchRange& lengths)
{
  PlotSeries series{.title = curve.title};
  if (curve.formula.empty()) {
    series.look = PlotSeries::Look::points_and_line;
    for (const auto& [length, latencies] : curve.simulated) {
      if (!latencies.empty()) {
        series.points.push_back(simulated_point(length, latencies));
      }
    }
  } else if (lengths.first == lengths.last) {
    const ExactNumber latency = line_at(curve.formula, static_cast<double>(lengths.first)).at(lengths.first);
    series.points.push_back({fmt::to_string(lengths.first), format_microseconds(latency)});
  } else {
    series.look = PlotSeries::Look::line;
    series.points =
        formula_points(curve.formula, static_cast<double>(lengths.first), static_cast<double>(lengths.last), true);
  }
  std::erase_if(series.points, [](const PlotPoint& point) { return decimal_value(point.y) <= 0; }); // the axis has none
  return series;
}

CurveValues curve_values(const PlotSeries& series)
{
  CurveValues values;
  for (const PlotPoint& point : series.points) {
    values[decimal_value(point.x)] = decimal_value(point.y);
  }
  return values;
}

/// The latency in microseconds of the algorithm that begins to be the fastest at a piece; none where it is not known.
std::optional<double> latency_at_begin(const ChosenAlgorithm& fastest, const ExactNumber& from,
                                       const ChoiceCurve& curve)
{
  if (!fastest.simulated) {
    const CostLine& line = line_at(curve.formula, from.convert_to<double>());
    return line.at(from).convert_to<double>() / picoseconds_in_microsecond;
  }
  const auto found = curve.simulated.find(static_cast<std::uint64_t>(numerator(from) / denominator(from)));
  return found == curve.simulated.end() || found->second.empty()
             ? std::nullopt
             : std::optional(static_cast<double>(mean_latency(found->second)) / picoseconds_in_microsecond);
}

/// The dotted lines from `bottom` to the latencies with which pieces begin, by position in `curves`.
std::vector<std::pair<std::size_t, std::vector<PlotPoint>>> marks_of(const Choice& choice, double bottom)
{
  std::vector<std::pair<std::size_t, std::vector<PlotPoint>>> marks;
  for (std::size_t i = 1; i < choice.pieces.size(); ++i) {
    const ChosenAlgorithm& piece = choice.pieces[i];
    const ChosenAlgorithm& fastest = piece.undecided.empty() ? piece : piece.undecided.front();
    const auto curve = std::ranges::find(choice.curves, fastest.candidate, &ChoiceCurve::candidate);
    if (curve == choice.curves.end()) {
      continue;
    }
    if (const std::optional<double> latency = latency_at_begin(fastest, piece.from, *curve)) {
      const std::string x = fmt::format("{:.9g}", piece.from.convert_to<double>());
      marks.emplace_back(curve - choice.curves.begin(), std::vector<PlotPoint>{{x, fmt::format("{:.9g}", bottom)},
                                                                               {x, fmt::format("{:.9g}", *latency)}});
    }
  }
  return marks;
}

} // namespace

Figure choice_figure(const Experiment& experiment, const Choice& choice, const std::string& title)
{
  std::vector<PlotSeries> all;
  std::vector<CurveValues> values;
  double bottom = 0;
  for (const ChoiceCurve& curve : choice.curves) {
    values.push_back(curve_values(all.emplace_back(series_of(curve, choice.lengths))));
    for (const auto& [length, latency] : values.back()) {
      bottom = bottom == 0 ? latency : std::min(bottom, latency);
    }
  }
  if (bottom == 0) {
    throw InputError("--picture: there is nothing to draw: no algorithm has a latency above 0");
  }
  Figure figure = figure_over_lengths(experiment, choice.operation, title);
  if (choice.repeats.count > 1) {
    figure.y.label += ", mean and 95 % interval";
  }
  std::vector<PlotSeries>& series = figure.panels.front().series;
  const auto marks = marks_of(choice, bottom);
  const std::vector<std::size_t> drawn = curves_near_envelope(values, most_curves_in_a_panel);
  const auto has_look = [&](PlotSeries::Look look) {
    return std::ranges::find(series, look, &PlotSeries::look) != series.end();
  };
  for (unsigned style = 0; style < drawn.size(); ++style) {
    all[drawn[style]].style = style;
    series.push_back(std::move(all[drawn[style]]));
    for (const auto& [curve, points] : marks) {
      if (curve == drawn[style]) {
        series.push_back({.look = PlotSeries::Look::mark, .style = style, .points = points});
      }
    }
  }
  if (has_look(PlotSeries::Look::line)) {
    figure.keys.push_back({.title = "lines: predicted", .look = PlotSeries::Look::line});
  }
  if (has_look(PlotSeries::Look::mark)) {
    figure.keys.push_back({.title = "the fastest from here on", .look = PlotSeries::Look::mark});
  }
  if (has_time_bound(experiment, choice.operation)) {
    series.push_back(bound_curve(experiment, lengths_of(choice.lengths, choice.lengths.first)));
  }
  if (drawn.size() < choice.curves.size()) {
    figure.notes.push_back(fewer_curves_note(drawn.size(), choice.curves.size()));
  }
  return figure;
}

} // namespace wormcast
