#include "wormcast/experiments/commands/channel_load.hpp"
#include "wormcast/experiments/commands/commands.hpp"
#include "wormcast/experiments/commands/listing.hpp"
#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/experiments/trace/contention_summary.hpp"
#include "wormcast/experiments/trace/heat_map.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <unistd.h>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

struct ContentionArguments {
  std::string trace;
  std::string kind;
  std::string channel;
  std::optional<std::int64_t> message;
  std::optional<std::pair<std::string, std::string>> between;
  std::optional<std::int64_t> top = 10;
  std::string map = "nodes";
  std::string by = "waits";
  ListingFiles files;
};

Time read_time(const std::string& text)
{
  try {
    return parse_time(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("--between: {}", error.what()));
  }
}

WaitSelection read_selection(const ContentionArguments& arguments)
{
  WaitSelection selection;
  for (const ContentionKind kind : all_contention_kinds) {
    if (contention_kind_name(kind) == arguments.kind) {
      selection.kind = kind;
    }
  }
  selection.channel = arguments.channel;
  if (arguments.message) {
    if (*arguments.message < 0 || *arguments.message > std::numeric_limits<std::uint32_t>::max()) {
      throw InputError(
          fmt::format("--message: found {}, expected the number of a message, from 0", *arguments.message));
    }
    selection.message = static_cast<std::uint32_t>(*arguments.message);
  }
  if (arguments.between) {
    const auto& [from, to] = *arguments.between;
    selection.between = {read_time(from), read_time(to)};
    if (selection.between->second <= selection.between->first) {
      throw InputError(
          fmt::format("--between: found {} and {}, expected the later time behind the earlier one", from, to));
    }
  }
  return selection;
}

std::string microseconds(Time time)
{
  return format_microseconds(time);
}

std::string microseconds(TotalTime time)
{
  return format_microseconds(time);
}

std::string totals_table(const ContentionTrace& trace)
{
  std::vector<std::vector<std::string>> lines = {{"kind", "waits", "waiting time (us)", "longest (us)"}};
  const auto totals = totals_by_kind(trace);
  for (const ContentionKind kind : all_contention_kinds) {
    const WaitSum& sum = totals[static_cast<std::size_t>(kind)];
    if (kind == ContentionKind::other && sum.count == 0) {
      continue; // one operation alone has none
    }
    lines.push_back({std::string(contention_kind_name(kind)), fmt::to_string(sum.count), microseconds(sum.wait),
                     microseconds(sum.longest)});
  }
  return aligned(lines);
}

/// "... and 12 more" where not all are shown.
std::string rest(std::size_t all, std::size_t shown)
{
  return all > shown ? fmt::format("... and {} more\n", all - shown) : std::string();
}

std::string channel_table(const ContentionTrace& trace, std::size_t top)
{
  const std::vector<ChannelWaits> channels = waits_by_channel(trace);
  std::vector<std::vector<std::string>> lines = {{"channel", "id", "waits", "waiting time (us)", "longest (us)"}};
  for (const ChannelWaits& waits : channels) {
    if (lines.size() > top) {
      break;
    }
    const WaitedChannel& channel = trace.channels[waits.channel];
    lines.push_back({channel.name, channel.id ? fmt::to_string(*channel.id) : "-", fmt::to_string(waits.sum.count),
                     microseconds(waits.sum.wait), microseconds(waits.sum.longest)});
  }
  return "channels that were waited for longest\n" + aligned(lines) + rest(channels.size(), top);
}

std::string message_table(const ContentionTrace& trace, std::size_t top)
{
  const std::vector<MessageWaits> messages = waits_by_message(trace);
  std::vector<std::vector<std::string>> lines = {
      {"message", "waits", "waited (us)", "waits of others for it", "held up others (us)"}};
  for (const MessageWaits& waits : messages) {
    if (lines.size() > top) {
      break;
    }
    lines.push_back({fmt::to_string(waits.message), fmt::to_string(waits.waited.count), microseconds(waits.waited.wait),
                     fmt::to_string(waits.held_up.count), microseconds(waits.held_up.wait)});
  }
  return "messages that waited longest\n" + aligned(lines) + rest(messages.size(), top);
}

std::string wait_line(const ContentionTrace& trace, const Wait& wait)
{
  if (wait.kind == ContentionKind::sharing) {
    return fmt::format(
        "message {} (step {}) lost {} us, from {} to {}, on {} to others, first to message {} (step {}): {}",
        wait.waiting, wait.waiting_step, microseconds(wait.wait), microseconds(wait.from), microseconds(wait.to),
        trace.channels[wait.channel].name, wait.holding, wait.holding_step, contention_kind_name(wait.kind));
  }
  return fmt::format("message {} (step {}) waited {} us, from {} to {}, for {}, held by message {} (step {}): {}",
                     wait.waiting, wait.waiting_step, microseconds(wait.wait), microseconds(wait.from),
                     microseconds(wait.to), trace.channels[wait.channel].name, wait.holding, wait.holding_step,
                     contention_kind_name(wait.kind));
}

