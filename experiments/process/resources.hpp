#pragma once

#include <cstdint>
#include <string_view>

namespace wormcast {

/// From now on reserve_memory grants what the machine has (MemAvailable, what the cgroup leaves, ulimit -v), and
/// claim_output files of at most 1 GiB.
void limit_resources();

/// Must be called before a large output is written: `bytes` is an estimate, `what` names it ("the schedule"). Throws
/// InputError with both numbers if it exceeds the limit of outputs without --force.
void claim_output(std::uint64_t bytes, std::string_view what);

} // namespace wormcast
