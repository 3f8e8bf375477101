#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace wormcast {

/// A mean with two intervals around it.
struct ClusteredMean {
  double mean = 0;
  double low = 0; ///< 95 % interval of this mean alone: percentiles of the resampled means
  double high = 0;
  double low_of_all = 0; ///< 95 % interval of all means of the call together: all of them at once lie within theirs
  double high_of_all = 0;
};

/// Means over clusters (broadcasts from one source, say, which hang together) in several settings that have the same
/// clusters: setting by setting the mean of each cluster, as many in each setting. The intervals come from resampling
/// whole clusters with replacement, the same draw for all settings; those of all means together are as many resampled
/// standard errors wide as the largest deviation of any of them passes in 5 % of the draws. Both are widened for few
/// clusters as Student's t is. Resampled 2000 times with a fixed seed: the same input gives the same result everywhere.
/// Throws std::logic_error where there are fewer than two clusters, or settings with other numbers of clusters.
std::vector<ClusteredMean> clustered_means(std::span<const std::vector<double>> settings);

/// A number that is made of values in any order, which it may change.
using ClusterStatistic = std::function<double(std::vector<double>& values)>;

/// The ends of an interval.
struct ClusterInterval {
  double low = 0;
  double high = 0;
};

/// A statistic of values that lie in clusters, with intervals of any confidence, from resamples of whole clusters.
class ResampledStatistic {
public:
  /// The mean of all values. Intervals are those of the symmetric bootstrap-t (P. Hall, On symmetric bootstrap
  /// confidence intervals, J. R. Statist. Soc. B 50, 1988), which also cover means of values that are 0 in many
  /// clusters and large in few; the standard error is that of a mean of clusters of any sizes. `clusters` are the
  /// values of each of at least two clusters, none of which is empty; else std::logic_error. Resampled `draws` times,
  /// from a fixed seed.
  static ResampledStatistic of_mean(std::span<const std::vector<double>> clusters, std::size_t draws);

  /// Any statistic. Intervals are percentiles of what it is in the resamples, widened for few clusters as those of
  /// clustered_means() are: of quantiles, not of means of values that are far from normal.
  ResampledStatistic(std::span<const std::vector<double>> clusters, const ClusterStatistic& statistic,
                     std::size_t draws);

  /// Of all values.
  double estimate() const { return estimate_; }

  /// The interval that misses the true value with this probability, in (0, 1). Its ends are infinite where a mean has
  /// so few clusters that differ that resamples without any deviation are more frequent than that.
  ClusterInterval interval(double error) const;

  /// The smallest error of which the interval does not hold `value`: the p-value of the test, on both sides, that it is
  /// the true one. At least 2 / draws, which is what the resamples can tell.
  double p_value(double value) const;

private:
  ResampledStatistic() = default;

  double estimate_ = 0;
  std::size_t clusters_ = 0;
  double standard_error_ = 0; ///< of a mean; resampled_ has its deviations in standard errors
  bool is_mean_ = false;
  std::vector<double> resampled_; ///< ascending
};

} // namespace wormcast