std::string wait_list(const ContentionTrace& trace, std::size_t top)
{
  const std::vector<std::uint32_t> waits = longest_waits(trace);
  std::string text = "longest waits\n";
  for (std::size_t i = 0; i < waits.size() && i < top; ++i) {
    text += "  " + wait_line(trace, trace.waits[waits[i]]) + "\n";
  }
  return text + rest(waits.size(), top);
}

std::string chain_list(const ContentionTrace& trace, std::size_t top)
{
  std::string text;
  for (const WaitChain& chain : wait_chains(trace, top)) {
    text += text.empty() ? "longest chains: who waited for whom at the same time\n" : "";
    text += fmt::format("  {} messages{}\n", chain.waits.size() + (chain.circle ? 0 : 1),
                        chain.circle ? " in a circle" : "");
    for (const std::uint32_t wait : chain.waits) {
      text += "    " + wait_line(trace, trace.waits[wait]) + "\n";
    }
  }
  return text;
}

std::string maps(const TraceHeader& header, const std::string& wanted, const std::function<HeatMap()>& of_nodes,
                 const std::function<std::vector<HeatMap>()>& of_directions)
{
  if (wanted == "none" || !has_heat_map(header)) {
    return {};
  }
  const bool colour = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  std::string text;
  for (const HeatMap& map : wanted == "nodes" ? std::vector{of_nodes()} : of_directions()) {
    text += (text.empty() ? "" : "\n") + draw_heat_map(map, colour);
  }
  return text;
}

/// The network and, after a deadlock, a word on it.
std::string heading(const TraceHeader& header, const TraceEnd& end)
{
  const std::string network =
      header.dims.empty() ? header.kind : fmt::format("{} {}", header.kind, fmt::join(header.dims, " x "));
  std::string text = fmt::format("{}, {} nodes, {} channels, {} messages\n\n", network, header.nodes, header.channels,
                                 header.messages);
  if (end.undelivered > 0) {
    text += fmt::format("DEADLOCK{}: {} of {} messages never arrived; what follows is what happened until then\n\n",
                        end.deadlock ? fmt::format(" at {} us", microseconds(*end.deadlock)) : "", end.undelivered,
                        header.messages);
  }
  return text;
}

std::string listing(const ContentionTrace& trace, const ContentionArguments& arguments)
{
  const auto top = static_cast<std::size_t>(*arguments.top);
  std::string text = heading(trace.header, trace.end) + totals_table(trace);
  if (longest_waits(trace).empty()) {
    return text + (trace.waits.empty() ? "\nno contention\n" : "\nno such waits\n");
  }
  for (const std::string& part :
       {channel_table(trace, top), message_table(trace, top), wait_list(trace, top), chain_list(trace, top),
        maps(
            trace.header, arguments.map, [&] { return node_heat_map(trace); },
            [&] { return direction_heat_maps(trace); })}) {
    text += part.empty() ? "" : "\n" + part;
  }
  return text;
}

Json microseconds_or_null(const std::optional<Time>& time)
{
  return time ? exact_microseconds(*time) : Json(nullptr);
}

void add_sum(Json& json, const WaitSum& sum)
{
  json["waits"] = sum.count;
  json["wait_us"] = exact_microseconds(sum.wait);
  json["longest_us"] = exact_microseconds(sum.longest);
}

Json wait_json(const ContentionTrace& trace, const Wait& wait)
{
  const WaitedChannel& channel = trace.channels[wait.channel];
  return {{"kind", contention_kind_name(wait.kind)},
          {"channel", channel.name},
          {"channel_id", channel.id ? Json(*channel.id) : Json(nullptr)},
          {"node", channel.node},
          {"waiting", {{"message", wait.waiting}, {"step", wait.waiting_step}}},
          {"holding", {{"message", wait.holding}, {"step", wait.holding_step}}},
          {"from_us", exact_microseconds(wait.from)},
          {"to_us", exact_microseconds(wait.to)},
          {"wait_us", exact_microseconds(wait.wait)}};
}

