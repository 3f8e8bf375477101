#pragma once

#include "wormcast/experiments/trace/contention_summary.hpp"

#include <cstddef>
#include <string>

namespace wormcast {

/// The report of `wormcast contention --json`: wormcast-contention/1. Lists have at most `top` entries.
std::string contention_json_text(const ContentionTrace& trace, std::size_t top);

} // namespace wormcast
