#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

#include <cstdint>

namespace wormcast {

/// Returns the schedule with readiness: every message of more than `above` bytes waits for a message without bytes by
/// which its receiver reports that it is ready. These "ready" messages have the ids behind those of the schedule and
/// block sets without blocks. They form a step of their own before the step of the messages that wait for them, so that
/// the numbers of later steps grow.
///
/// In a self-timed run a receiver reports when its turn comes at its port, and when it holds what it has to receive in
/// earlier steps of the blocks that it will be sent; the message itself waits for the report (Schedule::after).
///
/// Throws InputError for a plain message list or a program, whose dependencies are given, and if there are more than
/// 2^32 - 1 messages.
Schedule with_ready_messages(const Schedule& schedule, std::uint32_t node_count, std::uint64_t above);

} // namespace wormcast
