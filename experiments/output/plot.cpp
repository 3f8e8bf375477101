#include "wormcast/experiments/output/plot.hpp"

#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/process/pool.hpp"
#include "wormcast/topologies/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <system_error>

namespace wormcast {

namespace {

/// Colours that people with any kind of colour vision tell apart (Okabe & Ito, "Color Universal Design", 2008).
constexpr std::array colours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
/// Circle, square, triangle, diamond, pentagon: filled, then empty.
constexpr std::array symbols = {7, 5, 9, 13, 15, 6, 4, 8, 12, 14};

std::string look(const PlotSeries& series)
{
  const char* colour = colours[series.colour % colours.size()];
  const int symbol = symbols[series.colour % symbols.size()];
  switch (series.look) {
  case PlotSeries::Look::points:
    return fmt::format("with points pointtype {} pointsize 1 linecolor rgb '{}'", symbol, colour);
  case PlotSeries::Look::line:
    return fmt::format("with lines linewidth 1.5 linecolor rgb '{}'", colour);
  case PlotSeries::Look::points_and_line:
    return fmt::format("with linespoints linewidth 1.5 pointtype {} pointsize 1 linecolor rgb '{}'", symbol, colour);
  }
  throw std::logic_error("unknown look of a series");
}

/// The x axis with a little room at both ends.
std::string x_range(const Figure& figure)
{
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const PlotSeries& series : figure.series) {
    for (const PlotPoint& point : series.points) {
      const double x = std::strtod(point.x.c_str(), nullptr);
      low = std::min(low, x);
      high = std::max(high, x);
    }
  }
  if (!(low < high)) {
    return {};
  }
  const double room = 0.04;
  if (figure.log_x) {
    const double factor = std::pow(high / low, room);
    return fmt::format("set xrange [{:.6g}:{:.6g}]\n", low / factor, high * factor);
  }
  return fmt::format("set xrange [{:.6g}:{:.6g}]\n", low - room * (high - low), high + room * (high - low));
}

std::string read_bytes(const std::filesystem::path& file)
{
  std::ifstream in(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) {
    throw OutputError(fmt::format("{}: cannot read what gnuplot wrote: {}", file.string(), std::strerror(errno)));
  }
  return bytes;
}

/// gnuplot names itself and its version here.
std::string without_producer(std::string svg)
{
  const std::size_t begin = svg.find("<desc>Produced by");
  const std::size_t end = svg.find("</desc>\n", begin);
  if (begin != std::string::npos && end != std::string::npos) {
    svg.erase(begin, end + std::strlen("</desc>\n") - begin);
  }
  return svg;
}

} // namespace

std::string gnuplot_text(std::string_view text)
{
  std::string result = "'";
  for (const char character : printable(text)) {
    result += character;
    if (character == '\'') {
      result += '\'';
    }
  }
  return result + "'";
}

std::string gnuplot_heading(const std::string& name)
{
  const std::string shown = printable(name); // the comment ends with the line
  return "# Draws " + shown + ".svg and " + shown + ".png: gnuplot " + shown + ".gnuplot\n";
}

