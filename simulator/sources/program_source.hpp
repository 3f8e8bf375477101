#pragma once

#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <memory>

namespace wormcast {

/// Makes the source of the messages of `schedule.program`, under their ids, sent as its ranks reach them. A message
/// that arrives matches the first posted receive of its sender and tag, and a receive the first message that has
/// arrived and matches; a message without a posted receive is stored. No sender waits for a receiver: all messages are
/// eager. With a start delay a rank starts no action before the delay is over. The references must outlive the source.
/// Cost: O(actions + dependencies), and for each message the receives or messages of its rank before the one that
/// matches.
std::unique_ptr<MessageSource> make_program_source(const Topology& topology, const Schedule& schedule,
                                                   const NetworkParameters& network, const RunParameters& run);

} // namespace wormcast
