#include "wormcast/algorithms/rank_order/binomial_scatter.hpp"

#include "wormcast/algorithms/rank_order/rank_order.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace wormcast {

namespace {

Schedule binomial_scatter(const Topology& topology, const ScheduleRequest& request)
{
  const RankOrder ranks(topology, request.source);
  const std::uint64_t size = ranks.size();
  Schedule schedule;
  schedule.operation = Operation::scatter;
  schedule.blocks = size;
  std::uint32_t step = 0;
  for (std::uint64_t distance = std::bit_ceil(size) / 2; distance > 0; distance /= 2, ++step) {
    for (std::uint64_t rank = 0; rank + distance < size; rank += 2 * distance) {
      const auto child = static_cast<std::uint32_t>(rank + distance);
      const auto last = static_cast<std::uint32_t>(std::min(rank + 2 * distance, size) - 1);
      // Ranks that follow each other are nodes that do, but for those behind the last node.
      const std::uint32_t begin = index(ranks.node(child));
      const std::uint32_t end = index(ranks.node(last)) + 1;
      const auto nodes = static_cast<std::uint32_t>(size);
      const std::vector<BlockRange> blocks =
          begin < end ? std::vector<BlockRange>{{begin, end}} : std::vector<BlockRange>{{0, end}, {begin, nodes}};
      schedule.messages.push_back({.step = step,
                                   .source = ranks.node(static_cast<std::uint32_t>(rank)),
                                   .destination = ranks.node(child),
                                   .blocks = schedule.block_sets.intern(blocks)});
    }
  }
  return schedule;
}

} // namespace

Algorithm binomial_scatter_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "binomial_scatter";
  algorithm.summary = "scatter down the binomial tree over ranks relative to the source, as MPI libraries do it";
  algorithm.operation = Operation::scatter;
  algorithm.ports = "one-port";
  algorithm.topologies = "any";
  algorithm.costs = "N nodes: alpha = ceil(log2 N), beta = N - 1; gather the same";
  algorithm.source = "Thakur, Rabenseifner & Gropp 2005 (MPICH); Open MPI, coll_base_scatter.c";
  algorithm.by_reversal = {Operation::gather};
  algorithm.make = binomial_scatter;
  return algorithm;
}

} // namespace wormcast
