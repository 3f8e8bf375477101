#include "wormcast/experiments/reproduction/bertsekas/claims.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

Paper bertsekas_1991_paper()
{
  return {.name = "bertsekas_1991",
          .title = "Optimal Communication Algorithms for Hypercubes",
          .source = "Bertsekas, Ozveren, Stamoulis, Tseng & Tsitsiklis, J. Parallel Distrib. Comput. 11, 1991, 263-275",
          .claims = bertsekas_1991_claims};
}

std::vector<Claim> bertsekas_1991_claims()
{
  std::vector<Claim> all;
  for (const auto& claims : {bertsekas::network_claims, bertsekas::earlier_algorithm_claims, bertsekas::table_1_claims,
                             bertsekas::link_type_claims, bertsekas::numbering_claims, bertsekas::numbering_rule_claims,
                             bertsekas::scatter_rule_claims, bertsekas::balanced_tree_claims,
                             bertsekas::exchange_claims, bertsekas::exchange_rule_claims}) {
    std::ranges::move(claims(), std::back_inserter(all));
  }
  all.push_back(bertsekas::indivisibility_claim());
  return all;
}

} // namespace wormcast
