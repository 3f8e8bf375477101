#include "wormcast/experiments/run/explanation.hpp"

#include "wormcast/experiments/trace/resource_name.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

bool is_plain(const Schedule& schedule)
{
  return schedule.operation == Operation::none;
}

/// Names of the parts of a path.
struct PathNames {
  ResourceNames resources;
  const Schedule& schedule;
  ScheduleInRun position = {};                                ///< of the schedule
  const std::map<MessageId, SeriesMessage>* others = nullptr; ///< messages of others; null: there are none

  PathNames(const Experiment& experiment, const Schedule& of)
      : resources(*experiment.topology, experiment.network.ports), schedule(of)
  {}

  const Topology& topology() const { return resources.topology(); }

  std::uint32_t number(MessageId own) const { return index(position.in_run(own)); }

  /// "message 5 of step 2, (0, 0) to (2, 0)".
  std::string title(MessageId own) const
  {
    const Message& message = schedule.messages[index(own)];
    return fmt::format("message {}{}, {}", number(own),
                       is_plain(schedule) ? std::string() : fmt::format(" of step {}", message.step),
                       from_to(message.source, message.destination));
  }

  /// Of a message by its number in the run.
  std::string title_in_run(MessageId message) const
  {
    const std::uint32_t number = index(message);
    if (number >= position.first && number - position.first < schedule.messages.size()) {
      return title(MessageId{number - position.first});
    }
    const auto found = others != nullptr ? others->find(message) : decltype(others->end()){};
    if (others == nullptr || found == others->end()) {
      return fmt::format("message {}", number);
    }
    const SeriesMessage& other = found->second;
    return fmt::format("message {} of {}, {}", number,
                       other.broadcast ? fmt::format("broadcast {}, step {}", *other.broadcast, other.step)
                                       : "the load",
                       from_to(other.source, other.destination));
  }

private:
  std::string from_to(NodeId source, NodeId destination) const
  {
    return fmt::format("{} to {}", topology().node_name(source), topology().node_name(destination));
  }
};

std::string late_start_text(const PathNames& names, const PathMessage& message)
{
  return fmt::format("its node started last; message {} had been delivered at {} us{}", names.number(*message.earlier),
                     format_microseconds(message.earlier_at),
                     is_plain(names.schedule) ? ", which it comes after" : ", with what it needs");
}

std::string reason_text(const PathNames& names, const PathMessage& message)
{
  const std::string follows =
      message.follows ? fmt::format("message {}", names.number(*message.follows)) : std::string();
  switch (message.reason) {
  case PathReason::start:
    return message.earlier ? late_start_text(names, message) : "nothing had to happen first";
  case PathReason::step:
    return fmt::format("step {} ended with {}", names.schedule.messages[index(*message.follows)].step, follows);
  case PathReason::blocks:
    return fmt::format("{} brought its blocks", follows);
  case PathReason::port:
    return fmt::format("{} gave back the sender's port", follows);
  case PathReason::turn:
    return fmt::format("{} of the same sender came first", follows);
  case PathReason::dependency:
    return fmt::format("it comes after {}", follows);
  case PathReason::ready:
    return fmt::format("{} brought its receiver's readiness", follows);
  case PathReason::program:
    return fmt::format("the program sent it after {}", follows);
  }
  return {};
}

/// The part of a channel for which a header waits; nothing if it waits for the channel itself.
std::string_view awaited(WaitCause cause)
{
  switch (cause) {
  case WaitCause::channel:
    break;
  case WaitCause::queue:
    return "its place in front in ";
  case WaitCause::virtual_channel:
    return "a virtual channel of ";
  case WaitCause::slot:
    return "a credit of ";
  case WaitCause::crossbar:
    return "the crossbar to ";
  }
  return {};
}

