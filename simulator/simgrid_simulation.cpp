#include "wormcast/simulator/prepared_simulation.hpp"
#include "wormcast/simulator/simgrid/clock.hpp"
#include "wormcast/simulator/simulation.hpp"

#include <spdlog/spdlog.h>

namespace wormcast {

SimulationResult simulate(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                          const RunParameters& run, const RecordSinks& sinks)
{
  const std::unique_ptr<PreparedSimulation> prepared = prepare_simulation(topology, schedule, network, run, sinks);
  spdlog::debug("engine {}: {} messages on {}", prepared->result.engine, schedule.messages.size(), topology.title());
  SimGridPlatform platform(topology, network);
  SimGridRun simgrid_run(platform, *prepared->engine, schedule.messages.size(), sinks.progress);
  simgrid_run.run();
  return finish_simulation(*prepared);
}

} // namespace wormcast
