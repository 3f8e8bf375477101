#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <optional>

namespace wormcast {

/// The time in picoseconds for which a message of `flits` flits keeps its sender's port where nobody is in its way:
/// T_s, its flits, and, where `buffer_flits` flits take less time than a hop, the rest of a hop for each full buffer
/// before the last flit: a flit leaves when the one `buffer_flits` before it has passed the channel. Router "wormhole".
std::int64_t port_time_alone(const NetworkParameters& network, std::uint64_t hops, std::uint64_t flits);

/// A lower bound of a schedule's latency in picoseconds. Self-timed it is when its last message would arrive if no
/// message were ever in the way of another one outside of its sender's port: waits only make times later, every message
/// takes what it takes alone or more, every port sends its messages in a fixed order, and the times at which messages
/// become ready are maxima and order statistics of earlier ones. In lockstep it is the sum over the steps of the
/// greatest of what a message takes alone, what all flits over a channel take one after the other, and what the
/// messages of a sender take on its ports. Where no message waits for a channel or a port it is the latency. None for
/// other routers than "wormhole", where starts or start-ups are random, and for schedules without an operation. Throws
/// InputError where a time overflows. Cost: O(messages log messages), in lockstep O(messages * hops), whatever the
/// length.
std::optional<std::int64_t> least_latency(const Topology& topology, const Schedule& schedule,
                                          const NetworkParameters& network, const RunParameters& run);

} // namespace wormcast
