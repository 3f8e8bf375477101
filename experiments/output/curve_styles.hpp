#pragma once

#include "wormcast/experiments/output/figure_layout.hpp"
#include "wormcast/experiments/output/plot.hpp"

#include <map>
#include <string>

namespace wormcast {

/// How one curve is drawn.
struct CurveStyle {
  std::string colour;
  unsigned symbol = 0; ///< a point type of gnuplot
  unsigned dash = 1;   ///< a dash type of gnuplot; 1: solid
  double width = 0;    ///< of a line that joins measured points
  double thin = 0;     ///< of a formula's line
  double point_size = 1;
};

/// Looks of a figure's curves by PlotSeries::style. Where a curve runs along an earlier one for a part of the x axis,
/// it is broken and thinner, with smaller symbols, so that the earlier one is seen below.
std::map<unsigned, CurveStyle> curve_styles(const Figure& figure, const FigureRanges& ranges);

} // namespace wormcast
