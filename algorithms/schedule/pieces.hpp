#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>
#include <span>

namespace wormcast {

/// Returns the schedule in which every message of more than `most` bytes is cut into segments: messages of at most
/// `most` bytes with start-ups of their own, of the same step, port, sender and receiver. The receiver adds each when
/// it arrives. What waits for a message waits for all of its segments (Schedule::after). With `added`, which is
/// added_bytes(), messages of which the receiver adds nothing to its own result remain whole.
///
/// Messages are cut between blocks. Where the operation leaves the number of blocks open (chooses_blocks(),
/// may_share_blocks()) each block is cut first into as many equal ones as are needed for segments of `most` bytes, or
/// of more than 15/16 of them. Segments have consecutive ids, in the order of the messages' ids.
///
/// Throws InputError for a plain message list or a program; where `most` is 0; where a block that cannot be cut is
/// longer; with more than 2^32 - 1 messages or blocks; and where the memory does not suffice.
Schedule with_segments(const Schedule& schedule, std::uint32_t node_count, std::uint64_t most,
                       std::span<const std::uint64_t> added = {});

/// Returns the schedule in which every message of more than `most` bytes is cut into packets, worms of their own that
/// follow each other through the port of their sender: only the first one has a start-up, and the receiver adds what
/// the message brought when all have arrived (Schedule::packets). Cuts, waits and errors are those of with_segments().
///
/// Runs need a port for which packets wait one after the other: one port, PortChoice::of_message or all ports.
Schedule with_packets(const Schedule& schedule, std::uint32_t node_count, std::uint64_t most);

} // namespace wormcast
