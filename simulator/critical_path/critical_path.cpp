#include "wormcast/simulator/critical_path/critical_path.hpp"

#include "wormcast/simulator/critical_path/own_port.hpp"
#include "wormcast/simulator/critical_path/passage.hpp"
#include "wormcast/simulator/critical_path/ready_reason.hpp"
#include "wormcast/simulator/critical_path/segment_list.hpp"
#include "wormcast/simulator/model/flit_counts.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/random/seeded_random.hpp"
#include "wormcast/simulator/sources/completions.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"
#include "wormcast/values/input_error.hpp"
#include "wormcast/values/work_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

// The messages of a finished run as parts of a path.
class Passages {
public:
  Passages(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
           const RunParameters& run, const SimulationResult& result, const PathRecords& records)
      : topology_(topology), schedule_(schedule), network_(network), run_(run), result_(result), records_(records),
        flits_(schedule, network), work_(received_work(topology, schedule, network, run))
  {
    if (schedule.operation != Operation::none) {
      set_bytes_ = block_set_bytes(schedule);
    }
  }

  Passage passage(MessageId id, bool until_port_free) const
  {
    const NetworkParameters network = network_of(id);
    const std::optional<FlitTimes> flit_times =
        result_.flits.empty() ? std::nullopt : std::optional(result_.flits[index(id)]);
    return network.router->passage({.topology = topology_,
                                    .network = network,
                                    .records = records_,
                                    .message = schedule_.messages[index(id)],
                                    .id = id,
                                    .draw = draw_of(id),
                                    .flits = flits_[id],
                                    .shortfall = Time{flits_.shortfall(id)},
                                    .delivered = result_.delivered[index(id)].value(),
                                    .flit_times = flit_times,
                                    .until_port_free = until_port_free});
  }

  PathMessage path_message(MessageId id, bool until_port_free, OwnPorts& ports) const
  {
    Passage own = passage(id, until_port_free);
    PathMessage entry;
    entry.message = id;
    entry.ready = own.ready;
    entry.until = own.until;
    entry.until_port_free = until_port_free;
    entry.hops = own.hops;
    entry.bytes = bytes_of(id);
    entry.flits = flits_[id];
    entry.segments = ports.divided(id, std::move(own.segments));
    if (!until_port_free) {
      add_completion(entry);
    }
    return entry;
  }

  /// Returns when the receiver of a message could use it.
  Time completed(MessageId id) const
  {
    return result_.completed.empty() ? result_.delivered[index(id)].value() : result_.completed[index(id)];
  }

  /// Returns the message that was complete last, of several the first.
  std::optional<MessageId> last() const
  {
    std::optional<MessageId> last;
    for (std::uint32_t id = 0; id < result_.delivered.size(); ++id) {
      if (!last || completed(MessageId{id}) > completed(*last)) {
        last = MessageId{id};
      }
    }
    return last;
  }

  /// What every node does after its start delay, before it sends: appends segments up to `ready`.
  void add_start(std::vector<PathSegment>& segments, Time from, Time ready) const
  {
    SegmentList list(from);
    const Time call = next_whole_cycle(network_, run_.computation.call);
    const Time work = work_before_start(topology_, schedule_, network_, run_);
    list.add({.cause = PathCause::start_delay}, ready - work);
    list.add({.cause = PathCause::call}, list.now() + call);
    list.add({.cause = PathCause::copy}, ready);
    for (const PathSegment& segment : list.segments()) {
      segments.push_back(segment);
    }
  }

private:
  std::uint64_t draw_of(MessageId id) const
  {
    return route_draw(network_, records_.position.first + std::uint64_t{index(id)});
  }

  // The network with the start-up of this message.
  NetworkParameters network_of(MessageId id) const
  {
    NetworkParameters network = network_;
    network.startup += Time{extra_startup(schedule_, network_, run_, id)};
    return network;
  }

  // What the receiver does between the delivery and the time from which it can use the message.
  void add_completion(PathMessage& entry) const
  {
    SegmentList list(entry.until);
    list.add({.cause = PathCause::startup_latency}, list.now() + network_.startup_latency);
    const Time work = work_.empty() ? Time{} : work_[index(entry.message)];
    list.add({.cause = PathCause::addition_wait}, completed(entry.message) - work);
    list.add({.cause = PathCause::addition}, completed(entry.message));
    for (const PathSegment& segment : list.segments()) {
      entry.segments.push_back(segment);
    }
  }

