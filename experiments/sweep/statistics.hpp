#pragma once

#include "wormcast/values/names.hpp"

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

/// By which rule the 95 % interval of a mean is made.
enum class IntervalRule {
  none, ///< there is no interval: too few runs show how far the mean can be off
  /// Student's t distribution with count - 1 degrees of freedom, for means that are nearly normal.
  student_t,
  /// Symmetric bootstrap-t (P. Hall, On symmetric bootstrap confidence intervals, J. R. Statist. Soc. B 50, 1988): the
  /// quantile of |t| is not that of a normal sample but that of 999 resamples, always the same ones of a count. It is
  /// infinite, and there is no interval, where more than 5 % of them have no deviation: where fewer than 3 or so values
  /// differ from the most frequent one.
  bootstrap_t
};

/// "" (none), "student_t", "bootstrap_t".
inline constexpr auto interval_rule_names = names<IntervalRule>(
    {{IntervalRule::none, ""}, {IntervalRule::student_t, "student_t"}, {IntervalRule::bootstrap_t, "bootstrap_t"}});

/// What is known of a quantity before it is measured.
enum class Skew {
  expected, ///< 0 in many runs and large in few, such as waits: bootstrap_t
  /// Nothing: bootstrap_t where two values are equal, or the sample's skewness is above 1 or below -1; else student_t.
  by_sample,
  /// It has none, and values are often equal because they are rounded to steps: student_t.
  absent
};

/// What is said of equal experiments with different seeds.
struct Statistics {
  std::size_t count = 0;
  double mean = 0;
  double median = 0; ///< of an even number the mean of the middle two
  double smallest = 0;
  double largest = 0;
  std::optional<double> deviation;  ///< standard deviation of a sample (count - 1 below); none of one value
  std::optional<Interval> interval; ///< the 95 % interval of the mean; what it covers is measured in docs/reference
  IntervalRule rule = IntervalRule::none;
};

/// Of at least one value, in any order. Cost: O(n log n), with bootstrap_t 999 n.
Statistics statistics_of(std::vector<double> values, Skew skew = Skew::by_sample);

/// The statistics as cells of a CSV file, without their count: mean, median, deviation, interval_low, interval_high,
/// interval (the rule), smallest, largest. Statistics that do not exist are empty.
std::vector<std::string> statistics_cells(const Statistics& statistics);
std::span<const std::string> statistics_names();

/// A number with ten significant digits: "63.942353", "1.25".
std::string number_text(double number);

} // namespace wormcast
