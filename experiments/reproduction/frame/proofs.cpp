#include "wormcast/experiments/reproduction/frame/proofs.hpp"

#include "wormcast/algorithms/schedule/file.hpp"
#include "wormcast/experiments/reproduction/frame/mutation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace wormcast {

namespace {

std::string costs_text(const std::optional<Fraction>& alpha, const std::optional<Fraction>& beta)
{
  std::string text;
  if (alpha) {
    text = fmt::format("alpha {}", format_fraction(*alpha));
  }
  if (beta) {
    text += fmt::format("{}beta {}", text.empty() ? "" : ", ", format_fraction(*beta));
  }
  return text;
}

std::string first_violation(const CheckReport& report)
{
  return report.violations.empty() ? std::string() : report.violations.front().text;
}

/// Only with `shows_schedule` a failure has its schedule, which is long to write.
Observation costs_observation(const CostCase& claimed, bool shows_schedule)
{
  const auto topology = topology_of(claimed.broadcast);
  const Schedule schedule = schedule_of(claimed.broadcast, *topology);
  const CheckReport report = check_schedule(*topology, schedule, {.max_violations = 1});
  Observation observation{
      .what = title(claimed.broadcast),
      .expected = costs_text(claimed.alpha ? std::optional(as_claimed(*claimed.alpha)) : std::nullopt,
                             claimed.beta ? std::optional(as_claimed(*claimed.beta)) : std::nullopt),
      .found = costs_text(claimed.alpha ? std::optional(Fraction(static_cast<std::int64_t>(report.costs.alpha)))
                                        : std::nullopt,
                          claimed.beta ? std::optional(report.costs.beta) : std::nullopt)};
  observation.holds = observation.found == observation.expected;
  if (!report.valid()) {
    observation.holds = false;
    observation.found = "not valid: " + first_violation(report);
  }
  if (!observation.holds && shows_schedule) {
    observation.schedule = schedule_json(schedule);
  }
  return observation;
}

Observation contention_observation(const BroadcastCase& broadcast, bool shows_schedule)
{
  const auto topology = topology_of(broadcast);
  const Schedule schedule = schedule_of(broadcast, *topology);
  const CheckReport report = check_schedule(*topology, schedule, {.max_violations = 1});
  Observation observation{.what = title(broadcast),
                          .expected = "0 contended pairs",
                          .found = fmt::format("{} contended pairs", report.contended_pairs)};
  observation.holds = report.valid() && report.contention_free;
  if (!report.valid()) {
    observation.found = "not valid: " + first_violation(report);
  } else if (!report.contention_free) {
    observation.found += ": " + contention_text(report);
  }
  if (!observation.holds && shows_schedule) {
    observation.schedule = schedule_json(schedule);
  }
  return observation;
}

ExhibitTable observation_table(const std::vector<Observation>& observations, std::size_t rows)
{
  ExhibitTable table{.title = "cases", .header = {"case", "claimed", "found", "holds"}, .rows = {}};
  for (const bool holds : {false, true}) {
    for (const Observation& observation : observations) {
      if (observation.holds == holds && table.rows.size() < rows) {
        table.rows.push_back({observation.what, observation.expected, observation.found, holds ? "yes" : "no"});
      }
    }
  }
  if (observations.size() > table.rows.size()) {
    table.title = fmt::format("{} of {} cases", table.rows.size(), observations.size());
  }
  return table;
}

} // namespace

Observation same_texts(const std::string& what, const std::string& expected, const std::string& found)
{
  return {.what = what, .expected = expected, .found = found, .holds = expected == found};
}

Evidence all_hold(const std::string& summary, const std::vector<Observation>& observations, std::size_t rows)
{
  if (observations.empty()) {
    throw std::logic_error("a proof needs at least one case");
  }
  const auto fails = [](const Observation& observation) { return !observation.holds; };
  const auto failures = std::count_if(observations.begin(), observations.end(), fails);
  Evidence evidence;
  evidence.tables.push_back(observation_table(observations, rows));
  if (failures == 0) {
    evidence.measured = observations.size() == 1
                            ? fmt::format("holds: {}", summary)
                            : fmt::format("holds in all {} cases: {}", observations.size(), summary);
    return evidence;
  }
  const Observation& first = *std::find_if(observations.begin(), observations.end(), fails);
  evidence.verdict = Verdict::refuted;
  evidence.measured = observations.size() == 1
                          ? fmt::format("fails: {}", summary)
                          : fmt::format("fails in {} of {} cases: {}", failures, observations.size(), summary);
  evidence.counterexample =
      Counterexample{fmt::format("{}: claimed {}, found {}", first.what, first.expected, first.found), first.schedule};
  return evidence;
}

