#pragma once

#include "wormcast/experiments/trace/channel_load.hpp"
#include "wormcast/experiments/trace/contention_summary.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wormcast {

/// Times on the nodes of a 2-D mesh or torus, or on square blocks of them.
struct HeatMap {
  std::string title;
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::size_t block = 1;   ///< nodes along each side of a cell
  std::vector<Time> cells; ///< columns * y + x, y upwards
};

/// Maps have at most this many columns and rows; larger networks are shown in blocks of nodes.
inline constexpr std::size_t max_map_size = 64;

/// Whether the nodes can be drawn in a plane: a mesh or torus whose sizes behind the second are 1.
bool has_heat_map(const TraceHeader& header);

/// The quantity of a map, by channel and port.
struct ChannelTime {
  const WaitedChannel* channel = nullptr;
  Time time;
};

/// How long channels and ports were held. Refers to the argument.
std::vector<ChannelTime> busy_times(const ChannelLoads& loads);

/// The times at each node, summed over the channels that leave it and its ports. The title begins with `what`.
HeatMap node_heat_map(const TraceHeader& header, std::string_view what, std::span<const ChannelTime> times);

/// The same apart for the channels in direction x-, x+, y-, y+ and for the ports; those without any left out.
std::vector<HeatMap> direction_heat_maps(const TraceHeader& header, std::string_view what,
                                         std::span<const ChannelTime> times);

/// The same of the selected waits of a trace.
HeatMap node_heat_map(const ContentionTrace& trace);
std::vector<HeatMap> direction_heat_maps(const ContentionTrace& trace);

/// The map as lines of shades from none to the largest time, with a legend; with terminal colours if asked for.
/// The top line has the largest y.
std::string draw_heat_map(const HeatMap& map, bool colour);

} // namespace wormcast
