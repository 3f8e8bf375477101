#include "wormcast/experiments/run/path_account.hpp"

#include "wormcast/algorithms/schedule/message_words.hpp"
#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

namespace wormcast {

namespace {

constexpr std::size_t shown_groups = 5;
constexpr std::size_t shown_segments = 5;

/// Time that is spent by no message.
bool is_between_messages(PathCause cause)
{
  switch (cause) {
  case PathCause::start_delay:
  case PathCause::start_time:
  case PathCause::program:
  case PathCause::addition_wait:
  case PathCause::addition:
  case PathCause::copy:
  case PathCause::call:
    return true;
  default:
    return false;
  }
}

bool is_startup(PathCause cause)
{
  return cause == PathCause::startup || cause == PathCause::own_port_startup;
}

/// One line of the sums.
struct SumLine {
  std::string title;
  Time time;
  double mean;
};

/// The parts of the wait for the own port stand below a line of their sum.
std::vector<SumLine> sum_lines(const CriticalPath& path, const PathMeans* means)
{
  const auto mean_of = [&](std::size_t cause) { return means == nullptr ? 0.0 : (*means)[cause]; };
  std::vector<SumLine> lines;
  SumLine own_port{.title = "own port", .time = {}, .mean = 0};
  for (std::size_t i = 0; i < path_cause_count; ++i) {
    own_port.time += is_of_own_port(static_cast<PathCause>(i)) ? path.sums[i] : Time{};
    own_port.mean += is_of_own_port(static_cast<PathCause>(i)) ? mean_of(i) : 0.0;
  }
  for (std::size_t i = 0; i < path_cause_count; ++i) {
    const auto cause = static_cast<PathCause>(i);
    if (cause == PathCause::own_port_startup && (own_port.time != Time{} || own_port.mean != 0)) {
      lines.push_back(own_port);
    }
    if (path.sums[i] != Time{} || mean_of(i) != 0) {
      constexpr std::string_view prefix = "own port ";
      lines.push_back(
          {.title = is_of_own_port(cause) ? "  " + cause_title(cause).substr(prefix.size()) : cause_title(cause),
           .time = path.sums[i],
           .mean = mean_of(i)});
    }
  }
  return lines;
}

std::string group_line(const PathGroup& group, Time latency, std::size_t width)
{
  return fmt::format("  {:<{}}{:>16} us {:>6} %  {}\n", group.name, width, format_microseconds(group.time),
                     percentage(group.time, latency),
                     group.messages == 0 ? "between messages"
                                         : fmt::format("{}, start-up {} us", counted(group.messages, "message"),
                                                       format_microseconds(group.startup)));
}

/// Whether it is known of any message which MPI function sent it.
bool has_calls(const ProgramWords& words)
{
  return std::ranges::any_of(words.messages,
                             [&](const MessageWords& message) { return !words.calls.text(message.call).empty(); });
}

/// Whether the program names a region in which it sends a message.
bool has_regions(const ProgramWords& words)
{
  return std::ranges::any_of(words.messages,
                             [&](const MessageWords& message) { return !words.regions.text(message.region).empty(); });
}

} // namespace

std::vector<PathGroup> path_groups(const CriticalPath& path, const PathGrouping& grouping)
{
  std::vector<PathGroup> groups;
  std::map<std::string, std::size_t> by_name;
  std::vector<std::set<MessageId>> messages;
  for (const PathMessage& message : path.messages) {
    for (const PathSegment& segment : message.segments) {
      const MessageId spender = segment.port_held_by.value_or(message.message);
      const bool is_between = is_between_messages(segment.cause);
      const std::string name = is_between ? cause_title(segment.cause) : grouping.name(spender);
      const auto [found, is_new] = by_name.emplace(name, groups.size());
      if (is_new) {
        groups.push_back({.name = name, .time = {}, .startup = {}});
        messages.emplace_back();
      }
      PathGroup& group = groups[found->second];
      group.time += segment.to - segment.from;
      group.startup += is_startup(segment.cause) ? segment.to - segment.from : Time{};
      if (!is_between) {
        messages[found->second].insert(spender);
      }
    }
  }
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i].messages = messages[i].size();
  }
  std::ranges::stable_sort(groups, std::greater<>(), &PathGroup::time);
  return groups;
}

