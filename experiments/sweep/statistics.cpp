#include "wormcast/experiments/sweep/statistics.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wormcast {

Statistics statistics_of(std::vector<double> values)
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
  const double quantile = boost::math::quantile(boost::math::students_t(freedom), 0.975);
  const double half = quantile * *statistics.deviation / std::sqrt(static_cast<double>(count));
  statistics.interval = Interval{statistics.mean - half, statistics.mean + half};
  return statistics;
}

std::string number_text(double number)
{
  return fmt::format("{:.10g}", number);
}

std::span<const std::string> statistics_names()
{
  static const std::vector<std::string> names = {
      "mean", "median", "standard_deviation", "interval_low", "interval_high", "smallest", "largest"};
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
          number_text(statistics.smallest),
          number_text(statistics.largest)};
}

} // namespace wormcast
