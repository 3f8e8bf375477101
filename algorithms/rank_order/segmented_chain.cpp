#include "wormcast/algorithms/rank_order/segmented_chain.hpp"

#include "wormcast/algorithms/rank_order/rank_order.hpp"
#include "wormcast/algorithms/schedule/chain_pipeline.hpp"
#include "wormcast/algorithms/schedule/message_limit.hpp"

namespace wormcast {

namespace {

Schedule segmented_chain(const Topology& topology, const ScheduleRequest& request)
{
  const RankOrder ranks(topology, request.source);
  const auto segments = static_cast<std::uint64_t>(request.parameters.integer("segments"));
  require_message_limit("segmented_chain", segments, "segments", ranks.size());
  std::vector<NodeId> chain;
  chain.reserve(ranks.size());
  for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
    chain.push_back(ranks.node(rank));
  }
  return chain_pipeline(chain, segments);
}

} // namespace

Algorithm segmented_chain_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "segmented_chain";
  algorithm.summary = "the message runs in M segments along the chain of ranks from the source on";
  algorithm.ports = "one-port";
  algorithm.topologies = "any";
  algorithm.costs = "N nodes, M segments: alpha = M + N - 2, beta = 1 + (N - 2)/M";
  algorithm.source = "Pjesivac-Grbovic et al. 2007, pipeline broadcast";
  algorithm.parameters.push_back({.name = "segments",
                                  .type = ParameterType::integer,
                                  .text = "M: segments of the message",
                                  .fallback = std::int64_t{16},
                                  .minimum = 1,
                                  .maximum = std::int64_t{1} << 24});
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = segmented_chain;
  return algorithm;
}

} // namespace wormcast
