#include "tests/fuzz/simulation.hpp"

#include "tests/fuzz/targets.hpp"
#include "wormcast/algorithms/verifier/verifier.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/simulation.hpp"

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

} // namespace wormcast::fuzz
