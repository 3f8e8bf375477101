#pragma once

#include <cstddef>
#include <span>

namespace wormcast {

/// 0 of none.
double mean_of(std::span<const double> values);

/// Half the 95 % interval of the mean of a series, from the means of its batches, by Student's t distribution (Law,
/// Simulation Modeling and Analysis, 9.5.3). Infinite of fewer than two.
double interval_of_batch_means(std::span<const double> means);

/// Where a series has become stationary, by MSER (White, Cobb & Spratt, "A comparison of five steady-state truncation
/// heuristics", WSC 2000): how many of its first values to leave out so that the standard error of the mean of the rest
/// is smallest, at most half of them. With means of 5 values each it is MSER-5.
std::size_t stationary_from(std::span<const double> means);

/// The rule by which queues grow: `backlog` is what waits at the end of each batch of a run, `came` what came into
/// being in all. True where the means of the three thirds of `backlog` rise one after the other, and the rise from the
/// first to the last is either more than 1 % of what came (scaled to the whole run), or more than 0.3 % and the last
/// third is more than twice the first. Fewer than 3 batches never grow.
bool backlog_grows(std::span<const double> backlog, double came);

} // namespace wormcast
