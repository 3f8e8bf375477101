#include "algorithms/registry.hpp"

#include "algorithms/line_pipeline.hpp"
#include "algorithms/network_partitioning.hpp"
#include "algorithms/recursion_based.hpp"
#include "algorithms/recursive_doubling.hpp"
#include "algorithms/scatter_collect.hpp"
#include "topologies/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wormcast {

std::span<const Algorithm> algorithms()
{
  static const std::vector<Algorithm> all = {
      recursive_doubling_algorithm(), scatter_collect_algorithm(), network_partitioning_algorithm(),
      recursion_based_algorithm(),    line_pipeline_algorithm(),
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

Schedule make_schedule(const Algorithm& algorithm, const Topology& topology, const ScheduleRequest& request)
{
  Schedule schedule = algorithm.make(topology, request);
  schedule.topology = topology.description();
  schedule.routing = topology.routing();
  schedule.ports = request.ports;
  schedule.duplex = request.duplex;
  schedule.source = request.source;
  schedule.message_bytes = request.message_bytes;
  return schedule;
}

} // namespace wormcast
