#pragma once

#include "wormcast/experiments/reproduction/frame/claim.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace wormcast::fugaku {

/// From here on a vector is long: the claims are about the median over its sizes unless they say otherwise.
inline constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

/// "4.1 %".
std::string percent_text(double share);

/// The median, the 90 % quantile and the greatest of the absolute values of errors. There must be some.
double median_of(std::vector<double> errors);
double ninety_percent_of(std::vector<double> errors);
double worst_of(std::vector<double> errors);

/// An error that must keep to a rule.
Observation observed(const std::string& what, const std::string& expected, double error, bool holds);

/// Confirmed where all hold, refuted where the claim's second rule says so, open between the two.
Evidence judged(const std::string& summary, const std::vector<Observation>& observations, bool is_refuted);

/// What was found for a claim whose rule cannot be applied: `why` says what is missing.
Evidence left_open(const std::string& why, const std::string& summary, const std::vector<Observation>& observations);

/// Errors of the same rows by three models of the network, as in configs/validation/fugaku/study.toml.
struct ErrorsByModel {
  std::vector<double> folded;
  std::vector<double> plain;
  std::vector<double> free;
};

/// The rule of claim "ports_in_folded_boxes". Open where rows that it is about are missing, which are named.
Evidence better_folded(const ErrorsByModel& errors, const std::vector<std::string>& missing);

/// Errors of the rows of an algorithm on a shape by the candidate for its box, and without contention.
struct CandidateErrors {
  std::string rows; ///< "RECDOUB-B_CONT-UTOFU-0-1 on 64x64, 4 rows"
  std::vector<double> candidate;
  std::vector<double> free;
};

/// The rule of claim "two_dimensions_are_boxes", by the median of all rows where it is refuted. There must be some.
Evidence better_candidate(const std::vector<CandidateErrors>& found);

/// Errors of the folded model for the rows of an algorithm on a shape.
struct FoldedErrors {
  std::string rows; ///< "BINE-B_CONT-UTOFU-0-1 on 4x4x4"
  std::vector<double> errors;
};

/// Two algorithms on one shape, of one size, that were measured to differ.
struct OrderedPair {
  std::string rows; ///< "4x4x4, 1 MiB"
  bool first_is_faster = false;
  bool first_is_predicted_faster = false;
};

/// The rule of claim "segments_gain_nothing": the errors of halves, and the order of whole messages and segments. Open
/// without a pair.
Evidence halves_and_their_order(const std::vector<FoldedErrors>& halves, const std::vector<OrderedPair>& pairs);

/// A check that needs rows: where there is no file of them it says that `rows` are not at hand.
Check of_rows(const std::string& name, const std::string& rows, const std::function<Evidence()>& measure);

} // namespace wormcast::fugaku
