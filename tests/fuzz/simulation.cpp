#include "tests/fuzz/simulation.hpp"

#include "tests/fuzz/limits.hpp"
#include "tests/fuzz/targets.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/simulation.hpp"
#include "wormcast/topologies/registry.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace wormcast::fuzz {

void check_and_simulate(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                        RunParameters run)
{
  const CheckReport report = check_schedule(topology, schedule);
  run.engine = EngineChoice::automatic;
  const SimulationResult automatic = simulate_core(topology, schedule, network, run);
  run.engine = EngineChoice(network.router->engines.back().name);
  const SimulationResult flit = simulate_core(topology, schedule, network, run);
  require(automatic.delivered == flit.delivered, "both engines deliver at the same times");
  require(automatic.deadlock.has_value() == flit.deadlock.has_value(), "both engines stop, or none");
  // A schedule that the verifier accepts may deadlock in the network, but in no case for want of blocks.
  const bool starved = flit.deadlock && flit.deadlock->cycle.empty();
  require(!starved || !report.possession || schedule.operation == Operation::none, "who holds all blocks can send");
}

void check_and_simulate_on_line(Program program)
{
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
}

} // namespace wormcast::fuzz
