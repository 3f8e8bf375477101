#include "wormcast/experiments/output/plot.hpp"

#include "wormcast/values/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

namespace wormcast {

namespace {

/// Colours that people with any kind of colour vision tell apart (Okabe & Ito, "Color Universal Design", 2008).
constexpr std::array colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
/// Circle, square, triangle, diamond, pentagon: filled, then empty.
constexpr std::array symbols = {7, 5, 9, 13, 15, 6, 4, 8, 12, 14};

/// Broken in five ways.
constexpr std::size_t dash_types = 5;

std::string stroke(const PlotSeries& series)
{
  return fmt::format("linewidth 1.5 dashtype {} linecolor rgb '{}'", 1 + series.style / colours.size() % dash_types,
                     colours[series.style % colours.size()]);
}

std::string symbol(const PlotSeries& series)
{
  return fmt::format("pointtype {} pointsize 1", symbols[series.style % symbols.size()]);
}

bool has_intervals(const PlotSeries& series)
{
  return std::ranges::any_of(series.points, [](const PlotPoint& point) { return !point.low.empty(); });
}

/// How a series is drawn, from `data`: one or two parts of gnuplot's plot command.
std::vector<std::string> parts(const PlotSeries& series, const std::string& data)
{
  const bool intervals = has_intervals(series);
  switch (series.look) {
  case PlotSeries::Look::points:
    return {fmt::format("{} using {} {} {}", data, intervals ? "1:2:3:4 with yerrorbars" : "1:2 with points",
                        symbol(series), stroke(series))};
  case PlotSeries::Look::points_and_line:
    return {fmt::format("{} using {} {} {}", data, intervals ? "1:2:3:4 with yerrorlines" : "1:2 with linespoints",
                        symbol(series), stroke(series))};
  case PlotSeries::Look::line:
    return {fmt::format("{} using 1:2 with lines {}", data, stroke(series))};
  case PlotSeries::Look::band:
    return {fmt::format("{} using 1:3:4 with filledcurves fillstyle transparent solid 0.2 noborder linecolor rgb '{}'",
                        data, colours[series.style % colours.size()]),
            fmt::format("{} using 1:2 with linespoints {} {}", data, symbol(series), stroke(series))};
  case PlotSeries::Look::bound:
    return {fmt::format("{} using 1:2 with lines linewidth 1 dashtype 3 linecolor rgb 'black'", data)};
  }
  throw std::logic_error("unknown look of a series");
}

/// The same series in the legend, of which nothing is seen but its entry.
std::string legend_entry(const PlotSeries& series)
{
  const std::string title = " title " + gnuplot_text(series.title);
  switch (series.look) {
  case PlotSeries::Look::points:
    return fmt::format("NaN with points {} {}", symbol(series), stroke(series)) + title;
  case PlotSeries::Look::points_and_line:
  case PlotSeries::Look::band:
    return fmt::format("NaN with linespoints {} {}", symbol(series), stroke(series)) + title;
  case PlotSeries::Look::line:
    return fmt::format("NaN with lines {}", stroke(series)) + title;
  case PlotSeries::Look::bound:
    return "NaN with lines linewidth 1 dashtype 3 linecolor rgb 'black'" + title;
  }
  throw std::logic_error("unknown look of a series");
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(const std::string& decimal)
  {
    if (!decimal.empty()) {
      const double number = std::strtod(decimal.c_str(), nullptr);
      low = std::min(low, number);
      high = std::max(high, number);
    }
  }
  bool known() const { return low <= high; }
};

/// "set xrange [..]", with a little room at both ends; nothing where all values are the same.
std::string range_line(const char* axis, const Range& range, bool logarithmic)
{
  if (!(range.low < range.high) || (logarithmic && range.low <= 0)) {
    return {};
  }
  const double room = 0.04;
  if (logarithmic) {
    const double factor = std::pow(range.high / range.low, room);
    return fmt::format("set {}range [{:.6g}:{:.6g}]\n", axis, range.low / factor, range.high * factor);
  }
  const double difference = room * (range.high - range.low);
  return fmt::format("set {}range [{:.6g}:{:.6g}]\n", axis, range.low - difference, range.high + difference);
}

/// All panels have the same ranges, so that they can be compared. A linear y axis begins at 0 where nothing is below.
std::string ranges(const Figure& figure)
{
  Range x;
  Range y;
  for (const PlotPanel& panel : figure.panels) {
    for (const PlotSeries& series : panel.series) {
      for (const PlotPoint& point : series.points) {
        x.take(point.x);
        y.take(point.y);
        y.take(point.low);
        y.take(point.high);
      }
    }
  }
  std::string lines = range_line("x", x, figure.log_x);
  if (!y.known()) {
    return lines;
  }
  if (figure.y_end && !figure.log_y) {
    y.high = std::min(y.high, *figure.y_end);
  }
  if (!figure.log_y && y.low >= 0) {
    return lines + (y.high > 0 ? fmt::format("set yrange [0:{:.6g}]\n", 1.04 * y.high) : std::string());
  }
  return lines + range_line("y", y, figure.log_y);
}

/// Characters of a UTF-8 text.
std::size_t characters(std::string_view text)
{
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

/// Where things stand in the picture: pixels of the SVG, from the upper left corner.
struct FigureLayout {
  std::vector<PlotSeries> legend; ///< the series whose titles are in the legend, without points
  std::size_t columns = 1;        ///< panels side by side
  double panel_width = 0;
  double panel_height = 0;
  double width = 0;
  double height = 0;
};

constexpr double title_height = 36;
constexpr double legend_line = 19;

FigureLayout lay_out(const Figure& figure)
{
  FigureLayout layout;
  std::size_t longest = 0;
  for (const PlotPanel& panel : figure.panels) {
    for (const PlotSeries& series : panel.series) {
      const auto known = [&](const PlotSeries& other) {
        return other.title == series.title && other.look == series.look;
      };
      if (!series.title.empty() && std::ranges::none_of(layout.legend, known)) {
        layout.legend.push_back({.title = series.title, .look = series.look, .style = series.style});
        longest = std::max(longest, characters(printable(series.title)));
      }
    }
  }
  const std::size_t panels = std::max<std::size_t>(1, figure.panels.size());
  layout.columns = panels == 1 ? 1 : std::min<std::size_t>(4, static_cast<std::size_t>(std::ceil(std::sqrt(panels))));
  layout.panel_width = panels == 1 ? 760 : panels == 2 ? 520 : 420;
  layout.panel_height = panels == 1 ? 640 : panels == 2 ? 430 : 350;
  const std::size_t lines = (panels + layout.columns - 1) / layout.columns;
  const double legend_width = layout.legend.empty() ? 20 : 70 + 8.2 * static_cast<double>(longest);
  const double least_width = 40 + 8.2 * static_cast<double>(characters(printable(figure.title)));
  layout.width = std::max(least_width, layout.panel_width * static_cast<double>(layout.columns) + legend_width);
  layout.height = title_height + std::max(layout.panel_height * static_cast<double>(lines),
                                          60 + legend_line * static_cast<double>(layout.legend.size()));
  return layout;
}

std::string data_name(std::size_t panel, std::size_t series)
{
  return fmt::format("$panel{}_{}", panel, series);
}

std::string panel_drawing(const Figure& figure, std::size_t number, const FigureLayout& layout)
{
  const PlotPanel& panel = figure.panels[number];
  const double left = layout.panel_width * static_cast<double>(number % layout.columns);
  const double top = title_height + layout.panel_height * static_cast<double>(number / layout.columns);
  std::string text = fmt::format("set origin {:.6f},{:.6f}\nset size {:.6f},{:.6f}\n", left / layout.width,
                                 1 - (top + layout.panel_height) / layout.height, layout.panel_width / layout.width,
                                 layout.panel_height / layout.height);
  text += panel.title.empty() ? "unset title\n" : "set title " + gnuplot_text(panel.title) + " noenhanced\n";
  std::string plot;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    for (const std::string& part : parts(panel.series[i], data_name(number, i))) {
      plot += (plot.empty() ? "plot " : ", \\\n     ") + part + " notitle";
    }
  }
  text += plot.empty() ? "plot NaN notitle\n" : plot + "\n";
  return text + "unset label 1\n";
}

std::string legend_drawing(const FigureLayout& layout, std::size_t panels)
{
  if (layout.legend.empty()) {
    return {};
  }
  const double left =
      layout.panel_width * static_cast<double>(std::min(layout.columns, std::max<std::size_t>(1, panels)));
  std::string text = "unset title; unset xlabel; unset ylabel; unset logscale; unset border; unset xtics; unset ytics; "
                     "unset grid\nset xrange [0:1]\nset yrange [0:1]\nset origin 0,0\nset size 1,1\n";
  text += fmt::format("set key at screen {:.6f}, screen {:.6f} left top vertical maxcols 1 maxrows {} Left reverse "
                      "samplen 3 spacing 1.1 noenhanced\n",
                      left / layout.width, 1 - (title_height + 4) / layout.height, layout.legend.size());
  for (std::size_t i = 0; i < layout.legend.size(); ++i) {
    text += (i == 0 ? "plot " : ", \\\n     ") + legend_entry(layout.legend[i]);
  }
  return text + "\n";
}

/// A label of "set xtics", of which gnuplot makes a format for the number at the tic.
std::string tic_text(std::string_view label)
{
  std::string text;
  for (const char character : label) {
    text += character == '%' ? std::string("%%") : std::string(1, character);
  }
  return gnuplot_text(text);
}

} // namespace

std::string gnuplot_script(const Figure& figure, const std::string& name)
{
  const FigureLayout layout = lay_out(figure);
  std::string script = gnuplot_heading(name);
  script += "set encoding utf8\n";
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    for (std::size_t j = 0; j < figure.panels[i].series.size(); ++j) {
      script += data_name(i, j) + " << END\n";
      for (const PlotPoint& point : figure.panels[i].series[j].points) {
        script += point.x + " " + point.y;
        script += has_intervals(figure.panels[i].series[j])
                      ? fmt::format(" {} {}\n", point.low.empty() ? point.y : point.low,
                                    point.high.empty() ? point.y : point.high)
                      : "\n";
      }
      script += "END\n";
    }
  }
  std::string drawing =
      "reset\nset multiplot\nset label 1 " + gnuplot_text(figure.title) +
      fmt::format(" at screen 0.5, screen {:.6f} center noenhanced\n", 1 - 0.5 * title_height / layout.height);
  drawing += "unset key\nset xlabel " + gnuplot_text(figure.x_label) + " noenhanced\n";
  drawing += "set ylabel " + gnuplot_text(figure.y_label) + " noenhanced\n";
  drawing += "set grid xtics ytics linetype 1 linecolor rgb '#cccccc' linewidth 0.5\n";
  drawing += figure.log_x ? "set logscale x\n" : "";
  drawing += figure.log_y ? "set logscale y\n" : "";
  drawing += "set format y '%.12g'\n" + ranges(figure);
  if (!figure.x_tics.empty()) {
    drawing += "set xtics (";
    std::size_t letters = 0;
    for (const PlotTic& tic : figure.x_tics) {
      drawing += fmt::format("{}{} {}", &tic == figure.x_tics.data() ? "" : ", ", tic_text(tic.label), tic.x);
      letters += 1 + characters(tic.label);
    }
    drawing += ") noenhanced\n";
    if (7.6 * static_cast<double>(letters) > 0.8 * layout.panel_width) {
      drawing += "set xtics rotate by -45\n";
    }
  }
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    drawing += panel_drawing(figure, i, layout);
  }
  drawing += legend_drawing(layout, figure.panels.size()) + "unset multiplot\n";
  return script + gnuplot_pictures(name, drawing, layout.width, layout.height);
}

PlotOutcome write_figure(const Figure& figure, const std::filesystem::path& folder, const std::string& name)
{
  return write_plot(gnuplot_script(figure, name), folder, name);
}

} // namespace wormcast
