#include "wormcast/experiments/reproduction/fugaku/checks.hpp"

#include "wormcast/experiments/reproduction/frame/bibliography.hpp"
#include "wormcast/experiments/reproduction/fugaku/measured_study.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

namespace wormcast {

namespace {

std::vector<Check> all_fugaku_checks()
{
  std::vector<Check> all;
  for (const auto& checks : {fugaku::count_checks, fugaku::row_checks, fugaku::all_row_checks, fugaku::open_checks}) {
    std::ranges::move(checks(), std::back_inserter(all));
  }
  return all;
}

/// A claim's verdict with two thirds of the published rows, and what would change it.
struct WithRows {
  const char* claim;
  Verdict verdict = Verdict::confirmed;
  const char* changed_data = "measured times that are longer by a fifth";
  std::optional<Verdict> turns_to = {}; ///< none: as of all claims
};

/// What is recorded in the file is the verdict without rows. The claims that are not here are not testable with rows,
/// either.
std::vector<Claim> with_rows(std::vector<Claim> claims)
{
  static const std::vector<WithRows> changes = {
      {"recursive_doubling_on_squares"},
      {"one_vector_through_b"},
      {"constants_carry_over"},
      {"trees_without_contention"},
      {"serial_addition", Verdict::confirmed, "threads that add at the same time"},
      {.claim = "segments_gain_nothing", .turns_to = Verdict::not_testable},
      {"network_below_1_mib", Verdict::confirmed, "half the times of the torus"},
      {"order_of_algorithms", Verdict::ambiguous, "predictions in the opposite order"},
      {"fluid_in_boxes", Verdict::confirmed, "fluids that are slower by a fifth"}};
  for (const WithRows& change : changes) {
    const auto claim = std::ranges::find(claims, std::string("fugaku.") + change.claim, &Claim::name);
    claim->recorded = change.verdict;
    claim->turned_by = Mutation::data_changed;
    claim->changed_data = change.changed_data;
    claim->turns_to = change.turns_to;
  }
  return claims;
}

} // namespace

Paper fugaku_paper()
{
  Paper paper = read_paper(web::fugaku_claims, "experiments/reproduction/fugaku/claims.toml", all_fugaku_checks);
  if (fugaku::has_rows()) {
    paper.claims = [claims = std::move(paper.claims)] { return with_rows(claims()); };
  }
  return paper;
}

} // namespace wormcast