std::string segment_text(const PathNames& names, const PathSegment& segment)
{
  switch (segment.cause) {
  case PathCause::hops:
    return counted(segment.hops, "hop");
  case PathCause::bytes:
  case PathCause::storing:
    return counted(segment.flits, "flit");
  case PathCause::port_wait:
  case PathCause::step_wait:
  case PathCause::depth_wait:
  case PathCause::other_port_wait:
  case PathCause::other_wait:
    return fmt::format("for {}{}, held by {}", awaited(segment.wait->cause),
                       names.resources.name(segment.wait->resource), names.title_in_run(segment.wait->holding));
  case PathCause::sharing:
    if (segment.wait) {
      return fmt::format("{} on {}, first to {}", segment.channel ? "for its turn" : "flits lose turns, most",
                         names.resources.name(segment.wait->resource), names.title_in_run(segment.wait->holding));
    }
    if (segment.channel) {
      return fmt::format("for its turn on {}",
                         names.resources.name({.kind = Resource::Kind::external,
                                               .channel = *segment.channel,
                                               .node = names.topology().channel_source(*segment.channel)}));
    }
    return "flits take turns with other worms'";
  case PathCause::start_delay:
  case PathCause::start_time:
  case PathCause::startup:
  case PathCause::buffers:
  case PathCause::program:
  case PathCause::routing:
  case PathCause::virtual_channel_allocation:
  case PathCause::switch_allocation:
  case PathCause::switch_traversal:
  case PathCause::link:
  case PathCause::pipeline:
  case PathCause::startup_latency:
  case PathCause::addition:
  case PathCause::copy:
  case PathCause::call:
    break;
  case PathCause::addition_wait:
    return "its node adds others first";
  }
  return {};
}

/// Stages are parts of the latency that only some routers know.
bool is_stage(PathCause cause)
{
  return std::ranges::any_of(routers(), [&](const RouterModel& router) {
    return std::ranges::find(router.stages, cause) != router.stages.end();
  });
}

bool is_of_others(PathCause cause)
{
  return cause == PathCause::other_port_wait || cause == PathCause::other_wait;
}

/// Columns of the longest cause that there is.
std::size_t cause_width(const RouterModel& router, const CriticalPath& path, bool among_others)
{
  constexpr std::size_t without_stages = 12;
  std::size_t width = among_others ? path_cause_names.text(PathCause::other_port_wait).size() : without_stages;
  for (std::size_t i = 0; i < path_cause_count; ++i) {
    if (is_of_nodes(static_cast<PathCause>(i)) && path.sums[i] != Time{}) {
      width = std::max(width, path_cause_names.texts()[i].size());
    }
  }
  for (const PathCause stage : router.stages) {
    width = std::max(width, path_cause_names.text(stage).size());
  }
  return width;
}

/// "start_delay" as people read it.
std::string cause_title(PathCause cause)
{
  std::string title(path_cause_names.text(cause));
  for (char& letter : title) {
    letter = letter == '_' ? ' ' : letter;
  }
  return title;
}

std::string percentage(Time part, Time whole)
{
  return whole.picoseconds == 0 ? std::string("0.0")
                                : fmt::format("{:.1f}", 100.0 * static_cast<double>(part.picoseconds) /
                                                            static_cast<double>(whole.picoseconds));
}

Json segment_json(const PathNames& names, const PathSegment& segment)
{
  Json json = {{"cause", std::string(path_cause_names.text(segment.cause))},
               {"from_us", exact_microseconds(segment.from)},
               {"to_us", exact_microseconds(segment.to)}};
  if (segment.cause == PathCause::hops) {
    json["hops"] = segment.hops;
  }
  if (segment.cause == PathCause::bytes || segment.cause == PathCause::storing) {
    json["flits"] = segment.flits;
  }
  if (segment.wait) {
    const auto channel = names.resources.channel(segment.wait->resource);
    json["channel"] = names.resources.name(segment.wait->resource);
    json["channel_id"] = channel ? Json(index(*channel)) : Json(nullptr);
    if (segment.wait->cause != WaitCause::channel) {
      json["waits_for"] = wait_cause_names.text(segment.wait->cause);
    }
    json["holding"] = index(segment.wait->holding);
    json["holding_step"] = is_plain(names.schedule) ? Json(nullptr) : Json(segment.wait->holding_step);
  } else if (segment.channel) {
    json["channel_id"] = index(*segment.channel);
  }
  return json;
}

