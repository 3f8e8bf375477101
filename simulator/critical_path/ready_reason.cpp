#include "wormcast/simulator/critical_path/ready_reason.hpp"

#include "wormcast/algorithms/schedule/awaited_messages.hpp"
#include "wormcast/algorithms/verifier/possession.hpp"
#include "wormcast/simulator/sources/completions.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"
#include "wormcast/values/input_error.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace wormcast {

namespace {

// Both are sorted and disjoint.
std::vector<BlockRange> intersection(std::span<const BlockRange> a, std::span<const BlockRange> b)
{
  std::vector<BlockRange> both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const BlockRange range{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (range.begin < range.end) {
      both.push_back(range);
    }
    a[i].end < b[j].end ? ++i : ++j;
  }
  return both;
}

std::vector<BlockRange> without(std::span<const BlockRange> a, std::span<const BlockRange> removed)
{
  std::vector<BlockRange> rest;
  std::size_t j = 0;
  for (BlockRange range : a) {
    while (j < removed.size() && removed[j].end <= range.begin) {
      ++j;
    }
    for (std::size_t k = j; k < removed.size() && removed[k].begin < range.end; ++k) {
      if (range.begin < removed[k].begin) {
        rest.push_back({range.begin, removed[k].begin});
      }
      range.begin = std::max(range.begin, removed[k].end);
    }
    if (range.begin < range.end) {
      rest.push_back(range);
    }
  }
  return rest;
}

} // namespace

ReadyReasons::ReadyReasons(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                           const RunParameters& run, const SimulationResult& result, const PathRecords& records,
                           FixedStarts starts)
    : topology_(topology), schedule_(schedule), result_(result), records_(records), network_(network),
      ports_(network.ports), flit_time_(network.flit_time()), lockstep_(run.mode == Mode::lockstep),
      has_barriers_(run.barriers != Barriers::none), delays_(start_delays(topology, network, run)), starts_(starts)
{
  for (std::int64_t& delay : delays_) {
    delay += work_before_start(topology, schedule, network, run).picoseconds;
  }
  if (schedule.program) {
    throw InputError("the latency of a program in GOAL is not explained: its messages wait for more than messages");
  }
  if (schedule.operation == Operation::none) {
    if (starts == FixedStarts::by_program) {
      index_parts();
    }
    return;
  }
  steps_ = order_by_step(schedule);
  if (!lockstep_) {
    index_ports();
    index_destinations();
    if (combines(schedule.operation)) {
      awaited_ = awaited_messages(schedule, topology.host_count());
    }
  }
}

Readiness ReadyReasons::why(MessageId id, Time ready) const
{
  if (ready.picoseconds == delays_[index(message(id).source)]) {
    return {.reason = PathReason::start,
            .follows = {},
            .before = PathCause::start_delay,
            .earlier = last_before_start(id, ready)};
  }
  if (schedule_.operation == Operation::none) {
    return in_plain_list(id, ready);
  }
  return lockstep_ ? in_lockstep(id, ready) : self_timed(id, ready);
}

// The last delivery on which it depended, although its node's start was later still.
std::optional<MessageId> ReadyReasons::last_before_start(MessageId id, Time ready) const
{
  if (schedule_.operation == Operation::none) {
    return latest(schedule_.after[index(id)]);
  }
  if (lockstep_) {
    return latest(messages_of_step_before(id));
  }
  std::vector<MessageId> needed;
  const std::size_t sender = index(message(id).source);
  for (std::size_t i = deliveries_begin_[sender]; i < deliveries_begin_[sender + 1]; ++i) {
    if (delivered(deliveries_[i]) <= ready && is_news(deliveries_[i], id)) {
      needed.push_back(deliveries_[i]);
    }
  }
  return latest(needed);
}

std::optional<MessageId> ReadyReasons::latest(std::span<const MessageId> messages) const
{
  const auto found = std::ranges::max_element(messages, {}, [&](MessageId id) { return delivered(id); });
  return found == messages.end() ? std::nullopt : std::optional(*found);
}

std::span<const MessageId> ReadyReasons::messages_of_step_before(MessageId id) const
{
  std::size_t step = message(id).step;
  while (step > 0 && steps_.offsets[step - 1] == steps_.offsets[step]) {
    --step;
  }
  const std::size_t begin = step == 0 ? 0 : steps_.offsets[step - 1];
  return std::span(steps_.order).subspan(begin, steps_.offsets[step] - begin);
}

