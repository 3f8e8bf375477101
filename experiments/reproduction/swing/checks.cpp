#include "wormcast/experiments/reproduction/swing/checks.hpp"

#include "wormcast/experiments/reproduction/frame/bibliography.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

namespace {

std::vector<Check> all_swing_checks()
{
  std::vector<Check> all;
  for (const auto& checks : {swing::pattern_checks, swing::model_checks, swing::schedule_checks, swing::worm_checks,
                             swing::crossing_checks}) {
    std::ranges::move(checks(), std::back_inserter(all));
  }
  return all;
}

} // namespace

Paper swing_paper()
{
  return read_paper(web::swing_claims, "experiments/reproduction/swing/claims.toml", all_swing_checks);
}

} // namespace wormcast
