#pragma once

#include "wormcast/experiments/validation/measured_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// A measured row and what one model predicts for it.
struct PredictedRow {
  const MeasuredRow* measured = nullptr; ///< never null
  Time predicted;

  /// predicted / measured - 1.
  double error() const
  {
    return static_cast<double>((predicted - measured->median).picoseconds) /
           static_cast<double>(measured->median.picoseconds);
  }
};

/// How well the order of the algorithms is predicted. A group is what differs in nothing but the algorithm.
struct OrderMeasures {
  std::size_t groups = 0; ///< with at least one pair
  std::size_t pairs = 0;  ///< of algorithms of a group whose ranges between the percentiles do not overlap
  /// Kendall's tau of each group, (pairs in the right order - pairs in the wrong one) / pairs, and of these the mean; a
  /// pair of equal predictions is in neither. None without groups.
  std::optional<double> tau;
};

/// What it costs to choose by the model: how much slower than the fastest measured algorithm of its group is the one
/// that the model predicts to be the fastest; of several that are predicted to be equally fast the mean.
struct ChoiceMeasures {
  std::size_t groups = 0; ///< with at least two algorithms
  std::optional<double> mean_loss;
  std::optional<double> greatest_loss;
};

/// What is said of the errors of one model on some rows. Errors and losses are shares: 0.05 is 5 %.
struct ErrorMeasures {
  std::size_t rows = 0;
  std::optional<double> median;         ///< of |predicted / measured - 1|; none without rows
  std::optional<double> ninety_percent; ///< the 90 % quantile of the same
  std::optional<double> signed_median;  ///< of predicted / measured - 1: below 0 the model is too fast
  OrderMeasures order;
  ChoiceMeasures choice;
};

/// The quantile `share` of at least one value, which need not be sorted: linear between the sorted values, of which the
/// first is at 0 and the last at 1.
double quantile(std::vector<double> values, double share);

/// Cost O(n log n), and O(algorithms^2) for each group.
ErrorMeasures error_measures(std::span<const PredictedRow> rows);

/// Rows that are looked at by themselves.
struct RowSelection {
  std::string name; ///< "all", "from 1 MiB on"
  std::function<bool(const MeasuredRow&)> holds;
};

/// All rows; those of at least 1 MiB and below; of one and of several ports; of each collective, and of each shape, in
/// the order of their first rows. A selection that has no row, or that has all of them a second time, is left out.
std::vector<RowSelection> usual_selections(std::span<const MeasuredRow> rows);

} // namespace wormcast
