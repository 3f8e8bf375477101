#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>

namespace wormcast {

/// Whether the ranks of a program come to an end wherever the network delivers every message that is sent.
struct ProgramCheck {
  std::uint64_t never_sent = 0; ///< messages of senders that wait forever
  std::optional<MessageId> first_never_sent;
  bool any_order = true; ///< proved for every order of arrivals; else seen for one

  bool finishes() const { return never_sent == 0; }
};

/// Runs the ranks of `schedule.program` with messages that arrive as soon as they are sent. No sender waits for a
/// receiver. The executed actions are the same for every order of arrivals if no receive matches messages of several
/// senders or tags, and the receives of one rank for one sender and tag are one, are all posted at the start, or each
/// waits for the end of the one before it. Other programs may have the same property; that is not proved. Throws
/// InputError if a rank computes beyond the largest time. Cost: that of make_program_source.
ProgramCheck check_program(const Topology& topology, const Schedule& schedule);

} // namespace wormcast
