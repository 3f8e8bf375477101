#include "wormcast/experiments/output/file.hpp"
#include "wormcast/experiments/program/commands/channel_load.hpp"
#include "wormcast/experiments/program/commands/commands.hpp"
#include "wormcast/experiments/program/commands/contention_json.hpp"
#include "wormcast/experiments/program/commands/contention_table.hpp"
#include "wormcast/experiments/program/commands/convert.hpp"
#include "wormcast/experiments/program/commands/listing.hpp"
#include "wormcast/experiments/trace/contention_summary.hpp"
#include "wormcast/experiments/trace/heat_map.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>

namespace wormcast {

namespace {

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

std::string load_listing(const ChannelLoads& loads, const ContentionArguments& arguments)
{
  const std::vector<ChannelTime> times = busy_times(loads);
  const std::string drawn = heat_maps(
      loads.header, arguments.map, [&] { return node_heat_map(loads.header, "time held", times); },
      [&] { return direction_heat_maps(loads.header, "time held", times); });
  return trace_heading(loads.header, loads.end) + channel_load_table(loads, static_cast<std::size_t>(*arguments.top)) +
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
  const auto top = static_cast<std::size_t>(*arguments.top);
  write_listing(arguments.files, {.table = [&] { return contention_table(trace, top, arguments.map); },
                                  .json = [&] { return contention_json_text(trace, top); }});
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
