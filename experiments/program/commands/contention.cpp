#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/channel_load.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/convert.hpp"
#include "wormcast/experiments/program/commands/listing.hpp"
#include "wormcast/experiments/sweep/table.hpp"
#include "wormcast/experiments/trace/contention_summary.hpp"
#include "wormcast/experiments/trace/heat_map.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <unistd.h>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

struct ContentionArguments {
  std::string trace;
  std::string kind;
  std::string channel;
  std::optional<std::int64_t> message;
  std::optional<std::int64_t> step;
  std::string of;
  std::optional<std::int64_t> broadcast;
  std::optional<std::pair<std::string, std::string>> between;
  std::optional<std::int64_t> top = 10;
  std::string map = "nodes";
  std::string by = "waits";
  std::string perfetto;
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

std::optional<std::uint32_t> read_number(std::string_view option, std::string_view what,
                                         const std::optional<std::int64_t>& number)
{
  if (number && (*number < 0 || *number > std::numeric_limits<std::uint32_t>::max())) {
    throw InputError(fmt::format("{}: found {}, expected the number of a {}, from 0", option, *number, what));
  }
  return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

WaitSelection read_selection(const ContentionArguments& arguments)
{
  WaitSelection selection;
  selection.kind = contention_kind_names.find(arguments.kind);
  selection.channel = arguments.channel;
  selection.message = read_number("--message", "message", arguments.message);
  selection.step = read_number("--step", "step", arguments.step);
  selection.of = series_part_names.find(arguments.of);
  selection.broadcast = read_number("--broadcast", "broadcast", arguments.broadcast);
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

std::vector<std::string> sum_line(std::string_view name, const WaitSum& sum)
{
  return {std::string(name), fmt::to_string(sum.count), microseconds(sum.wait), microseconds(sum.longest)};
}

/// The kinds that there can be.
std::span<const ContentionKind> kinds_of(const TraceHeader& header)
{
  return header.series ? std::span<const ContentionKind>(all_contention_kinds) : own_contention_kinds;
}

std::string totals_table(const ContentionTrace& trace)
{
  std::vector<std::vector<std::string>> lines = {{"kind", "waits", "waiting time (us)", "longest (us)"}};
  const auto totals = totals_by_kind(trace);
  for (const ContentionKind kind : kinds_of(trace.header)) {
    lines.push_back(sum_line(contention_kind_names.text(kind), totals[static_cast<std::size_t>(kind)]));
  }
  return aligned(lines);
}

std::string_view parts_title(WaitingParts parts)
{
  switch (parts) {
  case WaitingParts::broadcast_for_itself:
    return "a broadcast for itself";
  case WaitingParts::broadcast_for_another:
    return "a broadcast for another one";
  case WaitingParts::broadcast_for_load:
    return "a broadcast for the load";
  case WaitingParts::load_for_broadcast:
    return "the load for a broadcast";
  case WaitingParts::load_for_itself:
    return "the load for itself";
  }
  return "";
}

/// Of a series.
std::string parts_table(const ContentionTrace& trace)
{
  if (!trace.header.series) {
    return {};
  }
  std::vector<std::vector<std::string>> lines = {
      {"whose messages waited", "waits", "waiting time (us)", "longest (us)"}};
  const auto totals = totals_by_parts(trace);
  for (const WaitingParts parts : waiting_parts_names.all()) {
    lines.push_back(sum_line(parts_title(parts), totals[static_cast<std::size_t>(parts)]));
  }
  return "\n" + aligned(lines);
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

/// Empty where a run has one step or none with waits.
std::string step_table(const ContentionTrace& trace, std::size_t top)
{
  const std::vector<StepWaits> steps = waits_by_step(trace);
  if (steps.size() < 2) {
    return {};
  }
  std::vector<std::vector<std::string>> lines = {
      {"step", "waits", "waiting time (us)", "longest (us)", "most for", "of this time (us)"}};
  for (const StepWaits& waits : steps) {
    if (lines.size() > top) {
      break;
    }
    lines.push_back({fmt::to_string(waits.step), fmt::to_string(waits.sum.count), microseconds(waits.sum.wait),
                     microseconds(waits.sum.longest), trace.channels[waits.channel].name,
                     microseconds(waits.channel_wait)});
  }
  return "steps whose messages waited longest\n" + aligned(lines) + rest(steps.size(), top);
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
    lines.push_back({message_name(waits.message, waits.owner), fmt::to_string(waits.waited.count),
                     microseconds(waits.waited.wait), fmt::to_string(waits.held_up.count),
                     microseconds(waits.held_up.wait)});
  }
  return "messages that waited longest\n" + aligned(lines) + rest(messages.size(), top);
}

/// "message 5 (step 2)"; messages of a load have no steps.
std::string titled(std::uint32_t message, const MessageOwner& owner, std::uint32_t step)
{
  const bool of_load = owner.in_series && !owner.broadcast;
  return fmt::format("message {}{}", message_name(message, owner), of_load ? "" : fmt::format(" (step {})", step));
}

std::string wait_line(const ContentionTrace& trace, const Wait& wait)
{
  const std::string waiting = titled(wait.waiting, wait.waiting_owner, wait.waiting_step);
  const std::string holding = titled(wait.holding, wait.holding_owner, wait.holding_step);
  const std::string& channel = trace.channels[wait.channel].name;
  const std::string_view kind = contention_kind_names.text(wait.kind);
  if (wait.kind == ContentionKind::sharing) {
    return fmt::format("{} lost {} us, from {} to {}, on {} to others, first to {}: {}", waiting,
                       microseconds(wait.wait), microseconds(wait.from), microseconds(wait.to), channel, holding, kind);
  }
  return fmt::format("{} waited {} us, from {} to {}, for {}, held by {}: {}", waiting, microseconds(wait.wait),
                     microseconds(wait.from), microseconds(wait.to), channel, holding, kind);
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
    text +=
        fmt::format("  {} messages{}\n", chain.waits.size() + (chain.cycle ? 0 : 1), chain.cycle ? " in a cycle" : "");
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

std::string series_heading(const TraceSeries& series, std::uint64_t messages)
{
  return fmt::format("{} broadcasts with messages below {}, {} messages of the load{}\n", series.broadcasts,
                     series.messages, messages - series.messages,
                     series.round ? fmt::format("; records of round {} alone", *series.round) : "");
}

/// The network and, where the run has not ended well, how it ended.
std::string heading(const TraceHeader& header, const TraceEnd& end)
{
  const std::string network =
      header.dims.empty() ? header.kind : fmt::format("{} {}", header.kind, fmt::join(header.dims, " x "));
  std::string text =
      fmt::format("{}, {} nodes, {} channels, {} messages\n", network, header.nodes, header.channels, header.messages);
  if (header.series) {
    text += series_heading(*header.series, header.messages);
  }
  text += end.saturated ? "\nSATURATED: the load is more than the network carries; what follows is what happened until "
                          "that was clear\n\n"
                        : "\n";
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
  std::string text = heading(trace.header, trace.end);
  if (const std::optional<TraceBroadcast>& broadcast = trace.broadcast) {
    text += fmt::format("broadcast {} in round {} from node {}: from {} us on, took {} us\n\n", broadcast->number,
                        broadcast->round, broadcast->source, microseconds(broadcast->start),
                        microseconds(broadcast->latency));
  }
  text += totals_table(trace) + parts_table(trace);
  if (longest_waits(trace).empty()) {
    return text + (trace.waits.empty() ? "\nno contention\n" : "\nno such waits\n");
  }
  for (const std::string& part : {step_table(trace, top), channel_table(trace, top), message_table(trace, top),
                                  wait_list(trace, top), chain_list(trace, top),
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

Json message_json(std::uint32_t message, const MessageOwner& owner)
{
  Json json = {{"message", message}};
  if (owner.in_series) {
    json["broadcast"] = owner.broadcast ? Json(*owner.broadcast) : Json(nullptr);
  }
  return json;
}

Json message_json(std::uint32_t message, std::uint32_t step, const MessageOwner& owner)
{
  Json json = message_json(message, owner);
  json["step"] = step;
  return json;
}

Json wait_json(const ContentionTrace& trace, const Wait& wait)
{
  const WaitedChannel& channel = trace.channels[wait.channel];
  return {{"kind", contention_kind_names.text(wait.kind)},
          {"channel", channel.name},
          {"channel_id", channel.id ? Json(*channel.id) : Json(nullptr)},
          {"node", channel.node},
          {"waiting", message_json(wait.waiting, wait.waiting_step, wait.waiting_owner)},
          {"holding", message_json(wait.holding, wait.holding_step, wait.holding_owner)},
          {"from_us", exact_microseconds(wait.from)},
          {"to_us", exact_microseconds(wait.to)},
          {"wait_us", exact_microseconds(wait.wait)}};
}

Json broadcast_json(const TraceBroadcast& broadcast)
{
  return {{"number", broadcast.number},
          {"round", broadcast.round},
          {"source", broadcast.source},
          {"start_us", exact_microseconds(broadcast.start)},
          {"latency_us", exact_microseconds(broadcast.latency)}};
}

/// Lists have at most `top` entries.
std::string json_listing(const ContentionTrace& trace, std::size_t top)
{
  Json json;
  json["format"] = "wormcast-contention/1";
  json["latency_us"] = microseconds_or_null(trace.end.latency);
  json["deadlock_us"] = microseconds_or_null(trace.end.deadlock);
  json["undelivered"] = trace.end.undelivered;
  if (trace.header.series) {
    json["saturated"] = trace.end.saturated;
    json["broadcast"] = trace.broadcast ? broadcast_json(*trace.broadcast) : Json(nullptr);
  }
  const auto totals = totals_by_kind(trace);
  for (const ContentionKind kind : kinds_of(trace.header)) {
    add_sum(json["totals"][std::string(contention_kind_names.text(kind))], totals[static_cast<std::size_t>(kind)]);
  }
  if (trace.header.series) {
    const auto by_parts = totals_by_parts(trace);
    for (const WaitingParts parts : waiting_parts_names.all()) {
      add_sum(json["whose"][std::string(waiting_parts_names.text(parts))], by_parts[static_cast<std::size_t>(parts)]);
    }
  }
  for (const char* list : {"steps", "channels", "messages", "waits", "chains"}) {
    json[list] = Json::array();
  }
  for (const StepWaits& waits : waits_by_step(trace)) {
    if (json["steps"].size() == top) {
      break;
    }
    Json entry = {{"step", waits.step}};
    add_sum(entry, waits.sum);
    entry["channel"] = trace.channels[waits.channel].name;
    entry["channel_wait_us"] = exact_microseconds(waits.channel_wait);
    json["steps"].push_back(std::move(entry));
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
    Json entry = message_json(waits.message, waits.owner);
    entry["waits"] = waits.waited.count;
    entry["wait_us"] = exact_microseconds(waits.waited.wait);
    entry["held_up"] = waits.held_up.count;
    entry["held_up_us"] = exact_microseconds(waits.held_up.wait);
    json["messages"].push_back(std::move(entry));
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
    json["chains"].push_back({{"cycle", chain.cycle}, {"waits", std::move(links)}});
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

/// Whether an option selects waits.
bool selects_waits(const ContentionArguments& arguments)
{
  return !arguments.kind.empty() || !arguments.channel.empty() || arguments.message || arguments.step ||
         arguments.between || !arguments.of.empty() || arguments.broadcast;
}

/// What every channel and port carried, whether anybody waited for it or not.
int channel_load(const ContentionArguments& arguments)
{
  if (selects_waits(arguments)) {
    throw InputError("--by load: found --kind, --channel, --message, --step, --of, "
                     "--broadcast or --between with it, which select waits");
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
  if (!arguments.perfetto.empty()) {
    if (selects_waits(arguments) || arguments.by != "waits" || !arguments.files.json.empty() ||
        !arguments.files.csv.empty()) {
      throw InputError("--perfetto: writes the whole trace, expected no other option than this one");
    }
    write_perfetto_events(arguments.trace, arguments.perfetto);
    say_written(arguments.perfetto);
    return exit_code::done;
  }
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
            .text = "waits: who waited for whom (default); load: "
                    "what every channel and port carried, and how long it was held",
            .choices = {"waits", "load"}},
           {.name = "--kind",
            .target = &arguments->kind,
            .text = "only waits of this kind",
            .choices = contention_kind_names.texts()},
           {.name = "--top", .target = &arguments->top, .text = "length of the lists (default: 10)"},
           {.name = "--channel",
            .target = &arguments->channel,
            .text = "only waits for this channel or port: its id or its name, "
                    "such as \"(1, 2) -> (2, 2)\" or \"1,2>2,2\"",
            .value = "CHANNEL"},
           {.name = "--message", .target = &arguments->message, .text = "only waits of this message or for it"},
           {.name = "--step",
            .target = &arguments->step,
            .text = "only waits of messages of this step (from 0, as in the trace)",
            .value = "N"},
           {.name = "--of",
            .target = &arguments->of,
            .text = "of several broadcasts, or of one among traffic: "
                    "only waits of the broadcasts' messages, or of the load's",
            .choices = series_part_names.texts()},
           {.name = "--broadcast",
            .target = &arguments->broadcast,
            .text = "only waits of messages of this broadcast (from 0) or for them",
            .value = "N"},
           {.name = "--between",
            .target = &arguments->between,
            .text = "only waiting times between two times with units, such as 0us 1.5ms",
            .value = "T1 T2"},
           {.name = "--map",
            .target = &arguments->map,
            .text = "heat map of a 2-D mesh or torus: nodes (default), directions, none",
            .choices = {"nodes", "directions", "none"}},
           {.name = "--perfetto",
            .target = &arguments->perfetto,
            .text = "instead of the table write the trace as events that Perfetto and chrome://tracing show, to a file "
                    "whose name ends in .perfetto.json",
            .value = "FILE"},
           listing_csv_option(arguments->files, "with --by load all channels and ports"),
           listing_json_option(arguments->files, "the lists")},
      .action = [arguments](Verbosity) { return contention(*arguments); }};
}

} // namespace wormcast
