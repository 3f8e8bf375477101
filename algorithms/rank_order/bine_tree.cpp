#include "wormcast/algorithms/rank_order/bine_tree.hpp"

#include "wormcast/algorithms/rank_order/rank_order.hpp"
#include "wormcast/algorithms/schedule/ownership.hpp"

namespace wormcast {

namespace {

constexpr std::uint32_t negative_digits = 0xAAAAAAAA; // at odd positions: their weights -2, -8, ... are negative

constexpr std::uint32_t low_bits(unsigned bits)
{
  return (std::uint32_t{1} << bits) - 1;
}

Schedule bine_tree(const Topology& topology, const ScheduleRequest& request)
{
  const unsigned s = require_power_of_two_nodes(topology, "bine_tree");
  const RankOrder ranks(topology, request.source);
  Ownership ownership(ranks.size(), request.source, 1);
  for (unsigned flipped = s; flipped > 0; --flipped) {
    ownership.share([&](NodeId node) {
      return ranks.node(rank_of_negabinary(negabinary(ranks.rank(node), s) ^ low_bits(flipped), s));
    });
  }
  return ownership.take_schedule();
}

} // namespace

// Adding the negative weights once makes all digits count upwards in binary; XOR takes them off the digits again.
std::uint32_t negabinary(std::uint32_t rank, unsigned bits)
{
  return ((rank + negative_digits) ^ negative_digits) & low_bits(bits);
}

std::uint32_t rank_of_negabinary(std::uint32_t digits, unsigned bits)
{
  return ((digits ^ negative_digits) - negative_digits) & low_bits(bits);
}

Algorithm bine_tree_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "bine_tree";
  algorithm.summary = "binomial negabinary tree, halving distances, over ranks relative to the source";
  algorithm.ports = "one-port";
  algorithm.topologies = "any with a power of two of nodes";
  algorithm.costs = "N nodes: alpha = beta = log2 N";
  algorithm.source = "De Sensi et al. 2025, arXiv 2508.17311, distance-halving Bine tree";
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = bine_tree;
  return algorithm;
}

} // namespace wormcast