Readiness ReadyReasons::in_lockstep(MessageId id, Time ready) const
{
  for (const MessageId earlier : messages_of_step_before(id)) {
    if (delivered(earlier) == ready) {
      return {.reason = PathReason::step, .follows = earlier};
    }
  }
  throw std::logic_error("no delivery of the step before explains when a step began");
}

Readiness ReadyReasons::in_plain_list(MessageId id, Time ready) const
{
  if (next_whole_cycle(network_, schedule_.plain[index(id)].start) == ready) {
    return starts_ == FixedStarts::by_program
               ? in_program(id, ready)
               : Readiness{.reason = PathReason::start, .follows = {}, .before = PathCause::start_time};
  }
  std::optional<MessageId> last;
  for (const MessageId earlier : schedule_.after[index(id)]) {
    if (delivered(earlier) == ready && (!last || earlier < *last)) {
      last = earlier;
    }
  }
  if (!last) {
    throw std::logic_error("no message of `after` explains when a message became ready");
  }
  return {.reason = PathReason::dependency, .follows = last};
}

Readiness ReadyReasons::in_program(MessageId id, Time ready) const
{
  const Message& own = message(id);
  const auto preference = [&](MessageId other) {
    const NodeId receiver = message(other).destination;
    const int part = receiver == own.source ? 0 : receiver == own.destination ? 1 : 2;
    return std::tuple(-delivered(other).picoseconds, part, index(other));
  };
  std::optional<MessageId> best;
  for (const NodeId node : {own.source, own.destination}) {
    const auto begin = parts_.begin() + static_cast<std::ptrdiff_t>(parts_begin_[index(node)]);
    const auto end = parts_.begin() + static_cast<std::ptrdiff_t>(parts_begin_[index(node) + 1]);
    auto part =
        std::upper_bound(begin, end, ready, [&](Time time, MessageId other) { return time < delivered(other); });
    while (part != begin && (!best || delivered(*std::prev(part)) >= delivered(*best))) {
      --part;
      if (*part < id && (!best || preference(*part) < preference(*best))) { // messages may take no time
        best = *part;
      }
    }
  }
  return {.reason = best ? PathReason::program : PathReason::start, .follows = best, .before = PathCause::program};
}

Readiness ReadyReasons::self_timed(MessageId id, Time ready) const
{
  // Messages of one port become ready in order: later messages depend on all that an earlier one depended on.
  const std::size_t begin = port_begin_[port_of_[index(id)]];
  for (std::size_t position = position_in_port_[index(id)] + 1; position-- > begin;) {
    const MessageId blocked = port_order_[position];
    const bool own = blocked == id;
    if (const auto found = delivery_of_blocks(blocked, ready)) {
      return {.reason = own ? PathReason::blocks : PathReason::turn, .follows = found};
    }
    if (const auto found = delivery_before(blocked, ready)) {
      return {.reason = own ? reason_of_after(blocked, *found) : PathReason::turn, .follows = found};
    }
    if (const auto found = release_of_port(blocked, ready)) {
      return {.reason = own ? PathReason::port : PathReason::turn, .follows = found, .port_free = true};
    }
  }
  throw std::logic_error("neither blocks nor a port explain when a message became ready");
}

PathReason ReadyReasons::reason_of_after(MessageId id, MessageId found) const
{
  const auto carries_nothing = [this](MessageId of) { return schedule_.block_sets.size(message(of).blocks) == 0; };
  if (has_barriers_) {
    return carries_nothing(id) || carries_nothing(found) ? PathReason::barrier : PathReason::blocks;
  }
  return carries_nothing(found) ? PathReason::ready : PathReason::blocks; // blocks: a piece of a message
}

std::optional<MessageId> ReadyReasons::delivery_of_blocks(MessageId id, Time ready) const
{
  const std::size_t sender = index(message(id).source);
  for (std::size_t i = deliveries_begin_[sender]; i < deliveries_begin_[sender + 1]; ++i) {
    if (delivered(deliveries_[i]) == ready && is_news(deliveries_[i], id)) {
      return deliveries_[i];
    }
  }
  return std::nullopt;
}

// One of the messages in Schedule::after.
std::optional<MessageId> ReadyReasons::delivery_before(MessageId id, Time ready) const
{
  const std::span after = schedule_.after[index(id)];
  const auto found = std::ranges::find_if(after, [&](MessageId earlier) { return delivered(earlier) == ready; });
  return found == after.end() ? std::nullopt : std::optional(*found);
}

