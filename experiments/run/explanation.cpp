#include "wormcast/experiments/run/explanation.hpp"

#include "wormcast/algorithms/schedule/message_words_json.hpp"
#include "wormcast/experiments/run/path_account.hpp"
#include "wormcast/experiments/run/path_names.hpp"
#include "wormcast/formats/json_text.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

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
    const auto cause = static_cast<PathCause>(i);
    if ((is_of_nodes(cause) || is_of_own_port(cause)) && path.sums[i] != Time{}) {
      width = std::max(width, path_cause_names.texts()[i].size());
    }
  }
  for (const PathCause stage : router.stages) {
    width = std::max(width, path_cause_names.text(stage).size());
  }
  return width;
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
  if (segment.port_held_by) {
    json["port_held_by"] = names.number(*segment.port_held_by);
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

/// Those that are asked for, else by what an MPI program says of its messages, else by node.
std::vector<PathGrouping> groupings_or_own(const std::vector<PathGrouping>& asked, const PathNames& names,
                                           const ProgramWords* words)
{
  if (!asked.empty()) {
    return asked;
  }
  std::vector<PathGrouping> own = words == nullptr ? std::vector<PathGrouping>() : word_groupings(*words);
  return own.empty() ? node_groupings(names) : own;
}

Json groups_json(const CriticalPath& path, const std::vector<PathGrouping>& groupings)
{
  Json json = Json::array();
  for (const PathGrouping& grouping : groupings) {
    Json groups = Json::array();
    for (const PathGroup& group : path_groups(path, grouping)) {
      groups.push_back({{"name", group.name},
                        {"time_us", exact_microseconds(group.time)},
                        {"startup_us", exact_microseconds(group.startup)},
                        {"messages", group.messages}});
    }
    json.push_back({{"title", grouping.title}, {"groups", std::move(groups)}});
  }
  return json;
}

Json path_json(const PathNames& names, const CriticalPath& path, const ProgramWords* words)
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
    if (words != nullptr) {
      messages.back()["mpi"] = Json::parse(message_words_json(*words, words->messages[index(part.message)]));
    }
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

/// The sums of a path called `name`, and those of all.
std::string sums_beside_means(std::string_view name, const CriticalPath& path, const PathMeans& means,
                              std::size_t width)
{
  return fmt::format("\n{:<{}}{:>19} {:>8} {:>19}\n{}", "where the time went", width + 2, name, "", "mean of all",
                     sums_text(path, &means, width));
}

bool shows_whole_path(const CriticalPath& path, PathDetail detail)
{
  constexpr std::size_t lines_of_a_screen = 20;
  std::size_t lines = 0;
  for (const PathMessage& message : path.messages) {
    lines += 4 + message.segments.size();
  }
  return detail == PathDetail::all || lines <= lines_of_a_screen;
}

/// The path by groups and its longest parts, or all of it.
void append_path(const PathNames& names, const CriticalPath& path, const ExplanationOptions& options, std::size_t width,
                 fmt::memory_buffer& text)
{
  const auto append = [&](const std::string& part) { text.append(part); };
  const bool is_whole = shows_whole_path(path, options.detail);
  if (!is_whole || options.detail == PathDetail::all) {
    append(groups_text(path, options.groupings));
    append(longest_text(names, path, width));
  }
  if (is_whole) {
    append_messages(names, path, width, text);
  } else {
    fmt::format_to(std::back_inserter(text), "\nthe whole path: --explain=all\n");
  }
}

} // namespace

std::string explanation_text(const Experiment& experiment, const Schedule& schedule, const CriticalPath& path,
                             const ExplanationOptions& options)
{
  fmt::memory_buffer text;
  const std::size_t width = cause_width(*experiment.network.router, path, false);
  fmt::format_to(std::back_inserter(text), "critical path: {}\n\nwhere the time went\n{}", messages_text(path),
                 sums_text(path, nullptr, width));
  const PathNames names(experiment, schedule);
  append_path(
      names, path,
      {.detail = options.detail, .groupings = groupings_or_own(options.groupings, names, simulated_words(experiment))},
      width, text);
  return fmt::to_string(text);
}

Json explanation_json(const Experiment& experiment, const Schedule& schedule, const CriticalPath& path,
                      const std::vector<PathGrouping>& groupings)
{
  const PathNames names(experiment, schedule);
  const ProgramWords* const words = simulated_words(experiment);
  return {{"latency_us", exact_microseconds(path.latency)},
          {"messages", path_json(names, path, words)},
          {"groups", groups_json(path, groupings_or_own(groupings, names, words))},
          {"sums", sums_json(*experiment.network.router, nodes_take_time(experiment, schedule), false,
                             [&](std::size_t cause) { return exact_microseconds(path.sums[cause]); })}};
}

std::string explanation_text(const SeriesExperiment& experiment, const SeriesPaths& paths,
                             const ExplanationOptions& options)
{
  const CriticalPath& path = paths.path;
  const SeriesBroadcast& slowest = paths.slowest;
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const std::size_t width = cause_width(*experiment.single.network.router, path, true);
  fmt::format_to(out, "critical path of broadcast {} from {}, the slowest: {}; times from its start, at {} us\n",
                 slowest.number, experiment.single.topology->node_name(slowest.source), messages_text(path),
                 format_microseconds(slowest.start));
  text.append(sums_beside_means(fmt::format("broadcast {}", slowest.number), path, paths.means, width));
  const PathNames names = names_of(experiment, paths);
  append_path(names, path, {.detail = options.detail, .groupings = groupings_or_own(options.groupings, names, nullptr)},
              width, text);
  return fmt::to_string(text);
}

Json explanation_json(const SeriesExperiment& experiment, const SeriesPaths& paths)
{
  const RouterModel& router = *experiment.single.network.router;
  const PathNames names = names_of(experiment, paths);
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
          {"messages", path_json(names, paths.path, nullptr)},
          {"groups", groups_json(paths.path, node_groupings(names))},
          {"others", std::move(others)},
          {"sums", sums_json(router, false, true,
                             [&](std::size_t cause) { return exact_microseconds(paths.path.sums[cause]); })},
          {"mean_sums", sums_json(router, false, true,
                                  [&](std::size_t cause) { return measured_microseconds(paths.means[cause]); })}};
}

std::string explanation_text(const Experiment& experiment, const Schedule& schedule, const MessageTimes& times)
{
  const CriticalPath& slowest = times.slowest;
  const std::string name = fmt::format("message {}", index(slowest.messages.front().message));
  const double mean = std::accumulate(times.means.begin(), times.means.end(), 0.0);
  const std::size_t width = cause_width(*experiment.network.router, slowest, false);
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{}, {:.7g} us on average from their generation to their delivery; {} took longest\n",
                 counted(times.messages, "message"), mean / 1e6, name);
  text.append(sums_beside_means(name, slowest, times.means, width));
  append_messages(PathNames(experiment, schedule), slowest, width, text);
  return fmt::to_string(text);
}

Json explanation_json(const Experiment& experiment, const Schedule& schedule, const MessageTimes& times)
{
  const RouterModel& router = *experiment.network.router;
  Json slowest = path_json(PathNames(experiment, schedule), times.slowest, nullptr).front();
  slowest["sums"] =
      sums_json(router, false, false, [&](std::size_t cause) { return exact_microseconds(times.slowest.sums[cause]); });
  return {{"messages", times.messages},
          {"mean_sums", sums_json(router, false, false,
                                  [&](std::size_t cause) { return measured_microseconds(times.means[cause]); })},
          {"slowest", std::move(slowest)}};
}

} // namespace wormcast
