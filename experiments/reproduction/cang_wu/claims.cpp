#include "wormcast/experiments/reproduction/cang_wu/claims.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

namespace {

std::vector<Claim> claims_of(const cang_wu::Part& part)
{
  std::vector<Claim> all;
  for (const auto& claims : {cang_wu::value_claims, cang_wu::eye_claims, cang_wu::formula_claims,
                             cang_wu::optimum_claims, cang_wu::minimum_claims, cang_wu::proof_claims,
                             cang_wu::network_claims, cang_wu::depth_claims, cang_wu::dependence_claims}) {
    std::ranges::move(claims(part), std::back_inserter(all));
  }
  return all;
}

} // namespace

Paper cang_wu_1998_paper()
{
  return {.name = "cang_wu_1998",
          .title = "Minimizing Total Communication Distance of a Time-Step Optimal Broadcast in Mesh Networks",
          .source = "Cang & Wu, IPPS/SPDP 1998",
          .claims = [] { return claims_of({"cang_wu_1998", 2}); }};
}

Paper cang_wu_2000_paper()
{
  return {.name = "cang_wu_2000",
          .title = "Time-Step Optimal Broadcasting in 3-D Meshes with Minimum Total Communication Distance",
          .source = "Cang & Wu, J. Parallel Distrib. Comput. 60, 2000",
          .claims = [] { return claims_of({"cang_wu_2000", 3}); }};
}

} // namespace wormcast
