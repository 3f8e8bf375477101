#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/records.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"

namespace wormcast {

/// Simulates `schedule` on SimGrid's clock: registers the engine as a SimGrid model on a platform of `topology`, which
/// stays without hosts and links, and runs. `topology` must be the one that the schedule was made for.
/// Throws InputError where parameters do not fit (engine "worm" where closed_form_holds is false), or where a time
/// passes 2^62 ps (53 days).
SimulationResult simulate(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                          const RunParameters& run, const RecordSinks& sinks = {});

/// The same run without contention for external channels: each of them is free for every header at any time, and
/// messages wait for ports alone. Starts, ties and noise are those of simulate() with the same seed. Runs engine
/// "worm", without SimGrid. Throws InputError where that is not exact: with a router that has no engine for it
/// (RouterEngine::runs_contention_free), and where closed_form_holds() is false.
SimulationResult simulate_contention_free(const Topology& topology, const Schedule& schedule,
                                          const NetworkParameters& network, const RunParameters& run);

/// The same as simulate() without SimGrid: the engine alone, for benchmarks and for tests that compare many small runs.
SimulationResult simulate_core(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                               const RunParameters& run, const RecordSinks& sinks = {});

} // namespace wormcast
