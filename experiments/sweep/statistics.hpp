#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

/// An interval of real numbers.
struct Interval {
  double low = 0;
  double high = 0;

  friend bool operator==(const Interval&, const Interval&) = default;
};

/// What is said of equal experiments with different seeds.
struct Statistics {
  std::size_t count = 0;
  double mean = 0;
  double median = 0; ///< of an even number the mean of the middle two
  double smallest = 0;
  double largest = 0;
  std::optional<double> deviation; ///< standard deviation of a sample (count - 1 below); none of one value
  /// The 95 % interval of the mean by Student's t distribution with count - 1 degrees of freedom; none of one value. It
  /// holds where means are distributed normally: nearly so of many runs, hardly of a few counts that are mostly zero.
  std::optional<Interval> interval;
};

/// Of at least one value. Cost O(n log n).
Statistics statistics_of(std::vector<double> values);

/// The statistics as cells of a CSV file, without their count: mean, median, deviation, interval_low, interval_high,
/// smallest, largest. What there is not is empty.
std::vector<std::string> statistics_cells(const Statistics& statistics);
std::span<const std::string> statistics_names();

/// A number with ten significant digits: "63.942353", "1.25".
std::string number_text(double number);

} // namespace wormcast
