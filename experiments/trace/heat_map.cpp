#include "wormcast/experiments/trace/heat_map.hpp"

#include "wormcast/topologies/faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace wormcast {

namespace {

/// From none to the largest time.
constexpr std::array<std::string_view, 5> shades = {"·", "░", "▒", "▓", "█"};
/// 256-colour palette: grey, then yellow to red.
constexpr std::array<int, 5> colours = {240, 229, 220, 208, 196};
constexpr std::array<std::string_view, 5> direction_names = {"channels in direction x-", "channels in direction x+",
                                                             "channels in direction y-", "channels in direction y+",
                                                             "ports"};
constexpr std::size_t port_direction = 4;

std::size_t size_of(const TraceHeader& header, std::size_t dimension)
{
  return dimension < header.dims.size() ? static_cast<std::size_t>(header.dims[dimension]) : 1;
}

/// x-, x+, y-, y+ as 0 .. 3. Links with wrap-around go from the last node to the first one upwards.
std::size_t direction(const TraceHeader& header, const WaitedChannel& channel)
{
  if (!channel.to_node) {
    return port_direction;
  }
  const std::size_t width = size_of(header, 0);
  const bool along_y = channel.node % width == *channel.to_node % width;
  const std::size_t from = along_y ? channel.node / width : channel.node % width;
  const std::size_t to = along_y ? *channel.to_node / width : *channel.to_node % width;
  const bool upwards = to == from + 1 || (to == 0 && from > 1);
  return (along_y ? 2 : 0) + (upwards ? 1 : 0);
}

HeatMap empty_map(const TraceHeader& header, std::string_view what, std::string_view where)
{
  const std::size_t width = size_of(header, 0);
  const std::size_t height = size_of(header, 1);
  HeatMap map;
  map.block = (std::max(width, height) + max_map_size - 1) / max_map_size;
  map.columns = (width + map.block - 1) / map.block;
  map.rows = (height + map.block - 1) / map.block;
  map.cells.resize(map.columns * map.rows);
  map.title = fmt::format("{}, {}", what, where);
  return map;
}

void add(HeatMap& map, std::size_t width, const WaitedChannel& channel, Time time)
{
  const std::size_t x = channel.node % width / map.block;
  const std::size_t y = channel.node / width / map.block;
  map.cells[y * map.columns + x] += time;
}

/// 0: none; 1 .. 4: quarters of the largest.
std::size_t level(Time cell, Time largest)
{
  if (cell == Time{}) {
    return 0;
  }
  const double share = static_cast<double>(cell.picoseconds) / static_cast<double>(largest.picoseconds);
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(4 * share)), 1, 4);
}

std::string painted(std::size_t shade, std::size_t repeat, bool colour)
{
  std::string text;
  for (std::size_t i = 0; i < repeat; ++i) {
    text += shades[shade];
  }
  return colour ? fmt::format("\033[38;5;{}m{}\033[0m", colours[shade], text) : text;
}

/// The selected waits.
std::vector<ChannelTime> waiting_times(const ContentionTrace& trace)
{
  std::vector<ChannelTime> times;
  for (const Wait& wait : trace.waits) {
    if (wait.selected) {
      times.push_back({&trace.channels[wait.channel], wait.counted});
    }
  }
  return times;
}

} // namespace

bool has_heat_map(const TraceHeader& header)
{
  if ((header.kind != "mesh" && header.kind != "torus") || header.dims.empty() || has_faults(network_of(header))) {
    return false;
  }
  std::uint64_t nodes = 1;
  for (const std::int64_t size : header.dims) {
    if (size < 1 || nodes > header.nodes) {
      return false;
    }
    nodes *= static_cast<std::uint64_t>(size);
  }
  return nodes == header.nodes && size_of(header, 0) * size_of(header, 1) == nodes;
}

std::vector<ChannelTime> busy_times(const ChannelLoads& loads)
{
  std::vector<ChannelTime> times;
  for (const ChannelLoad& load : loads.channels) {
    times.push_back({&load.channel, load.busy});
  }
  return times;
}

HeatMap node_heat_map(const TraceHeader& header, std::string_view what, std::span<const ChannelTime> times)
{
  HeatMap map = empty_map(header, what, "channels that leave a node and its ports");
  for (const auto& [channel, time] : times) {
    add(map, size_of(header, 0), *channel, time);
  }
  return map;
}

std::vector<HeatMap> direction_heat_maps(const TraceHeader& header, std::string_view what,
                                         std::span<const ChannelTime> times)
{
  std::vector<HeatMap> maps;
  maps.reserve(direction_names.size());
  for (const std::string_view name : direction_names) {
    maps.push_back(empty_map(header, what, name));
  }
  for (const auto& [channel, time] : times) {
    add(maps[direction(header, *channel)], size_of(header, 0), *channel, time);
  }
  std::erase_if(maps, [](const HeatMap& map) {
    return std::all_of(map.cells.begin(), map.cells.end(), [](Time cell) { return cell == Time{}; });
  });
  return maps;
}

HeatMap node_heat_map(const ContentionTrace& trace)
{
  return node_heat_map(trace.header, "waiting time", waiting_times(trace));
}

std::vector<HeatMap> direction_heat_maps(const ContentionTrace& trace)
{
  return direction_heat_maps(trace.header, "waiting time", waiting_times(trace));
}

std::string draw_heat_map(const HeatMap& map, bool colour)
{
  const Time largest = map.cells.empty() ? Time{} : *std::max_element(map.cells.begin(), map.cells.end());
  const std::size_t cell_width = map.columns <= max_map_size / 2 ? 2 : 1; // two characters are about a square
  std::string text = map.title;
  if (map.block > 1) {
    text += fmt::format(", {} x {} nodes a cell", map.block, map.block);
  }
  text += '\n';
  const std::size_t label_width = fmt::format("{}", (map.rows - 1) * map.block).size();
  for (std::size_t row = map.rows; row-- > 0;) {
    text += fmt::format("y {:>{}} ", row * map.block, label_width);
    // neighbours of one shade are painted together
    for (std::size_t column = 0; column < map.columns;) {
      const std::size_t shade = level(map.cells[row * map.columns + column], largest);
      std::size_t end = column + 1;
      while (end < map.columns && level(map.cells[row * map.columns + end], largest) == shade) {
        ++end;
      }
      text += painted(shade, (end - column) * cell_width, colour);
      column = end;
    }
    text += '\n';
  }
  text += fmt::format("{:{}}x 0 .. {}\n", "", label_width + 3, (map.columns - 1) * map.block);
  text += painted(0, 1, colour) + " none";
  for (std::size_t shade = 1; shade < shades.size() && largest > Time{}; ++shade) {
    const Time bound{largest.picoseconds / 4 * static_cast<std::int64_t>(shade)};
    text += fmt::format("   {} up to {} us", painted(shade, 1, colour),
                        format_microseconds(shade + 1 == shades.size() ? largest : bound));
  }
  return text + '\n';
}

} // namespace wormcast
