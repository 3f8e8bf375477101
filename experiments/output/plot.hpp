#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// A point with its coordinates as decimals, so that nothing is rounded before gnuplot reads them.
struct PlotPoint {
  std::string x;
  std::string y;
};

/// One set of points in a figure.
struct PlotSeries {
  enum class Look { points, line, points_and_line };
  std::string title;
  Look look = Look::points;
  unsigned colour = 0; ///< series with the same number have the same colour and symbol
  std::vector<PlotPoint> points;
};

/// A mark on the x axis with its text.
struct PlotTic {
  std::string x;
  std::string label;
};

/// A diagram of series over x and y axis.
struct Figure {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  std::vector<PlotTic> x_tics; ///< empty: gnuplot's choice
  std::vector<PlotSeries> series;
};

/// The gnuplot program that draws `figure`, data included, into NAME.svg and NAME.png of the folder in which it is run.
/// It can be run and changed by hand.
std::string gnuplot_script(const Figure& figure, const std::string& name);

/// The comment that a gnuplot program for NAME begins with: one line, whatever the name holds.
std::string gnuplot_heading(const std::string& name);

/// A text in gnuplot's single quotes, where only the quote itself has a meaning.
std::string gnuplot_text(std::string_view text);

enum class PlotOutcome { written, gnuplot_missing };

/// Writes folder/NAME.gnuplot and, through gnuplot, NAME.svg and NAME.png. The same figure gives the same bytes on one
/// machine: no dates and no versions of programs in the files. Throws OutputError where a file cannot be written and
/// std::runtime_error, with what gnuplot says, where it fails.
PlotOutcome write_figure(const Figure& figure, const std::filesystem::path& folder, const std::string& name);

/// The same with a gnuplot program that was made for NAME.
PlotOutcome write_plot(const std::string& script, const std::filesystem::path& folder, const std::string& name);

/// Runs a gnuplot program that write_plot could run, and writes these files alone: what ends in .svg or .png is the
/// picture, what ends in .gnuplot the program. Throws what write_plot throws, and InputError on another ending.
PlotOutcome write_pictures(const std::string& script, std::span<const std::filesystem::path> files);

/// The same, but throws std::runtime_error that names the package where gnuplot is missing.
void draw_pictures(const std::string& script, std::span<const std::filesystem::path> files);

/// Throws InputError unless the file's name ends in .svg, .png or .gnuplot.
void check_picture_name(const std::filesystem::path& file);

} // namespace wormcast
