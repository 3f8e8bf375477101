#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/contention.hpp"
#include "wormcast/values/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace wormcast {

/// Why a run could not finish: nothing can move any more. Either messages wait for each other in a cycle, or
/// (self-timed, with a schedule that the verifier refutes) a sender waits for blocks that never come.
struct Deadlock {
  Time at;                        ///< since then nothing moved: the last header stopped, or the last message arrived
  std::vector<WaitingLink> cycle; ///< each link's holding message is the next link's waiting one; empty: no such cycle
  std::uint64_t undelivered = 0;
  std::optional<MessageId> first_never_ready; ///< a message that never asked for its port, if there is one
};

/// Outcome of one simulation.
struct SimulationResult {
  /// From the source's own start to the last delivery: what the start jitter of all others costs. None after a
  /// deadlock.
  std::optional<Time> latency_from_source() const
  {
    return latency ? std::optional(*latency - source_start) : std::nullopt;
  }

  std::string engine;                         ///< name of what ran: "worm", "flit", "cycle", ...
  std::string engine_reason;                  ///< why `automatic` did not take worm; else empty
  std::optional<Time> latency;                ///< from 0 to the last delivery; none after a deadlock
  Time source_start;                          ///< when the source starts by itself (start jitter); without one source
                                              ///< the first of all senders
  std::vector<std::optional<Time>> delivered; ///< by message id; none: not delivered (deadlock)
  std::vector<FlitTimes> flits;               ///< by message id, of those delivered; empty: the router does not tell
  ContentionTotals contention;
  std::optional<Deadlock> deadlock;
  std::uint64_t header_hops = 0; ///< channels granted to headers, internal ones included
  std::uint64_t flit_hops = 0;   ///< engines flit and cycle only
};

} // namespace wormcast
