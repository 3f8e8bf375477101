#pragma once

#include "wormcast/experiments/reproduction/frame/broadcast_case.hpp"
#include "wormcast/experiments/reproduction/frame/evidence.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace wormcast {

/// Building blocks of claims: evidence made of many cases that the verifier checks, small ones first.

/// One thing that must hold.
struct Observation {
  std::string what;     ///< "mesh 4 x 4 from (1, 2)"
  std::string expected; ///< "alpha 6, beta 2"
  std::string found;
  bool holds = true;
  nlohmann::ordered_json schedule = nullptr; ///< of a failure, to become its counterexample
};

/// That what is found is what is expected: that both texts, which say the whole of it, are the same.
Observation same_texts(const std::string& what, const std::string& expected, const std::string& found);

/// Confirmed if all hold, else refuted by the first that does not; `summary` says what was looked at ("all sources of
/// ..."). The table has the first `rows` observations, failures before the others. Throws std::logic_error where there
/// are no observations: nothing would be proved.
Evidence all_hold(const std::string& summary, const std::vector<Observation>& observations, std::size_t rows = 40);

/// The schedule as JSON, format wormcast-schedule/1.
nlohmann::ordered_json schedule_json(const Schedule& schedule);

/// The first two messages of a step that share a channel, for people: who, from where to where, which channel.
std::string contention_text(const CheckReport& report);

/// A case with the costs that are claimed for it.
struct CostCase {
  BroadcastCase broadcast;
  std::optional<Fraction> alpha; ///< none: not claimed
  std::optional<Fraction> beta;
};

/// The evidence of a claim that fails, with what holds instead: `text`, proved by `proof`. Throws std::logic_error
/// where the proof fails, too.
Evidence corrected(Evidence claimed, const std::string& text, const Evidence& proof);

/// The evidence of a statement that fails as printed, of which nothing is lost: `text` is what was meant, proved by
/// `proof`, and the verdict is misprint. Confirmed as it stands where `claimed` holds. Throws std::logic_error where
/// the proof fails, too.
Evidence misprinted(Evidence claimed, const std::string& text, const Evidence& proof);

/// A statement that can be read in several ways: the common verdict of `readings` (a text and the evidence of each), or
/// ambiguous where they differ. The counterexample is that of the first reading that has one.
Evidence by_reading(std::vector<std::pair<std::string, Evidence>> readings);

/// A statement about something that is not at hand: not testable. `lost` says what, `instead` is what was tested in its
/// place. Throws std::logic_error where that fails: then there would be nothing to say.
Evidence not_testable(const std::string& lost, Evidence instead);

/// Largest message of each step, as fractions of the whole message.
std::vector<Fraction> step_sizes(const Schedule& schedule);

/// "1/2, 1/4, 1/4".
std::string fractions_text(std::span<const Fraction> fractions);

/// The schedules are valid (everything arrives, nothing is sent that is not held, ports are kept) and have these costs.
Evidence costs_equal(const std::string& summary, const std::vector<CostCase>& cases);

/// The schedules are valid, and no directed channel is used twice in a step.
Evidence contention_free(const std::string& summary, const std::vector<BroadcastCase>& cases);

/// One over 2^exponent.
Fraction one_over_power(int exponent);

/// "7", "1.5": a decimal of at most `digits` decimals, rounded, for figures and texts.
std::string decimal(double value, int digits = 3);

} // namespace wormcast