std::vector<PathGrouping> word_groupings(const ProgramWords& words)
{
  if (!has_calls(words)) {
    return {};
  }
  const auto of = [&words](MessageId id) -> const MessageWords& { return words.messages[index(id)]; };
  std::vector<PathGrouping> groupings = {
      {.title = "by rank that sends", .name = [of](MessageId id) { return fmt::format("rank {}", of(id).sender); }},
      {.title = "by pair of ranks",
       .name = [of](MessageId id) { return fmt::format("rank {} to rank {}", of(id).sender, of(id).receiver); }},
      {.title = "by MPI function",
       .name = [&words, of](MessageId id) { return words.group_name(of(id), WordGroup::call); }}};
  if (has_regions(words)) {
    groupings.push_back({.title = "by region",
                         .name = [&words, of](MessageId id) { return words.group_name(of(id), WordGroup::region); }});
  }
  return groupings;
}

std::vector<PathGrouping> node_groupings(const PathNames& names)
{
  return {{.title = "by sender",
           .name = [&names](
                       MessageId id) { return names.topology().node_name(names.schedule.messages[index(id)].source); }},
          {.title = "by sender and receiver", .name = [&names](MessageId id) {
             const Message& message = names.schedule.messages[index(id)];
             return names.from_to(message.source, message.destination);
           }}};
}

std::string percentage(Time part, Time whole)
{
  return whole.picoseconds == 0 ? std::string("0.0")
                                : fmt::format("{:.1f}", 100.0 * static_cast<double>(part.picoseconds) /
                                                            static_cast<double>(whole.picoseconds));
}

std::string sums_text(const CriticalPath& path, const PathMeans* means, std::size_t width)
{
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const double mean_latency = means == nullptr ? 0.0 : std::reduce(means->begin(), means->end());
  for (const SumLine& line : sum_lines(path, means)) {
    fmt::format_to(out, "  {:<{}}{:>16} us {:>6} %", line.title, width, format_microseconds(line.time),
                   percentage(line.time, path.latency));
    if (means != nullptr) {
      fmt::format_to(out, " {:>16.7g} us {:>6.1f} %", line.mean / 1e6,
                     mean_latency == 0 ? 0.0 : 100 * line.mean / mean_latency);
    }
    fmt::format_to(out, "\n");
  }
  fmt::format_to(out, "  {:<{}}{:>16} us", "latency", width, format_microseconds(path.latency));
  if (means != nullptr) {
    fmt::format_to(out, " {:>8} {:>16.7g} us", "", mean_latency / 1e6);
  }
  fmt::format_to(out, "\n");
  return fmt::to_string(text);
}

std::string groups_text(const CriticalPath& path, const std::vector<PathGrouping>& groupings)
{
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  for (const PathGrouping& grouping : groupings) {
    std::vector<PathGroup> groups = path_groups(path, grouping);
    if (groups.size() < 2) {
      continue;
    }
    if (groups.size() > shown_groups + 1) {
      PathGroup rest{.name = fmt::format("{} others", groups.size() - shown_groups), .time = {}, .startup = {}};
      for (auto group = groups.begin() + shown_groups; group != groups.end(); ++group) {
        rest.time += group->time;
        rest.startup += group->startup;
        rest.messages += group->messages;
      }
      groups.resize(shown_groups);
      groups.push_back(std::move(rest));
    }
    std::size_t width = 12;
    for (const PathGroup& group : groups) {
      width = std::max(width, group.name.size());
    }
    fmt::format_to(out, "\n{}\n", grouping.title);
    for (const PathGroup& group : groups) {
      text.append(group_line(group, path.latency, width));
    }
  }
  return fmt::to_string(text);
}

std::string longest_text(const PathNames& names, const CriticalPath& path, std::size_t width)
{
  struct Part {
    const PathMessage* message;
    const PathSegment* segment;
  };
  std::vector<Part> parts;
  for (const PathMessage& message : path.messages) {
    for (const PathSegment& segment : message.segments) {
      parts.push_back({&message, &segment});
    }
  }
  std::ranges::stable_sort(parts, std::greater<>(),
                           [](const Part& part) { return part.segment->to - part.segment->from; });
  parts.resize(std::min(parts.size(), shown_segments));
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "\nlongest parts of the path\n");
  for (const auto& [message, segment] : parts) {
    const std::string detail = segment_text(names, *segment);
    fmt::format_to(out, "  {:<{}}{:>16} us {:>6} %  at {} us, {}{}{}\n", cause_title(segment->cause), width,
                   format_microseconds(segment->to - segment->from),
                   percentage(segment->to - segment->from, path.latency), format_microseconds(segment->from),
                   names.title(message->message), detail.empty() ? "" : ": ", detail);
  }
  return fmt::to_string(text);
}

} // namespace wormcast
