#include "wormcast/simulator/critical_path/message_passage.hpp"

#include "wormcast/simulator/critical_path/passage.hpp"
#include "wormcast/simulator/critical_path/segment_list.hpp"
#include "wormcast/simulator/model/channel_times.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

bool stored_behind(const NetworkParameters& network, std::size_t stage, std::size_t hops)
{
  return network.switching == Switching::store_and_forward && stage >= 1 && stage < hops;
}

// The time of the last `flits` flits of a message on a channel.
Time tail_time(const HeaderStage& stage, std::uint64_t flits, Time shortfall)
{
  return static_cast<std::int64_t>(flits) * stage.flit - shortfall;
}

void set_channel_times(std::span<HeaderStage> stages, std::span<const ChannelId> route, const Topology& topology,
                       const NetworkParameters& network)
{
  const bool equal = has_equal_channels(network);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    HeaderStage& stage = stages[i];
    const bool external = i > 0 && i <= route.size();
    if (equal) {
      stage.flit = network.flit_time();
      stage.hop = external ? network.per_hop : Time{};
    } else if (external) {
      const std::uint32_t of_class = topology.link_class(route[i - 1]);
      stage.flit = network.flit_time(link_byte_time(network, of_class));
      stage.hop = link_hop_time(network, of_class);
    } else {
      stage.flit = network.flit_time(port_byte_time(network));
    }
  }
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Time next = i + 1 < stages.size() ? stages[i + 1].flit : stages[i].flit;
    stages[i].latency = stages[i].hop + Time{ChannelTimes::catch_up(stages[i].flit.picoseconds, next.picoseconds)};
  }
}

// The end of the tail on a channel behind which the message is stored, if it has the channel for itself. Only the flits
// that come from the port can be later than the channel is ready for them.
Time stored_end(std::span<const HeaderStage> stages, std::size_t i, std::uint64_t flits, Time shortfall)
{
  Time start = stages[i].started + tail_time(stages[i], flits - 1, {});
  if (i == 1) {
    start = std::max(start, stages[0].started + tail_time(stages[0], flits - 1, {}) + stages[0].latency);
  }
  return start + stages[i].flit - shortfall;
}

// Finds the records of a message's channels by their position on its path.
class StageRecords {
public:
  StageRecords(const Message& message, MessageId id, std::span<const ChannelId> route, const PathRecords& records)
      : message_(message), route_(route), waits_(records.waits_of(id)), grants_(records.grants_of(id))
  {}

  const ContentionRecord* wait(std::size_t stage) const
  {
    return find_wait([&](const ContentionRecord& wait) {
      return wait.kind != ContentionKind::sharing && is_at(wait.resource, stage);
    });
  }

  /// Returns the time that the message lost to others on the physical channel; null: nothing.
  const ContentionRecord* shared(std::size_t stage) const
  {
    return find_wait([&](const ContentionRecord& wait) {
      return wait.kind == ContentionKind::sharing && is_at(wait.resource, stage);
    });
  }

  Time grant(std::size_t stage) const
  {
    const auto found = std::ranges::find_if(grants_, [&](const auto& grant) { return is_at(grant.resource, stage); });
    if (found == grants_.end()) {
      throw std::logic_error("a channel of a delivered message has no record of its grant");
    }
    return found->at;
  }

private:
  template <typename Condition> const ContentionRecord* find_wait(const Condition& condition) const
  {
    const auto found = std::ranges::find_if(waits_, condition);
    return found == waits_.end() ? nullptr : &*found;
  }

  bool is_at(const Resource& resource, std::size_t stage) const
  {
    const bool external = resource.kind == Resource::Kind::external;
    if (stage == 0) {
      return !external && resource.node == message_.source;
    }
    if (stage <= route_.size()) {
      return external && resource.channel == route_[stage - 1];
    }
    return !external && resource.node == message_.destination;
  }

  const Message& message_;
  std::span<const ChannelId> route_;
  std::span<const ContentionRecord> waits_;
  std::span<const PathRecords::Grant> grants_;
};

