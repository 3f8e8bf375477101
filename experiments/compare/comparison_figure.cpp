#include "wormcast/experiments/compare/comparison_figure.hpp"

#include "wormcast/algorithms/verifier/broadcast_time_bound.hpp"
#include "wormcast/experiments/sweep/formula.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace wormcast {

namespace {

std::string label_of(const ComparedAlgorithm& algorithm)
{
  return algorithm.parameters.empty() ? algorithm.name : fmt::format("{} {}", algorithm.name, algorithm.parameters);
}

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

PlotSeries line_of(const Experiment& experiment, const ComparedAlgorithm& algorithm,
                   const std::vector<std::uint64_t>& lengths, unsigned style)
{
  const CostLine line = cost_line(
      algorithm.run.alpha, Fraction(algorithm.run.beta_numerator, algorithm.run.beta_denominator), experiment.network);
  PlotSeries series{.title = label_of(algorithm), .look = PlotSeries::Look::line, .style = style, .points = {}};
  for (const std::uint64_t length : lengths) {
    series.points.push_back({fmt::to_string(length), format_microseconds(line.at(ExactNumber(length)))});
  }
  return series;
}

} // namespace

Figure comparison_figure(const Experiment& experiment, const Comparison& comparison, const SearchRange& lengths)
{
  const std::vector<std::size_t> drawn = drawn_algorithms(comparison);
  if (drawn.empty()) {
    throw InputError("--picture: there is nothing to draw over message lengths: no algorithm has a formula here");
  }
  const std::uint64_t configured = experiment.request.message_bytes;
  const std::vector<std::uint64_t> all_lengths = lengths_of(lengths, configured);
  Figure figure{.title =
                    fmt::format("{}, {}", operation_names.text(comparison.operation), experiment.topology->title()),
                .x_label = "message length (bytes)",
                .y_label = "latency (us)",
                .log_x = true,
                .log_y = true,
                .panels = {PlotPanel{}}};
  std::vector<PlotSeries>& series = figure.panels.front().series;
  for (const std::size_t position : drawn) {
    const ComparedAlgorithm& algorithm = comparison.algorithms[position];
    const auto style = static_cast<unsigned>(series.size());
    series.push_back(line_of(experiment, algorithm, all_lengths, style));
  }
  const auto lines = static_cast<unsigned>(series.size());
  for (unsigned i = 0; i < lines; ++i) {
    series.push_back(
        {.look = PlotSeries::Look::points,
         .style = i,
         .points = {{fmt::to_string(configured),
                     format_microseconds(ExactNumber(comparison.algorithms[drawn[i]].run.from_source.picoseconds))}}});
  }
  if (comparison.bound) {
    PlotSeries bound{.title = "lower bound", .look = PlotSeries::Look::bound};
    for (const std::uint64_t length : all_lengths) {
      const BroadcastTimeBound at =
          broadcast_time_bound(*experiment.topology, experiment.request.source, experiment.request.ports, length,
                               experiment.network.startup, experiment.network.per_byte);
      bound.points.push_back({fmt::to_string(length), format_microseconds(ExactNumber(at.latency.picoseconds))});
    }
    series.push_back(std::move(bound));
  }
  return figure;
}

} // namespace wormcast
