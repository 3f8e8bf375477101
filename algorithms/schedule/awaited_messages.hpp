#pragma once

#include "wormcast/algorithms/schedule/schedule.hpp"

namespace wormcast {

/// Of an operation that combines: for each message those of earlier steps that bring its sender some of its blocks, by
/// step. The message cannot leave before they have arrived, for it carries what they brought. Cost O(blocks of all
/// messages + entries).
MessageLists awaited_messages(const Schedule& schedule, std::uint32_t node_count);

} // namespace wormcast
