#include "wormcast/experiments/compare/ranking.hpp"

#include "wormcast/simulator/random/student_t.hpp"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wormcast {

std::int64_t mean_latency(const SeedLatencies& latencies)
{
  boost::multiprecision::int128_t sum = 0;
  for (const std::int64_t latency : latencies) {
    sum += latency;
  }
  const auto count = static_cast<std::int64_t>(latencies.size());
  return static_cast<std::int64_t>((2 * sum + count) / (2 * count));
}

namespace {

/// How many deviations of the mean the interval of `count` pairs reaches to each side.
double half_width(std::size_t count, std::size_t rivals)
{
  return student_half_width(count, 0.05 / static_cast<double>(std::max<std::size_t>(rivals, 1)));
}

PairedMean paired_mean_within(const SeedLatencies& base, const SeedLatencies& other, double width)
{
  std::vector<double> differences;
  for (std::size_t i = 0; i < base.size(); ++i) {
    differences.push_back(static_cast<double>(other[i] - base[i]));
  }
  const Statistics statistics = statistics_of(std::move(differences));
  PairedMean paired{.mean = statistics.mean, .interval = std::nullopt};
  if (statistics.deviation) {
    const double half = width * *statistics.deviation;
    paired.interval = Interval{statistics.mean - half, statistics.mean + half};
  }
  return paired;
}

} // namespace

PairedMean paired_mean(const SeedLatencies& base, const SeedLatencies& other, std::size_t rivals)
{
  return paired_mean_within(base, other, base.size() < 2 ? 0 : half_width(base.size(), rivals));
}

std::optional<Ranking> rank_candidates(std::span<const SeedLatencies> candidates, LatencyKind kind, std::size_t rivals)
{
  std::optional<Ranking> ranking;
  std::int64_t least = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (!candidates[i].empty() && (!ranking || mean_latency(candidates[i]) < least)) {
      ranking = Ranking{.best = i, .equal = {}, .undecided = {}};
      least = mean_latency(candidates[i]);
    }
  }
  if (!ranking) {
    return ranking;
  }
  const std::size_t runs = candidates[ranking->best].size();
  const double width = kind == LatencyKind::drawn && runs > 1 ? half_width(runs, rivals) : 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i == ranking->best || candidates[i].empty()) {
      continue;
    }
    if (candidates[i] == candidates[ranking->best]) {
      ranking->equal.push_back(i);
    } else if (kind == LatencyKind::drawn) {
      const PairedMean paired = paired_mean_within(candidates[ranking->best], candidates[i], width);
      if (!paired.interval || paired.interval->low <= 0) {
        ranking->undecided.push_back(i);
      }
    }
  }
  return ranking;
}

} // namespace wormcast
