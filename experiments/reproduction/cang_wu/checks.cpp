#include "wormcast/experiments/reproduction/cang_wu/checks.hpp"

#include "wormcast/experiments/reproduction/frame/bibliography.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

namespace {

std::vector<Check> checks_of_part(const cang_wu::Part& part)
{
  std::vector<Check> all;
  for (const auto& checks : {cang_wu::value_checks, cang_wu::eye_checks, cang_wu::formula_checks,
                             cang_wu::optimum_checks, cang_wu::minimum_checks, cang_wu::proof_checks,
                             cang_wu::network_checks, cang_wu::depth_checks, cang_wu::dependence_checks}) {
    std::ranges::move(checks(part), std::back_inserter(all));
  }
  return all;
}

} // namespace

Paper cang_wu_1998_paper()
{
  return read_paper(web::cang_wu_1998_claims, "experiments/reproduction/cang_wu/claims_1998.toml",
                    [] { return checks_of_part({.d = 2}); });
}

Paper cang_wu_2000_paper()
{
  return read_paper(web::cang_wu_2000_claims, "experiments/reproduction/cang_wu/claims_2000.toml",
                    [] { return checks_of_part({.d = 3}); });
}

} // namespace wormcast
