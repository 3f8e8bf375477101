#pragma once

#include "wormcast/experiments/output/plot.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wormcast {

/// A matrix as a heat map.
struct MatrixPanel {
  std::string title;
  std::size_t columns = 0;
  std::vector<std::int64_t> values; ///< columns * y + x, y upwards
  std::vector<bool> framed;         ///< cells with a frame; as many as values
};

/// The scale of colours of a heat map.
enum class MatrixColours {
  dark_to_bright, ///< for amounts
  white_to_dark   ///< for differences: nothing is white
};

/// Panels that share a scale of colours, side by side, at most eight in a line.
struct MatrixRow {
  std::string title; ///< may be empty
  MatrixColours colours = MatrixColours::dark_to_bright;
  std::int64_t least = 0; ///< ends of the scale
  std::int64_t greatest = 0;
  std::vector<MatrixPanel> panels = {}; ///< of all rows: of one size
};

/// Heat maps in rows. Values are written into cells that are large enough.
struct MatrixFigure {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::string framed; ///< what framed cells are: the legend below the panels; may be empty
  std::vector<MatrixRow> rows;
};

/// The gnuplot program that draws `figure`, data included, into NAME.svg and NAME.png of the folder in which it is run.
/// It can be run and changed by hand.
std::string gnuplot_script(const MatrixFigure& figure, const std::string& name);

} // namespace wormcast
