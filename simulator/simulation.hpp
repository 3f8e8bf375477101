#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/records.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"

namespace wormcast {

/// Simulates `schedule` on SimGrid's clock: registers the engine as a SimGrid model on a platform of `topology`, which
/// has no hosts and links, and runs. The schedule must have been made for `topology`. Throws InputError if parameters
/// do not fit (engine "worm" where closed_form_holds is false), or if a time exceeds 2^62 ps (53 days).
SimulationResult simulate(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                          const RunParameters& run, const RecordSinks& sinks = {});

/// Simulates the same run on a contention-free network: each external channel is free for every header at any time, and
/// messages wait for ports only. Starts, ties and noise are those of simulate() with the same seed. It runs engine
/// "worm", without SimGrid. Throws InputError if that is not exact: with a router that has no engine for it
/// (RouterEngine::runs_contention_free), and if closed_form_holds() is false.
SimulationResult simulate_contention_free(const Topology& topology, const Schedule& schedule,
                                          const NetworkParameters& network, const RunParameters& run);

/// Simulates like simulate() but without SimGrid: the engine alone, for benchmarks and for tests that compare many
/// small runs.
SimulationResult simulate_core(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                               const RunParameters& run, const RecordSinks& sinks = {});

/// Simulates like simulate_core(), with the same times and contention. With an automatic engine it also runs engine
/// "worm" where closed_form_holds() is false, which results leave to the engine that moves each flit: for many
/// simulations whose results do not name their engine.
SimulationResult simulate_fastest(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                                  const RunParameters& run, const RecordSinks& sinks = {});

} // namespace wormcast
