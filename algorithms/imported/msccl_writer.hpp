#pragma once

#include "wormcast/algorithms/imported/msccl.hpp"
#include "wormcast/algorithms/schedule/schedule.hpp"

#include <iosfwd>
#include <string>

namespace wormcast {

/// What the executors take: msccl-executor-nccl (src/include/msccl/msccl_struct.h, makefiles/common.mk), RCCL.
inline constexpr std::uint32_t most_msccl_block_steps = 64;
inline constexpr std::uint32_t most_msccl_chunks_of_step = 71;
inline constexpr std::uint32_t most_msccl_channels = 32;
inline constexpr std::uint32_t most_msccl_blocks_of_gpu = 64;
inline constexpr std::uint32_t most_msccl_slots = 2; ///< undelivered chunks of a connection, with protocol Simple

/// Makes an algorithm of a schedule of all_reduce, all_gather, reduce_scatter, all_to_all, broadcast or reduce on
/// `nodes` nodes. Each pair of nodes that exchange messages has a thread block at each end, and more channels where a
/// block would have more than 64 steps; a message is cut into runs of chunks that are consecutive on both sides. A step
/// of the schedule is no barrier: a send waits for the last writer of its chunks, a receive for the last writer and all
/// readers since. With `keep_order` a send also waits for the one before it of its node. check_msccl() proves the
/// result where the schedule is right. Throws InputError for other operations, and above 2^24 blocks on all nodes.
MscclAlgorithm msccl_of_schedule(const Schedule& schedule, std::uint32_t nodes, std::string name, bool keep_order);

/// Writes MSCCL XML. The stream's state shows whether writing failed.
void write_msccl(const MscclAlgorithm& algorithm, std::ostream& out);

} // namespace wormcast
