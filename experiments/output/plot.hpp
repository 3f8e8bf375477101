#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// The comment that a gnuplot program for NAME begins with: one line, whatever the name holds.
std::string gnuplot_heading(const std::string& name);

/// The lines of a gnuplot program that draw `drawing` into all three pictures of NAME, `width` by `height` pixels of
/// the SVG large.
std::string gnuplot_pictures(const std::string& name, const std::string& drawing, double width, double height);

/// A text in gnuplot's single quotes, where only the quote itself has a meaning.
std::string gnuplot_text(std::string_view text);

/// Whether there is a picture, or only gnuplot's program for it.
enum class PlotOutcome { written, gnuplot_missing };

/// Runs the gnuplot program `program`, a file of `folder`, there, after the commands `before`. Throws
/// std::runtime_error, with what gnuplot says, where it fails.
PlotOutcome run_gnuplot(const std::filesystem::path& folder, const std::string& program, const std::string& before);

/// The endings of the pictures that a gnuplot program makes: ".svg", ".png", ".pdf".
std::span<const std::string> picture_endings();

/// Writes folder/NAME.gnuplot and, through gnuplot, NAME.svg, NAME.png and NAME.pdf. The same figure gives the same
/// bytes on one machine: no dates in the files, and no version of gnuplot. Throws OutputError where a file cannot be
/// written and std::runtime_error, with what gnuplot says, where it fails.
PlotOutcome write_figure(const Figure& figure, const std::filesystem::path& folder, const std::string& name);

/// The same with a gnuplot program that was made for NAME.
PlotOutcome write_plot(const std::string& script, const std::filesystem::path& folder, const std::string& name);

/// Runs a gnuplot program that write_plot could run, and writes these files alone: what ends in .svg, .png or .pdf is
/// the picture, what ends in .gnuplot the program. Throws what write_plot throws, std::runtime_error where gnuplot is
/// missing for a picture, and InputError on another ending.
void write_pictures(const std::string& script, std::span<const std::string> files);

/// Throws InputError unless the file's name ends in .svg, .png, .pdf or .gnuplot.
void check_picture_name(const std::filesystem::path& file);

} // namespace wormcast
