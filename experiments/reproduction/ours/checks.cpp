#include "wormcast/experiments/reproduction/ours/checks.hpp"

#include "wormcast/experiments/reproduction/frame/bibliography.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

namespace {

std::vector<Check> all_our_checks()
{
  std::vector<Check> all;
  for (const auto& checks : {ours::comparison_checks, ours::recursion_checks, ours::tree_checks,
                             ours::every_size_checks, ours::bound_checks, ours::reduction_checks}) {
    std::ranges::move(checks(), std::back_inserter(all));
  }
  return all;
}

} // namespace

Paper our_claims()
{
  return read_paper(web::our_claims, "experiments/reproduction/ours/claims.toml", all_our_checks);
}

} // namespace wormcast
