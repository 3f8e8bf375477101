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
  bool any_order = true; ///< proved for every order of arrivals; else seen for one

  bool finishes() const { return never_sent == 0; }
};

/// Lets the ranks of `schedule.program` run with messages that arrive as soon as they are sent. Nobody waits for a
/// receiver. Which actions come to pass is the same for every order of arrivals where no receive takes messages of
/// several senders or tags, and those of one rank for one sender and tag are one, are all posted at the start, or each
/// waits for the end of the one before it. Other programs may be as good; that is not proved.
/// Throws InputError where a rank computes beyond the last instant. Cost: that of make_program_source.
ProgramCheck check_program(const Topology& topology, const Schedule& schedule);

} // namespace wormcast