nlohmann::ordered_json schedule_json(const Schedule& schedule)
{
  std::ostringstream text;
  write_schedule(schedule, text);
  return nlohmann::ordered_json::parse(text.str());
}

std::string contention_text(const CheckReport& report)
{
  const auto found = std::ranges::find(report.violations, ViolationKind::contention, &Violation::kind);
  return found == report.violations.end() ? std::string() : found->text;
}

Evidence costs_equal(const std::string& summary, const std::vector<CostCase>& cases)
{
  std::vector<Observation> observations;
  for (const CostCase& claimed : cases) {
    observations.push_back(costs_observation(claimed, std::ranges::all_of(observations, &Observation::holds)));
  }
  return all_hold(summary, observations);
}

Evidence contention_free(const std::string& summary, const std::vector<BroadcastCase>& cases)
{
  std::vector<Observation> observations;
  for (const BroadcastCase& broadcast : cases) {
    observations.push_back(contention_observation(broadcast, std::ranges::all_of(observations, &Observation::holds)));
  }
  return all_hold(summary, observations);
}

Evidence corrected(Evidence claimed, const std::string& text, const Evidence& proof)
{
  if (proof.verdict != Verdict::confirmed) {
    throw std::logic_error(fmt::format("the correction does not hold: {}; {}", text,
                                       proof.counterexample ? proof.counterexample->text : proof.measured));
  }
  claimed.correction = fmt::format("{}: {}", text, proof.measured);
  return claimed;
}

Evidence misprinted(Evidence claimed, const std::string& text, const Evidence& proof)
{
  if (claimed.verdict == Verdict::confirmed) {
    return claimed;
  }
  Evidence evidence = corrected(std::move(claimed), text, proof);
  evidence.verdict = Verdict::misprint;
  return evidence;
}

Evidence by_reading(std::vector<std::pair<std::string, Evidence>> readings)
{
  if (readings.size() < 2) {
    throw std::logic_error("a statement with one reading needs no comparison of readings");
  }
  Evidence evidence;
  evidence.verdict = readings.front().second.verdict;
  for (auto& [text, found] : readings) {
    if (found.verdict != evidence.verdict) {
      evidence.verdict = Verdict::ambiguous;
    }
    evidence.measured += fmt::format("{}{}: {}, {}", evidence.measured.empty() ? "" : "; ", text,
                                     verdict_names.text(found.verdict), found.measured);
    evidence.readings.push_back({text, found.verdict, found.measured});
    if (evidence.correction.empty()) {
      evidence.correction = found.correction;
    }
    if (!evidence.counterexample) {
      evidence.counterexample = std::move(found.counterexample);
    }
    std::ranges::move(found.figures, std::back_inserter(evidence.figures));
    std::ranges::move(found.matrices, std::back_inserter(evidence.matrices));
    for (ExhibitTable& table : found.tables) {
      table.title = fmt::format("{}: {}", text, table.title);
      evidence.tables.push_back(std::move(table));
    }
  }
  return evidence;
}

Evidence not_testable(const std::string& lost, Evidence instead)
{
  if (instead.verdict != Verdict::confirmed) {
    throw std::logic_error(fmt::format("what was tested instead does not hold: {}", instead.measured));
  }
  instead.verdict = Verdict::not_testable;
  instead.measured = fmt::format("{}; tested instead: {}", lost, instead.measured);
  return instead;
}

std::vector<Fraction> step_sizes(const Schedule& schedule)
{
  std::vector<Fraction> sizes(step_count(schedule));
  for (const Message& message : schedule.messages) {
    const Fraction size(static_cast<std::int64_t>(schedule.block_sets.size(message.blocks)),
                        static_cast<std::int64_t>(schedule.blocks));
    sizes[message.step] = std::max(sizes[message.step], size);
  }
  return sizes;
}

std::string fractions_text(std::span<const Fraction> fractions)
{
  std::string text;
  for (const Fraction& fraction : fractions) {
    text += (text.empty() ? "" : ", ") + format_fraction(fraction);
  }
  return text;
}

Fraction one_over_power(int exponent)
{
  return {1, std::int64_t{1} << exponent};
}

std::string decimal(double value, int digits)
{
  std::string text = fmt::format("{:.{}f}", value, digits);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') {
      text.pop_back();
    }
  }
  return text == "-0" ? "0" : text;
}

} // namespace wormcast
