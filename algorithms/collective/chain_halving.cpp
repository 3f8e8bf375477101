#include "wormcast/algorithms/collective/chain_halving.hpp"

#include "wormcast/algorithms/collective/pruning.hpp"

#include <algorithm>

namespace wormcast {

namespace {

// Source and destinations; x counts first, for it is corrected first.
std::vector<NodeId> chain_of(const Topology& topology, NodeId source, std::span<const NodeId> destinations)
{
  std::vector<NodeId> chain(destinations.begin(), destinations.end());
  chain.push_back(source);
  std::ranges::sort(chain, {}, [&](NodeId node) { return topology.coordinates(node); });
  return chain;
}

// One part of the chain and the node in it that has the message; `end` is one past the last.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t holder = 0;
};

// Halves a part; `receiver` is the node that receives the message.
std::vector<Part> halves(Part part, std::size_t& receiver)
{
  const std::size_t size = part.end - part.begin;
  const bool in_low = part.holder - part.begin < (size + 1) / 2;
  const std::size_t middle = part.begin + (in_low ? (size + 1) / 2 : size / 2);
  receiver = in_low ? middle : middle - 1;
  return {{part.begin, middle, in_low ? part.holder : receiver}, {middle, part.end, in_low ? receiver : part.holder}};
}

Schedule chain_halving(const Topology& topology, const ScheduleRequest& request)
{
  Schedule schedule;
  schedule.operation = Operation::multicast;
  schedule.destinations = requested_destinations(request, topology);
  const std::vector<NodeId> chain = chain_of(topology, request.source, schedule.destinations);
  const BlockSetId all = schedule.block_sets.intern({0, 1});
  std::vector<Part> parts = {
      {0, chain.size(), static_cast<std::size_t>(std::ranges::find(chain, request.source) - chain.begin())}};
  for (std::uint32_t step = 0; !parts.empty(); ++step) {
    std::vector<Part> next;
    for (const Part& part : parts) {
      std::size_t receiver = 0;
      for (const Part& half : halves(part, receiver)) {
        if (half.end - half.begin > 1) {
          next.push_back(half);
        }
      }
      schedule.messages.push_back(
          {.step = step, .source = chain[part.holder], .destination = chain[receiver], .blocks = all});
    }
    parts = std::move(next);
  }
  return schedule;
}

} // namespace

Algorithm chain_halving_algorithm()
{
  Algorithm algorithm;
  algorithm.name = "chain_halving";
  algorithm.summary = "multicast that halves the chain of source and destinations, ordered by x, then y, ...";
  algorithm.operation = Operation::multicast;
  algorithm.ports = "one-port";
  algorithm.topologies = "any";
  algorithm.costs = "m destinations: alpha = beta = ceil(log2(m + 1)); free of contention on meshes";
  algorithm.source = "McKinley, Xu, Esfahanian & Ni, IEEE TPDS 5(12), 1994 (U-mesh)";
  algorithm.parameters.push_back(destinations_parameter());
  algorithm.parameters.back().optional = false;
  algorithm.make = chain_halving;
  return algorithm;
}

} // namespace wormcast
