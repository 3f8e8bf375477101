#include "wormcast/experiments/output/matrix_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace wormcast {

namespace {

// Sizes in pixels.
constexpr std::size_t panels_in_line = 8;
constexpr double widest_line = 1600;
constexpr double highest_panel = 520;
constexpr double smallest_cell = 4;
constexpr double largest_cell = 44;
constexpr double left_margin = 70;
constexpr double between_panels = 45;
constexpr double scale_margin = 100;
constexpr double head = 60;
constexpr double row_head = 30;
constexpr double above_panel = 34;
constexpr double below_panel = 52;
constexpr double foot = 34;
constexpr double character_width = 7.5;

/// From dark blue over green to yellow, as evenly as the eye sees it (after matplotlib's "viridis", Smith & van der
/// Walt 2015).
constexpr std::string_view dark_to_bright_palette =
    "0 '#440154', 1 '#482878', 2 '#3e4989', 3 '#31688e', 4 '#26828e', 5 '#1f9e89', 6 '#35b779', 7 '#6ece58', "
    "8 '#b5de2b', 9 '#fde725'";
constexpr std::string_view white_to_dark_palette = "0 '#ffffff', 1 '#fdd49e', 2 '#fc8d59', 3 '#d7301f', 4 '#7f0000'";

/// Where everything is drawn.
struct Layout {
  std::size_t columns = 1; ///< of a panel
  std::size_t rows = 1;
  double cell = 0;
  double pitch = 0; ///< from panel to panel
  double width = 0;
  double height = 0;

