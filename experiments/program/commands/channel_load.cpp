#include "wormcast/experiments/program/commands/channel_load.hpp"

#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/formats/csv.hpp"
#include "wormcast/formats/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

/// Held for how much of the run; with virtual channels it can be more than all of it.
double utilisation(const ChannelLoads& loads, const ChannelLoad& load)
{
  return loads.last == Time{}
             ? 0
             : static_cast<double>(load.busy.picoseconds) / static_cast<double>(loads.last.picoseconds);
}

std::string or_empty(const std::optional<std::uint64_t>& number)
{
  return number ? fmt::to_string(*number) : std::string();
}

} // namespace

std::string channel_load_table(const ChannelLoads& loads, std::size_t top)
{
  std::vector<std::vector<std::string>> lines = {
      {"channel", "id", "messages", "bytes", "busy (us)", "% of the run", "waits", "waiting time (us)"}};
  for (const ChannelLoad& load : loads.channels) {
    if (lines.size() > top) {
      break;
    }
    lines.push_back({load.channel.name, load.channel.id ? fmt::to_string(*load.channel.id) : "-",
                     fmt::to_string(load.messages), fmt::to_string(load.bytes), format_microseconds(load.busy),
                     fmt::format("{:.1f}", 100 * utilisation(loads, load)), fmt::to_string(load.waits.count),
                     format_microseconds(load.waits.wait)});
  }
  const std::size_t shown = lines.size() - 1;
  return "channels and ports that were held longest\n" + aligned(lines) +
         (loads.channels.size() > shown ? fmt::format("... and {} more\n", loads.channels.size() - shown) : "");
}

std::string channel_load_csv(const ChannelLoads& loads)
{
  const std::vector<std::string> header = {"resource", "channel", "channel_id", "node",    "to_node",   "messages",
                                           "bytes",    "busy_us", "waits",      "wait_us", "longest_us"};
  std::string csv = csv_line(header);
  for (const ChannelLoad& load : loads.channels) {
    const std::vector<std::string> cells = {std::string(resource_kind_names.text(load.channel.kind)),
                                            load.channel.name,
                                            or_empty(load.channel.id),
                                            fmt::to_string(load.channel.node),
                                            load.channel.to_node ? fmt::to_string(*load.channel.to_node) : "",
                                            fmt::to_string(load.messages),
                                            fmt::to_string(load.bytes),
                                            format_microseconds(load.busy),
                                            fmt::to_string(load.waits.count),
                                            format_microseconds(load.waits.wait),
                                            format_microseconds(load.waits.longest)};
    csv += csv_line(cells);
  }
  return csv;
}

std::string channel_load_json_text(const ChannelLoads& loads, std::size_t top)
{
  const auto time_or_null = [](const std::optional<Time>& time) {
    return time ? exact_microseconds(*time) : Json(nullptr);
  };
  Json json;
  json["format"] = "wormcast-channel-load/1";
  json["latency_us"] = time_or_null(loads.end.latency);
  json["deadlock_us"] = time_or_null(loads.end.deadlock);
  json["undelivered"] = loads.end.undelivered;
  json["last_us"] = exact_microseconds(loads.last);
  json["channels"] = Json::array();
  for (std::size_t i = 0; i < std::min(top, loads.channels.size()); ++i) {
    const ChannelLoad& load = loads.channels[i];
    json["channels"].push_back({{"resource", resource_kind_names.text(load.channel.kind)},
                                {"channel", load.channel.name},
                                {"channel_id", load.channel.id ? Json(*load.channel.id) : Json(nullptr)},
                                {"node", load.channel.node},
                                {"to_node", load.channel.to_node ? Json(*load.channel.to_node) : Json(nullptr)},
                                {"messages", load.messages},
                                {"bytes", load.bytes},
                                {"busy_us", exact_microseconds(load.busy)},
                                {"waits", load.waits.count},
                                {"wait_us", exact_microseconds(load.waits.wait)},
                                {"longest_us", exact_microseconds(load.waits.longest)}});
  }
  return json_text(json, JsonLayout::indented) + "\n";
}

} // namespace wormcast
