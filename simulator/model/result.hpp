#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/computation.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// The reason why a run could not finish: no message can move. Either messages wait for each other in a cycle, or
/// (self-timed, with a schedule that the verifier refutes) a sender waits for blocks that never arrive.
struct Deadlock {
  Time at;                        ///< the time of the last move: the last header stopped, or the last message arrived
  std::vector<WaitingLink> cycle; ///< the message that holds in one link waits in the next; empty: no such cycle
  std::uint64_t undelivered = 0;
  std::optional<MessageId> first_never_ready; ///< a message that never requested its port, if there is one
};

/// The outcome of one simulation.
struct SimulationResult {
  /// Returns the time from the source's own start to the last delivery, which includes the start jitter of all other
  /// nodes only. None after a deadlock.
  std::optional<Time> latency_from_source() const
  {
    return latency ? std::optional(*latency - source_start) : std::nullopt;
  }

  std::string engine;          ///< name of the engine or model: "worm", "flit", "cycle", ...
  std::string engine_reason;   ///< why `automatic` did not choose worm; else empty
  std::optional<Time> latency; ///< from 0 to the end of the last delivery, or of what nodes compute after it; none
                               ///< after a deadlock
  Time source_start; ///< the start delay of the source (start jitter); without a single source the least of all senders
  std::vector<std::optional<Time>> delivered; ///< by message id; none: not delivered (deadlock)
  std::vector<Time> completed;  ///< by message id, of delivered messages: when the receiver can use it (Completions);
                                ///< empty: at their deliveries
  std::vector<FlitTimes> flits; ///< by message id, of delivered messages; empty: the router does not report them
  ContentionTotals contention;
  ComputedTotals computed; ///< after a deadlock until it
  std::optional<Deadlock> deadlock;
  std::uint64_t header_hops = 0; ///< channels granted to headers, internal ones included
  std::uint64_t flit_hops = 0;   ///< engines flit and cycle only
};

} // namespace wormcast
