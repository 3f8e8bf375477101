#include "wormcast/algorithms/grid/network_partitioning.hpp"

#include "wormcast/algorithms/grid/symmetry_mappings.hpp"
#include "wormcast/algorithms/grid_all_port/network_partitioning_all_port.hpp"
#include "wormcast/algorithms/schedule/ownership.hpp"
#include "wormcast/topologies/grid_requirements.hpp"
#include "wormcast/topologies/parallel_links.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

namespace {

constexpr std::string_view network_partitioning_name = "network_partitioning";

enum class InnerBroadcast { recursive_doubling, scatter_collect, dominating_nodes };

constexpr auto inner_names = names<InnerBroadcast>({{InnerBroadcast::recursive_doubling, "recursive_doubling"},
                                                    {InnerBroadcast::scatter_collect, "scatter_collect"},
                                                    {InnerBroadcast::dominating_nodes, "dominating_nodes"}});

Schedule network_partitioning(const Topology& topology, const ScheduleRequest& request)
{
  const Grid& grid = require_grid(topology, network_partitioning_name);
  const std::size_t dimensions = grid.sizes().size();
  const auto d = static_cast<unsigned>(request.parameters.integer("d"));
  const InnerBroadcast inner = inner_names.read(request.parameters.text("inner"));
  const bool split = request.parameters.boolean("split");
  if (inner == InnerBroadcast::dominating_nodes) {
    return all_port_network_partitioning(grid, request.source, static_cast<int>(d), split);
  }
  if (split) {
    throw InputError(fmt::format("{} needs inner = \"dominating_nodes\" for split = true; inner is \"{}\"",
                                 network_partitioning_name, inner_names.text(inner)));
  }
  const bool scatters = inner == InnerBroadcast::scatter_collect;
  std::vector<unsigned> n;
  unsigned outer_bits = 0; // of the nodes of one DDN
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    n.push_back(require_power_of_two(grid, dimension, network_partitioning_name));
    if (d > n.back()) {
      throw InputError(fmt::format("{} needs d of at most {} for the {} size of the {}; d is {}",
                                   network_partitioning_name, n.back(), dimension_name(dimension), grid.title(), d));
    }
    outer_bits += n.back() - d;
  }
  const std::int64_t side = std::int64_t{1} << d; // of a DCN
  const auto across = [&](std::size_t dimension, unsigned k) {
    return [&grid, dimension, k](NodeId node) { return flip(grid, node, dimension, std::int64_t{1} << (k - 1)); };
  };
  Ownership ownership(grid.node_count(), request.source, std::uint64_t{1} << (scatters ? d + outer_bits : d));

  // Phase 1: segment i goes to the node at offset (i, i, ...) in the source's DCN, its entry to DDN i.
  for (unsigned k = d; k >= 1; --k) {
    ownership.transfer([&](NodeId node) { return central_mapping(grid, node, k); });
  }
  // Phase 2: each segment goes to all nodes of its DDN, all DDNs at once.
  for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
    for (unsigned k = n[dimension]; k > d; --k) {
      if (scatters) {
        ownership.transfer(across(dimension, k));
      } else {
        ownership.share(across(dimension, k));
      }
    }
  }
  for (std::size_t dimension = 0; scatters && dimension < dimensions; ++dimension) {
    ownership.all_gather(
        [&](NodeId node) { return ring_neighbour(grid, node, dimension, 0, grid.sizes()[dimension], side); },
        1U << (n[dimension] - d));
  }
  // Phase 3: the segments are collected in every DCN.
  for (std::size_t dimension = 0; dimension + 1 < dimensions; ++dimension) {
    for (unsigned k = d; k >= 1; --k) {
      ownership.share(across(dimension, k));
    }
  }
  const std::size_t last = dimensions - 1;
  ownership.all_gather(
      [&](NodeId node) {
        const std::int64_t begin = grid.coordinate(node, last) / side * side;
        return ring_neighbour(grid, node, last, begin, side, 1);
      },
      static_cast<std::uint32_t>(side));
  return ownership.take_schedule();
}