// Returns the end of the tail on channel `stage` if all headers start at their times and no channel is shared: rule 4
// of docs/network-model.md, flit by flit, with the last `buffer` flits stored, which are those that a buffer holds.
Time tail_end_by_flits(const MessagePassage& passage, std::size_t stage, std::uint64_t buffer)
{
  const std::size_t stages = passage.stages.size();
  const auto rows = static_cast<std::size_t>(std::min(buffer, passage.flits));
  std::vector<std::int64_t> starts(rows * stages); // of flit f over channel i at (f % rows) * stages + i
  for (std::size_t i = 0; i < stages; ++i) {
    starts[i] = passage.stages[i].started.picoseconds;
  }
  std::vector<std::int64_t> before(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(stages));
  for (std::uint64_t flit = 1; flit < passage.flits; ++flit) {
    std::int64_t* row = starts.data() + flit % rows * stages; // holds flit - B until it is written
    for (std::size_t i = 0; i < stages; ++i) {
      std::int64_t start = before[i] + passage.stages[i].flit.picoseconds;
      if (i > 0) {
        start = std::max(start, before[i - 1] + passage.stages[i - 1].latency.picoseconds);
      }
      if (i + 1 < stages && flit >= buffer) {
        start = std::max(start, row[i + 1]);
      }
      before[i] = start;
      row[i] = start;
    }
  }
  return Time{before[stage]} + passage.stages[stage].flit - passage.shortfall;
}

std::optional<ContentionRecord> shared_wait(const HeaderStage& stage)
{
  return stage.shared != nullptr ? std::optional(*stage.shared) : std::nullopt;
}

// Returns the channel on which a passage lost most to others.
std::optional<ContentionRecord> longest_shared_wait(const MessagePassage& passage)
{
  std::optional<ContentionRecord> longest;
  for (const HeaderStage& stage : passage.stages) {
    if (stage.shared != nullptr && (!longest || stage.shared->wait > longest->wait)) {
      longest = *stage.shared;
    }
  }
  return longest;
}

// The time from the request for channel `i` to the header's start over it.
void add_start(SegmentList& list, const MessagePassage& passage, std::size_t i)
{
  const HeaderStage& stage = passage.stages[i];
  if (stage.wait != nullptr) {
    list.add({.cause = wait_cause(*stage.wait), .wait = *stage.wait}, stage.granted);
  }
  if (i == 0) {
    list.add({.cause = PathCause::startup}, stage.started);
  } else if (i <= passage.route.size()) {
    list.add({.cause = PathCause::sharing, .wait = shared_wait(stage), .channel = passage.route[i - 1]}, stage.started);
  }
}

// The time from the header's start over channel `i` to its request for the next.
void add_crossing(SegmentList& list, const MessagePassage& passage, std::size_t i, const NetworkParameters& network)
{
  const HeaderStage& stage = passage.stages[i];
  const Time asked = passage.stages[i + 1].asked;
  const std::size_t hops = passage.stages.size() - 2;
  if (stored_behind(network, i, hops)) {
    list.add({.cause = PathCause::storing, .flits = passage.flits},
             stored_end(passage.stages, i, passage.flits, passage.shortfall));
    list.add({.cause = PathCause::sharing, .wait = shared_wait(stage)}, asked - stage.hop);
  } else if (stage.latency != stage.hop) { // the header's own bytes, before a faster channel
    list.add({.cause = PathCause::bytes, .flits = 1}, asked - stage.hop);
  }
  list.add({.cause = PathCause::hops, .hops = 1}, asked);
}

// The end of a message's passage follows from the header's start over channel `stage` and the flits from there.
struct Tail {
  std::size_t stage = 0;
  std::uint64_t flits = 0;
};

// The injection channel is released at the greatest of h_j + (F - B*(j-1))*tau over 1 <= j with B*(j-1) < F.
Tail tail_of_injection(const MessagePassage& passage, const NetworkParameters& network)
{
  const std::uint64_t buffer =
      network.switching == Switching::wormhole ? std::min(network.buffer_flits, passage.flits) : passage.flits;
  Tail best{.stage = 1, .flits = passage.flits};
  const auto end = [&](const Tail& tail) {
    return passage.stages[tail.stage].started + tail_time(passage.stages[tail.stage], tail.flits, passage.shortfall);
  };
  Tail next = best;
  while (next.stage + 1 < passage.stages.size() && next.flits > buffer) {
    next = {.stage = next.stage + 1, .flits = next.flits - buffer};
    if (end(next) > end(best)) {
      best = next;
    }
  }
  return best;
}

} // namespace

