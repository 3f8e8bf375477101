#pragma once

#include "wormcast/experiments/output/gnuplot.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

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
    line,
    points_and_line,
    band, ///< a line with its intervals as a shaded band
    bound ///< a thin broken line in black, the same for all styles
  };
  std::string title = {}; ///< in the legend, where each title stands once; empty: not there
  Look look = Look::points;
  unsigned style = 0; ///< series with the same number have the same colour, symbol and dashes
  std::vector<PlotPoint> points = {};
};

/// A diagram of several beside each other, which have their axes and their legend in common.
struct PlotPanel {
  std::string title = {}; ///< may be empty
  std::vector<PlotSeries> series = {};
};

/// A mark on the x axis with its text.
struct PlotTic {
  std::string x;
  std::string label;
};

/// Diagrams over x and y axis, with a legend at their right.
struct Figure {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  std::optional<double> y_end = {}; ///< of a linear y axis: what is above is cut off; none: nothing is
  std::vector<PlotTic> x_tics = {}; ///< empty: gnuplot's choice
  std::vector<PlotPanel> panels = {};
};

/// The gnuplot program that draws `figure`, data included, into NAME.svg, NAME.png and NAME.pdf of the folder in which
/// it is run. It can be run and changed by hand. The picture grows with panels and legend, so that nothing is covered;
/// 70 styles are told apart by colour, symbol and dashes.
std::string gnuplot_script(const Figure& figure, const std::string& name);

/// The figure by write_plot, which see.
PlotOutcome write_figure(const Figure& figure, const std::filesystem::path& folder, const std::string& name);

} // namespace wormcast
