#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace wormcast {

/// How much memory may be taken now, in bytes; none: any amount.
using AvailableMemory = std::function<std::optional<std::uint64_t>()>;

/// What reserve_memory asks from now on. Without a call everything is granted: a library's caller knows its machine.
void limit_memory(AvailableMemory available);

/// To be called before something large is made: `bytes` is an estimate, `what` says for what ("the schedule's 1000
/// messages"). Throws InputError with both numbers where the memory is not there. Small amounts are granted unasked.
void reserve_memory(std::uint64_t bytes, std::string_view what);

} // namespace wormcast
