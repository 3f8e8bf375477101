#include "wormcast/algorithms/petersen/torus_broadcast.hpp"

#include "wormcast/algorithms/petersen/torus_conditions.hpp"
#include "wormcast/algorithms/petersen/torus_plane.hpp"

#include <algorithm>

namespace wormcast {

namespace {

constexpr std::string_view petersen_torus_broadcast_name = "petersen_torus_broadcast";

Schedule petersen_torus_broadcast(const Topology& topology, const ScheduleRequest& request)
{
  const PetersenTorusSize size = require_petersen_torus(topology, petersen_torus_broadcast_name);
  const bool all_ports = all_links_at_once(request.ports, 4);
  const PetersenTorusNode source = petersen_torus_node(size, request.source);
  const auto source_in_plane = [&](std::int64_t plane) {
    PetersenTorusNode node = source;
    node.z += plane;
    return node;
  };
  SendSteps steps;

  // Step 1, Condition 1: to nodes 0 and 5 of the source module, and of its column in every plane.
  for (const ModuleStep& step : source_module_steps(source.p, all_ports)) {
    std::vector<NodeSend>& sends = steps.emplace_back();
    for (const ModuleSend send : step) {
      sends.push_back(send_of_module(size, source, send));
    }
  }
  for (const std::vector<PlaneSend>& step : plane_chain_steps(size.l)) {
    std::vector<NodeSend>& sends = steps.emplace_back();
    for (const PlaneSend& plane : step) {
      sends.push_back(send_of_module(size, source_in_plane(plane.plane), plane.send));
    }
  }
  // Condition 2: to all nodes of these modules.
  for (const ModuleStep& step : module_fill_steps(all_ports)) {
    std::vector<NodeSend>& sends = steps.emplace_back();
    for (std::int64_t plane = 0; plane < size.l; ++plane) {
      for (const ModuleSend send : step) {
        sends.push_back(send_of_module(size, source_in_plane(plane), send));
      }
    }
  }
  // Steps 2 to 5: the same in every plane.
  const PetersenTorusSize plane_size{1, size.m, size.n};
  const auto moved = [&](NodeId node, std::int64_t plane) {
    const PetersenTorusNode place = petersen_torus_node(plane_size, node);
    return petersen_torus_id(size, {source.z + plane, source.x + place.x, source.y + place.y, place.p});
  };
  for (const std::vector<NodeSend>& step : petersen_torus_plane_steps(size.m, size.n, all_ports)) {
    std::vector<NodeSend>& sends = steps.emplace_back();
    for (std::int64_t plane = 0; plane < size.l; ++plane) {
      for (const NodeSend send : step) {
        sends.push_back({moved(send.from, plane), moved(send.to, plane)});
      }
    }
  }
  return whole_message_broadcast(steps);
}

} // namespace

PetersenTorusBroadcastPhases petersen_torus_broadcast_phases(std::int64_t l, int p0, bool all_ports)
{
  return {static_cast<std::int64_t>(source_module_steps(p0, all_ports).size()),
          static_cast<std::int64_t>(plane_chain_steps(l).size()),
          static_cast<std::int64_t>(module_fill_steps(all_ports).size())};
}

std::int64_t petersen_torus_broadcast_bound(const PetersenTorusSize& size, bool all_ports)
{
  const std::int64_t plane = 2 * (std::max(size.m, size.n) / 2);
  return size.l % 2 == 1 ? 2 * (size.l / 2) + plane + (all_ports ? 7 : 15) : size.l + plane + (all_ports ? 6 : 14);
}

Algorithm petersen_torus_broadcast_algorithm()
{
  Algorithm algorithm;
  algorithm.name = petersen_torus_broadcast_name;
  algorithm.summary = "one-to-all in the 3-D Petersen-torus: to all planes, then outwards in each of them";
  algorithm.ports = "one-port, all-port";
  algorithm.topologies = "petersen_torus of any sizes";
  algorithm.costs = "alpha = beta <= 2 floor(l/2) + 2 floor(max(m, n)/2) + 15 (one-port), + 7 (all-port), for odd l; "
                    "one less for even l";
  algorithm.source = "Kim, Lee, Kim & Kim, J. Appl. Math. 2014, 935737, algorithm 1, theorems 4 and 5";
  algorithm.make = petersen_torus_broadcast;
  return algorithm;
}

} // namespace wormcast
