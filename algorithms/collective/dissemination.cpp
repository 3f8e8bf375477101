#include "wormcast/algorithms/collective/dissemination.hpp"

namespace wormcast {

namespace {

Schedule dissemination(const Topology& topology, const ScheduleRequest&)
{
  const std::uint32_t nodes = topology.host_count();
  Schedule schedule;
  schedule.operation = Operation::barrier;
  schedule.blocks = 1;
  const BlockSetId news = schedule.block_sets.intern({0, 1});
  std::uint32_t step = 0;
  for (std::uint64_t distance = 1; distance < nodes; distance *= 2, ++step) {
    for (std::uint32_t node = 0; node < nodes; ++node) {
      const auto to = static_cast<std::uint32_t>((node + distance) % nodes);
      schedule.messages.push_back({.step = step, .source = NodeId{node}, .destination = NodeId{to}, .blocks = news});
    }
  }
  return schedule;
}

} // namespace

Algorithm dissemination_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "dissemination";
  algorithm.summary = "barrier in which arrivals are reported 1, 2, 4, ... ids further";
  algorithm.operation = Operation::barrier;
  algorithm.ports = "one-port";
  algorithm.topologies = "any";
  algorithm.costs = "N nodes: alpha = beta = ceil(log2 N)";
  algorithm.source = "Hensgen, Finkel & Manber, Int. J. Parallel Programming 17(1), 1988";
  algorithm.make = dissemination;
  return algorithm;
}

} // namespace wormcast