// Returns whether `delivery` brought the sender of `id` a block of this message that it did not hold before, or a
// contribution to combine.
bool ReadyReasons::is_news(MessageId delivery, MessageId id) const
{
  if (combines(schedule_.operation)) {
    return std::ranges::find(awaited_[index(id)], delivery) != awaited_[index(id)].end();
  }
  const BlockSets& sets = schedule_.block_sets;
  const NodeId node = message(id).source;
  std::vector<BlockRange> news = intersection(sets.ranges(message(delivery).blocks), sets.ranges(message(id).blocks));
  news = without(news, blocks_at_start(schedule_, node, topology_.host_count()));
  const Time now = delivered(delivery);
  for (std::size_t i = deliveries_begin_[index(node)]; i < deliveries_begin_[index(node) + 1] && !news.empty(); ++i) {
    if (delivered(deliveries_[i]) < now) {
      news = without(news, sets.ranges(message(deliveries_[i]).blocks));
    }
  }
  return !news.empty();
}

// A message that released its port at `ready`, if until then the number of the port's earlier messages on their way out
// equalled the number of its channels.
std::optional<MessageId> ReadyReasons::release_of_port(MessageId id, Time ready) const
{
  const std::size_t channels = ports_.count == PortModel::all ? 1 : ports_.count / bound_ports(network_);
  std::optional<MessageId> first;
  std::size_t held = 0;
  for (std::size_t position = port_begin_[port_of_[index(id)]]; position < position_in_port_[index(id)]; ++position) {
    const MessageId earlier = port_order_[position];
    held += released(earlier) >= ready ? 1 : 0;
    if (released(earlier) == ready && (!first || earlier < *first)) {
      first = earlier;
    }
  }
  return held >= channels ? first : std::nullopt;
}

std::uint32_t ReadyReasons::port_of(MessageId id, std::vector<ChannelId>& route) const
{
  if (ports_.count != PortModel::all) {
    const std::uint32_t bound = bound_ports(network_);
    return index(message(id).source) * bound + port_of_message(schedule_, id, bound);
  }
  route.clear();
  topology_.append_drawn_route(message(id).source, message(id).destination,
                               route_draw(network_, records_.position.first + std::uint64_t{index(id)}), route);
  return index(route.front());
}

void ReadyReasons::index_ports()
{
  const std::uint32_t ports =
      ports_.count == PortModel::all ? topology_.channel_count() : topology_.host_count() * bound_ports(network_);
  std::vector<ChannelId> route;
  port_of_.reserve(schedule_.messages.size());
  port_begin_.assign(ports + 1, 0);
  for (std::uint32_t id = 0; id < schedule_.messages.size(); ++id) {
    port_of_.push_back(port_of(MessageId{id}, route));
    ++port_begin_[port_of_.back() + 1];
  }
  std::partial_sum(port_begin_.begin(), port_begin_.end(), port_begin_.begin());
  std::vector<std::size_t> next = port_begin_;
  port_order_.resize(schedule_.messages.size());
  position_in_port_.resize(schedule_.messages.size());
  for (const MessageId id : steps_.order) {
    position_in_port_[index(id)] = next[port_of_[index(id)]]++;
    port_order_[position_in_port_[index(id)]] = id;
  }
}

void ReadyReasons::index_parts()
{
  parts_begin_.assign(topology_.host_count() + 1, 0);
  for (const Message& message : schedule_.messages) {
    ++parts_begin_[index(message.source) + 1];
    ++parts_begin_[index(message.destination) + 1];
  }
  std::partial_sum(parts_begin_.begin(), parts_begin_.end(), parts_begin_.begin());
  std::vector<MessageId> by_delivery(schedule_.messages.size());
  for (std::uint32_t i = 0; i < by_delivery.size(); ++i) {
    by_delivery[i] = MessageId{i};
  }
  std::ranges::stable_sort(by_delivery, {}, [&](MessageId id) { return delivered(id); });
  std::vector<std::size_t> next = parts_begin_;
  parts_.resize(2 * by_delivery.size());
  for (const MessageId id : by_delivery) {
    parts_[next[index(message(id).source)]++] = id;
    parts_[next[index(message(id).destination)]++] = id;
  }
}

void ReadyReasons::index_destinations()
{
  deliveries_begin_.assign(topology_.host_count() + 1, 0);
  for (const Message& message : schedule_.messages) {
    ++deliveries_begin_[index(message.destination) + 1];
  }
  std::partial_sum(deliveries_begin_.begin(), deliveries_begin_.end(), deliveries_begin_.begin());
  std::vector<std::size_t> next = deliveries_begin_;
  deliveries_.resize(schedule_.messages.size());
  for (std::uint32_t i = 0; i < schedule_.messages.size(); ++i) {
    deliveries_[next[index(schedule_.messages[i].destination)]++] = MessageId{i};
  }
}

} // namespace wormcast
