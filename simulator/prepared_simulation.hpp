#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/records.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"

#include <memory>

namespace wormcast {

/// A run that is ready to start, on whatever clock its engine is advanced. The engine refers to the other members.
struct PreparedSimulation {
  NetworkParameters network;
  std::unique_ptr<MessageSource> source;
  RecordSinks sinks;
  SimulationResult result;
  std::unique_ptr<Engine> engine;
};

/// How the engine of a run is chosen.
enum class EngineUse {
  as_requested,    ///< RunParameters::engine
  contention_free, ///< the one that runs simulate_contention_free()
  fastest          ///< as requested, but `automatic` is that of simulate_fastest()
};

/// Throws as simulate() and, with `use` contention_free, as simulate_contention_free(). The references must outlive the
/// result.
std::unique_ptr<PreparedSimulation> prepare_simulation(const Topology& topology, const Schedule& schedule,
                                                       const NetworkParameters& network, const RunParameters& run,
                                                       const RecordSinks& sinks,
                                                       EngineUse use = EngineUse::as_requested);

/// The result of a run whose engine has nothing left to do. Takes it out of `prepared`.
SimulationResult finish_simulation(PreparedSimulation& prepared);

} // namespace wormcast
