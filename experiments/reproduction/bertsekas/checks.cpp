#include "wormcast/experiments/reproduction/bertsekas/checks.hpp"

#include "wormcast/experiments/reproduction/frame/bibliography.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

Paper bertsekas_1991_paper()
{
  return read_paper(web::bertsekas_1991_claims, "experiments/reproduction/bertsekas/claims.toml",
                    bertsekas_1991_checks);
}

std::vector<Check> bertsekas_1991_checks()
{
  std::vector<Check> all;
  for (const auto& checks : {bertsekas::network_checks, bertsekas::earlier_algorithm_checks, bertsekas::table_1_checks,
                             bertsekas::link_type_checks, bertsekas::numbering_checks, bertsekas::numbering_rule_checks,
                             bertsekas::scatter_rule_checks, bertsekas::balanced_tree_checks,
                             bertsekas::exchange_checks, bertsekas::exchange_rule_checks}) {
    std::ranges::move(checks(), std::back_inserter(all));
  }
  all.push_back(bertsekas::indivisibility_check());
  return all;
}

} // namespace wormcast
