#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <memory>

namespace wormcast {

/// The messages of a schedule, under their own ids, as `run` asks for them; docs/network-model.md, "Who sends when":
///
/// - lockstep: a step's messages become ready when all earlier messages are delivered;
/// - self-timed: every sender on its own. A message becomes ready when its sender holds its blocks and fewer messages
/// of
///   its port are on their way out than the port has channels; messages of a port keep the order (step, id);
/// - a program (Schedule::program): make_program_source;
/// - a plain message list: ready at `start`, or when all of `after` are delivered if that is later.
///
/// `first` is the number of message 0 in the run, which decides draws of routes. The references must outlive the
/// source. Throws InputError where a message is so long that its time overflows. Cost: O(messages log messages) for a
/// plain list in no order of its starts, else O(messages + nodes).
std::unique_ptr<MessageSource> make_schedule_source(const Topology& topology, const Schedule& schedule,
                                                    const NetworkParameters& network, const RunParameters& run,
                                                    std::uint64_t first = 0);

} // namespace wormcast
