#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// 0 of none.
double mean_of(std::span<const double> values);

/// Half the 95 % interval of the mean of a series, from the means of its batches, by Student's t distribution (Law,
/// Simulation Modeling and Analysis, 9.5.3). Infinite of fewer than two.
double interval_of_batch_means(std::span<const double> means);

/// The latencies of the messages that were generated in one batch of a measurement.
struct LatencyBatch {
  double sum = 0;
  std::uint64_t count = 0;
};

/// The fewest batch means of which an interval is made.
inline constexpr std::size_t fewest_means = 8;

/// Estimate of the lag-1 correlation of a series by von Neumann's ratio ("Distribution of the ratio of the mean square
/// successive difference to the variance", Ann. Math. Statist. 12, 1941): 1 - sum (x_i+1 - x_i)^2 / (2 sum (x_i -
/// m)^2); its standard deviation is about 1 / sqrt(n) for n independent values. 0 where all values are equal.
double lag_correlation(std::span<const double> values);

/// Means of batches that pass for independent: neighbouring batches are joined, at first into at most `most_means`
/// groups of at least `batches_of_mean` batches, then into half as many as long as lag_correlation is above its
/// standard deviation. The longest groups may be at twice that. Groups without messages are left out. Empty where the
/// longest do not pass or fewer than fewest_means means are left.
std::vector<double> independent_means(std::span<const LatencyBatch> batches, std::size_t batches_of_mean,
                                      std::size_t most_means);

/// How surely a backlog grows: the mean of its increments from batch to batch over the standard error of that mean.
/// Above 3 it is no accident, not even of a queue that is exactly full, whose backlog is a random walk; of a stationary
/// queue increments cancel out and it is smaller yet. `before`: the backlog at the beginning of the first batch. 0 of
/// fewer than fewest_means batches.
double growth_score(double before, std::span<const double> backlog);

/// Where a series has become stationary, by MSER (White, Cobb & Spratt, "A comparison of five steady-state truncation
/// heuristics", WSC 2000): how many of its first values to leave out so that the standard error of the mean of the rest
/// is smallest, at most half of them. With means of 5 values each it is MSER-5.
std::size_t stationary_from(std::span<const double> means);

/// The rule by which queues grow: `backlog` is what waits at the end of each batch of a run, `generated` what generated
/// into being in all. True where the means of the three thirds of `backlog` rise one after the other, and the rise from
/// the first to the last is either more than 1 % of what generated (scaled to the whole run), or more than 0.3 % and
/// the last third is more than twice the first. Fewer than 3 batches never grow.
bool backlog_grows(std::span<const double> backlog, double generated);

} // namespace wormcast