/// Every d that the sizes allow, with every inner broadcast; with subnetworks of one node those for one port are the
/// same, and a single segment cannot be split.
std::vector<ParameterValues> partitionings(const Topology& topology)
{
  const auto* grid = as_kind<Grid>(topology);
  std::vector<ParameterValues> family;
  if (grid == nullptr) {
    return family;
  }
  const auto smallest = static_cast<std::uint64_t>(std::ranges::min(grid->sizes()));
  const auto largest = static_cast<std::uint64_t>(std::ranges::max(grid->sizes()));
  for (const InnerBroadcast inner : {InnerBroadcast::recursive_doubling, InnerBroadcast::scatter_collect}) {
    for (std::int64_t d = 0; (std::uint64_t{1} << d) <= smallest; ++d) {
      const bool has_inner = (std::uint64_t{1} << d) < largest;
      if (has_inner || inner == InnerBroadcast::recursive_doubling) {
        family.emplace_back().set("d", d);
        family.back().set("inner", std::string(inner_names.text(inner)));
      }
    }
  }
  const bool is_square = grid->sizes().size() == 2 && smallest == largest;
  for (std::int64_t d = 0; is_square && (std::uint64_t{1} << d) <= smallest; ++d) {
    for (const bool split : {false, true}) {
      if (d > 0 || !split) {
        family.emplace_back().set("d", d);
        family.back().set("inner", std::string(inner_names.text(InnerBroadcast::dominating_nodes)));
        family.back().set("split", split);
      }
    }
  }
  return family;
}

} // namespace

Algorithm network_partitioning_algorithm()
{
  Algorithm algorithm;
  algorithm.name = network_partitioning_name;
  algorithm.summary =
      "2^d segments, each broadcast in its own sparse subnetwork, then collected in blocks of 2^d nodes a side";
  algorithm.ports = "one-port; all-port with inner = \"dominating_nodes\"";
  algorithm.topologies =
      "mesh and torus whose sizes are powers of two, at least 2^d; with inner = \"dominating_nodes\" 2^n x 2^n";
  algorithm.tie = "dominating nodes inside, torus with n - d >= 2: as dominating_nodes; "
                  "else \"no_wrap\" keeps steps free of contention";
  algorithm.costs =
      "2^n x 2^n: recursive doubling inside alpha = 2n + 2^d - 1, beta = 2 + (2n - d - 2)/2^d; scatter-collect "
      "inside alpha = 2n + 2^(n-d+1) + 2^d - 3, beta = 2 + d/2^d - 2/2^(2n-d); "
      "dominating nodes inside, t steps and beta_s of the scatter: alpha = t + (n-d+1) + ceil(log3(2^(d+1)-1)) "
      "+ 2^d - 1 (torus with n-d >= 2: one less)";
  algorithm.source = "Tseng's network partitioning as compared with by Zhuang & Liberatore, section 4.3 and table 1; "
                     "all ports: section 8.3, a reconstruction, not the published schedule";
  algorithm.parameters.push_back({.name = "d",
                                  .type = ParameterType::integer,
                                  .text = "the message is cut into 2^d segments",
                                  .fallback = std::int64_t{1},
                                  .minimum = 0,
                                  .maximum = 20});
  algorithm.parameters.push_back({.name = "inner",
                                  .type = ParameterType::choice,
                                  .text = "how a segment is broadcast in its subnetwork",
                                  .fallback = std::string(inner_names.text(InnerBroadcast::recursive_doubling)),
                                  .choices = inner_names.texts()});
  algorithm.parameters.push_back(
      {.name = "split",
       .type = ParameterType::boolean,
       .text =
           "dominating_nodes only, not in the paper: collect each segment in two halves, along rows and along columns",
       .fallback = false});
  algorithm.by_reversal = {Operation::reduce, Operation::all_reduce};
  algorithm.make = network_partitioning;
  algorithm.family = partitionings;
  return algorithm;
}

} // namespace wormcast
