#include "wormcast/algorithms/rank_order/binomial_tree.hpp"

#include "wormcast/algorithms/rank_order/rank_order.hpp"
#include "wormcast/algorithms/schedule/ownership.hpp"

#include <bit>

namespace wormcast {

namespace {

Schedule binomial_tree(const Topology& topology, const ScheduleRequest& request)
{
  const RankOrder ranks(topology, request.source);
  Ownership ownership(ranks.size(), request.source, 1);
  for (std::uint32_t distance = std::bit_ceil(ranks.size()) / 2; distance > 0; distance /= 2) {
    ownership.share([&](NodeId node) {
      const std::uint32_t rank = ranks.rank(node);
      return rank < ranks.size() - distance ? ranks.node(rank + distance) : node;
    });
  }
  return ownership.take_schedule();
}

} // namespace

Algorithm binomial_tree_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "binomial_tree";
  algorithm.summary = "binomial tree over ranks relative to the source, as MPI libraries do it";
  algorithm.ports = "one-port";
  algorithm.topologies = "any";
  algorithm.costs = "N nodes: alpha = beta = ceil(log2 N)";
  algorithm.source = "Thakur, Rabenseifner & Gropp 2005 (MPICH)";
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = binomial_tree;
  return algorithm;
}

} // namespace wormcast
