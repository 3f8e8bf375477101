#pragma once

#include <cstdint>
#include <functional>

namespace wormcast {

/// Called now and then by long work, with how much of how much is done. Empty: nobody wants to know.
using WorkProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

} // namespace wormcast
