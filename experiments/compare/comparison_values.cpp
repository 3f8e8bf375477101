#include "wormcast/experiments/compare/comparison_values.hpp"

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/sweep/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

bool has_run(const ComparedAlgorithm& algorithm)
{
  return algorithm.state == ComparisonState::done || algorithm.state == ComparisonState::deadlock;
}

std::string compared_title(const ComparedAlgorithm& algorithm)
{
  return algorithm.name + (algorithm.parameters.empty() ? "" : " " + algorithm.parameters);
}

std::string port_model_text(PortModel ports)
{
  return ports.count == PortModel::all ? "all" : fmt::to_string(ports.count);
}

std::string beta_text(const ComparedRun& run)
{
  return format_fraction({run.beta_numerator, run.beta_denominator});
}

Statistics latencies_by_seed(const ComparedAlgorithm& algorithm)
{
  return statistics_of({algorithm.latencies.begin(), algorithm.latencies.end()});
}

std::size_t possible_count(const Comparison& comparison)
{
  return static_cast<std::size_t>(std::ranges::count_if(comparison.algorithms, &ComparedAlgorithm::is_candidate));
}

std::string rounded_microseconds(double picoseconds)
{
  return fmt::format("{:.7g}", picoseconds * 1e-6);
}

std::string latency_text(const ComparedRun& run)
{
  return latency_text(run.from_source, run.runs);
}

std::string latency_text(Time latency, std::uint32_t runs)
{
  return runs == 1 ? format_microseconds(latency) : rounded_microseconds(static_cast<double>(latency.picoseconds));
}

std::string mean_wait(const ComparedRun& run, ContentionKind kind)
{
  const auto all = run.contention[kind].wait.picoseconds;
  const ExactNumber sum = ExactNumber(static_cast<std::uint64_t>(all >> 64)) * ExactNumber(4294967296) * 4294967296 +
                          static_cast<std::uint64_t>(all);
  return format_microseconds(sum / run.runs);
}

const ComparedAlgorithm* fastest_run(const Comparison& comparison)
{
  return comparison.ranking ? &comparison.algorithms[comparison.ranking->best] : nullptr;
}

std::vector<std::size_t> possible_fastest(std::size_t best, const std::vector<std::size_t>& undecided)
{
  std::vector<std::size_t> all = {best};
  all.insert(all.end(), undecided.begin(), undecided.end());
  return all;
}

std::string bound_ratio(const ComparedAlgorithm& fastest, const BroadcastTimeBound& bound)
{
  return format_rounded(ExactNumber(fastest.run.from_source.picoseconds) / bound.latency.picoseconds, shown_decimals);
}

std::string verdict_of(const Comparison& comparison, std::size_t position)
{
  if (!comparison.ranking || !comparison.algorithms[position].is_candidate() || possible_count(comparison) < 2) {
    return {};
  }
  const Ranking& ranking = *comparison.ranking;
  const auto has = [&](const std::vector<std::size_t>& positions) {
    return std::ranges::find(positions, position) != positions.end();
  };
  const bool near = position == ranking.best || has(ranking.equal);
  if (has(ranking.undecided) || (near && !ranking.decided())) {
    return "not_decided";
  }
  return position == ranking.best ? "fastest" : near ? "as_fast" : "slower";
}

std::optional<PairedMean> difference_of(const Comparison& comparison, std::size_t position)
{
  const ComparedAlgorithm& algorithm = comparison.algorithms[position];
  if (!comparison.ranking || position == comparison.ranking->best || !algorithm.is_candidate()) {
    return std::nullopt;
  }
  return paired_mean(comparison.algorithms[comparison.ranking->best].latencies, algorithm.latencies, comparison.rivals);
}

} // namespace wormcast
