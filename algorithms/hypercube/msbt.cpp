#include "wormcast/algorithms/hypercube/msbt.hpp"

#include "wormcast/algorithms/hypercube/packets.hpp"
#include "wormcast/algorithms/schedule/neighbour_sends.hpp"
#include "wormcast/algorithms/tuning/segments.hpp"

namespace wormcast {

namespace {

constexpr std::string_view msbt_name = "msbt";

/// From the source to its neighbour across `first`, from there over the dimensions behind `first` in turn, each
/// informed node sending across each, and across `first` at last. `begin` is the step of the first edge.
std::vector<TreeEdge> spanning_binomial_tree(std::uint32_t dimension, NodeId source, std::uint32_t first,
                                             std::uint32_t begin)
{
  const std::uint32_t root = index(source) ^ (1U << first);
  std::vector<TreeEdge> edges = {{source, NodeId{root}, begin}};
  std::vector<std::uint32_t> holders = {root};
  for (std::uint32_t turn = 1; turn < dimension; ++turn) {
    const std::uint32_t bit = 1U << ((first + turn) % dimension);
    const std::size_t before = holders.size();
    for (std::size_t i = 0; i < before; ++i) {
      const std::uint32_t to = holders[i] ^ bit;
      edges.push_back({NodeId{holders[i]}, NodeId{to}, begin + turn});
      holders.push_back(to);
    }
  }
  for (const std::uint32_t holder : holders) {
    if (holder != root) {
      edges.push_back({NodeId{holder}, NodeId{holder ^ (1U << first)}, begin + dimension});
    }
  }
  return edges;
}

SegmentTrees trees_of(const Topology& topology, const ScheduleRequest& request)
{
  const std::uint32_t dimension = require_hypercube(topology, msbt_name);
  limit_messages(std::uint64_t{dimension} << dimension, msbt_name, dimension); // edges of all trees
  return spanning_binomial_trees(dimension, request.source, all_links_at_once(request.ports, dimension));
}

Schedule msbt(const Topology& topology, const ScheduleRequest& request)
{
  return make_segmented(msbt_name, trees_of(topology, request), topology, request);
}

ParameterValues best_msbt_segments(const Topology& topology, const ScheduleRequest& request)
{
  return best_segments(trees_of(topology, request), topology, request);
}

} // namespace

SegmentTrees spanning_binomial_trees(std::uint32_t dimension, NodeId source, bool all_ports)
{
  SegmentTrees trees{.period = all_ports ? 1 : dimension, .trees = {}};
  for (std::uint32_t first = 0; first < dimension; ++first) {
    trees.trees.push_back(spanning_binomial_tree(dimension, source, first, all_ports ? 0 : first));
  }
  return trees;
}

Algorithm msbt_algorithm()
{
  Algorithm algorithm;
  algorithm.name = msbt_name;
  algorithm.summary = "segments go in turn down edge-disjoint spanning trees of a hypercube, one for each dimension";
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "hypercube";
  algorithm.costs =
      "d >= 2, K segments, one port: alpha = K + d, beta = 1 + d/K; all ports, d divides K: alpha = K/d + d, "
      "beta = 1/d + d/K";
  algorithm.source = "Johnsson & Ho, IEEE Trans. Computers 38(9), 1989: multiple spanning binomial trees";
  algorithm.parameters.push_back(segments_parameter());
  algorithm.by_reversal = {Operation::reduce};
  algorithm.make = msbt;
  algorithm.tune = best_msbt_segments;
  algorithm.segments = "segments";
  algorithm.segment_costs = [](const Topology& topology, const ScheduleRequest& request) {
    return segment_costs(trees_of(topology, request), topology);
  };
  return algorithm;
}

} // namespace wormcast
