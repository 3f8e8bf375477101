#include "wormcast/simulator/traffic/batch_means.hpp"

#include "wormcast/simulator/random/student_t.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace wormcast {

double mean_of(std::span<const double> values)
{
  return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double interval_of_batch_means(std::span<const double> means)
{
  if (means.size() < 2) {
    return std::numeric_limits<double>::infinity();
  }
  const auto count = static_cast<double>(means.size());
  const double mean = mean_of(means);
  double squares = 0;
  for (const double value : means) {
    squares += (value - mean) * (value - mean);
  }
  return student_half_width(means.size()) * std::sqrt(squares / (count - 1));
}

double lag_correlation(std::span<const double> values)
{
  const double mean = mean_of(values);
  double squares = 0;
  double steps = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += (values[i] - mean) * (values[i] - mean);
    if (i > 0) {
      steps += (values[i] - values[i - 1]) * (values[i] - values[i - 1]);
    }
  }
  return squares > 0 ? 1 - steps / (2 * squares) : 0;
}

std::vector<double> independent_means(std::span<const LatencyBatch> batches, std::size_t batches_of_mean,
                                      std::size_t most_means)
{
  std::size_t group = std::max<std::size_t>(1, batches_of_mean);
  while (batches.size() / group > most_means) {
    group *= 2;
  }
  for (; batches.size() / group >= fewest_means; group *= 2) {
    std::vector<double> means;
    LatencyBatch joined;
    const std::size_t more = batches.size() % group; // in the first group
    for (std::size_t i = 0; i < batches.size(); ++i) {
      joined.sum += batches[i].sum;
      joined.count += batches[i].count;
      if (i >= more && (i - more + 1) % group == 0 && joined.count > 0) {
        means.push_back(joined.sum / static_cast<double>(joined.count));
        joined = {};
      }
    }
    const bool last = batches.size() / (2 * group) < fewest_means;
    const double deviations = lag_correlation(means) * std::sqrt(static_cast<double>(means.size()));
    if (means.size() >= fewest_means && deviations <= (last ? 2 : 1)) {
      return means;
    }
  }
  return {};
}

double growth_score(double before, std::span<const double> backlog)
{
  if (backlog.size() < fewest_means) {
    return 0;
  }
  const auto count = static_cast<double>(backlog.size());
  const double mean = (backlog.back() - before) / count;
  double squares = 0;
  double last = before;
  for (const double value : backlog) {
    squares += (value - last - mean) * (value - last - mean);
    last = value;
  }
  const double error = std::sqrt(squares / (count - 1) / count);
  return error > 0 ? mean / error : mean > 0 ? std::numeric_limits<double>::infinity() : 0;
}

std::size_t stationary_from(std::span<const double> means)
{
  // From the end backwards, so that sums grow with the values that remain.
  double sum = 0;
  double squares = 0;
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t from = means.size(); from-- > 0;) {
    sum += means[from];
    squares += means[from] * means[from];
    const auto kept = static_cast<double>(means.size() - from);
    const double error = (squares - sum * sum / kept) / (kept * kept);
    if (2 * from <= means.size() && error <= least) {
      least = error;
      best = from;
    }
  }
  return best;
}

bool backlog_grows(std::span<const double> backlog, double generated)
{
  const std::size_t third = backlog.size() / 3;
  if (third == 0 || generated <= 0) {
    return false;
  }
  const double first = mean_of(backlog.first(third));
  const double middle = mean_of(backlog.subspan(third, backlog.size() - 2 * third));
  const double last = mean_of(backlog.last(third));
  const double rise = 1.5 * (last - first) / generated; // the thirds' middles are two thirds of the run apart
  return first < middle && middle < last && (rise > 0.01 || (rise > 0.003 && last > 2 * first));
}

} // namespace wormcast
