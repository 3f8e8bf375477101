#include "wormcast/experiments/run/path_names.hpp"

#include "wormcast/values/number_text.hpp"

#include <fmt/format.h>

#include <string_view>

namespace wormcast {

namespace {

std::string late_start_text(const PathNames& names, const PathMessage& message)
{
  return fmt::format("its node started last; message {} had been delivered at {} us{}", names.number(*message.earlier),
                     format_microseconds(message.earlier_at),
                     is_plain(names.schedule) ? ", which it comes after" : ", with what it needs");
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
  case WaitCause::output_queue:
    return "its turn behind the crossbar on ";
  }
  return {};
}

std::string wait_text(const PathNames& names, const ContentionRecord& wait)
{
  return fmt::format("for {}{}, held by {}", awaited(wait.cause), names.resources.name(wait.resource),
                     names.title_in_run(wait.holding));
}

std::string own_port_text(const PathNames& names, const PathSegment& segment)
{
  return fmt::format("of {}{}", names.title(*segment.port_held_by),
                     segment.wait ? ", " + wait_text(names, *segment.wait) : "");
}

} // namespace

bool is_plain(const Schedule& schedule)
{
  return schedule.operation == Operation::none;
}

PathNames::PathNames(const Experiment& experiment, const Schedule& of)
    : resources(*experiment.topology, experiment.network.ports), schedule(of)
{}

std::string PathNames::from_to(NodeId source, NodeId destination) const
{
  return fmt::format("{} to {}", topology().node_name(source), topology().node_name(destination));
}

std::string PathNames::title(MessageId own) const
{
  const Message& message = schedule.messages[index(own)];
  return fmt::format("message {}{}, {}", number(own),
                     is_plain(schedule) ? std::string() : fmt::format(" of step {}", message.step),
                     from_to(message.source, message.destination));
}

std::string PathNames::title_in_run(MessageId message) const
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
                     other.broadcast ? fmt::format("broadcast {}, step {}", *other.broadcast, other.step) : "the load",
                     from_to(other.source, other.destination));
}

std::string cause_title(PathCause cause)
{
  std::string title(path_cause_names.text(cause));
  for (char& letter : title) {
    letter = letter == '_' ? ' ' : letter;
  }
  return title;
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
  case PathReason::barrier:
    return fmt::format("it waits at a barrier for {}", follows);
  case PathReason::program:
    return fmt::format("the program sent it after {}", follows);
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
    return wait_text(names, *segment.wait);
  case PathCause::own_port_startup:
  case PathCause::own_port_hops:
  case PathCause::own_port_bytes:
  case PathCause::own_port_wait:
    return own_port_text(names, segment);
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

} // namespace wormcast
