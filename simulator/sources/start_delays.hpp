#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/simulator/model/network.hpp"
#include "wormcast/simulator/model/result.hpp"
#include "wormcast/simulator/model/run.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Returns, by node, a delay uniform in [0, jitter], a function of seed and node id alone (picoseconds).
std::vector<std::int64_t> start_delays(std::uint32_t node_count, Time jitter, std::uint64_t seed);

/// Returns the same for a run; with router "input_queued" rounded up to whole cycles.
std::vector<std::int64_t> start_delays(const Topology& topology, const NetworkParameters& network,
                                       const RunParameters& run);

/// Returns SimulationResult::source_start: the start delay of the schedule's source; the least of all senders if the
/// operation has no source.
Time source_start(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                  const RunParameters& run);

/// Returns NewMessage::precedence of a message that `source` sends (RunParameters::tie_break).
std::uint32_t tie_precedence(const RunParameters& run, MessageId message, NodeId source);

/// Returns NewMessage::extra_startup by RunParameters::noise, for message number `message` of its source.
std::int64_t extra_startup(const NetworkParameters& network, const RunParameters& run, MessageId message);

/// Returns the same for a message of a schedule: -T_s for packets after the first (Schedule::packets).
std::int64_t extra_startup(const Schedule& schedule, const NetworkParameters& network, const RunParameters& run,
                           MessageId message);

} // namespace wormcast