MessagePassage message_passage(const Topology& topology, const Message& message, MessageId id,
                               std::vector<ChannelId> route, std::uint64_t flits, Time shortfall, Time delivered,
                               const NetworkParameters& network, const PathRecords& records)
{
  const StageRecords found(message, id, route, records);
  const std::size_t hops = route.size();
  const PathRecords::PortUse& port = records.sender_ports[index(id)];
  std::vector<HeaderStage> stages(hops + 2);
  set_channel_times(stages, route, topology, network);
  for (std::size_t i = 0; i < hops + 2; ++i) {
    HeaderStage& stage = stages[i];
    stage.wait = found.wait(i);
    stage.shared = found.shared(i);
    if (i == 0) {
      stage.granted = port.granted;
      stage.asked = stage.wait != nullptr ? stage.wait->from : stage.granted;
      stage.started = stage.granted + network.startup;
      continue;
    }
    HeaderStage& previous = stages[i - 1];
    // From the header's start over the channel before, as long as no other message is on it.
    const bool stored = stored_behind(network, i - 1, hops);
    const Time crossing =
        stored ? stored_end(stages, i - 1, flits, shortfall) - previous.started + previous.hop : previous.latency;
    if (network.virtual_channels == 1) {
      stage.asked = previous.started + crossing;
      stage.granted = stage.wait != nullptr ? stage.wait->to : stage.asked;
      if (stage.wait != nullptr && stage.wait->from != stage.asked) {
        throw std::logic_error("a wait does not begin when the header arrives");
      }
    } else {
      stage.granted = found.grant(i);
      stage.asked = stage.wait != nullptr ? stage.wait->from : stage.granted;
      if (!stored) {
        // The header is here a hop after its start; a stored message has lost all its time there in one segment.
        previous.started = stage.asked - crossing;
      }
    }
    stage.started = stage.granted;
  }
  return {.route = std::move(route),
          .stages = std::move(stages),
          .flits = flits,
          .shortfall = shortfall,
          .delivered = delivered,
          .port_released = port.released};
}

std::vector<PathSegment> passage_segments(const MessagePassage& passage, bool until_port_free,
                                          const NetworkParameters& network)
{
  const std::size_t ejection = passage.stages.size() - 1;
  // With path hold the port is free at the delivery, and for the same reasons.
  const bool partial = until_port_free && network.hold == Hold::tail;
  // The tails follow from the headers where only hops differ, if buffers cover them.
  const bool equal = has_equal_channels(network) || closed_form_holds(network);
  const Tail tail = !partial ? Tail{.stage = ejection, .flits = passage.flits}
                    : equal  ? tail_of_injection(passage, network)
                             : Tail{.stage = 1, .flits = passage.flits};
  const Time end = until_port_free ? passage.port_released : passage.delivered;

  SegmentList list(passage.stages[0].asked);
  for (std::size_t i = 0; i <= tail.stage; ++i) {
    add_start(list, passage, i);
    if (i < tail.stage) {
      add_crossing(list, passage, i, network);
    }
  }
  // Where channels are not alike, the flits have the times that they would have with buffers for all of them.
  list.add({.cause = PathCause::bytes, .flits = tail.flits},
           equal ? list.now() + tail_time(passage.stages[tail.stage], tail.flits, passage.shortfall)
                 : tail_end_by_flits(passage, tail.stage, passage.flits));
  if (!closed_form_holds(network)) {
    const std::uint64_t buffer = network.switching == Switching::wormhole ? network.buffer_flits : passage.flits;
    list.add({.cause = PathCause::buffers}, tail_end_by_flits(passage, partial ? 1 : ejection, buffer));
  }
  list.add({.cause = PathCause::sharing, .wait = longest_shared_wait(passage)}, end);
  return list.segments();
}

namespace {

// Where headers choose, the shortest route and the drawn one part at a router, from which a message took one of both
// channels.
std::vector<ChannelId> route_taken(const DeliveredMessage& delivered)
{
  const Topology& topology = delivered.topology;
  const auto [from, to] = std::pair(delivered.message.source, delivered.message.destination);
  std::vector<ChannelId> drawn;
  topology.append_drawn_route(from, to, delivered.draw, drawn);
  if (!topology.headers_choose() || !topology.draws_route(from, to)) {
    return drawn;
  }
  std::vector<ChannelId> shortest;
  topology.append_route(from, to, shortest);
  const auto parting = std::ranges::mismatch(shortest, drawn);
  const bool took_shortest =
      parting.in1 == shortest.end() ||
      std::ranges::any_of(delivered.records.grants_of(delivered.id), [&](const PathRecords::Grant& grant) {
        return grant.resource.kind == Resource::Kind::external && grant.resource.channel == *parting.in1;
      });
  return took_shortest ? shortest : drawn;
}

} // namespace

Passage worm_passage(const DeliveredMessage& delivered)
{
  const MessagePassage passage =
      message_passage(delivered.topology, delivered.message, delivered.id, route_taken(delivered), delivered.flits,
                      delivered.shortfall, delivered.delivered, delivered.network, delivered.records);
  return {.ready = passage.stages.front().asked,
          .until = delivered.until_port_free ? passage.port_released : passage.delivered,
          .hops = static_cast<std::uint32_t>(passage.route.size()),
          .segments = passage_segments(passage, delivered.until_port_free, delivered.network)};
}

} // namespace wormcast
