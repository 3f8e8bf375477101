#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/contention.hpp"
#include "wormcast/simulator/network.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace wormcast {

enum class Mode {
  lockstep,  ///< a step starts when all messages of earlier steps are delivered
  self_timed ///< a message starts when its sender holds its blocks and has been through its earlier messages
};

enum class EngineChoice { automatic, worm, flit };

/// The run section of a configuration.
struct RunParameters {
  Mode mode = Mode::lockstep;
  EngineChoice engine = EngineChoice::automatic;
  std::uint64_t seed = 1;
  Time start_jitter; ///< each node starts after a random delay, uniform in [0, start_jitter]
};

/// The declarations of the run section's keys.
std::span<const Parameter> run_declarations();

RunParameters run_parameters(const ParameterValues& values);

/// Where the records of a run go as they are made. Contention records come in the order of the grants, occupancy
/// records in the order of the releases; both orders are the same for the same input.
struct RecordSinks {
  std::function<void(const ContentionRecord&)> contention; ///< may be empty
  std::function<void(const OccupancyRecord&)> occupancy;   ///< may be empty; asking for it costs time
};

/// Why a run could not finish: nothing can move any more. Either messages wait for each other in a circle, or
/// (self-timed, with a schedule that the verifier refutes) a sender waits for blocks that never come.
struct Deadlock {
  std::vector<WaitingLink> cycle; ///< each link's holding message is the next link's waiting one; empty: no such circle
  std::uint64_t undelivered = 0;
  std::optional<MessageId> first_never_ready; ///< a message that never asked for its port, if there is one
};

/// Outcome of one simulation.
struct SimulationResult {
  std::string engine;                         ///< "worm" or "flit": what ran
  std::string engine_reason;                  ///< why `automatic` did not take worm; else empty
  Time latency;                               ///< from 0 to the last delivery
  std::vector<std::optional<Time>> delivered; ///< by message id; none: not delivered (deadlock)
  ContentionTotals contention;
  std::optional<Deadlock> deadlock;
  std::uint64_t header_hops = 0; ///< channels granted to headers, internal ones included
  std::uint64_t flit_hops = 0;   ///< flit engine only
};

/// Simulates `schedule` on SimGrid's clock: builds the platform of `topology`, registers the engine as a SimGrid model
/// and runs. `topology` must be the one that the schedule was made for.
/// Throws InputError where parameters do not fit (engine "worm" where closed_form_holds is false), or where a time
/// passes 2^62 ps (53 days).
SimulationResult simulate(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                          const RunParameters& run, const RecordSinks& sinks = {});

/// The same without SimGrid: the engine alone, for benchmarks and for tests that compare many small runs.
SimulationResult simulate_core(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                               const RunParameters& run, const RecordSinks& sinks = {});

} // namespace wormcast
