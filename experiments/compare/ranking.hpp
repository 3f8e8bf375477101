#pragma once

#include "wormcast/experiments/sweep/statistics.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wormcast {

/// SeedLatencies of one candidate in picoseconds, one for each seed; empty: it has none, as a run of it did not end.
using SeedLatencies = std::vector<std::int64_t>;

/// Whether latencies differ from seed to seed.
enum class LatencyKind {
  exact, ///< no random draws: one run is all there is to know, and the least latency is the least
  drawn  ///< each run is one draw: what holds of means is decided by paired differences
};

/// Their mean, rounded to whole picoseconds. Of at least one.
std::int64_t mean_latency(const SeedLatencies& latencies);

/// The mean of `other` minus `base`, seed by seed, in picoseconds, and its interval. Both have the same seeds.
struct PairedMean {
  double mean = 0;
  std::optional<Interval> interval; ///< none of one pair
};

/// By Student's t distribution, at the level 1 - 0.05 / `rivals`: so many intervals hold together at 95 % or more
/// (Bonferroni).
PairedMean paired_mean(const SeedLatencies& base, const SeedLatencies& other, std::size_t rivals);

/// Which of some candidates is the fastest, and how far that is decided.
struct Ranking {
  std::size_t best = 0;               ///< the least mean; of equal means the first
  std::vector<std::size_t> equal;     ///< take the same time as `best` in every run
  std::vector<std::size_t> undecided; ///< all others whose interval of the difference to `best` holds 0

  bool decided() const { return undecided.empty(); }
};

/// Ranks candidates by mean; none where no candidate has latencies. Those with latencies have as many. `rivals`: how
/// many differences are looked at, at least 1.
std::optional<Ranking> rank_candidates(std::span<const SeedLatencies> candidates, LatencyKind kind, std::size_t rivals);

} // namespace wormcast
