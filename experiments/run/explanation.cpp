#include "wormcast/experiments/run/explanation.hpp"

#include "wormcast/experiments/output/json_text.hpp"
#include "wormcast/experiments/trace/resource_name.hpp"

#include <fmt/format.h>

#include <iterator>

namespace wormcast {

namespace {

using Json = nlohmann::ordered_json;

bool is_plain(const Schedule& schedule)
{
  return schedule.operation == Operation::none;
}

/// "message 5 (step 2) (0, 0) -> (2, 0)".
std::string message_title(const Topology& topology, const Schedule& schedule, MessageId id)
{
  const Message& message = schedule.messages[index(id)];
  return fmt::format("message {}{}, {} to {}", index(id),
                     is_plain(schedule) ? std::string() : fmt::format(" of step {}", message.step),
                     topology.node_name(message.source), topology.node_name(message.destination));
}

std::string late_start_text(const Schedule& schedule, const PathMessage& message)
{
  return fmt::format("its node started last; message {} had been delivered at {} us{}", index(*message.earlier),
                     format_microseconds(message.earlier_at),
                     is_plain(schedule) ? ", which it comes after" : ", with what it needs");
}

std::string reason_text(const Schedule& schedule, const PathMessage& message)
{
  const std::string follows = message.follows ? fmt::format("message {}", index(*message.follows)) : std::string();
  switch (message.reason) {
  case PathReason::start:
    return message.earlier ? late_start_text(schedule, message) : "nothing had to happen first";
  case PathReason::step:
    return fmt::format("step {} ended with {}", schedule.messages[index(*message.follows)].step, follows);
  case PathReason::blocks:
    return fmt::format("{} brought its blocks", follows);
  case PathReason::port:
    return fmt::format("{} gave back the sender's port", follows);
  case PathReason::turn:
    return fmt::format("{} of the same sender came first", follows);
  case PathReason::dependency:
    return fmt::format("it comes after {}", follows);
  case PathReason::program:
    return fmt::format("the program sent it after {}", follows);
  }
  return {};
}

/// Of what channel a header of router "input_queued" waits for what; nothing with the other router.
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

std::string segment_text(const ResourceNames& names, const Schedule& schedule, const PathSegment& segment)
{
  switch (segment.cause) {
  case PathCause::hops:
    return fmt::format("{} hop{}", segment.hops, segment.hops == 1 ? "" : "s");
  case PathCause::bytes:
  case PathCause::storing:
    return fmt::format("{} flit{}", segment.flits, segment.flits == 1 ? "" : "s");
  case PathCause::port_wait:
  case PathCause::step_wait:
  case PathCause::depth_wait:
    return fmt::format("for {}{}, held by {}", awaited(segment.wait->cause), names.name(segment.wait->resource),
                       message_title(names.topology(), schedule, segment.wait->holding));
  case PathCause::sharing:
    if (segment.wait) {
      return fmt::format("{} on {}, first to {}", segment.channel ? "for its turn" : "flits lose turns, most",
                         names.name(segment.wait->resource),
                         message_title(names.topology(), schedule, segment.wait->holding));
    }
    if (segment.channel) {
      return fmt::format("for its turn on {}", names.name({.kind = Resource::Kind::external,
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
    break;
  }
  return {};
}

bool only_input_queued(PathCause cause)
{
  return cause >= PathCause::routing && cause <= PathCause::pipeline;
}

/// Columns of the longest cause that the router has.
std::size_t cause_width(Router router)
{
  return router == Router::wormhole ? 12 : path_cause_name(PathCause::virtual_channel_allocation).size();
}

/// "start_delay" as people read it.
std::string cause_title(PathCause cause)
{
  std::string title(path_cause_name(cause));
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

Json segment_json(const ResourceNames& names, const Schedule& schedule, const PathSegment& segment)
{
  Json json = {{"cause", std::string(path_cause_name(segment.cause))},
               {"from_us", exact_microseconds(segment.from)},
               {"to_us", exact_microseconds(segment.to)}};
  if (segment.cause == PathCause::hops) {
    json["hops"] = segment.hops;
  }
  if (segment.cause == PathCause::bytes || segment.cause == PathCause::storing) {
    json["flits"] = segment.flits;
  }
  if (segment.wait) {
    const auto channel = names.channel(segment.wait->resource);
    json["channel"] = names.name(segment.wait->resource);
    json["channel_id"] = channel ? Json(index(*channel)) : Json(nullptr);
    if (segment.wait->cause != WaitCause::channel) {
      json["waits_for"] = wait_cause_name(segment.wait->cause);
    }
    json["holding"] = index(segment.wait->holding);
    json["holding_step"] = is_plain(schedule) ? Json(nullptr) : Json(segment.wait->holding_step);
  } else if (segment.channel) {
    json["channel_id"] = index(*segment.channel);
  }
  return json;
}

} // namespace

std::string explanation_text(const Experiment& experiment, const Schedule& schedule, const CriticalPath& path)
{
  const ResourceNames names(*experiment.topology, experiment.network.ports);
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const std::size_t width = cause_width(experiment.network.router);
  fmt::format_to(out, "critical path: {} message{}, {} us\n", path.messages.size(),
                 path.messages.size() == 1 ? "" : "s", format_microseconds(path.latency));
  for (const PathMessage& message : path.messages) {
    fmt::format_to(out, "\n{}, {} bytes, {} hop{}\n", message_title(*experiment.topology, schedule, message.message),
                   message.bytes, message.hops, message.hops == 1 ? "" : "s");
    fmt::format_to(out, "  {:>14} us  ready: {}\n", format_microseconds(message.ready), reason_text(schedule, message));
    for (const PathSegment& segment : message.segments) {
      const std::string detail = segment_text(names, schedule, segment);
      fmt::format_to(out, "  {:>14} us  {}\n", "+ " + format_microseconds(segment.to - segment.from),
                     detail.empty() ? cause_title(segment.cause)
                                    : fmt::format("{:<{}} {}", cause_title(segment.cause), width, detail));
    }
    fmt::format_to(out, "  {:>14} us  {}\n", format_microseconds(message.until),
                   message.until_port_free ? "the sender's port is free" : "delivered");
  }
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
  const ResourceNames names(*experiment.topology, experiment.network.ports);
  Json messages = Json::array();
  for (const PathMessage& part : path.messages) {
    const Message& message = schedule.messages[index(part.message)];
    Json segments = Json::array();
    for (const PathSegment& segment : part.segments) {
      segments.push_back(segment_json(names, schedule, segment));
    }
    messages.push_back({{"message", index(part.message)},
                        {"step", is_plain(schedule) ? Json(nullptr) : Json(message.step)},
                        {"src", index(message.source)},
                        {"dst", index(message.destination)},
                        {"bytes", part.bytes},
                        {"hops", part.hops},
                        {"reason", std::string(path_reason_name(part.reason))},
                        {"follows", part.follows ? Json(index(*part.follows)) : Json(nullptr)},
                        {"earlier", part.earlier ? Json(index(*part.earlier)) : Json(nullptr)},
                        {"earlier_us", part.earlier ? exact_microseconds(part.earlier_at) : Json(nullptr)},
                        {"ready_us", exact_microseconds(part.ready)},
                        {"until_us", exact_microseconds(part.until)},
                        {"until", part.until_port_free ? "port_free" : "delivered"},
                        {"segments", std::move(segments)}});
  }
  Json sums;
  for (std::size_t cause = 0; cause < path_cause_count; ++cause) {
    if (only_input_queued(static_cast<PathCause>(cause)) && experiment.network.router == Router::wormhole) {
      continue;
    }
    sums[fmt::format("{}_us", path_cause_name(static_cast<PathCause>(cause)))] = exact_microseconds(path.sums[cause]);
  }
  return {
      {"latency_us", exact_microseconds(path.latency)}, {"messages", std::move(messages)}, {"sums", std::move(sums)}};
}

} // namespace wormcast
