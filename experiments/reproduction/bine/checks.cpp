#include "wormcast/experiments/reproduction/bine/checks.hpp"

#include "wormcast/experiments/reproduction/frame/bibliography.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

namespace {

std::vector<Check> all_bine_checks()
{
  std::vector<Check> all;
  for (const auto& checks : {bine::rule_checks, bine::hop_checks, bine::open_checks}) {
    std::ranges::move(checks(), std::back_inserter(all));
  }
  return all;
}

} // namespace

Paper bine_paper()
{
  return read_paper(web::bine_claims, "experiments/reproduction/bine/claims.toml", all_bine_checks);
}

} // namespace wormcast
