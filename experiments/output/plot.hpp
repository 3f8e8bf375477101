#pragma once

#include "wormcast/experiments/output/axis_tics.hpp"
#include "wormcast/experiments/output/gnuplot.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// More curves than these are not told apart in one panel.
inline constexpr std::size_t most_curves_in_a_panel = 12;

/// A point with its coordinates as decimals, so that nothing is rounded before gnuplot reads them.
struct PlotPoint {
  std::string x;
  std::string y;
  std::string low = {};  ///< lower end of an interval around y; empty: there is none
  std::string high = {}; ///< its upper end
};

/// One set of points in a figure. Intervals of points are drawn as bars, of a line as a band.
struct PlotSeries {
  enum class Look {
    points,
    line,            ///< a thin line: of a formula
    points_and_line, ///< a line that joins measured points
    band,            ///< the same with its intervals as a shaded band
    bound,           ///< a thin dotted line in black, the same for all styles
    mark             ///< a thin dotted line in the colour of its style, drawn behind all curves
  };
  std::string title = {}; ///< in the legend, which has each title once; empty: not there
  Look look = Look::points;
  unsigned style = 0; ///< series with the same number are one curve: they have one colour, symbol and dashes
  std::vector<PlotPoint> points = {};
};

/// A diagram of several beside each other, which have their axes and their legend in common.
struct PlotPanel {
  std::string title = {}; ///< may be empty
  std::vector<PlotSeries> series = {};
};

/// An axis, which all panels have in common.
struct PlotAxis {
  std::string label = {};
  bool log = false;
  AxisUnit unit = AxisUnit::number;
  std::vector<PlotTic> tics = {}; ///< empty: chosen for the range
  bool names = false;             ///< the tics are names, all of which are shown; of numbers as many as there is room
  std::optional<double> end = {}; ///< of a linear axis: what is above is cut off; none: nothing is
};

/// Diagrams over x and y axis, with one legend: at their right, or below them where its texts are long.
struct Figure {
  std::string title = {}; ///< broken into lines behind commas
  PlotAxis x = {};
  PlotAxis y = {};
  std::vector<PlotPanel> panels = {};
  std::vector<PlotSeries> keys = {};   ///< the legend's last entries, which say what kinds of lines mean; no points
  std::vector<std::string> notes = {}; ///< below everything
};

/// The gnuplot program that draws `figure`, data included, into NAME.svg, NAME.png and NAME.pdf of the folder in which
/// it is run. It can be run and changed by hand. The picture grows with panels and legend, so that nothing is covered;
/// 70 styles are told apart by colour, symbol and dashes, and of curves that coincide each is seen (curve_styles).
std::string gnuplot_script(const Figure& figure, const std::string& name);

/// The figure by write_plot, which see.
PlotOutcome write_figure(const Figure& figure, const std::filesystem::path& folder, const std::string& name);

} // namespace wormcast
