#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

namespace wormcast {

/// Returns the memory that may be used now, in bytes; none: any amount.
using AvailableMemory = std::function<std::optional<std::uint64_t>()>;

/// Sets the function that reserve_memory calls. Without a call every request is granted: a library's caller knows its
/// machine.
void limit_memory(AvailableMemory available);

/// Must be called before a large object is made: `bytes` is an estimate, `what` names the object ("the schedule's 1000
/// messages"). Throws InputError with both numbers if the memory is not available. Small amounts are granted unchecked.
void reserve_memory(std::uint64_t bytes, std::string_view what);

} // namespace wormcast
