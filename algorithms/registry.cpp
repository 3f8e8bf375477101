#include "algorithms/registry.hpp"

#include "algorithms/bfs_tree.hpp"
#include "algorithms/bine_tree.hpp"
#include "algorithms/binomial_tree.hpp"
#include "algorithms/dominating_nodes.hpp"
#include "algorithms/flooding.hpp"
#include "algorithms/line_pipeline.hpp"
#include "algorithms/minimum_tcd.hpp"
#include "algorithms/multinode_broadcast.hpp"
#include "algorithms/network_partitioning.hpp"
#include "algorithms/petersen_all_to_all.hpp"
#include "algorithms/petersen_broadcast.hpp"
#include "algorithms/petersen_torus_all_to_all.hpp"
#include "algorithms/petersen_torus_broadcast.hpp"
#include "algorithms/recursion_based.hpp"
#include "algorithms/recursive_doubling.hpp"
#include "algorithms/recursive_halving_tcd.hpp"
#include "algorithms/round_optimal.hpp"
#include "algorithms/scatter_all_gather.hpp"
#include "algorithms/scatter_collect.hpp"
#include "algorithms/segmented_chain.hpp"
#include "algorithms/single_node_broadcast.hpp"
#include "algorithms/single_node_scatter.hpp"
#include "algorithms/total_exchange.hpp"
#include "topologies/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

std::span<const Algorithm> algorithms()
{
  static const std::vector<Algorithm> all = {
      recursive_doubling_algorithm(),
      scatter_collect_algorithm(),
      network_partitioning_algorithm(),
      recursion_based_algorithm(),
      dominating_nodes_algorithm(),
      line_pipeline_algorithm(),
      minimum_tcd_algorithm(),
      recursive_halving_tcd_algorithm(),
      single_node_broadcast_algorithm(),
      multinode_broadcast_algorithm(),
      single_node_scatter_algorithm(),
      total_exchange_algorithm(),
      petersen_broadcast_algorithm(),
      petersen_all_to_all_algorithm(),
      petersen_torus_broadcast_algorithm(),
      petersen_torus_all_to_all_algorithm(),
      binomial_tree_algorithm(),
      scatter_all_gather_algorithm(),
      segmented_chain_algorithm(),
      bine_tree_algorithm(),
      round_optimal_algorithm(),
      bfs_tree_algorithm(),
      flooding_algorithm(),
  };
  return all;
}

const Algorithm& find_algorithm(std::string_view name)
{
  const auto found = std::ranges::find(algorithms(), name, &Algorithm::name);
  if (found != algorithms().end()) {
    return *found;
  }
  std::vector<std::string> names;
  for (const Algorithm& algorithm : algorithms()) {
    names.push_back(algorithm.name);
  }
  const std::string nearest = nearest_name(name, names);
  throw InputError(fmt::format("there is no algorithm \"{}\"{}", name,
                               nearest.empty() ? "" : fmt::format(", did you mean \"{}\"?", nearest)));
}

std::function<std::vector<ParameterValues>(const Topology& topology)> every_choice(const Parameter& parameter)
{
  std::vector<ParameterValues> family;
  for (const std::string& choice : parameter.choices) {
    family.emplace_back().set(parameter.name, choice);
  }
  return [family](const Topology&) { return family; };
}

Schedule make_schedule(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request)
{
  ScheduleRequest complete = request;
  for (const Parameter& parameter : algorithm.parameters) {
    if (parameter.fallback && !complete.parameters.has(parameter.name)) {
      complete.parameters.set(parameter.name, *parameter.fallback);
    }
  }
  Schedule schedule = algorithm.make(topology, complete);
  schedule.topology = topology.description();
  schedule.routing = topology.routing();
  schedule.ports = request.ports;
  schedule.duplex = request.duplex;
  schedule.source = request.source;
  schedule.message_bytes = request.message_bytes;
  return schedule;
}

} // namespace wormcast
