#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace wormcast {

/// Returns the mean; 0 if there are no values.
double mean_of(std::span<const double> values);

/// Returns half the 95 % interval of the mean of a series, from the means of its batches, by Student's t distribution
/// (Law, Simulation Modeling and Analysis, 9.5.3). Infinite for fewer than two means.
double interval_of_batch_means(std::span<const double> means);

/// The latencies of the messages that were generated in one batch of a measurement.
struct LatencyBatch {
  double sum = 0;
  std::uint64_t count = 0;
};

/// An interval needs at least this number of batch means.
inline constexpr std::size_t fewest_means = 8;

/// Estimates the lag-1 correlation of a series by von Neumann's ratio ("Distribution of the ratio of the mean square
/// successive difference to the variance", Ann. Math. Statist. 12, 1941): 1 - sum (x_i+1 - x_i)^2 / (2 sum (x_i -
/// m)^2); its standard deviation is about 1 / sqrt(n) for n independent values. Returns 0 if all values are equal.
double lag_correlation(std::span<const double> values);

/// Returns means of batches that can be assumed to be independent: neighbouring batches are joined, at first into at
/// most `most_means` groups of at least `batches_of_mean` batches, then into half as many while lag_correlation is
/// above its standard deviation. The longest groups may be at twice that. Groups without messages are left out. Empty
/// if the longest groups are correlated or fewer than fewest_means means are left.
std::vector<double> independent_means(std::span<const LatencyBatch> batches, std::size_t batches_of_mean,
                                      std::size_t most_means);

/// Returns a score of a backlog's growth: the mean of its increments from batch to batch over the standard error of
/// that mean. A score above 3 is not due to chance, not even for a queue at exactly full load, whose backlog is a
/// random walk; in a stationary queue increments cancel and the score is smaller. `before`: the backlog at the
/// beginning of the first batch. Returns 0 for fewer than fewest_means batches.
double growth_score(double before, std::span<const double> backlog);

/// Returns the truncation point of a series by MSER (White, Cobb & Spratt, "A comparison of five steady-state
/// truncation heuristics", WSC 2000): the number of first values, at most half of them, without which the standard
/// error of the mean of the others is smallest. With means of 5 values each it is MSER-5.
std::size_t stationary_from(std::span<const double> means);

/// Returns whether queues grow. `backlog`: the bytes or messages in flight at the end of each batch of a run,
/// `generated`: all that were generated. True if the means of the three thirds of `backlog` rise one after the other,
/// and the rise from the first to the last is either more than 1 % of `generated` (scaled to the whole run), or more
/// than 0.3 % while the last third is more than twice the first. Fewer than 3 batches never grow.
bool backlog_grows(std::span<const double> backlog, double generated);

} // namespace wormcast
