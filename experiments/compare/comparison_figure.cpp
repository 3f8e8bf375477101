#include "wormcast/experiments/compare/comparison_figure.hpp"

#include "wormcast/experiments/compare/comparison_values.hpp"
#include "wormcast/experiments/compare/latency_figure.hpp"
#include "wormcast/experiments/sweep/curve_choice.hpp"
#include "wormcast/experiments/sweep/formula.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace wormcast {

namespace {

/// Positions of the algorithms whose lines are drawn.
std::vector<std::size_t> drawn_algorithms(const Comparison& comparison)
{
  std::vector<std::size_t> drawn;
  for (const EnvelopePiece& piece : comparison.fastest) {
    if (std::ranges::find(drawn, piece.line) == drawn.end()) {
      drawn.push_back(piece.line);
    }
  }
  for (std::size_t i = 0; i < comparison.algorithms.size(); ++i) {
    const ComparedAlgorithm& algorithm = comparison.algorithms[i];
    if (algorithm.configured && algorithm.has_formula() && std::ranges::find(drawn, i) == drawn.end()) {
      drawn.push_back(i);
    }
  }
  return drawn;
}

CostLine cost_line_of(const Experiment& experiment, const ComparedRun& run)
{
  return cost_line(run.alpha, Fraction(run.beta_numerator, run.beta_denominator), experiment.network);
}

/// Of what is to be drawn what there is room for.
std::vector<std::size_t> nearest_algorithms(const Experiment& experiment, const Comparison& comparison,
                                            const std::vector<std::size_t>& all,
                                            const std::vector<std::uint64_t>& lengths)
{
  std::vector<CurveValues> curves;
  for (const std::size_t position : all) {
    const CostLine line = cost_line_of(experiment, comparison.algorithms[position].run);
    CurveValues& curve = curves.emplace_back();
    for (const std::uint64_t length : lengths) {
      curve[static_cast<double>(length)] = line.at(ExactNumber(length)).convert_to<double>();
    }
  }
  std::vector<std::size_t> nearest;
  for (const std::size_t chosen : curves_near_envelope(curves, most_curves_in_a_panel)) {
    nearest.push_back(all[chosen]);
  }
  return nearest;
}

} // namespace

const SearchRange& require_drawn_lengths(const std::optional<SearchRange>& lengths)
{
  if (!lengths) {
    throw InputError("--picture: found --lengths none, expected the message lengths to draw");
  }
  return *lengths;
}

Figure comparison_figure(const Experiment& experiment, const Comparison& comparison,
                         const std::optional<SearchRange>& lengths, const std::string& title)
{
  const std::vector<std::size_t> all = drawn_algorithms(comparison);
  if (all.empty()) {
    throw InputError("--picture: there is nothing to draw over message lengths: no algorithm has a formula here");
  }
  const std::uint64_t configured = experiment.request.message_bytes;
  const std::vector<std::uint64_t> all_lengths = lengths_of(require_drawn_lengths(lengths), configured);
  const std::vector<std::size_t> drawn = nearest_algorithms(experiment, comparison, all, all_lengths);
  Figure figure = figure_over_lengths(experiment, comparison.operation, title);
  std::vector<PlotSeries>& series = figure.panels.front().series;
  const auto [shortest, longest] = std::ranges::minmax(all_lengths);
  for (unsigned style = 0; style < drawn.size(); ++style) {
    const ComparedAlgorithm& algorithm = comparison.algorithms[drawn[style]];
    series.push_back({.title = compared_title(algorithm),
                      .look = PlotSeries::Look::line,
                      .style = style,
                      .points = formula_points(cost_line_of(experiment, algorithm.run), static_cast<double>(shortest),
                                               static_cast<double>(longest), true)});
    series.push_back({.look = PlotSeries::Look::points,
                      .style = style,
                      .points = {{fmt::to_string(configured),
                                  format_microseconds(ExactNumber(algorithm.run.from_source.picoseconds))}}});
  }
  if (comparison.bound) {
    series.push_back(bound_curve(experiment, all_lengths));
  }
  figure.keys.push_back({.title = "lines: predicted", .look = PlotSeries::Look::line});
  if (drawn.size() < all.size()) {
    figure.notes.push_back(fewer_curves_note(drawn.size(), all.size()));
  }
  return figure;
}

} // namespace wormcast
