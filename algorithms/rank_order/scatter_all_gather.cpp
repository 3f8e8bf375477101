#include "wormcast/algorithms/rank_order/scatter_all_gather.hpp"

#include "wormcast/algorithms/rank_order/rank_order.hpp"
#include "wormcast/algorithms/schedule/ownership.hpp"

namespace wormcast {

namespace {

Schedule scatter_all_gather(const Topology& topology, const ScheduleRequest& request)
{
  const unsigned n = require_power_of_two_nodes(topology, "scatter_all_gather");
  const RankOrder ranks(topology, request.source);
  Ownership ownership(ranks.size(), request.source, ranks.size());
  const auto across = [&](unsigned bit) {
    return [&ranks, bit](NodeId node) { return ranks.node(ranks.rank(node) ^ (1U << bit)); };
  };
  for (unsigned bit = n; bit-- > 0;) { // owners are the multiples of 2^(bit+1)
    ownership.transfer(across(bit));
  }
  for (unsigned bit = 0; bit < n; ++bit) {
    ownership.share(across(bit));
  }
  return ownership.take_schedule();
}

} // namespace

Algorithm scatter_all_gather_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "scatter_all_gather";
  algorithm.summary = "binomial scatter, then recursive-doubling all-gather, over ranks relative to the source";
  algorithm.ports = "one-port";
  algorithm.topologies = "any with a power of two of nodes";
  algorithm.costs = "N nodes: alpha = 2 log2 N, beta = 2 - 2/N";
  algorithm.source = "van de Geijn; Thakur, Rabenseifner & Gropp 2005 (MPICH)";
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = scatter_all_gather;
  return algorithm;
}

} // namespace wormcast
