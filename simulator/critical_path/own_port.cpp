#include "wormcast/simulator/critical_path/own_port.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace wormcast {

namespace {

// Returns the cause of a wait for a port while the message that holds it spends time on `cause`.
PathCause cause_behind(PathCause cause)
{
  switch (cause) {
  case PathCause::startup:
    return PathCause::own_port_startup;
  case PathCause::bytes:
  case PathCause::storing:
  case PathCause::buffers:
    return PathCause::own_port_bytes;
  case PathCause::port_wait:
  case PathCause::step_wait:
  case PathCause::depth_wait:
  case PathCause::other_port_wait:
  case PathCause::other_wait:
  case PathCause::sharing:
    return PathCause::own_port_wait;
  default:
    break;
  }
  return PathCause::own_port_hops; // all that a header does on its path
}

bool is_for_port_of(const PathSegment& segment, NodeId sender)
{
  const bool is_header_wait = segment.cause == PathCause::port_wait || segment.cause == PathCause::other_port_wait;
  return is_header_wait && segment.wait && segment.wait->resource.kind == Resource::Kind::injection &&
         segment.wait->resource.node == sender;
}

} // namespace

OwnPorts::OwnPorts(const Schedule& schedule, const NetworkParameters& network, const SimulationResult& result,
                   const PathRecords& records, std::function<Passage(MessageId)> passage_to_release)
    : schedule_(schedule), result_(result), records_(records), flit_time_(network.flit_time()),
      passage_to_release_(std::move(passage_to_release))
{}

Time OwnPorts::granted(MessageId message) const
{
  return result_.flits.empty() ? records_.sender_ports[index(message)].granted
                               : result_.flits[index(message)].head_injected;
}

Time OwnPorts::released(MessageId message) const
{
  return result_.flits.empty() ? records_.sender_ports[index(message)].released
                               : result_.flits[index(message)].tail_injected + flit_time_;
}

void OwnPorts::index_releases()
{
  releases_.resize(schedule_.messages.size());
  for (std::uint32_t id = 0; id < releases_.size(); ++id) {
    releases_[id] = MessageId{id};
  }
  const auto sender = [&](MessageId id) { return index(schedule_.messages[index(id)].source); };
  std::ranges::sort(releases_, {}, [&](MessageId id) { return std::tuple(sender(id), released(id), index(id)); });
  releases_begin_.assign(releases_.empty() ? 1 : sender(releases_.back()) + 2, 0);
  for (const MessageId id : releases_) {
    ++releases_begin_[sender(id) + 1];
  }
  std::partial_sum(releases_begin_.begin(), releases_begin_.end(), releases_begin_.begin());
}

std::optional<MessageId> OwnPorts::released_last(const Resource& port, Time since, Time time) const
{
  const auto begin = releases_.begin() + static_cast<std::ptrdiff_t>(releases_begin_[index(port.node)]);
  const auto end = releases_.begin() + static_cast<std::ptrdiff_t>(releases_begin_[index(port.node) + 1]);
  auto after = std::upper_bound(begin, end, time, [&](Time now, MessageId id) { return now < released(id); });
  while (after != begin && released(*std::prev(after)) > since) {
    --after;
    const bool is_here = result_.flits.empty() ? records_.sender_ports[index(*after)].channel == port.channel : true;
    if (is_here && granted(*after) < time) {
      return *after;
    }
  }
  return std::nullopt;
}

bool OwnPorts::is_behind_own(const ContentionRecord& wait) const
{
  const std::uint32_t first = records_.position.first;
  const std::uint32_t holding = index(wait.holding);
  return !result_.flits.empty() && holding >= first && holding - first < schedule_.messages.size() &&
         schedule_.messages[holding - first].source == wait.resource.node;
}

void OwnPorts::divide(const PathSegment& wait, std::vector<PathSegment>& divided) const
{
  std::vector<PathSegment> backwards;
  Time now = wait.to;
  PathSegment rest = wait;
  if (is_behind_own(*wait.wait)) {
    rest = {.cause = PathCause::own_port_wait,
            .port_held_by = MessageId{index(wait.wait->holding) - records_.position.first}};
  }
  const auto go_back = [&](PathSegment segment, Time from) {
    if (from < now) {
      segment.from = from;
      segment.to = now;
      now = from;
      backwards.push_back(segment);
    }
  };
  while (const auto holder = released_last(wait.wait->resource, wait.from, now)) {
    const Time since = std::max(wait.from, granted(*holder));
    go_back(rest, released(*holder));
    const std::vector<PathSegment> held = passage_to_release_(*holder).segments;
    for (auto segment = held.rbegin(); segment != held.rend() && now > since; ++segment) {
      PathSegment part = *segment;
      part.cause = cause_behind(segment->cause);
      part.port_held_by = holder;
      part.hops = 0;
      part.flits = 0;
      go_back(part, std::max(since, segment->from));
    }
    go_back(rest, since);
  }
  go_back(rest, wait.from);
  divided.insert(divided.end(), backwards.rbegin(), backwards.rend());
}

std::vector<PathSegment> OwnPorts::divided(MessageId message, std::vector<PathSegment> segments)
{
  const NodeId sender = schedule_.messages[index(message)].source;
  if (std::ranges::none_of(segments, [&](const auto& segment) { return is_for_port_of(segment, sender); })) {
    return segments;
  }
  if (releases_.empty()) {
    index_releases();
  }
  std::vector<PathSegment> divided;
  for (const PathSegment& segment : segments) {
    if (is_for_port_of(segment, sender)) {
      divide(segment, divided);
    } else {
      divided.push_back(segment);
    }
  }
  return divided;
}

} // namespace wormcast
