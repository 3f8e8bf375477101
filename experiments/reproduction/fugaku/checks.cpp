#include "wormcast/experiments/reproduction/fugaku/checks.hpp"

#include "wormcast/experiments/reproduction/frame/bibliography.hpp"
#include "wormcast/experiments/reproduction/fugaku/measured_study.hpp"

#include <algorithm>
#include <iterator>
#include <map>
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

/// What is recorded is the verdict without rows. With them the claims that need rows were confirmed, and would not be
/// if the machine took other times.
std::vector<Claim> with_rows(std::vector<Claim> claims)
{
  static const std::map<std::string, std::string> other_changes = {
      {"serial_addition", "threads that add at the same time"},
      {"network_below_1_mib", "half the times of the torus"},
      {"order_of_algorithms", "predictions in the opposite order"}};
  for (const auto& checks : {fugaku::row_checks, fugaku::all_row_checks}) {
    for (const Check& check : checks()) {
      const auto claim = std::ranges::find(claims, "fugaku." + check.name, &Claim::name);
      const auto changed = other_changes.find(check.name);
      claim->recorded = check.name == "order_of_algorithms" ? Verdict::ambiguous : Verdict::confirmed;
      claim->turned_by = Mutation::data_changed;
      claim->changed_data =
          changed == other_changes.end() ? "measured times that are longer by a fifth" : changed->second;
    }
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
