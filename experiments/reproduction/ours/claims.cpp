#include "wormcast/experiments/reproduction/ours/claims.hpp"

#include <algorithm>
#include <iterator>

namespace wormcast {

namespace {

std::vector<Claim> all_our_claims()
{
  std::vector<Claim> all;
  for (const auto& claims : {ours::comparison_claims, ours::recursion_claims, ours::tree_claims, ours::bound_claims,
                             ours::reduction_claims}) {
    std::ranges::move(claims(), std::back_inserter(all));
  }
  return all;
}

} // namespace

Paper our_claims()
{
  return {
      .name = "ours",
      .title = "Which broadcast?",
      .source = "Wormcast",
      .claims = all_our_claims,
      .introduction =
          "Is recursion-based broadcast (RB, Zhuang & Liberatore) still worth it? On the network of the paper, a mesh "
          "with one port\n"
          "a node, T_s = 150 us and T_c = 0.5 us per byte, the tables below say which algorithm takes the least time "
          "at which length\n"
          "of the message, and within which lengths RB beats each of its rivals. `wormcast choose CONFIG` makes such a "
          "table for any\n"
          "other network.\n\n"
          "New here, with proofs that are repeated whenever this page is made: "
          "recursion that is cut off above and below\n"
          "(`truncated_recursion`), its rounds on lattices, which need less than RB in as many steps, its finish by "
          "rings; two combs and two\n"
          "shallow trees that broadcast segments at the full rate of one port without contention (`two_combs`, "
          "`two_trees`; the idea of\n"
          "two trees is that of Sanders, Speck & Traeff, 2009); reductions without contention by reversal; and what is "
          "true of proposition 3 of\n"
          "Zhuang & Liberatore. None of this is a published result. "
          "Costs: alpha steps, and beta, the sum over the steps of the\n"
          "largest message as a fraction of the whole.\n\n"};
}

} // namespace wormcast
