#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>

namespace wormcast {

/// Whether the ranks of a program come to an end wherever the network delivers every message that is sent.
struct ProgramCheck {
  std::uint64_t never_sent = 0; ///< messages whose senders wait for what never happens
  std::optional<MessageId> first_never_sent;
  bool any_order = true; ///< proved for every order of arrivals; else seen for one: some receive takes messages of
                         ///< several senders or tags

  bool finishes() const { return never_sent == 0; }
};

/// Lets the ranks of `schedule.program` run with messages that arrive as soon as they are sent. Nobody waits for a
/// receiver, and receives of one sender and tag take whatever order they arrive in: where no receive takes more, which
/// actions come to pass is the same for every order.
/// Throws InputError where a rank computes beyond the last instant. Cost: that of make_program_source.
ProgramCheck check_program(const Topology& topology, const Schedule& schedule);

} // namespace wormcast
