#include "wormcast/algorithms/collective/pairwise_exchange.hpp"

#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <bit>

namespace wormcast {

namespace {

Schedule pairwise_exchange(const Topology& topology, const ScheduleRequest&)
{
  const std::uint32_t nodes = topology.host_count();
  require_total_exchange_blocks("pairwise_exchange", topology.title(), nodes);
  require_message_limit("pairwise_exchange", nodes, "steps", nodes);
  Schedule schedule;
  schedule.operation = Operation::total_exchange;
  schedule.blocks = std::uint64_t{nodes} * nodes;
  for (std::uint32_t k = 1; k < nodes; ++k) {
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const std::uint32_t to = std::has_single_bit(nodes) ? node ^ k : (node + k) % nodes;
      const std::uint32_t block = node * nodes + to;
      schedule.messages.push_back({.step = k - 1,
                                   .source = NodeId{node},
                                   .destination = NodeId{to},
                                   .blocks = schedule.block_sets.intern({block, block + 1})});
    }
  }
  return schedule;
}

} // namespace

Algorithm pairwise_exchange_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "pairwise_exchange";
  algorithm.summary = "total exchange, each block straight to its node: in step k to the node whose id differs by k";
  algorithm.operation = Operation::total_exchange;
  algorithm.ports = "one-port";
  algorithm.topologies = "any";
  algorithm.costs = "N nodes: alpha = beta = N - 1; free of contention on hypercubes";
  algorithm.source = "Thakur, Rabenseifner & Gropp 2005 (MPICH)";
  algorithm.make = pairwise_exchange;
  return algorithm;
}

} // namespace wormcast
