#include "wormcast/experiments/study/cluster_bootstrap.hpp"

#include "wormcast/simulator/random/ignoring_overflow.hpp"

#include <boost/math/distributions/normal.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

namespace wormcast {

namespace {

constexpr std::size_t resamples = 2000;

double mean_of_clusters(const std::vector<double>& values)
{
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The means of one setting in all draws.
struct ResampledMeans {
  std::vector<double> by_draw;
  double standard_error = 0;
};

ResampledMeans resampled_means(const std::vector<double>& values, const std::vector<std::vector<std::size_t>>& draws)
{
  ResampledMeans means;
  for (const std::vector<std::size_t>& draw : draws) {
    double sum = 0;
    for (const std::size_t cluster : draw) {
      sum += values[cluster];
    }
    means.by_draw.push_back(sum / static_cast<double>(values.size()));
  }
  const double centre = mean_of_clusters(means.by_draw);
  double squares = 0;
  for (const double mean : means.by_draw) {
    squares += (mean - centre) * (mean - centre);
  }
  means.standard_error = std::sqrt(squares / static_cast<double>(resamples));
  return means;
}

/// By how much an interval `width` standard errors wide has to be wider because the standard error is estimated from
/// few clusters: the unbiased estimate, and Student's t against the normal distribution (Cornish & Fisher, first term).
double widening(double width, std::size_t clusters)
{
  const auto freedom = static_cast<double>(clusters - 1);
  return std::sqrt(static_cast<double>(clusters) / freedom) * (1 + (width * width + 1) / (4 * freedom));
}

std::vector<std::vector<std::size_t>> draws_of_clusters(std::size_t clusters, std::size_t count)
{
  std::mt19937_64 random(1); // its numbers, unlike those of distributions, are the same everywhere
  std::vector<std::vector<std::size_t>> draws(count, std::vector<std::size_t>(clusters));
  for (std::vector<std::size_t>& draw : draws) {
    std::ranges::generate(draw, [&] { return static_cast<std::size_t>(random() % clusters); });
  }
  return draws;
}

void check_clusters(std::span<const std::vector<double>> clusters, std::size_t draws)
{
  if (clusters.size() < 2 || draws == 0 || std::ranges::any_of(clusters, &std::vector<double>::empty)) {
    throw std::logic_error("a statistic of clusters needs two of them with values, and a draw");
  }
}

/// What a mean over clusters needs of one of them.
struct ClusterSum {
  double sum = 0;
  double count = 0;
};

/// The mean of clusters that are drawn, and its standard error.
struct DrawnMean {
  double mean = 0;
  double standard_error = 0;
};

DrawnMean drawn_mean(const std::vector<ClusterSum>& clusters, const std::vector<std::size_t>& draw)
{
  double sum = 0;
  double count = 0;
  for (const std::size_t cluster : draw) {
    sum += clusters[cluster].sum;
    count += clusters[cluster].count;
  }
  const double mean = sum / count;
  double squares = 0;
  for (const std::size_t cluster : draw) {
    const double off = clusters[cluster].sum - mean * clusters[cluster].count;
    squares += off * off;
  }
  const auto drawn = static_cast<double>(draw.size());
  return {.mean = mean, .standard_error = std::sqrt(squares * drawn / (drawn - 1)) / count};
}

} // namespace

std::vector<ClusteredMean> clustered_means(std::span<const std::vector<double>> settings)
{
  const std::size_t clusters = settings.empty() ? 0 : settings.front().size();
  const auto fits = [&](const std::vector<double>& values) { return values.size() == clusters; };
  if (clusters < 2 || !std::ranges::all_of(settings, fits)) {
    throw std::logic_error("intervals need two clusters or more, the same in all settings");
  }
  const std::vector<std::vector<std::size_t>> draws = draws_of_clusters(clusters, resamples);
  std::vector<ClusteredMean> means;
  std::vector<double> errors;
  std::vector<double> largest_deviations(resamples, 0); // in standard errors, by draw
  for (const std::vector<double>& values : settings) {
    ResampledMeans resampled = resampled_means(values, draws);
    ClusteredMean& found = means.emplace_back();
    found.mean = mean_of_clusters(values);
    errors.push_back(resampled.standard_error);
    for (std::size_t draw = 0; draw < resamples && resampled.standard_error > 0; ++draw) {
      largest_deviations[draw] =
          std::max(largest_deviations[draw], std::abs(resampled.by_draw[draw] - found.mean) / resampled.standard_error);
    }
    std::ranges::sort(resampled.by_draw);
    constexpr double normal_width = 1.96;
    const double wider = widening(normal_width, clusters);
    found.low = found.mean - wider * (found.mean - resampled.by_draw[resamples / 40]);
    found.high = found.mean + wider * (resampled.by_draw[resamples - 1 - resamples / 40] - found.mean);
  }
  std::ranges::sort(largest_deviations);
  const double quantile = largest_deviations[resamples - 1 - resamples / 20];
  const double width = quantile * widening(quantile, clusters);
  for (std::size_t i = 0; i < means.size(); ++i) {
    means[i].low_of_all = means[i].mean - width * errors[i];
    means[i].high_of_all = means[i].mean + width * errors[i];
  }
  return means;
}

ResampledStatistic ResampledStatistic::of_mean(std::span<const std::vector<double>> clusters, std::size_t draws)
{
  check_clusters(clusters, draws);
  std::vector<ClusterSum> sums;
  std::vector<std::size_t> all;
  for (const std::vector<double>& cluster : clusters) {
    all.push_back(sums.size());
    sums.push_back(
        {.sum = std::accumulate(cluster.begin(), cluster.end(), 0.0), .count = static_cast<double>(cluster.size())});
  }
  const DrawnMean whole = drawn_mean(sums, all);
  ResampledStatistic made;
  made.estimate_ = whole.mean;
  made.standard_error_ = whole.standard_error;
  made.clusters_ = clusters.size();
  made.is_mean_ = true;
  for (const std::vector<std::size_t>& draw : draws_of_clusters(clusters.size(), draws)) {
    const DrawnMean drawn = drawn_mean(sums, draw);
    made.resampled_.push_back(drawn.standard_error > 1e-9 * whole.standard_error
                                  ? std::abs(drawn.mean - whole.mean) / drawn.standard_error
                                  : std::numeric_limits<double>::infinity());
  }
  std::ranges::sort(made.resampled_);
  return made;
}

ResampledStatistic::ResampledStatistic(std::span<const std::vector<double>> clusters, const ClusterStatistic& statistic,
                                       std::size_t draws)
    : clusters_(clusters.size())
{
  check_clusters(clusters, draws);
  std::vector<double> values;
  for (const std::vector<double>& cluster : clusters) {
    values.insert(values.end(), cluster.begin(), cluster.end());
  }
  estimate_ = statistic(values);
  for (const std::vector<std::size_t>& draw : draws_of_clusters(clusters.size(), draws)) {
    values.clear();
    for (const std::size_t cluster : draw) {
      values.insert(values.end(), clusters[cluster].begin(), clusters[cluster].end());
    }
    resampled_.push_back(statistic(values));
  }
  std::ranges::sort(resampled_);
}

ClusterInterval ResampledStatistic::interval(double error) const
{
  if (is_mean_) {
    const auto outside =
        std::min(static_cast<std::size_t>(static_cast<double>(resampled_.size()) * error), resampled_.size() - 1);
    const double width = resampled_[resampled_.size() - 1 - outside] * standard_error_;
    return {.low = estimate_ - width, .high = estimate_ + width};
  }
  const double width = boost::math::quantile(
      boost::math::complement(boost::math::normal_distribution<double, IgnoringOverflow>(), error / 2));
  const double wider = widening(width, clusters_);
  const auto tail = std::min(static_cast<std::size_t>(static_cast<double>(resampled_.size()) * error / 2),
                             (resampled_.size() - 1) / 2);
  return {.low = estimate_ - wider * std::max(0.0, estimate_ - resampled_[tail]),
          .high = estimate_ + wider * std::max(0.0, resampled_[resampled_.size() - 1 - tail] - estimate_)};
}

double ResampledStatistic::p_value(double value) const
{
  const auto holds = [&](double error) {
    const ClusterInterval found = interval(error);
    return found.low <= value && value <= found.high;
  };
  double held = 2 / static_cast<double>(resampled_.size());
  if (!holds(held)) {
    return held;
  }
  double missed = 1;
  constexpr int bisections = 40;
  for (int i = 0; i < bisections; ++i) {
    const double middle = (held + missed) / 2;
    (holds(middle) ? held : missed) = middle;
  }
  return missed;
}

} // namespace wormcast