/// Lists have at most `top` entries.
std::string json_listing(const ContentionTrace& trace, std::size_t top)
{
  Json json;
  json["format"] = "wormcast-contention/1";
  json["latency_us"] = microseconds_or_null(trace.end.latency);
  json["deadlock_us"] = microseconds_or_null(trace.end.deadlock);
  json["undelivered"] = trace.end.undelivered;
  const auto totals = totals_by_kind(trace);
  for (const ContentionKind kind : all_contention_kinds) {
    if (kind == ContentionKind::other && totals[static_cast<std::size_t>(kind)].count == 0) {
      continue;
    }
    add_sum(json["totals"][std::string(contention_kind_name(kind))], totals[static_cast<std::size_t>(kind)]);
  }
  for (const char* list : {"channels", "messages", "waits", "chains"}) {
    json[list] = Json::array();
  }
  for (const ChannelWaits& waits : waits_by_channel(trace)) {
    if (json["channels"].size() == top) {
      break;
    }
    const WaitedChannel& channel = trace.channels[waits.channel];
    Json entry = {{"channel", channel.name},
                  {"channel_id", channel.id ? Json(*channel.id) : Json(nullptr)},
                  {"node", channel.node}};
    add_sum(entry, waits.sum);
    json["channels"].push_back(std::move(entry));
  }
  for (const MessageWaits& waits : waits_by_message(trace)) {
    if (json["messages"].size() == top) {
      break;
    }
    json["messages"].push_back({{"message", waits.message},
                                {"waits", waits.waited.count},
                                {"wait_us", exact_microseconds(waits.waited.wait)},
                                {"held_up", waits.held_up.count},
                                {"held_up_us", exact_microseconds(waits.held_up.wait)}});
  }
  const std::vector<std::uint32_t> longest = longest_waits(trace);
  for (std::size_t i = 0; i < longest.size() && i < top; ++i) {
    json["waits"].push_back(wait_json(trace, trace.waits[longest[i]]));
  }
  for (const WaitChain& chain : wait_chains(trace, top)) {
    Json links = Json::array();
    for (const std::uint32_t wait : chain.waits) {
      links.push_back(wait_json(trace, trace.waits[wait]));
    }
    json["chains"].push_back({{"circle", chain.circle}, {"waits", std::move(links)}});
  }
  return json_text(json, JsonLayout::indented) + "\n";
}

std::string load_listing(const ChannelLoads& loads, const ContentionArguments& arguments)
{
  const std::vector<ChannelTime> times = busy_times(loads);
  const std::string drawn = maps(
      loads.header, arguments.map, [&] { return node_heat_map(loads.header, "time held", times); },
      [&] { return direction_heat_maps(loads.header, "time held", times); });
  return heading(loads.header, loads.end) + channel_load_table(loads, static_cast<std::size_t>(*arguments.top)) +
         (drawn.empty() ? "" : "\n" + drawn);
}

/// What every channel and port carried, whether anybody waited for it or not.
int channel_load(const ContentionArguments& arguments)
{
  if (!arguments.kind.empty() || !arguments.channel.empty() || arguments.message || arguments.between) {
    throw InputError("--by load: found --kind, --channel, --message or --between with it, which select waits");
  }
  const ChannelLoads loads = read_channel_loads(arguments.trace);
  write_listing(arguments.files,
                {.table = [&] { return load_listing(loads, arguments); },
                 .json = [&] { return channel_load_json_text(loads, static_cast<std::size_t>(*arguments.top)); },
                 .csv = [&] { return channel_load_csv(loads); }});
  return exit_code::done;
}

int contention(const ContentionArguments& arguments)
{
  if (*arguments.top < 1) {
    throw InputError(fmt::format("--top: found {}, expected a whole number from 1", *arguments.top));
  }
  check_listing(arguments.files);
  if (arguments.by == "load") {
    return channel_load(arguments);
  }
  if (!arguments.files.csv.empty()) {
    throw InputError("--csv: found without --by load, which is what it writes");
  }
  const ContentionTrace trace = read_contention(arguments.trace, read_selection(arguments));
  write_listing(arguments.files,
                {.table = [&] { return listing(trace, arguments); },
                 .json = [&] { return json_listing(trace, static_cast<std::size_t>(*arguments.top)); }});
  return exit_code::done;
}

} // namespace

Command contention_command()
{
  auto arguments = std::make_shared<ContentionArguments>();
  return {
      .name = "contention",
      .summary = "who waited for whom, where and how long, from a trace",
      .options =
          {{.name = "TRACE", .target = &arguments->trace, .text = "trace of wormcast run --trace", .required = true},
           {.name = "--by",
            .target = &arguments->by,
            .text = "waits: who waited for whom (default); load: what every channel and port carried, and how long it "
                    "was held",
            .choices = {"waits", "load"}},
           {.name = "--kind",
            .target = &arguments->kind,
            .text = "only waits of this kind",
            .choices = {"step", "depth", "port", "sharing", "other"}},
           {.name = "--top", .target = &arguments->top, .text = "length of the lists (default: 10)"},
           {.name = "--channel",
            .target = &arguments->channel,
            .text = "only waits for this channel or port: its id or its name, such as \"(1, 2) -> (2, 2)\" or "
                    "\"1,2>2,2\"",
            .value = "CHANNEL"},
           {.name = "--message", .target = &arguments->message, .text = "only waits of this message or for it"},
           {.name = "--between",
            .target = &arguments->between,
            .text = "only waiting times between two times with units, such as 0us 1.5ms",
            .value = "T1 T2"},
           {.name = "--map",
            .target = &arguments->map,
            .text = "heat map of a 2-D mesh or torus: nodes (default), directions, none",
            .choices = {"nodes", "directions", "none"}},
           listing_csv_option(arguments->files, "with --by load all channels and ports"),
           listing_json_option(arguments->files, "the lists")},
      .action = [arguments](Verbosity) { return contention(*arguments); }};
}

} // namespace wormcast
