#include "wormcast/experiments/compare/comparison_verdicts.hpp"

#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/experiments/compare/comparison_values.hpp"
#include "wormcast/experiments/sweep/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace wormcast {

namespace {

/// The titles of some algorithms, of more than three the first two and how many more.
std::string titles_text(const Comparison& comparison, const std::vector<std::size_t>& positions)
{
  constexpr std::size_t most = 3;
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < positions.size() && (positions.size() <= most || i + 1 < most); ++i) {
    titles.push_back(compared_title(comparison.algorithms[positions[i]]));
  }
  if (titles.size() < positions.size()) {
    titles.push_back(fmt::format("{} more", positions.size() - titles.size()));
  }
  return fmt::format("{}", fmt::join(titles, "; "));
}

/// "+3.1 (-1.0 .. 7.2)": microseconds.
std::string difference_text(const PairedMean& paired)
{
  return paired.interval
             ? fmt::format("{} ({} .. {})", rounded_microseconds(paired.mean),
                           rounded_microseconds(paired.interval->low), rounded_microseconds(paired.interval->high))
             : rounded_microseconds(paired.mean);
}

/// How much longer the others take than the one with the least mean: those between which it is not decided, and the
/// next ones.
std::string differences_text(const Comparison& comparison)
{
  constexpr std::size_t most = 10;
  const Ranking& ranking = *comparison.ranking;
  std::vector<std::pair<double, std::size_t>> others;
  for (std::size_t i = 0; i < comparison.algorithms.size(); ++i) {
    const ComparedAlgorithm& other = comparison.algorithms[i];
    if (i != ranking.best && other.is_candidate()) {
      others.emplace_back(paired_mean(comparison.algorithms[ranking.best].latencies, other.latencies, 1).mean, i);
    }
  }
  std::ranges::sort(others);
  std::vector<std::vector<std::string>> lines = {
      {fmt::format("longer than {}", compared_title(comparison.algorithms[ranking.best])), "us (interval)", ""}};
  for (const auto& [mean, position] : others) {
    const bool undecided = std::ranges::find(ranking.undecided, position) != ranking.undecided.end();
    const bool equal = std::ranges::find(ranking.equal, position) != ranking.equal.end();
    if (lines.size() <= most || undecided) {
      lines.push_back({"  " + compared_title(comparison.algorithms[position]),
                       difference_text(paired_mean(comparison.algorithms[ranking.best].latencies,
                                                   comparison.algorithms[position].latencies, comparison.rivals)),
                       undecided ? "not decided"
                       : equal   ? "the same in every run"
                                 : "slower"});
    }
  }
  const std::string together =
      fmt::format("; the {} intervals hold together at 95 % (Student's t, Bonferroni)", comparison.rivals);
  return aligned(lines) + fmt::format("differences of runs with the same seed{}\n",
                                      comparison.rivals == 1 ? ", with 95 % intervals (Student's t)" : together);
}

} // namespace

std::string fastest_measured(const Experiment& experiment, const Comparison& comparison)
{
  const std::size_t count = possible_count(comparison);
  if (!comparison.ranking || count < 2) {
    return {};
  }
  const Ranking& ranking = *comparison.ranking;
  const ComparedAlgorithm& fastest = comparison.algorithms[ranking.best];
  const std::string length = format_bytes(experiment.request.message_bytes);
  const std::string latency = latency_text(fastest.run);
  const bool drawn = comparison.repeats.kind() == LatencyKind::drawn;
  std::string text;
  if (!ranking.decided()) {
    text = fmt::format("not decided which of the {} simulated is the fastest at {}: {}; the least {} is {} us\n", count,
                       length, titles_text(comparison, possible_fastest(ranking.best, ranking.undecided)),
                       comparison.repeats.count > 1 ? "mean" : "latency of one run", latency);
  } else {
    text = fmt::format("fastest of the {} simulated at {}: {}, {}{} us{}\n", count, length, compared_title(fastest),
                       drawn ? "mean " : "", latency,
                       ranking.equal.empty() ? std::string() : "; as fast: " + titles_text(comparison, ranking.equal));
  }
  return drawn && comparison.repeats.count > 1 ? text + differences_text(comparison) : text;
}

std::string bound_text(const Comparison& comparison)
{
  if (!comparison.bound) {
    return {};
  }
  const BroadcastTimeBound& bound = *comparison.bound;
  const ComparedAlgorithm* fastest = fastest_run(comparison);
  const bool has_ratio = fastest != nullptr && bound.latency != Time{};
  return fmt::format("lower bound: {} us, with alpha {} and beta {} (without contention within steps){}\n",
                     format_microseconds(bound.latency), bound.steps, format_fraction(bound.bytes),
                     has_ratio
                         ? fmt::format("; the least latency here is {} times as long", bound_ratio(*fastest, bound))
                         : std::string());
}

std::string fastest_text(const Experiment& experiment, const Comparison& comparison)
{
  const auto with_formula = std::ranges::count_if(comparison.algorithms, &ComparedAlgorithm::has_formula);
  if (with_formula < 2) { // without a rival nothing is the fastest
    return {};
  }
  const ExactNumber length = experiment.request.message_bytes;
  std::vector<std::vector<std::string>> lines = {
      {fmt::format("fastest by formula, of the {} that have one{}", with_formula,
                   experiment.network.per_hop == Time{} ? "" : ", hops left out"),
       "from bytes", ""}};
  for (std::size_t i = 0; i < comparison.fastest.size(); ++i) {
    const EnvelopePiece& piece = comparison.fastest[i];
    const bool here =
        piece.from <= length && (i + 1 == comparison.fastest.size() || length < comparison.fastest[i + 1].from);
    lines.push_back({compared_title(comparison.algorithms[piece.line]) + (here ? " <" : ""), format_exact(piece.from),
                     format_rounded(piece.from, shown_decimals)});
  }
  return "\n" + aligned(lines) +
         fmt::format("< at the {} of this comparison, whose parameters count at all lengths (wormcast choose takes "
                     "those of each length)\n",
                     format_bytes(experiment.request.message_bytes));
}

/// Which one is the fastest at which length by simulation.
std::string measured_text(const Experiment& experiment, const Comparison& comparison)
{
  if (comparison.fastest_measured.empty() || possible_count(comparison) < 2) {
    return {};
  }
  const std::uint64_t length = experiment.request.message_bytes;
  std::vector<std::vector<std::string>> lines = {
      {fmt::format("fastest by simulation, of {}", comparison.rivals + 1), "from bytes", "to"}};
  for (const MeasuredPiece& piece : comparison.fastest_measured) {
    const bool here = piece.from <= length && length <= piece.to;
    const std::string who =
        piece.undecided.empty()
            ? compared_title(comparison.algorithms[piece.line])
            : "not decided: " + titles_text(comparison, possible_fastest(piece.line, piece.undecided));
    lines.push_back({who + (here ? " <" : ""), fmt::to_string(piece.from), fmt::to_string(piece.to)});
  }
  return "\n" + aligned(lines);
}

} // namespace wormcast
