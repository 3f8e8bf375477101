#include "wormcast/experiments/output/plot.hpp"

#include "wormcast/experiments/output/curve_styles.hpp"
#include "wormcast/experiments/output/figure_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace wormcast {

namespace {

using Look = PlotSeries::Look;

/// Of bounds in black, and of marks in their curve's colour.
constexpr const char* dotted = "linewidth 1.2 dashtype 3";
constexpr const char* explained_colour = "#404040";

std::string coloured(const std::string& colour)
{
  return fmt::format("linecolor rgb '{}'", colour);
}

std::string stroke(const CurveStyle& style, bool formula)
{
  return fmt::format("linewidth {:.1f} dashtype {} {}", formula ? style.thin : style.width, style.dash,
                     coloured(style.colour));
}

std::string symbol(const CurveStyle& style)
{
  return fmt::format("pointtype {} pointsize {:.1f}", style.symbol, style.point_size);
}

bool has_intervals(const PlotSeries& series)
{
  return std::ranges::any_of(series.points, [](const PlotPoint& point) { return !point.low.empty(); });
}

/// Which parts of a series are drawn together: marks lie behind all curves, and lines behind all points.
enum class Layer { marks, bands, lines, points };

/// What a layer draws of a series, from `data`: parts of gnuplot's plot command.
std::vector<std::string> layer_parts(Layer layer, const PlotSeries& series, const CurveStyle& style,
                                     const std::string& data)
{
  const bool joined = series.look == Look::points_and_line || series.look == Look::band;
  const bool bars = has_intervals(series) && (joined || series.look == Look::points);
  switch (layer) {
  case Layer::marks:
    if (series.look == Look::mark) {
      return {fmt::format("{} using 1:2 with lines {} {}", data, dotted, coloured(style.colour))};
    }
    return {};
  case Layer::bands:
    if (series.look == Look::band && bars) {
      return {fmt::format("{} using 1:3:4 with filledcurves fillstyle transparent solid 0.2 noborder {}", data,
                          coloured(style.colour))};
    }
    return {};
  case Layer::lines:
    if (series.look == Look::bound) {
      return {fmt::format("{} using 1:2 with lines {} {}", data, dotted, coloured("black"))};
    }
    if (series.look == Look::line || joined) {
      return {fmt::format("{} using 1:2 with lines {}", data, stroke(style, series.look == Look::line))};
    }
    return {};
  case Layer::points: {
    std::vector<std::string> drawn;
    if (bars && series.look != Look::band) {
      drawn.push_back(fmt::format("{} using 1:2:3:4 with yerrorbars pointsize 0 linewidth 1 dashtype 1 {}", data,
                                  coloured(style.colour)));
    }
    if (joined || series.look == Look::points) {
      drawn.push_back(fmt::format("{} using 1:2 with points {} {}", data, symbol(style), coloured(style.colour)));
    }
    return drawn;
  }
  }
  throw std::logic_error("unknown layer of a figure");
}

std::string data_name(std::size_t panel, std::size_t series)
{
  return fmt::format("$panel{}_{}", panel, series);
}

/// A place of the picture, as gnuplot has it.
std::string on_screen(const FigureLayout& layout, double x, double y)
{
  return fmt::format("screen {:.6f}, screen {:.6f}", x / layout.width, 1 - y / layout.height);
}

std::string text_at(const FigureLayout& layout, std::string_view text, double x, double y, const char* alignment)
{
  return fmt::format("set label {} at {} {} noenhanced\n", gnuplot_text(text), on_screen(layout, x, y), alignment);
}

/// The line and the symbol of an entry between `left` and its text.
std::string legend_sample_drawing(const FigureLayout& layout, const LegendEntry& entry, const CurveStyle& style,
                                  double left, double y)
{
  constexpr double begin = 8;
  constexpr double end = 48;
  const bool is_dotted = entry.look == Look::bound || entry.look == Look::mark;
  const std::string colour = entry.look == Look::bound ? "black" : entry.explains ? explained_colour : style.colour;
  std::string text;
  if (entry.look != Look::points) {
    const std::string line = is_dotted        ? std::string(dotted) + " " + coloured(colour)
                             : entry.explains ? "linewidth 1.2 " + coloured(colour)
                                              : stroke(style, entry.formula);
    text += fmt::format("set arrow from {} to {} nohead {}\n", on_screen(layout, left + begin, y),
                        on_screen(layout, left + end, y), line);
  }
  if (!is_dotted && entry.look != Look::line) {
    text += fmt::format("set label '' at {} point {} {}\n", on_screen(layout, left + (begin + end) / 2, y),
                        symbol(style), coloured(colour));
  }
  return text;
}

/// Title, legend and notes: they are drawn with the first panel.
std::string texts_drawing(const FigureLayout& layout, const std::map<unsigned, CurveStyle>& styles)
{
  std::string text;
  double y = 8 + figure_line / 2;
  for (const std::string& line : layout.title) {
    text += text_at(layout, line, layout.width / 2, y, "center");
    y += figure_line;
  }
  const std::size_t rows = (layout.legend.size() + layout.legend_columns - 1) / layout.legend_columns;
  for (std::size_t i = 0; i < layout.legend.size(); ++i) {
    const LegendEntry& entry = layout.legend[i];
    const double left = layout.legend_left + layout.entry_width * static_cast<double>(i / rows);
    const double middle = layout.legend_top + figure_line * (static_cast<double>(i % rows) + 0.5);
    const auto style = styles.find(entry.style);
    text += legend_sample_drawing(layout, entry, style == styles.end() ? CurveStyle() : style->second, left, middle);
    text += text_at(layout, entry.title, left + 56, middle, "left");
  }
  for (std::size_t i = 0; i < layout.notes.size(); ++i) {
    text +=
        text_at(layout, layout.notes[i], 20, layout.notes_top + figure_line * (static_cast<double>(i) + 0.7), "left");
  }
  return text;
}

std::string panel_drawing(const Figure& figure, std::size_t number, const FigureLayout& layout,
                          const std::map<unsigned, CurveStyle>& styles)
{
  const PlotPanel& panel = figure.panels[number];
  const double left = layout.panel_width * static_cast<double>(number % layout.columns);
  const double top = layout.head + layout.panel_height * static_cast<double>(number / layout.columns);
  std::string text = fmt::format("set origin {:.6f},{:.6f}\nset size {:.6f},{:.6f}\n", left / layout.width,
                                 1 - (top + layout.panel_height) / layout.height, layout.panel_width / layout.width,
                                 layout.panel_height / layout.height);
  text += panel.title.empty() ? "unset title\n" : "set title " + gnuplot_text(panel.title) + " noenhanced\n";
  std::vector<std::size_t> order(panel.series.size()); // wide curves lie below thin ones
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(),
                           [&](std::size_t i) { return styles.at(panel.series[i].style).width; });
  std::string plot;
  for (const Layer layer : {Layer::marks, Layer::bands, Layer::lines, Layer::points}) {
    for (const std::size_t i : order) {
      const PlotSeries& series = panel.series[i];
      for (const std::string& part : layer_parts(layer, series, styles.at(series.style), data_name(number, i))) {
        plot += (plot.empty() ? "plot " : ", \\\n     ") + part + " notitle";
      }
    }
  }
  text += plot.empty() ? "plot NaN notitle\n" : plot + "\n";
  return text + (number == 0 ? "unset label\nunset arrow\n" : "");
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

std::string tics_line(const char* axis, const std::vector<PlotTic>& tics)
{
  std::string line = fmt::format("set {}tics (", axis);
  for (const PlotTic& tic : tics) {
    line += fmt::format("{}{} {}{}", &tic == tics.data() ? "" : ", ", tic_text(tic.label), tic.at,
                        tic.label.empty() ? " 1" : "");
  }
  return line + ") noenhanced\n";
}

double longest_label(const std::vector<PlotTic>& tics)
{
  double longest = 0;
  for (const PlotTic& tic : tics) {
    longest = std::max(longest, text_width(tic.label));
  }
  return longest;
}

/// "set xtics" of an axis that is `pixels` long, with a text every `pitch` pixels at most, or as long as texts are.
std::string axis_tics(const char* name, const PlotAxis& axis, AxisRange range, double pixels, double pitch)
{
  const bool across = name[0] == 'x';
  const auto room_for = [&](const std::vector<PlotTic>& tics) {
    const double each = across ? longest_label(tics) + 14 : pitch;
    return std::max<std::size_t>(2, static_cast<std::size_t>(pixels / each));
  };
  if (axis.names) {
    const bool crowded = across && axis.tics.size() > room_for(axis.tics);
    return tics_line(name, axis.tics) + (crowded ? "set xtics rotate by -45\n" : "");
  }
  if (!axis.tics.empty()) {
    return tics_line(name, thinned_tics(axis.tics, room_for(axis.tics)));
  }
  if (!(range.low < range.high) || (!axis.log && axis.unit == AxisUnit::number)) {
    return {};
  }
  const auto chosen = [&](std::size_t most) {
    return axis.log ? log_tics(range, axis.unit, most) : linear_tics(range, axis.unit, most);
  };
  const std::size_t most = static_cast<std::size_t>(pixels / pitch);
  const std::vector<PlotTic> tics = chosen(most);
  return tics_line(name, chosen(std::min(most, room_for(tics))));
}

std::string axis_drawing(const char* name, const PlotAxis& axis, AxisRange range, double pixels, double pitch)
{
  std::string text = fmt::format("set {}label {} noenhanced\n", name, gnuplot_text(axis.label));
  text += axis.log ? fmt::format("set logscale {}\n", name) : std::string();
  text += fmt::format("set format {} '%.12g'\n", name);
  if (range.low < range.high) {
    text += fmt::format("set {}range [{:.6g}:{:.6g}]\n", name, range.low, range.high);
  }
  return text + axis_tics(name, axis, range, pixels, pitch);
}

} // namespace

std::string gnuplot_script(const Figure& figure, const std::string& name)
{
  const FigureLayout layout = lay_out_figure(figure);
  const FigureRanges ranges = figure_ranges(figure);
  const std::map<unsigned, CurveStyle> styles = curve_styles(figure, ranges);
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
  constexpr double margins_across = 120;
  constexpr double margins_down = 90;
  std::string drawing = "reset\nset multiplot\nunset key\n";
  drawing += axis_drawing("x", figure.x, ranges.x, layout.panel_width - margins_across, 40);
  drawing += axis_drawing("y", figure.y, ranges.y, layout.panel_height - margins_down, 28);
  drawing += "set grid xtics ytics linetype 1 linecolor rgb '#cccccc' linewidth 0.5\n";
  drawing += texts_drawing(layout, styles);
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    drawing += panel_drawing(figure, i, layout, styles);
  }
  drawing += "unset multiplot\n";
  return script + gnuplot_pictures(name, drawing, layout.width, layout.height);
}

PlotOutcome write_figure(const Figure& figure, const std::filesystem::path& folder, const std::string& name)
{
  return write_plot(gnuplot_script(figure, name), folder, name);
}

} // namespace wormcast
