#pragma once

#include "wormcast/experiments/sweep/measure.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// The rows of one curve that have x and y.
struct FigureCurve {
  std::vector<std::string> cells; ///< of the columns that distinguish curves, and of the facet
  std::vector<std::size_t> rows;
};

/// A value on the x axis with its runs.
struct RunsAtX {
  std::string x; ///< a decimal
  std::vector<std::size_t> rows;
};

/// "scatter_collect", "1 KiB", "ports = 2": a value of an axis in a figure.
std::string value_title(const std::string& axis, const std::string& cell);

/// The runs of a table that a plot shows, as panels of curves.
class FigureRuns {
public:
  /// Both must outlive this. Throws InputError where no run that is done has x and y.
  FigureRuns(const PlotRequest& plot, const RunTable& table);

  const std::string& x_name() const { return x_name_; }
  /// The rows that are done and have x and y, each experiment once.
  const std::vector<std::size_t>& rows() const { return rows_; }
  /// The values of x where they are not all numbers; their positions here are then the numbers.
  const std::vector<std::string>& categories() const { return categories_; }
  const std::string& facet() const { return facet_; } ///< the column of panels; empty: one panel
  const std::vector<FigureCurve>& curves() const { return curves_; }
  const std::vector<std::string>& panels() const { return panels_; } ///< values of the facet

  /// x and y of a row of rows(), decimals.
  std::string x_of(std::size_t row) const;
  std::string y_of(std::size_t row) const { return y_.value(table_.rows[row]).value(); }

  /// The title of a curve in the legend.
  std::string curve_title(const FigureCurve& curve) const;

  /// The runs of a curve at each x, ascending.
  std::vector<RunsAtX> runs_by_x(const FigureCurve& curve) const;

  /// Whether these runs differ in their seeds alone: no two of them have the same.
  bool are_repetitions(const RunsAtX& runs) const;

private:
  void find_rows();
  std::string identity(const RunTable::Row& row) const;
  void find_categories();
  void choose_columns();
  std::string cell(std::size_t row, const std::string& column) const;
  std::vector<std::string> group_cells(std::size_t row) const;
  std::string needed_facet() const;
  void find_curves();

  const PlotRequest& plot_;
  const RunTable& table_;
  std::string x_name_;
  Measure x_;
  Measure y_;
  std::optional<std::size_t> seed_;
  std::vector<std::size_t> rows_;
  std::vector<std::string> categories_;
  std::vector<std::string> group_;
  std::string facet_;
  std::vector<FigureCurve> curves_;
  std::vector<std::string> panels_;
};

} // namespace wormcast