void append_segments(const PathNames& names, std::span<const PathSegment> segments, std::size_t width,
                     fmt::memory_buffer& text)
{
  for (const PathSegment& segment : segments) {
    const std::string detail = segment_text(names, segment);
    fmt::format_to(std::back_inserter(text), "  {:>14} us  {}\n", "+ " + format_microseconds(segment.to - segment.from),
                   detail.empty() ? cause_title(segment.cause)
                                  : fmt::format("{:<{}} {}", cause_title(segment.cause), width, detail));
  }
}

/// Its messages, each with its segments. What the receiver does with a message follows its delivery.
void append_messages(const PathNames& names, const CriticalPath& path, std::size_t width, fmt::memory_buffer& text)
{
  const auto out = std::back_inserter(text);
  for (const PathMessage& message : path.messages) {
    fmt::format_to(out, "\n{}, {} bytes, {}\n", names.title(message.message), message.bytes,
                   counted(message.hops, "hop"));
    fmt::format_to(out, "  {:>14} us  ready: {}\n", format_microseconds(message.ready), reason_text(names, message));
    const auto behind = std::ranges::find_if(message.segments,
                                             [&](const PathSegment& segment) { return segment.from >= message.until; });
    append_segments(names, {message.segments.begin(), behind}, width, text);
    fmt::format_to(out, "  {:>14} us  {}\n", format_microseconds(message.until),
                   message.until_port_free ? "the sender's port is free" : "delivered");
    append_segments(names, {behind, message.segments.end()}, width, text);
  }
}

std::string messages_text(const CriticalPath& path)
{
  return fmt::format("{}, {} us", counted(path.messages.size(), "message"), format_microseconds(path.latency));
}

Json number_or_null(const PathNames& names, const std::optional<MessageId>& message)
{
  return message ? Json(names.number(*message)) : Json(nullptr);
}

Json path_json(const PathNames& names, const CriticalPath& path)
{
  Json messages = Json::array();
  for (const PathMessage& part : path.messages) {
    const Message& message = names.schedule.messages[index(part.message)];
    Json segments = Json::array();
    for (const PathSegment& segment : part.segments) {
      segments.push_back(segment_json(names, segment));
    }
    messages.push_back({{"message", names.number(part.message)},
                        {"step", is_plain(names.schedule) ? Json(nullptr) : Json(message.step)},
                        {"src", index(message.source)},
                        {"dst", index(message.destination)},
                        {"bytes", part.bytes},
                        {"hops", part.hops},
                        {"reason", std::string(path_reason_names.text(part.reason))},
                        {"follows", number_or_null(names, part.follows)},
                        {"earlier", number_or_null(names, part.earlier)},
                        {"earlier_us", part.earlier ? exact_microseconds(part.earlier_at) : Json(nullptr)},
                        {"ready_us", exact_microseconds(part.ready)},
                        {"until_us", exact_microseconds(part.until)},
                        {"until", part.until_port_free ? "port_free" : "delivered"},
                        {"segments", std::move(segments)}});
  }
  return messages;
}

/// Whether nodes do something that takes time beside sending.
bool nodes_take_time(const Experiment& experiment, const Schedule& schedule)
{
  return experiment.run.computation.any() || experiment.network.startup_latency != Time{} ||
         std::ranges::any_of(schedule.plain, [](const PlainMessage& message) { return message.compute != Time{}; });
}

/// The keys of sums: `value` gives that of a cause.
template <typename Value>
Json sums_json(const RouterModel& router, bool of_nodes, bool among_others, const Value& value)
{
  Json sums;
  for (std::size_t i = 0; i < path_cause_count; ++i) {
    const auto cause = static_cast<PathCause>(i);
    const bool is_own = std::ranges::find(router.stages, cause) != router.stages.end();
    const bool is_absent =
        (is_stage(cause) && !is_own) || (is_of_others(cause) && !among_others) || (is_of_nodes(cause) && !of_nodes);
    if (!is_absent) {
      sums[fmt::format("{}_us", path_cause_names.text(cause))] = value(i);
    }
  }
  return sums;
}

PathNames names_of(const SeriesExperiment& experiment, const SeriesPaths& paths)
{
  PathNames names(experiment.single, *paths.schedule);
  names.position = paths.position;
  names.others = &paths.others;
  return names;
}

} // namespace

