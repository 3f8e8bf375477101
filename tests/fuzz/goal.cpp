#include "tests/fuzz/limits.hpp"
#include "tests/fuzz/simulation.hpp"
#include "tests/fuzz/targets.hpp"
#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/topologies/registry.hpp"

#include <sstream>

namespace wormcast::fuzz {

bool run_goal(std::string_view input)
{
  std::istringstream in{std::string(input)};
  Program program = read_program(in, "program.goal");
  require(program.sends.size() <= program.actions.size(), "every message is an action");
  if (program.ranks > 64 || program.actions.size() > 1000) {
    return true;
  }
  std::vector<NodeId> nodes;
  for (std::uint32_t rank = 0; rank < program.ranks; ++rank) {
    nodes.push_back(NodeId{rank});
  }
  TopologyDescription line{.kind = "mesh", .parameters = {}};
  line.parameters.set("dims", std::vector<std::int64_t>{program.ranks});
  const std::unique_ptr<Topology> topology = make_topology(line);
  Schedule schedule = program_schedule(std::move(program), std::move(nodes));
  schedule.topology = line;
  NetworkParameters network;
  network.startup = Time{1000};
  network.per_hop = Time{3};
  network.per_byte = Time{7};
  if (is_small(*topology, schedule, network)) {
    check_and_simulate(*topology, schedule, network, {});
  }
  return true;
}

} // namespace wormcast::fuzz
