#include "wormcast/experiments/reproduction/fugaku/error_rules.hpp"

#include "wormcast/experiments/reproduction/fugaku/measured_study.hpp"
#include "wormcast/experiments/validation/error_measures.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace wormcast::fugaku {

namespace {

double quantile_of(std::vector<double> errors, double share)
{
  std::ranges::transform(errors, errors.begin(), [](double error) { return std::abs(error); });
  return quantile(std::move(errors), share);
}

} // namespace

std::string percent_text(double share)
{
  return fmt::format("{:.1f} %", 100 * share);
}

double median_of(std::vector<double> errors)
{
  return quantile_of(std::move(errors), 0.5);
}

double ninety_percent_of(std::vector<double> errors)
{
  return quantile_of(std::move(errors), 0.9);
}

double worst_of(std::vector<double> errors)
{
  return quantile_of(std::move(errors), 1);
}

Observation observed(const std::string& what, const std::string& expected, double error, bool holds)
{
  return {.what = what, .expected = expected, .found = percent_text(error), .holds = holds};
}

Evidence judged(const std::string& summary, const std::vector<Observation>& observations, bool is_refuted)
{
  Evidence evidence = all_hold(summary, observations);
  if (evidence.verdict == Verdict::refuted && !is_refuted) {
    evidence.verdict = Verdict::not_testable;
    evidence.measured = "open, between the rules of confirmed and refuted: " + evidence.measured;
  }
  return evidence;
}

Evidence left_open(const std::string& why, const std::string& summary, const std::vector<Observation>& observations)
{
  Evidence evidence = all_hold(summary, observations);
  evidence.verdict = Verdict::not_testable;
  std::string found;
  for (const Observation& observation : observations) {
    found += fmt::format("{}{}: {}", found.empty() ? "" : "; ", observation.what, observation.found);
  }
  evidence.measured = fmt::format("open: {}. {}: {}", why, summary, found);
  return evidence;
}

Evidence better_folded(const ErrorsByModel& errors, const std::vector<std::string>& missing)
{
  const double median = median_of(errors.folded);
  const double most = ninety_percent_of(errors.folded);
  const double plain = median_of(errors.plain);
  const double free = median_of(errors.free);
  const std::vector<Observation> observations = {observed("folded, median", "at most 12 %", median, median <= 0.12),
                                                 observed("folded, 90 %", "at most 20 %", most, most <= 0.2),
                                                 observed("plain, median", "above 15 %", plain, plain > 0.15),
                                                 observed("free, median", "above 15 %", free, free > 0.15)};
  const std::string summary = fmt::format("errors of {} from 1 MiB on", counted(errors.folded.size(), "row"));
  return missing.empty()
             ? judged(summary, observations, median >= std::min(plain, free))
             : left_open(fmt::format("the rows of {} are missing", fmt::join(missing, ", ")), summary, observations);
}

Evidence better_candidate(const std::vector<CandidateErrors>& found)
{
  std::vector<Observation> observations;
  std::vector<double> all_of_candidate;
  std::vector<double> all_of_free;
  for (const auto& [rows, candidate, free] : found) {
    observations.push_back({.what = rows,
                            .expected = "within 15 %",
                            .found = fmt::format("median {}, worst {}; free {}", percent_text(median_of(candidate)),
                                                 percent_text(worst_of(candidate)), percent_text(median_of(free))),
                            .holds = median_of(candidate) <= 0.15});
    std::ranges::copy(candidate, std::back_inserter(all_of_candidate));
    std::ranges::copy(free, std::back_inserter(all_of_free));
  }
  const double candidate = median_of(all_of_candidate);
  const double free = median_of(all_of_free);
  const std::string summary = "errors of the candidates with one port from 1 MiB on";
  if (candidate <= free) {
    return std::ranges::all_of(observations, &Observation::holds)
               ? all_hold(summary, observations)
               : left_open("better than without contention, but not within 15 % everywhere", summary, observations);
  }
  observations.insert(observations.begin(), {.what = "all, median",
                                             .expected = fmt::format("at most {}, that of free", percent_text(free)),
                                             .found = percent_text(candidate),
                                             .holds = false});
  return judged(summary, observations, true);
}

Evidence halves_and_their_order(const std::vector<FoldedErrors>& halves, const std::vector<OrderedPair>& pairs)
{
  std::vector<Observation> observations;
  for (const auto& [rows, errors] : halves) {
    observations.push_back(observed(rows, "within 17 %", median_of(errors), median_of(errors) <= 0.17));
  }
  bool is_refuted = false;
  for (const OrderedPair& pair : pairs) {
    const bool is_right = pair.first_is_faster == pair.first_is_predicted_faster;
    const auto text = [](bool whole) { return whole ? "whole messages are faster" : "segments are faster"; };
    observations.push_back({.what = pair.rows,
                            .expected = text(pair.first_is_faster),
                            .found = text(pair.first_is_predicted_faster),
                            .holds = is_right});
    is_refuted = is_refuted || !is_right;
  }
  const std::string summary = "medians of errors from 1 MiB on, and which was measured and is predicted to be faster";
  return pairs.empty() ? left_open("whole messages and segments were not measured to differ", summary, observations)
                       : judged(summary, observations, is_refuted);
}

Check of_rows(const std::string& name, const std::string& rows, const std::function<Evidence()>& measure)
{
  Check check =
      check_of(name, {}, [rows, measure]() -> Evidence { return has_rows() ? measure() : without_rows(rows); });
  check.measurement.prepare = prepare_measured_study;
  return check;
}

} // namespace wormcast::fugaku
