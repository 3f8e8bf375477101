#include "wormcast/experiments/reproduction/kim/claims.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

Paper kim_2014_paper()
{
  return {.name = "kim_2014",
          .title = "Broadcasting Algorithms of Three-Dimensional Petersen-Torus Network",
          .source = "Kim, Lee, Kim & Kim, J. Appl. Math. 2014, 935737",
          .claims = kim_2014_claims};
}

std::vector<Claim> kim_2014_claims()
{
  std::vector<Claim> all;
  for (const auto& claims :
       {kim::network_claims, kim::printed_edge_claims, kim::petersen_claims, kim::algorithm_1_claims,
        kim::proof_case_claims, kim::one_to_all_theorem_claims, kim::one_to_all_reading_claims, kim::erratum_claims,
        kim::all_to_all_claims, kim::step_model_claims}) {
    std::ranges::move(claims(), std::back_inserter(all));
  }
  return all;
}

} // namespace wormcast
