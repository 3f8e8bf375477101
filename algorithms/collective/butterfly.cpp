#include "wormcast/algorithms/collective/butterfly.hpp"

#include "wormcast/algorithms/schedule/message_limit.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace wormcast {

namespace {

using ButterflyPartner = std::uint32_t (*)(std::uint32_t node, unsigned step, std::uint32_t nodes);

// A butterfly: after all steps every node has exchanged with every other, directly or through others, along exactly one
// path.
class Butterfly {
public:
  Butterfly(const Topology& topology, std::string_view name, ButterflyPartner partner)
      : topology_(topology), nodes_(topology.host_count()), steps_(static_cast<unsigned>(std::countr_zero(nodes_))),
        partner_(partner)
  {
    if (!std::has_single_bit(nodes_)) {
      throw InputError(
          fmt::format("{} needs a number of nodes that is a power of two; the {} has {}; the nearest is {}", name,
                      topology.title(), nodes_, nearest_power_of_two(nodes_)));
    }
    require_message_limit(name, std::max(steps_, 1U), "steps", nodes_);
  }

  Schedule all_gather() const
  {
    Schedule schedule;
    schedule.operation = Operation::multinode_broadcast;
    schedule.blocks = nodes_;
    std::vector<BlockSetId> held;
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      held.push_back(schedule.block_sets.intern({node, node + 1}));
    }
    for (unsigned step = 0; step < steps_; ++step) {
      const std::vector<BlockSetId> before = held;
      for (std::uint32_t node = 0; node < nodes_; ++node) {
        const std::uint32_t to = partner_(node, step, nodes_);
        schedule.messages.push_back(
            {.step = step, .source = NodeId{node}, .destination = NodeId{to}, .blocks = before[node]});
        held[node] = schedule.block_sets.unite(std::array{before[node], before[to]});
      }
    }
    return schedule;
  }

  Schedule total_exchange(std::string_view name) const
  {
    require_total_exchange_blocks(name, topology_.title(), nodes_);
    Schedule schedule;
    schedule.operation = Operation::total_exchange;
    schedule.blocks = std::uint64_t{nodes_} * nodes_;
    const std::vector<std::vector<std::vector<std::uint32_t>>> reached = reached_from();
    std::vector<std::vector<std::uint32_t>> sources(nodes_);
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      sources[node] = {node};
    }
    for (unsigned step = 0; step < steps_; ++step) {
      std::vector<std::vector<std::uint32_t>> united = sources;
      for (std::uint32_t node = 0; node < nodes_; ++node) {
        const std::uint32_t to = partner_(node, step, nodes_);
        std::vector<BlockRange> ranges;
        for (const std::uint32_t source : sources[node]) {
          for (const std::uint32_t target : reached[step + 1][to]) {
            ranges.push_back({source * nodes_ + target, source * nodes_ + target + 1});
          }
        }
        schedule.messages.push_back({.step = step,
                                     .source = NodeId{node},
                                     .destination = NodeId{to},
                                     .blocks = schedule.block_sets.intern(ranges)});
        united[to].insert(united[to].end(), sources[node].begin(), sources[node].end());
      }
      sources = std::move(united);
    }
    return schedule;
  }

private:
  static std::uint64_t nearest_power_of_two(std::uint32_t nodes)
  {
    const std::uint64_t below = std::bit_floor(nodes);
    return nodes - below <= 2 * below - nodes ? below : 2 * below;
  }

  // By step and node: whom the node reaches from this step on.
  std::vector<std::vector<std::vector<std::uint32_t>>> reached_from() const
  {
    std::vector<std::vector<std::vector<std::uint32_t>>> reached(steps_ + std::size_t{1});
    reached[steps_].resize(nodes_);
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      reached[steps_][node] = {node};
    }
    for (unsigned step = steps_; step-- > 0;) {
      reached[step] = reached[step + 1];
      for (std::uint32_t node = 0; node < nodes_; ++node) {
        const std::vector<std::uint32_t>& others = reached[step + 1][partner_(node, step, nodes_)];
        reached[step][node].insert(reached[step][node].end(), others.begin(), others.end());
      }
    }
    return reached;
  }

  const Topology& topology_;
  std::uint32_t nodes_;
  unsigned steps_;
  ButterflyPartner partner_;
};

std::uint32_t hypercube_partner(std::uint32_t node, unsigned step, std::uint32_t)
{
  return node ^ (1U << step);
}

Algorithm butterfly_algorithm(const std::string& name, ButterflyPartner partner)
{
  Algorithm algorithm;
  algorithm.name = name;
  algorithm.operation = Operation::multinode_broadcast;
  algorithm.ports = "one-port";
  algorithm.topologies = "any with a power of two of nodes";
  algorithm.costs =
      "N nodes, n = log2 N: all_gather alpha = n, beta = N - 1; reduce_scatter alpha = n, beta = 1 - 1/N; "
      "all_reduce twice that; all_to_all alpha = n, beta = n N/2";
  algorithm.further = {Operation::total_exchange};
  algorithm.by_reversal = {Operation::reduce_scatter, Operation::all_reduce};
  algorithm.make = [name, partner](const Topology& topology, const ScheduleRequest& request) {
    const Butterfly butterfly(topology, name, partner);
    const bool exchanges = request.parameters.has("operation") &&
                           find_operation(request.parameters.text("operation")) == Operation::total_exchange;
    return exchanges ? butterfly.total_exchange(name) : butterfly.all_gather();
  };
  return algorithm;
}

} // namespace

std::uint32_t bine_partner(std::uint32_t rank, unsigned step, std::uint32_t ranks)
{
  std::uint32_t sum = 0; // modulo 2^32, of which `ranks` is a divisor
  std::uint32_t power = 1;
  for (unsigned k = 0; k <= step; ++k) {
    sum += power;
    power *= ~std::uint32_t{1}; // -2
  }
  return (rank % 2 == 0 ? rank + sum : rank - sum) % ranks;
}

Algorithm recursive_halving_algorithm()
{
  Algorithm algorithm = butterfly_algorithm("recursive_halving", hypercube_partner);
  algorithm.summary = "exchanges between ids that differ in one bit: recursive halving and doubling (Rabenseifner)";
  algorithm.costs += "; free of contention on hypercubes";
  algorithm.source = "Rabenseifner 2004; Thakur, Rabenseifner & Gropp 2005 (MPICH); total exchange: Johnsson & Ho 1989";
  return algorithm;
}

Algorithm bine_butterfly_algorithm()
{
  Algorithm algorithm = butterfly_algorithm("bine_butterfly", bine_partner);
  algorithm.summary = "exchanges at negabinary distances 1, -1, 3, -5, 11, ...: shorter paths than recursive halving";
  algorithm.source = "De Sensi et al. 2025, arXiv 2508.17311, distance-doubling Bine butterfly";
  return algorithm;
}

} // namespace wormcast
