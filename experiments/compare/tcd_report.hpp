#pragma once

#include "wormcast/experiments/compare/tcd_table.hpp"
#include "wormcast/experiments/output/matrix_figure.hpp"

#include <string>

namespace wormcast {

/// For people: the topology, least, greatest and mean of each column, then, if asked for, each as a matrix with x to
/// the right, y upwards, and a plane for each value of the other coordinates. Eyes stand in brackets.
std::string tcd_text(const TcdTable& table, bool matrices);

/// One line a source: node, coordinates, eye (0 or 1), and the columns by name.
std::string tcd_csv(const TcdTable& table);

/// The same as heat maps, eyes framed: distances with one scale for all, differences with a scale of their own. Throws
/// InputError where there are more than most_tcd_panels planes, columns counted apart, or a side has more than
/// most_panel_cells nodes.
MatrixFigure tcd_figure(const TcdTable& table);

inline constexpr std::size_t most_tcd_panels = 256;
inline constexpr std::int64_t most_panel_cells = 256;

} // namespace wormcast
