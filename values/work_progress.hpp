#pragma once

#include <cstdint>
#include <functional>

namespace wormcast {

/// Called at intervals by long work, with the amount done and the total. Empty: progress is not reported.
using WorkProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

} // namespace wormcast
