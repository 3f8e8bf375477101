#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <memory>

namespace wormcast {

/// Makes the source of a schedule's messages, under their own ids, as `run` determines; docs/network-model.md, "Who
/// sends when":
///
/// - lockstep: a step's messages become ready when all earlier messages are complete;
/// - self-timed: every sender on its own. A message becomes ready when its sender holds its blocks and the port has
///   fewer messages on their way out than channels; messages of a port remain in the order (step, id);
/// - a program (Schedule::program): make_program_source;
/// - a plain message list: ready at `start`, or when all of `after` are complete if that is later.
///
/// A message is complete when its receiver can use it (Completions): at its delivery, if nodes compute nothing.
///
/// `first` is the number of message 0 in the run, which determines draws of routes. The references must outlive the
/// source. Throws InputError if a message is so long that its time overflows, if no message is bound to a port where
/// each uses its own (PortChoice::of_message), and if packets do not follow each other through one port. Cost:
/// O(messages log messages) for a plain list that is not ordered by start, else O(messages + nodes).
std::unique_ptr<MessageSource> make_schedule_source(const Topology& topology, const Schedule& schedule,
                                                    const NetworkParameters& network, const RunParameters& run,
                                                    std::uint64_t first = 0);

} // namespace wormcast
