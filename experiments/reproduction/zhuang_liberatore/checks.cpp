#include "wormcast/experiments/reproduction/zhuang_liberatore/checks.hpp"

#include "wormcast/experiments/reproduction/frame/bibliography.hpp"
#include "wormcast/experiments/reproduction/frame/proofs.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

namespace zhuang_liberatore {

Check section_5_check(const std::string& name, std::function<Evidence()> measure)
{
  const BroadcastCase inner{.dims = square(3), .algorithm = "recursion_based", .source = {2, 6}};
  return check_of(name, {config_text(inner), "wormcast check CONFIG --contention-free"}, std::move(measure));
}

} // namespace zhuang_liberatore

Paper zhuang_liberatore_paper()
{
  return read_paper(web::zhuang_liberatore_claims, "experiments/reproduction/zhuang_liberatore/claims.toml",
                    zhuang_liberatore_checks);
}

std::vector<Check> zhuang_liberatore_checks()
{
  std::vector<Check> all;
  for (const auto& checks :
       {zhuang_liberatore::synchronisation_checks, zhuang_liberatore::unsynchronised_checks,
        zhuang_liberatore::corner_checks, zhuang_liberatore::recursion_checks, zhuang_liberatore::lemma_checks,
        zhuang_liberatore::theorem_checks, zhuang_liberatore::cost_checks, zhuang_liberatore::non_square_checks,
        zhuang_liberatore::bound_checks, zhuang_liberatore::figure_checks, zhuang_liberatore::figure_reading_checks,
        zhuang_liberatore::all_port_checks}) {
    std::ranges::move(checks(), std::back_inserter(all));
  }
  return all;
}

} // namespace wormcast
