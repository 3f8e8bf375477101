#pragma once

#include "wormcast/algorithms/imported/msccl.hpp"
#include "wormcast/algorithms/schedule/schedule.hpp"
#include "wormcast/topologies/topology.hpp"

#include <cstdint>

namespace wormcast {

/// Makes a schedule of an algorithm, rank r on node r: each message with the blocks that it carries, in the step that
/// is the longest chain of messages before it. It has the same messages, and is proved by check_schedule(). Throws
/// InputError where the algorithm is refuted, its collective is not known, the topology has another number of nodes, an
/// all_to_all has several chunks for each pair, or the algorithm does what a schedule of blocks cannot: it keeps
/// several partial results of a chunk apart.
Schedule schedule_of_msccl(const MscclAlgorithm& algorithm, const Topology& topology, std::uint64_t message_bytes,
                           const PortModel& ports, Duplex duplex);

} // namespace wormcast