std::string gnuplot_script(const Figure& figure, const std::string& name)
{
  std::string script = gnuplot_heading(name);
  script += "set encoding utf8\n";
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    script += fmt::format("$series{} << END\n", i);
    for (const PlotPoint& point : figure.series[i].points) {
      script += point.x + " " + point.y + "\n";
    }
    script += "END\n";
  }
  script += "set title " + gnuplot_text(figure.title) + " noenhanced\n";
  script += "set xlabel " + gnuplot_text(figure.x_label) + " noenhanced\n";
  script += "set ylabel " + gnuplot_text(figure.y_label) + " noenhanced\n";
  script += "set key outside below maxrows 6 noenhanced\n";
  script += "set grid xtics ytics linetype 1 linecolor rgb '#cccccc' linewidth 0.5\n";
  if (figure.log_x) {
    script += "set logscale x\n";
  }
  if (figure.log_y) {
    script += "set logscale y\nset format y '%.12g'\n";
  }
  script += x_range(figure);
  if (!figure.x_tics.empty()) {
    script += "set xtics (";
    for (const PlotTic& tic : figure.x_tics) {
      script += fmt::format("{}{} {}", &tic == figure.x_tics.data() ? "" : ", ", gnuplot_text(tic.label), tic.x);
    }
    script += ") noenhanced\n";
    if (figure.x_tics.size() > 12) {
      script += "set xtics rotate by -45\n";
    }
  }
  std::string plot = "plot ";
  for (std::size_t i = 0; i < figure.series.size(); ++i) {
    plot += fmt::format("{}$series{} using 1:2 {} title {}", i == 0 ? "" : ", \\\n     ", i, look(figure.series[i]),
                        gnuplot_text(figure.series[i].title));
  }
  script += "if (!exists('svg_file')) svg_file = " + gnuplot_text(name + ".svg") + "\n";
  script += "if (!exists('png_file')) png_file = " + gnuplot_text(name + ".png") + "\n";
  script += "set terminal svg size 960,720 noenhanced font 'sans,14' background rgb 'white' name " +
            gnuplot_text("wormcast") + "\n";
  script += "set output svg_file\n" + plot + "\n";
  script += "set terminal pngcairo size 1280,960 noenhanced font 'sans,14' linewidth 1.5\n";
  script += "set output png_file\nreplot\nset output\n";
  return script;
}

PlotOutcome write_figure(const Figure& figure, const std::filesystem::path& folder, const std::string& name)
{
  return write_plot(gnuplot_script(figure, name), folder, name);
}

PlotOutcome write_plot(const std::string& script, const std::filesystem::path& folder, const std::string& name)
{
  write_output(folder / (name + ".gnuplot"), script);
  const TemporaryPath svg(folder / ("." + name + ".svg.partial")); // removed in the end: gnuplot's own
  const TemporaryPath png(folder / ("." + name + ".png.partial"));
  const std::string names = fmt::format("svg_file = {}; png_file = {}", gnuplot_text(svg.path().filename().string()),
                                        gnuplot_text(png.path().filename().string()));
  const TaskOutcome outcome = execute_program(
      std::array<std::string, 5>{"gnuplot", "--default-settings", "-e", names, name + ".gnuplot"}, folder.string());
  if (outcome.signal == 0 && outcome.report.code == 127) {
    return PlotOutcome::gnuplot_missing;
  }
  if (outcome.signal != 0 || outcome.report.code != 0) {
    const std::size_t end = outcome.talk.find_last_not_of('\n');
    const std::string said = outcome.talk.substr(0, end == std::string::npos ? 0 : end + 1);
    throw std::runtime_error(fmt::format("{}: gnuplot failed: {}", (folder / (name + ".gnuplot")).string(),
                                         outcome.signal != 0 ? strsignal(outcome.signal) : said));
  }
  write_output(folder / (name + ".svg"), without_producer(read_bytes(svg.path())));
  write_output(folder / (name + ".png"), read_bytes(png.path()));
  return PlotOutcome::written;
}

void draw_pictures(const std::string& script, std::span<const std::filesystem::path> files)
{
  if (write_pictures(script, files) == PlotOutcome::gnuplot_missing) {
    throw std::runtime_error(
        fmt::format("{} is not drawn: gnuplot is not installed (package gnuplot-nox)", files.front().string()));
  }
}

void check_picture_name(const std::filesystem::path& file)
{
  const std::string ending = file.extension().string();
  if (ending != ".svg" && ending != ".png" && ending != ".gnuplot") {
    throw InputError(fmt::format("{}: expected a picture's name that ends in .svg, .png or .gnuplot", file.string()));
  }
}

PlotOutcome write_pictures(const std::string& script, std::span<const std::filesystem::path> files)
{
  std::ranges::for_each(files, check_picture_name);
  const ScratchFolder scratch;
  const std::string name = "picture";
  const PlotOutcome outcome = write_plot(script, scratch.path(), name);
  for (const std::filesystem::path& file : files) {
    if (outcome == PlotOutcome::written || file.extension() == ".gnuplot") {
      write_output(file, read_bytes(scratch.path() / (name + file.extension().string())));
    }
  }
  return outcome;
}

} // namespace wormcast