  double panel_width() const { return cell * static_cast<double>(columns); }
  double panel_height() const { return cell * static_cast<double>(rows); }
};

std::size_t lines_of(const MatrixRow& row)
{
  return (row.panels.size() + panels_in_line - 1) / panels_in_line;
}

double line_height(const Layout& layout)
{
  return above_panel + layout.panel_height() + below_panel;
}

Layout lay_out(const MatrixFigure& figure)
{
  Layout layout;
  std::size_t across = 1;
  std::size_t longest_title = 0;
  for (const MatrixRow& row : figure.rows) {
    across = std::max(across, std::min(panels_in_line, row.panels.size()));
    for (const MatrixPanel& panel : row.panels) {
      longest_title = std::max(longest_title, panel.title.size());
      layout.columns = panel.columns;
      layout.rows = panel.values.size() / panel.columns;
    }
  }
  const double room = widest_line / static_cast<double>(across) - between_panels;
  layout.cell = std::min(room / static_cast<double>(layout.columns), highest_panel / static_cast<double>(layout.rows));
  layout.cell = std::clamp(layout.cell, smallest_cell, largest_cell);
  const double title_width = character_width * static_cast<double>(longest_title);
  layout.pitch = std::max(layout.panel_width(), title_width) + between_panels;
  layout.width = left_margin + static_cast<double>(across) * layout.pitch + scale_margin;
  layout.width = std::max(layout.width, character_width * 1.3 * static_cast<double>(figure.title.size()));
  layout.height = head + (figure.framed.empty() ? 0 : foot);
  for (const MatrixRow& row : figure.rows) {
    layout.height += (row.title.empty() ? 0 : row_head) + static_cast<double>(lines_of(row)) * line_height(layout);
  }
  return layout;
}

/// White where the cell is dark.
std::string_view text_colour(const MatrixRow& row, std::int64_t value)
{
  const double range = static_cast<double>(std::max<std::int64_t>(1, row.greatest - row.least));
  const double place = static_cast<double>(value - row.least) / range;
  const bool dark = row.colours == MatrixColours::dark_to_bright ? place < 0.6 : place > 0.6;
  return dark ? "0xffffff" : "0x000000";
}

/// Lines "x y value colour", then those of the framed cells behind two empty lines.
std::string panel_data(const MatrixRow& row, const MatrixPanel& panel, const std::string& name)
{
  std::string data = fmt::format("${} << END\n", name);
  std::string framed;
  for (std::size_t i = 0; i < panel.values.size(); ++i) {
    const std::string place = fmt::format("{} {}", i % panel.columns, i / panel.columns);
    data += fmt::format("{} {} {}\n", place, panel.values[i], text_colour(row, panel.values[i]));
    if (panel.framed[i]) {
      framed += place + "\n";
    }
  }
  return data + "END\n" + (framed.empty() ? "" : fmt::format("${}_framed << END\n{}END\n", name, framed));
}

/// Whether the longest value leaves some room in a cell.
bool values_fit(const Layout& layout, const MatrixRow& row)
{
  const std::size_t longest = std::max(fmt::formatted_size("{}", row.least), fmt::formatted_size("{}", row.greatest));
  return layout.cell >= 6.5 * static_cast<double>(longest) + 4;
}

/// Every coordinate where there is room for it, else a round number apart.
std::size_t tic_step(const Layout& layout)
{
  for (const std::size_t step : {1, 2, 4, 8, 16, 32}) {
    if (layout.cell * static_cast<double>(step) >= 18) {
      return step;
    }
  }
  return 64;
}

struct Place {
  double left = 0;
  double top = 0; ///< from the upper edge
};

std::string margins(const Layout& layout, Place place)
{
  return fmt::format("set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\nset tmargin at screen {:.6f}\n"
                     "set bmargin at screen {:.6f}\n",
                     place.left / layout.width, (place.left + layout.panel_width()) / layout.width,
                     1 - place.top / layout.height, 1 - (place.top + layout.panel_height()) / layout.height);
}

/// The scale of colours right of a panel.
std::string scale_box(const Layout& layout, Place place, bool shown)
{
  if (!shown) {
    return "unset colorbox\n";
  }
  return fmt::format("set colorbox vertical user origin screen {:.6f}, "
                     "screen {:.6f} size screen {:.6f}, screen {:.6f}\n",
                     (place.left + layout.panel_width() + 14) / layout.width,
                     1 - (place.top + std::max(layout.panel_height(), 60.0)) / layout.height, 16 / layout.width,
                     std::max(layout.panel_height(), 60.0) / layout.height);
}

std::string draw_panel(const MatrixRow& row, const MatrixPanel& panel, const std::string& name, const Layout& layout)
{
  std::string text = "set title " + gnuplot_text(panel.title) + " offset 0,-0.4 noenhanced\n";
  text += fmt::format("plot ${} using 1:2:3 with image pixels notitle", name);
  if (values_fit(layout, row)) {
    text += fmt::format(", \\\n     ${} using 1:2:(sprintf('%d', "
                        "$3)):4 with labels textcolor rgb variable font ',10' notitle",
                        name);
  }
  if (std::ranges::find(panel.framed, true) != panel.framed.end()) {
    const bool small = layout.cell < 12;
    for (const auto& [colour, width] :
         {std::pair("#ffffff", small ? 3.0 : 5.0), std::pair("#000000", small ? 1.0 : 2.0)}) {
      text += fmt::format(", \\\n     ${}_framed using 1:2:(0.5):(0.5) with boxxyerror fillstyle empty linecolor rgb "
                          "'{}' linewidth {} notitle",
                          name, colour, width);
    }
  }
  return text + "\n";
}

std::string draw_row(const MatrixRow& row, std::size_t number, const std::string& y_label, const Layout& layout,
                     double& top)
{
  const bool bright = row.colours == MatrixColours::dark_to_bright;
  std::string text;
  if (!row.title.empty()) {
    text += fmt::format("set label 1 {} at screen {:.6f}, screen {:.6f} left noenhanced\n", gnuplot_text(row.title),
                        left_margin / layout.width, 1 - (top + 0.6 * row_head) / layout.height);
    top += row_head;
  }
  text += fmt::format("set palette defined ({})\nset cbrange [{}:{}]\n",
                      bright ? dark_to_bright_palette : white_to_dark_palette, row.least,
                      std::max(row.greatest, row.least + 1));
  text += row.greatest - row.least <= 10 ? "set cbtics 1\n" : "set cbtics autofreq\n";
  for (std::size_t i = 0; i < row.panels.size(); ++i) {
    const std::size_t place_in_line = i % panels_in_line;
    if (i > 0 && place_in_line == 0) {
      top += line_height(layout);
    }
    const Place place{left_margin + static_cast<double>(place_in_line) * layout.pitch, top + above_panel};
    const bool last = place_in_line + 1 == panels_in_line || i + 1 == row.panels.size();
    text += margins(layout, place) + scale_box(layout, place, last);
    text +=
        place_in_line == 0 ? "set ylabel " + gnuplot_text(y_label) + " offset 1.2,0 noenhanced\n" : "unset ylabel\n";
    text += draw_panel(row, row.panels[i], fmt::format("panel{}_{}", number, i), layout);
    text += "unset label 1\nunset label 2\nunset label 3\nunset object\n";
  }
  top += line_height(layout);
  return text;
}

std::string draw_all(const MatrixFigure& figure, const Layout& layout)
{
  std::string text = fmt::format("set multiplot\nset label 2 {} at screen 0.5, "
                                 "screen {:.6f} center font ',15' noenhanced\n",
                                 gnuplot_text(figure.title), 1 - 0.5 * head / layout.height);
  if (!figure.framed.empty()) {
    // A cell of the colour of the scale's middle with its frame, and what that means.
    constexpr double side = 18;
    const auto corner = [&](double x, double y) {
      return fmt::format("screen {:.6f}, screen {:.6f}", (left_margin + x) / layout.width,
                         (0.6 * foot - side / 2 + y) / layout.height);
    };
    for (const auto& [number, style] : {std::pair(1, "fillstyle solid noborder fillcolor rgb '#1f9e89'"),
                                        std::pair(2, "fillstyle empty border linecolor rgb '#ffffff' linewidth 5"),
                                        std::pair(3, "fillstyle empty border linecolor rgb '#000000' linewidth 2")}) {
      text +=
          fmt::format("set object {} rectangle from {} to {} {}\n", number, corner(0, 0), corner(side, side), style);
    }
    text +=
        fmt::format("set label 3 {} at {} left noenhanced\n", gnuplot_text(figure.framed), corner(side + 8, side / 2));
  }
  double top = head;
  for (std::size_t i = 0; i < figure.rows.size(); ++i) {
    text += draw_row(figure.rows[i], i, figure.y_label, layout, top);
  }
  return text + "unset multiplot\n";
}

} // namespace

std::string gnuplot_script(const MatrixFigure& figure, const std::string& name)
{
  const Layout layout = lay_out(figure);
  std::string script = gnuplot_heading(name);
  script += "set encoding utf8\n";
  for (std::size_t i = 0; i < figure.rows.size(); ++i) {
    for (std::size_t j = 0; j < figure.rows[i].panels.size(); ++j) {
      script += panel_data(figure.rows[i], figure.rows[i].panels[j], fmt::format("panel{}_{}", i, j));
    }
  }
  script += fmt::format("set xrange [-0.5:{}.5]\nset yrange [-0.5:{}.5]\n", layout.columns - 1, layout.rows - 1);
  script += fmt::format("set xtics out nomirror 0,{0}\nset ytics out nomirror 0,{0}\n", tic_step(layout));
  script += "set xlabel " + gnuplot_text(figure.x_label) + " offset 0,0.6 noenhanced\n";
  return script + gnuplot_pictures(name, draw_all(figure, layout), layout.width, layout.height);
}

} // namespace wormcast
