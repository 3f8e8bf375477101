#pragma once

#include "wormcast/experiments/output/plot.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// An entry of a legend.
struct LegendEntry {
  std::string title;
  unsigned style = 0;
  PlotSeries::Look look = PlotSeries::Look::points;
  bool formula = false;  ///< the curve's line is a formula's
  bool explains = false; ///< one of Figure::keys
};

/// Positions in a picture: pixels of the SVG, from the upper left corner.
struct FigureLayout {
  std::vector<std::string> title;  ///< its lines
  std::vector<LegendEntry> legend; ///< curves, then bounds, then Figure::keys
  std::vector<std::string> notes;  ///< their lines
  std::size_t columns = 1;         ///< panels side by side
  double panel_width = 0;
  double panel_height = 0;
  double head = 0; ///< above the panels
  double legend_left = 0;
  double legend_top = 0;
  double entry_width = 0;
  std::size_t legend_columns = 1;
  double notes_top = 0;
  double width = 0;
  double height = 0;
};

/// Distance of the lines of legends, titles and notes.
inline constexpr double figure_line = 20;

/// The legend is at the right where it takes no more than a third of the panels' width and is no higher than they are,
/// else below them, in as many columns as fit.
FigureLayout lay_out_figure(const Figure& figure);

/// The ends of both axes: a little more than the points and the ends of their intervals need. A linear axis begins at 0
/// where nothing is below. The ends are the same where there is no point, or where all are at one place.
struct FigureRanges {
  AxisRange x;
  AxisRange y;
};
FigureRanges figure_ranges(const Figure& figure);

/// The width of a text at 14 pixels in DejaVu Sans, which is wider than most other fonts.
double text_width(std::string_view text);

/// Lines no wider than `width`, where that is possible, broken behind `separator`.
std::vector<std::string> wrapped(const std::string& text, double width, std::string_view separator);

} // namespace wormcast
