#pragma once

#include "wormcast/experiments/trace/contention_summary.hpp"
#include "wormcast/experiments/trace/heat_map.hpp"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// The kinds that waits of a trace can have.
std::span<const ContentionKind> kinds_of(const TraceHeader& header);

/// The network and, where the run has not ended well, how it ended.
std::string trace_heading(const TraceHeader& header, const TraceEnd& end);

/// The heat maps for people: `wanted` is "nodes", "directions" or "none". Empty where the network cannot be drawn in a
/// plane; in colours on a terminal without NO_COLOR.
std::string heat_maps(const TraceHeader& header, std::string_view wanted, const std::function<HeatMap()>& of_nodes,
                      const std::function<std::vector<HeatMap>()>& of_directions);

/// The report of `wormcast contention` for people; lists have at most `top` entries. `map`: as of heat_maps().
std::string contention_table(const ContentionTrace& trace, std::size_t top, std::string_view map);

} // namespace wormcast
