#include "wormcast/experiments/output/curve_styles.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

namespace wormcast {

namespace {

/// Colours that people with any kind of colour vision tell apart (Okabe & Ito, "Color Universal Design", 2008).
constexpr std::array curve_colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
/// Circle, square, triangle, diamond, pentagon: filled, then empty.
constexpr std::array curve_symbols = {7U, 5U, 9U, 13U, 15U, 6U, 4U, 8U, 12U, 14U};
/// Five patterns of dashes; the first is solid.
constexpr unsigned dash_types = 5;

/// The series whose points represent the curve: the measured ones, else those of its formula.
struct MainSeries {
  unsigned style = 0;
  const PlotSeries* series = nullptr;
};

std::vector<MainSeries> main_series(const PlotPanel& panel)
{
  std::vector<MainSeries> curves;
  for (const PlotSeries& series : panel.series) {
    if (series.look == PlotSeries::Look::bound || series.look == PlotSeries::Look::mark || series.points.empty()) {
      continue;
    }
    const auto known = std::ranges::find(curves, series.style, &MainSeries::style);
    if (known == curves.end()) {
      curves.push_back({series.style, &series});
    } else if (known->series->points.size() < 2 ||
               (known->series->look == PlotSeries::Look::line && series.points.size() > 1)) {
      known->series = &series;
    }
  }
  return curves;
}

double number_of(const std::string& decimal)
{
  return std::strtod(decimal.c_str(), nullptr);
}

/// Where a curve is drawn on top of others, and others on top of it.
struct Stack {
  unsigned below = 0; ///< curves that it covers
  unsigned above = 0; ///< curves that cover it
};

/// A place on an axis, as a share of its length.
double share_of_axis(const std::string& decimal, const PlotAxis& axis, AxisRange range)
{
  const double number = number_of(decimal);
  if (!axis.log) {
    return (number - range.low) / (range.high - range.low);
  }
  return number > 0 ? std::log(number / range.low) / std::log(range.high / range.low) : -1;
}

using CurvePath = std::vector<std::pair<double, double>>;

/// The points of a curve as shares of the axes, ascending.
CurvePath path_of(const PlotSeries& series, const Figure& figure, const FigureRanges& ranges)
{
  CurvePath path;
  for (const PlotPoint& point : series.points) {
    path.emplace_back(share_of_axis(point.x, figure.x, ranges.x), share_of_axis(point.y, figure.y, ranges.y));
  }
  std::ranges::sort(path);
  return path;
}

/// How far a place is from a curve, upwards or downwards; none where the curve does not reach so far.
std::optional<double> distance_to(const CurvePath& path, const std::pair<double, double>& place)
{
  constexpr double rounding = 1e-6;
  const auto after =
      std::ranges::find_if(path, [&](const auto& point) { return point.first >= place.first - rounding; });
  if (after == path.end() || (after == path.begin() && after->first > place.first + rounding)) {
    return std::nullopt;
  }
  if (after == path.begin() || after->first < place.first + rounding) {
    return std::fabs(after->second - place.second);
  }
  const auto before = after - 1;
  const double share = (place.first - before->first) / (after->first - before->first);
  return std::fabs(before->second + share * (after->second - before->second) - place.second);
}

/// Whether two curves are within a line's width of one another along a piece of some length.
bool coincide(const CurvePath& lower, const CurvePath& upper)
{
  constexpr double line_width = 0.003;
  constexpr double least_length = 0.15;
  std::optional<double> begin;
  for (const auto& place : upper) {
    const std::optional<double> distance = distance_to(lower, place);
    if (!distance || *distance > line_width) {
      begin.reset();
      continue;
    }
    begin = begin.value_or(place.first);
    if (place.first - *begin >= least_length || lower.size() == 1 || upper.size() == 1) {
      return true;
    }
  }
  return false;
}

CurveStyle style_of(unsigned number, const Stack& stack)
{
  constexpr unsigned most_layers = 4;
  const unsigned below = std::min(stack.below, most_layers);
  const unsigned above = std::min(stack.above, most_layers);
  const auto round = static_cast<unsigned>(number / curve_colours.size());
  return {.colour = curve_colours[number % curve_colours.size()],
          .symbol = curve_symbols[number % curve_symbols.size()],
          .dash = below == 0 ? 1 + round % dash_types : 2 + (below - 1 + round) % (dash_types - 1),
          .width = 2 + 1.4 * above,
          .thin = 1.2 + 1.4 * above,
          .point_size = 0.9 + 0.35 * above};
}

} // namespace

std::map<unsigned, CurveStyle> curve_styles(const Figure& figure, const FigureRanges& ranges)
{
  const bool has_area = ranges.x.low < ranges.x.high && ranges.y.low < ranges.y.high;
  std::map<unsigned, Stack> stacks;
  for (const PlotPanel& panel : figure.panels) {
    const std::vector<MainSeries> curves = main_series(panel);
    std::vector<CurvePath> paths;
    for (const MainSeries& curve : curves) {
      paths.push_back(path_of(*curve.series, figure, ranges));
    }
    const auto covers = [&](std::size_t upper, std::size_t lower) {
      return has_area && (coincide(paths[lower], paths[upper]) || coincide(paths[upper], paths[lower]));
    };
    for (std::size_t i = 0; i < curves.size(); ++i) {
      Stack& stack = stacks[curves[i].style];
      for (std::size_t j = 0; j < i; ++j) {
        if (covers(i, j)) {
          stack.below = std::max(stack.below, stacks[curves[j].style].below + 1);
        }
      }
    }
    for (std::size_t i = curves.size(); i-- > 0;) {
      Stack& stack = stacks[curves[i].style];
      for (std::size_t j = i + 1; j < curves.size(); ++j) {
        if (covers(j, i)) {
          stack.above = std::max(stack.above, stacks[curves[j].style].above + 1);
        }
      }
    }
  }
  for (const PlotPanel& panel : figure.panels) {
    for (const PlotSeries& series : panel.series) {
      stacks.try_emplace(series.style);
    }
  }
  std::map<unsigned, CurveStyle> styles;
  for (const auto& [number, stack] : stacks) {
    styles.emplace(number, style_of(number, stack));
  }
  return styles;
}

} // namespace wormcast
