#include "wormcast/experiments/reproduction/zhuang_liberatore/claims.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

Paper zhuang_liberatore_paper()
{
  return {.name = "zhuang_liberatore",
          .title = "A Recursion-based Broadcast Paradigm in Wormhole Routed Mesh/Torus Networks",
          .source = "Zhuang & Liberatore",
          .claims = zhuang_liberatore_claims};
}

std::vector<Claim> zhuang_liberatore_claims()
{
  std::vector<Claim> all;
  for (const auto& claims :
       {zhuang_liberatore::synchronisation_claims, zhuang_liberatore::unsynchronised_claims,
        zhuang_liberatore::corner_claims, zhuang_liberatore::recursion_claims, zhuang_liberatore::lemma_claims,
        zhuang_liberatore::cost_claims, zhuang_liberatore::non_square_claims, zhuang_liberatore::bound_claims,
        zhuang_liberatore::figure_claims, zhuang_liberatore::all_port_claims}) {
    std::ranges::move(claims(), std::back_inserter(all));
  }
  return all;
}

} // namespace wormcast
