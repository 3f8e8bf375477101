#pragma once

#include <cstdint>
#include <string_view>

namespace wormcast {

/// From now on reserve_memory grants what the machine has (MemAvailable, what the cgroup leaves, ulimit -v), and
/// claim_output files of at most 1 GiB.
void limit_resources();

/// From now on this process, and those that it forks, keep up to 256 MiB of freed memory for what they allocate next,
/// and give back at once only blocks of 64 MiB or more. One schedule after the other is made and freed: pages that go
/// to the system in between come back empty, one page fault each. With the C library of GNU; elsewhere nothing changes.
void keep_freed_memory();

/// Must be called before a large output is written: `bytes` is an estimate, `what` names it ("the schedule"). Throws
/// InputError with both numbers if it exceeds the limit of outputs without --force.
void claim_output(std::uint64_t bytes, std::string_view what);

} // namespace wormcast
