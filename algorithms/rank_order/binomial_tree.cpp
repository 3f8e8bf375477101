#include "wormcast/algorithms/rank_order/binomial_tree.hpp"

#include "wormcast/algorithms/rank_order/rank_order.hpp"
#include "wormcast/algorithms/schedule/ownership.hpp"

#include <utility>

namespace wormcast {

namespace {

constexpr const char* children_parameter = "children";
constexpr const char* near_first = "near_first";

/// Step i: the ranks below 2^i send to the rank 2^i above, so that a rank clears its highest bit to find its parent.
Schedule near_children_first(const RankOrder& ranks, Ownership ownership)
{
  for (std::uint32_t distance = 1; distance < ranks.size(); distance *= 2) {
    ownership.share([&](NodeId node) {
      const std::uint32_t rank = ranks.rank(node);
      return rank < distance && rank < ranks.size() - distance ? ranks.node(rank + distance) : node;
    });
  }
  return ownership.take_schedule();
}

Schedule binomial_tree(const Topology& topology, const ScheduleRequest& request)
{
  const RankOrder ranks(topology, request.source);
  Ownership ownership(ranks.size(), request.source, 1);
  if (request.parameters.has(children_parameter) && request.parameters.text(children_parameter) == near_first) {
    return near_children_first(ranks, std::move(ownership));
  }
  return far_children_first(
      ranks.size(), std::move(ownership), [&](NodeId node) { return ranks.rank(node); },
      [&](std::uint32_t rank) { return ranks.node(rank); });
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
  algorithm.source = "Thakur, Rabenseifner & Gropp 2005 (MPICH); Open MPI, coll_base_topo.c";
  algorithm.parameters.push_back({.name = children_parameter,
                                  .type = ParameterType::choice,
                                  .text = "far_first: a node's first child is the farthest, as in MPICH; near_first: "
                                          "the nearest, as in Open MPI; without it far_first",
                                  .optional = true,
                                  .choices = {"far_first", near_first}});
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = binomial_tree;
  return algorithm;
}

} // namespace wormcast
