#pragma once

#include "wormcast/algorithms/schedule/program.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <memory>

namespace wormcast {

/// The messages of `schedule.program`, under their ids, as its ranks come to send them. A message that arrives takes
/// the first receive posted that fits its sender and tag, and a receive the first message that has arrived and fits;
/// what no receive is posted for is kept. Nobody waits for a receiver: all messages are eager. With a start delay a
/// rank begins with nothing before it. The references must outlive the source. Cost: O(actions + dependencies), and for
/// each message the receives or messages of its rank that stand before the one that fits.
std::unique_ptr<MessageSource> make_program_source(const Topology& topology, const Schedule& schedule,
                                                   const NetworkParameters& network, const RunParameters& run);

} // namespace wormcast