std::string explanation_text(const Experiment& experiment, const Schedule& schedule, const CriticalPath& path)
{
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const std::size_t width = cause_width(*experiment.network.router, path, false);
  fmt::format_to(out, "critical path: {}\n", messages_text(path));
  append_messages(PathNames(experiment, schedule), path, width, text);
  fmt::format_to(out, "\nwhere the time went\n");
  for (std::size_t cause = 0; cause < path_cause_count; ++cause) {
    if (path.sums[cause].picoseconds != 0) {
      fmt::format_to(out, "  {:<{}}{:>16} us {:>6} %\n", cause_title(static_cast<PathCause>(cause)), width,
                     format_microseconds(path.sums[cause]), percentage(path.sums[cause], path.latency));
    }
  }
  fmt::format_to(out, "  {:<{}}{:>16} us\n", "latency", width, format_microseconds(path.latency));
  return fmt::to_string(text);
}

Json explanation_json(const Experiment& experiment, const Schedule& schedule, const CriticalPath& path)
{
  return {{"latency_us", exact_microseconds(path.latency)},
          {"messages", path_json(PathNames(experiment, schedule), path)},
          {"sums", sums_json(*experiment.network.router, nodes_take_time(experiment, schedule), false,
                             [&](std::size_t cause) { return exact_microseconds(path.sums[cause]); })}};
}

std::string explanation_text(const SeriesExperiment& experiment, const SeriesPaths& paths)
{
  const CriticalPath& path = paths.path;
  const SeriesBroadcast& slowest = paths.slowest;
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const std::size_t width = cause_width(*experiment.single.network.router, path, true);
  fmt::format_to(out, "critical path of broadcast {} from {}, the slowest: {}; times from its start, at {} us\n",
                 slowest.number, experiment.single.topology->node_name(slowest.source), messages_text(path),
                 format_microseconds(slowest.start));
  append_messages(names_of(experiment, paths), path, width, text);
  fmt::format_to(out, "\n{:<{}}{:>19} {:>8} {:>19}\n", "where the time went", width + 2,
                 fmt::format("broadcast {}", slowest.number), "", "mean of all");
  const double mean_latency = std::reduce(paths.means.begin(), paths.means.end());
  for (std::size_t cause = 0; cause < path_cause_count; ++cause) {
    if (path.sums[cause].picoseconds != 0 || paths.means[cause] != 0) {
      fmt::format_to(out, "  {:<{}}{:>16} us {:>6} % {:>16.7g} us {:>6.1f} %\n",
                     cause_title(static_cast<PathCause>(cause)), width, format_microseconds(path.sums[cause]),
                     percentage(path.sums[cause], path.latency), paths.means[cause] / 1e6,
                     mean_latency == 0 ? 0.0 : 100 * paths.means[cause] / mean_latency);
    }
  }
  fmt::format_to(out, "  {:<{}}{:>16} us {:>8} {:>16.7g} us\n", "latency", width, format_microseconds(path.latency), "",
                 mean_latency / 1e6);
  return fmt::to_string(text);
}

Json explanation_json(const SeriesExperiment& experiment, const SeriesPaths& paths)
{
  const RouterModel& router = *experiment.single.network.router;
  Json others = Json::array();
  for (const auto& [id, message] : paths.others) {
    others.push_back({{"message", index(id)},
                      {"broadcast", message.broadcast ? Json(*message.broadcast) : Json(nullptr)},
                      {"src", index(message.source)},
                      {"dst", index(message.destination)},
                      {"bytes", message.bytes}});
  }
  return {{"broadcast", paths.slowest.number},
          {"start_us", exact_microseconds(paths.slowest.start)},
          {"latency_us", exact_microseconds(paths.path.latency)},
          {"messages", path_json(names_of(experiment, paths), paths.path)},
          {"others", std::move(others)},
          {"sums", sums_json(router, false, true,
                             [&](std::size_t cause) { return exact_microseconds(paths.path.sums[cause]); })},
          {"mean_sums", sums_json(router, false, true,
                                  [&](std::size_t cause) { return measured_microseconds(paths.means[cause]); })}};
}

} // namespace wormcast
