#include "wormcast/experiments/output/figure_layout.hpp"

#include "wormcast/values/printable.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

namespace wormcast {

namespace {

constexpr double font_pixels = 14;
constexpr double above_panels = 8;
constexpr double legend_sample = 58; ///< room for the line and the symbol of an entry
constexpr double after_entry = 22;

/// Smallest and greatest of some numbers.
struct NumberSpan {
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
};

AxisRange with_room(const PlotAxis& axis, NumberSpan span)
{
  constexpr double room = 0.04;
  if (axis.end && !axis.log) {
    span.high = std::min(span.high, *axis.end);
  }
  if (!(span.low <= span.high) || (axis.log && span.low <= 0)) {
    return {};
  }
  if (axis.log) {
    const double factor = std::pow(span.high / span.low, room);
    return {span.low / factor, span.high * factor};
  }
  const double difference = room * (span.high - span.low);
  return {span.low - difference, span.high + difference};
}

std::vector<LegendEntry> legend_of(const Figure& figure)
{
  std::set<unsigned> formulas;
  std::set<unsigned> joined;
  std::set<unsigned> marked;
  for (const PlotPanel& panel : figure.panels) {
    for (const PlotSeries& series : panel.series) {
      if (series.look == PlotSeries::Look::line) {
        formulas.insert(series.style);
      } else if (series.look == PlotSeries::Look::points) {
        marked.insert(series.style);
      } else if (series.look == PlotSeries::Look::points_and_line || series.look == PlotSeries::Look::band) {
        joined.insert(series.style);
      }
    }
  }
  std::vector<LegendEntry> entries;
  for (const bool bounds : {false, true}) {
    for (const PlotPanel& panel : figure.panels) {
      for (const PlotSeries& series : panel.series) {
        const bool is_bound = series.look == PlotSeries::Look::bound;
        const auto known = [&](const LegendEntry& other) {
          return other.title == series.title && (other.style == series.style || is_bound);
        };
        if (is_bound != bounds || series.title.empty() || std::ranges::any_of(entries, known)) {
          continue;
        }
        const bool formula = formulas.contains(series.style) && !joined.contains(series.style);
        const bool both = !is_bound && formula && marked.contains(series.style);
        entries.push_back({.title = series.title,
                           .style = series.style,
                           .look = both ? PlotSeries::Look::points_and_line : series.look,
                           .formula = formula});
      }
    }
  }
  for (const PlotSeries& key : figure.keys) {
    entries.push_back({.title = key.title, .look = key.look, .formula = true, .explains = true});
  }
  return entries;
}

/// The width of a character as a share of the font's size.
double character_width_of(char character)
{
  constexpr std::string_view narrow = "ijlI|.,:;'! ";
  constexpr std::string_view slim = "()[]frt-/\\\"{}";
  constexpr std::string_view wide = "mwMWQOG@%+=<>~#&";
  if (narrow.find(character) != std::string_view::npos) {
    return 0.31;
  }
  if (slim.find(character) != std::string_view::npos) {
    return 0.39;
  }
  if (wide.find(character) != std::string_view::npos) {
    return 0.86;
  }
  return character >= 'A' && character <= 'Z' ? 0.68 : 0.61;
}

} // namespace

double text_width(std::string_view text)
{
  double width = 0;
  for (const char character : text) {
    const bool continues = (static_cast<unsigned char>(character) & 0xc0) == 0x80; // of a UTF-8 character
    width += continues ? 0 : character_width_of(character);
  }
  return font_pixels * width;
}

std::vector<std::string> wrapped(const std::string& text, double width, std::string_view separator)
{
  std::vector<std::string> lines(1);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t found = text.find(separator, begin);
    const std::size_t end = found == std::string::npos ? text.size() : found + separator.size();
    const std::string token = text.substr(begin, end - begin);
    if (!lines.back().empty() && text_width(lines.back() + token) > width) {
      lines.back().erase(lines.back().find_last_not_of(' ') + 1);
      lines.emplace_back();
    }
    lines.back() += token;
    begin = end;
  }
  if (lines.back().empty()) {
    lines.pop_back();
  }
  return lines;
}

FigureRanges figure_ranges(const Figure& figure)
{
  NumberSpan x;
  NumberSpan y;
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
  FigureRanges ranges{with_room(figure.x, x), with_room(figure.y, y)};
  if (!figure.x.log && x.low >= 0 && !figure.x.names) {
    ranges.x.low = std::max(0.0, ranges.x.low);
  }
  if (!figure.y.log && y.low >= 0 && y.low <= y.high) {
    ranges.y.low = 0;
  }
  return ranges;
}

FigureLayout lay_out_figure(const Figure& figure)
{
  FigureLayout layout;
  layout.legend = legend_of(figure);
  const std::size_t panels = std::max<std::size_t>(1, figure.panels.size());
  layout.columns = panels == 1 ? 1 : std::min<std::size_t>(4, static_cast<std::size_t>(std::ceil(std::sqrt(panels))));
  layout.panel_width = panels == 1 ? 720 : panels == 2 ? 500 : 420;
  layout.panel_height = panels == 1 ? 540 : panels == 2 ? 410 : 350;
  const double across = layout.panel_width * static_cast<double>(layout.columns);
  const double down = layout.panel_height * static_cast<double>((panels + layout.columns - 1) / layout.columns);

  double longest = 0;
  for (const LegendEntry& entry : layout.legend) {
    longest = std::max(longest, text_width(printable(entry.title)));
  }
  layout.entry_width = layout.legend.empty() ? 0 : legend_sample + longest + after_entry;
  const double legend_height = figure_line * static_cast<double>(layout.legend.size());
  const bool beside = 3 * layout.entry_width <= across && legend_height <= down - 40;
  layout.width = beside ? across + layout.entry_width : std::max(across, layout.entry_width);
  layout.title = wrapped(figure.title, layout.width - 40, ", ");
  for (const std::string& line : layout.title) {
    layout.width = std::max(layout.width, text_width(printable(line)) + 40);
  }
  layout.head = above_panels + figure_line * static_cast<double>(layout.title.size()) + above_panels;
  layout.height = layout.head + down;
  if (beside) {
    layout.legend_left = across;
    layout.legend_top = layout.head + 16;
  } else if (!layout.legend.empty()) {
    const auto fitting = static_cast<std::size_t>(layout.width / layout.entry_width);
    const std::size_t rows = (layout.legend.size() + fitting - 1) / std::max<std::size_t>(1, fitting);
    layout.legend_columns = (layout.legend.size() + rows - 1) / rows;
    layout.legend_left =
        std::max(0.0, (layout.width - layout.entry_width * static_cast<double>(layout.legend_columns)) / 2);
    layout.legend_top = layout.height + 6;
    layout.height += 16 + figure_line * static_cast<double>(rows);
  }
  layout.notes_top = layout.height;
  for (const std::string& note : figure.notes) {
    for (std::string& line : wrapped(note, layout.width - 40, " ")) {
      layout.notes.push_back(std::move(line));
    }
  }
  layout.height += layout.notes.empty() ? 0 : 12 + figure_line * static_cast<double>(layout.notes.size());
  return layout;
}

} // namespace wormcast
