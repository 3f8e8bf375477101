#pragma once

#include "tests/algorithms/grids.hpp"
#include "wormcast/algorithms/grid_all_port/network_partitioning_all_port.hpp"
#include "wormcast/algorithms/registry.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/topologies/grid.hpp"

#include <memory>
#include <string>

namespace wormcast::testing {

/// 2^n x 2^n with the tie rule of the golden values.
inline std::unique_ptr<Topology> square(const std::string& kind, unsigned n, const std::string& tie = "positive")
{
  const std::int64_t side = std::int64_t{1} << n;
  return make_topology(grid(kind, {side, side}), {.routing = {}, .tie = tie});
}

/// The all-port broadcasts by the names of tests/golden/all-port.json: rb_allport, dnode, np_d, np_d_split. `d` for the
/// last two. The message is of so many bytes that all parts are whole.
inline Schedule all_port_schedule(const std::string& name, const Topology& topology, NodeId source, int d = 0)
{
  const auto& square = dynamic_cast<const Grid&>(topology);
  const std::uint64_t bytes = 8 * static_cast<std::uint64_t>(square.sizes()[0]);
  if (name == "np_d" || name == "np_d_split") {
    Algorithm algorithm;
    algorithm.make = [&](const Topology&, const ScheduleRequest& request) {
      return all_port_network_partitioning(square, request.source, d, name == "np_d_split");
    };
    return make_schedule(algorithm, topology, {source, bytes, {PortModel::all}, Duplex::full, {}});
  }
  const Algorithm& algorithm = find_algorithm(name == "dnode" ? "dominating_nodes" : "recursion_based");
  return make_schedule(algorithm, topology,
                       {source, bytes, {PortModel::all}, Duplex::full, read_parameters(algorithm.parameters, {})});
}

} // namespace wormcast::testing