  std::uint64_t bytes_of(MessageId id) const
  {
    return set_bytes_.empty() ? schedule_.plain[index(id)].bytes
                              : set_bytes_[static_cast<std::uint32_t>(schedule_.messages[index(id)].blocks)];
  }

  const Topology& topology_;
  const Schedule& schedule_;
  const NetworkParameters& network_;
  const RunParameters& run_;
  const SimulationResult& result_;
  const PathRecords& records_;
  FlitCounts flits_;
  std::vector<Time> work_;               // by message, of its receiver; empty: none
  std::vector<std::uint64_t> set_bytes_; // by block set
};

void require_passages(const NetworkParameters& network)
{
  if (!network.router->passage) {
    throw InputError(fmt::format(
        "the critical path is not known: router \"{}\" does not say what its messages wait for", network.router->name));
  }
}

// Adds up the causes from `start` on, and checks that no time is missing or counted twice.
void add_up(CriticalPath& path, Time start)
{
  Time now = start;
  for (const PathMessage& message : path.messages) {
    for (const PathSegment& segment : message.segments) {
      if (segment.from != now || segment.to <= segment.from) {
        throw std::logic_error("the segments of the critical path do not follow each other");
      }
      path.sums[static_cast<std::size_t>(segment.cause)] += segment.to - segment.from;
      now = segment.to;
    }
  }
  if (now != start + path.latency) {
    throw std::logic_error("the critical path does not end at the last delivery");
  }
}

} // namespace

std::optional<CriticalPath> critical_path(const Topology& topology, const Schedule& schedule,
                                          const NetworkParameters& network, const RunParameters& run,
                                          const SimulationResult& result, const PathRecords& records,
                                          FixedStarts starts)
{
  require_passages(network);
  if (result.deadlock) {
    return std::nullopt;
  }
  CriticalPath path;
  path.latency = *result.latency;
  const Passages passages(topology, schedule, network, run, result, records);
  const std::optional<MessageId> last = passages.last();
  if (!last) {
    return path;
  }
  const ReadyReasons reasons(topology, schedule, network, run, result, records, starts);
  OwnPorts ports(schedule, network, result, records, [&](MessageId id) { return passages.passage(id, true); });
  Readiness next{.follows = last};
  while (next.follows) {
    PathMessage message = passages.path_message(*next.follows, next.port_free, ports);
    next = reasons.why(message.message, message.ready);
    message.reason = next.reason;
    message.follows = next.follows;
    message.earlier = next.earlier;
    message.earlier_at = next.earlier ? result.delivered[index(*next.earlier)].value() : Time{};
    Time since = next.follows ? message.ready : Time{0};
    if (next.reason == PathReason::program) {
      since = result.delivered[index(*next.follows)].value();
    }
    if (next.reason == PathReason::start && next.before == PathCause::start_delay) {
      std::vector<PathSegment> segments;
      passages.add_start(segments, since, message.ready);
      message.segments.insert(message.segments.begin(), segments.begin(), segments.end());
    } else if (since < message.ready) {
      message.segments.insert(message.segments.begin(),
                              PathSegment{.cause = next.before, .from = since, .to = message.ready});
    }
    path.messages.push_back(std::move(message));
  }
  std::ranges::reverse(path.messages);
  const Time end = passages.completed(*last);
  if (end < path.latency) {
    path.messages.back().segments.push_back({.cause = PathCause::copy, .from = end, .to = path.latency});
  }
  add_up(path, Time{});
  return path;
}

MessageTimes times_of_messages(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                               const RunParameters& run, const SimulationResult& result, const PathRecords& records,
                               MessageId first, std::uint64_t count)
{
  require_passages(network);
  const Passages passages(topology, schedule, network, run, result, records);
  OwnPorts ports(schedule, network, result, records, [&](MessageId id) { return passages.passage(id, true); });
  MessageTimes times;
  times.messages = count;
  WorkSteps steps;
  for (std::uint64_t i = 0; i < count; ++i) {
    steps.add(16);
    PathMessage message = passages.path_message(MessageId{static_cast<std::uint32_t>(index(first) + i)}, false, ports);
    const Time ready = message.ready;
    CriticalPath alone;
    alone.latency = message.until - ready;
    alone.messages.push_back(std::move(message));
    add_up(alone, ready);
    for (std::size_t cause = 0; cause < path_cause_count; ++cause) {
      times.means[cause] += static_cast<double>(alone.sums[cause].picoseconds) / static_cast<double>(count);
    }
    if (i == 0 || alone.latency > times.slowest.latency) {
      times.slowest = std::move(alone);
    }
  }
  return times;
}

} // namespace wormcast
