#include "wormcast/experiments/sweep/statistics.hpp"

#include "wormcast/simulator/random/random_stream.hpp"
#include "wormcast/simulator/random/student_t.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace wormcast {

namespace {

/// Third central moment over the third power of the deviation; 0 of equal values.
double skewness(std::span<const double> values, double mean)
{
  double squares = 0;
  double cubes = 0;
  for (const double value : values) {
    const double off = value - mean;
    squares += off * off;
    cubes += off * off * off;
  }
  const auto count = static_cast<double>(values.size());
  return squares > 0 ? cubes / count / std::pow(squares / count, 1.5) : 0;
}

IntervalRule rule_of(std::span<const double> ascending, double mean, Skew skew)
{
  if (ascending.size() < 2) {
    return IntervalRule::none;
  }
  if (skew == Skew::absent) {
    return IntervalRule::student_t;
  }
  const bool repeats = std::ranges::adjacent_find(ascending) != ascending.end();
  return skew == Skew::expected || repeats || std::abs(skewness(ascending, mean)) > 1 ? IntervalRule::bootstrap_t
                                                                                      : IntervalRule::student_t;
}

/// |mean* - mean| over the deviation* of a resample; infinite where all of its values are equal.
double resampled_t(std::span<const double> values, double mean, RandomStream& random)
{
  double sum = 0;
  double squares = 0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -smallest;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double off = values[random.below(values.size())] - mean;
    sum += off;
    squares += off * off;
    smallest = std::min(smallest, off);
    largest = std::max(largest, off);
  }
  const auto count = static_cast<double>(values.size());
  const double variance = (squares - sum * sum / count) / (count - 1);
  return smallest == largest || variance <= 0 ? std::numeric_limits<double>::infinity()
                                              : std::abs(sum / count) / std::sqrt(variance);
}

/// Half the width of the interval over the sample's deviation. The factor sqrt(n) of t is in both and left out.
double bootstrap_quantile(std::span<const double> values, double mean)
{
  constexpr std::size_t resamples = 999;
  constexpr std::size_t below = 949; // of 999 values in order the 950th is the quantile of 95 %
  RandomStream random(1, values.size());
  std::vector<double> quotients(resamples);
  for (double& quotient : quotients) {
    quotient = resampled_t(values, mean, random);
  }
  std::ranges::nth_element(quotients, quotients.begin() + below);
  return quotients[below];
}

} // namespace

Statistics statistics_of(std::vector<double> values, Skew skew)
{
  std::ranges::sort(values);
  const std::size_t count = values.size();
  Statistics statistics;
  statistics.count = count;
  statistics.smallest = values.front();
  statistics.largest = values.back();
  statistics.median = (values[(count - 1) / 2] + values[count / 2]) / 2;
  // Counted from the smallest, so that equal values have exactly their value as mean and no deviation.
  const double smallest = values.front();
  const double sum = std::accumulate(values.begin(), values.end(), 0.0,
                                     [&](double part, double value) { return part + value - smallest; });
  statistics.mean = smallest + sum / static_cast<double>(count);
  if (count < 2) {
    return statistics;
  }
  const double squares = std::accumulate(values.begin(), values.end(), 0.0, [&](double part, double value) {
    return part + (value - statistics.mean) * (value - statistics.mean);
  });
  const auto freedom = static_cast<double>(count - 1);
  statistics.deviation = std::sqrt(squares / freedom);
  const IntervalRule rule = rule_of(values, statistics.mean, skew);
  const double quantile =
      rule == IntervalRule::student_t ? student_half_width(count) : bootstrap_quantile(values, statistics.mean);
  if (std::isfinite(quantile)) {
    const double half = quantile * *statistics.deviation;
    statistics.interval = Interval{statistics.mean - half, statistics.mean + half};
    statistics.rule = rule;
  }
  return statistics;
}

std::string number_text(double number)
{
  return fmt::format("{:.10g}", number);
}

std::span<const std::string> statistics_names()
{
  static const std::vector<std::string> names = {"mean",          "median",   "standard_deviation", "interval_low",
                                                 "interval_high", "interval", "smallest",           "largest"};
  return names;
}

std::vector<std::string> statistics_cells(const Statistics& statistics)
{
  const auto& interval = statistics.interval;
  return {number_text(statistics.mean),
          number_text(statistics.median),
          statistics.deviation ? number_text(*statistics.deviation) : "",
          interval ? number_text(interval->low) : "",
          interval ? number_text(interval->high) : "",
          std::string(interval_rule_names.text(statistics.rule)),
          number_text(statistics.smallest),
          number_text(statistics.largest)};
}

} // namespace wormcast
