#pragma once

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

} // namespace wormcast
