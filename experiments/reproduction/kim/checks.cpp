#include "wormcast/experiments/reproduction/kim/checks.hpp"

#include "wormcast/experiments/reproduction/frame/bibliography.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

Paper kim_2014_paper()
{
  return read_paper(web::kim_2014_claims, "experiments/reproduction/kim/claims.toml", kim_2014_checks);
}

std::vector<Check> kim_2014_checks()
{
  std::vector<Check> all;
  for (const auto& checks :
       {kim::network_checks, kim::printed_edge_checks, kim::petersen_checks, kim::algorithm_1_checks,
        kim::proof_case_checks, kim::one_to_all_theorem_checks, kim::one_to_all_reading_checks, kim::erratum_checks,
        kim::all_to_all_checks, kim::step_model_checks}) {
    std::ranges::move(checks(), std::back_inserter(all));
  }
  return all;
}

} // namespace wormcast
