#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

namespace wormcast {

/// Returns, for an operation that combines, for each message the messages of earlier steps that deliver some of its
/// blocks to its sender, by step. The message cannot leave before they have arrived, for it carries their
/// contributions. Memory and time do not grow with the number of blocks but with the number of ranges and of the parts
/// into which they divide each other.
MessageLists awaited_messages(const Schedule& schedule, std::uint32_t node_count);

} // namespace wormcast
