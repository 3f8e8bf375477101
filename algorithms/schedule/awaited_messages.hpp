#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

namespace wormcast {

/// Of an operation that combines: for each message those of earlier steps that bring its sender some of its blocks, by
/// step. The message cannot leave before they have arrived, for it carries what they brought. Memory and
/// time do not grow with the number of blocks but with that of ranges and of the pieces into which they cut each other.
MessageLists awaited_messages(const Schedule& schedule, std::uint32_t node_count);

} // namespace wormcast
