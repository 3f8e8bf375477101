#include "wormcast/simulator/engines/wormhole/arbiter.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

// Returns the opposite channel of each channel; a channel without an opposite is its own. Parallel channels are paired
// in the order of their ids.
std::vector<ChannelId> opposite_channels(const Topology& topology)
{
  const std::uint32_t count = topology.channel_count();
  std::vector<ChannelId> by_ends(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    by_ends[i] = ChannelId{i};
  }
  const auto ends = [&](ChannelId channel) {
    return std::pair(topology.channel_target(channel), topology.channel_source(channel));
  };
  std::ranges::stable_sort(by_ends, {}, ends);
  std::vector<ChannelId> opposite(count);
  std::vector<bool> taken(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const ChannelId channel{i};
    const std::pair wanted(topology.channel_source(channel), topology.channel_target(channel));
    auto [first, last] = std::ranges::equal_range(by_ends, wanted, {}, ends);
    first = std::ranges::find_if(first, last, [&](ChannelId other) { return !taken[index(other)]; });
    opposite[i] = first == last ? channel : *first;
    taken[index(opposite[i])] = true;
  }
  return opposite;
}

} // namespace

Arbiter::Arbiter(const Topology& topology, const NetworkParameters& network, const RecordSinks& sinks,
                 bool contention_free)
    : topology_(topology), sinks_(sinks), virtual_channels_(network.virtual_channels),
      classes_(topology.virtual_channel_classes(network.virtual_channels)),
      all_ports_(network.ports.count == PortModel::all), half_duplex_(network.duplex == Duplex::half),
      records_occupancy_(static_cast<bool>(sinks.occupancy)), contention_free_(contention_free),
      bound_(bound_ports(network)), ports_(all_ports_ ? 1 : network.ports.count / bound_), log_(sinks)
{
  for (std::uint32_t k = 0; k <= classes_; ++k) {
    class_begin_.push_back(k * virtual_channels_ / classes_);
  }
  for (std::uint32_t k = 0; k < classes_; ++k) {
    class_of_.insert(class_of_.end(), class_begin_[k + 1] - class_begin_[k], k);
  }
  const std::uint64_t externals = std::uint64_t{topology.channel_count()} * virtual_channels_;
  const std::uint64_t external_resources = std::uint64_t{topology.channel_count()} * classes_;
  const std::uint64_t port_owners =
      all_ports_ ? topology.channel_count() : std::uint64_t{topology.node_count()} * bound_;
  const std::uint64_t port_resources = half_duplex_ && !all_ports_ ? port_owners : 2 * port_owners;
  const std::uint64_t units = externals + port_resources * ports_;
  if (units >= none) {
    throw std::length_error("more than 2^32 channels");
  }
  port_resources_begin_ = static_cast<ResourceIndex>(external_resources);
  port_resources_ = static_cast<std::uint32_t>(port_resources);
  port_units_begin_ = static_cast<Unit>(externals);
  single_units_ = virtual_channels_ == 1 && ports_ == 1;
  plain_ = single_units_ && !records_occupancy_ && !contention_free_;
  unit_count_ = static_cast<std::uint32_t>(units);
  if (all_ports_ && half_duplex_) {
    reverse_ = opposite_channels(topology);
  }
}

void Arbiter::make_units()
{
  units_.resize(unit_count_);
  shared_.resize(virtual_channels_ > 1 ? port_units_begin_ : 0);
  has_shared_.resize(shared_.size());
}

Arbiter::ResourceIndex Arbiter::injection(NodeId sender, ChannelId first, std::uint32_t port) const
{
  if (all_ports_) {
    return port_resources_begin_ + 2 * index(first);
  }
  const std::uint32_t owner = index(sender) * bound_ + port;
  return port_resources_begin_ + (half_duplex_ ? owner : 2 * owner);
}

Arbiter::ResourceIndex Arbiter::ejection(NodeId receiver, ChannelId last, std::uint32_t port) const
{
  if (all_ports_) {
    // A half-duplex internal channel carries messages that leave over an external channel and those that arrive over
    // its opposite.
    const bool shared = half_duplex_ && reverse_[index(last)] != last;
    return shared ? port_resources_begin_ + 2 * index(reverse_[index(last)])
                  : port_resources_begin_ + 2 * index(last) + 1;
  }
  const std::uint32_t owner = index(receiver) * bound_ + port;
  return port_resources_begin_ + (half_duplex_ ? owner : 2 * owner + 1);
}

std::int64_t Arbiter::earliest_free(ResourceIndex resource) const
{
  std::int64_t earliest = unknown;
  const Unit first = first_unit(resource);
  for (Unit unit = first; unit != first + units_in(resource); ++unit) {
    earliest = std::min(earliest, units_[unit].free_at);
  }
  return earliest;
}

std::uint32_t Arbiter::message_count(ChannelId channel, std::int64_t now) const
{
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < virtual_channels_; ++i) {
    count += units_[index(channel) * virtual_channels_ + i].free_at > now ? 1 : 0;
  }
  for (std::uint32_t k = 0; k < classes_; ++k) {
    for (Worm worm = first_waiting(external(channel, k)); worm != none; worm = wait_of(worm).next) {
      ++count;
    }
  }
  return count;
}

void Arbiter::note_sharing(Unit unit, std::int64_t now)
{
  const Unit first = unit / virtual_channels_ * virtual_channels_;
  for (Unit other = first; other != first + virtual_channels_; ++other) {
    if (other != unit && units_[other].free_at > now) {
      first_shared_ = Time{now};
    }
  }
}

void Arbiter::note_shared_time(Unit unit, MessageStep other, std::int64_t from, std::int64_t to)
{
  SharedTime& shared = shared_[unit];
  if (shared.wait == 0) {
    shared.from = from;
    shared.other = other;
  }
  shared.to = to;
  shared.wait += to - from;
  has_shared_[unit] = true;
}

void Arbiter::end_sharing(Unit unit)
{
  if (!has_shared_[unit]) {
    return;
  }
  has_shared_[unit] = false;
  const SharedTime shared = std::exchange(shared_[unit], SharedTime{});
  const MessageStep holder = units_[unit].holder;
  log_.add({.resource = description(resource_of(unit)),
            .waiting = holder.message,
            .holding = shared.other.message,
            .waiting_step = holder.step,
            .holding_step = shared.other.step,
            .kind = ContentionKind::sharing,
            .from = Time{shared.from},
            .to = Time{shared.to},
            .wait = Time{shared.wait}});
}

void Arbiter::enqueue(ResourceIndex resource, Worm worm, MessageStep requester, std::int64_t now)
{
  std::vector<Wait>& waits = (worm & at_source) != 0 ? source_waits_ : waits_;
  const std::size_t position = worm & ~at_source;
  if (position >= waits.size()) {
    waits.resize(std::max(position + 1, 2 * waits.size()));
  }
  waits[position] = {
      .since = now, .waiting = requester, .holder = first_holder(resource), .resource = resource, .next = none};
  UnitState& queue = queue_of(resource);
  if (queue.head == none) {
    queue.head = worm;
  } else {
    wait_of(queue.tail).next = worm;
  }
  queue.tail = worm;
}

Arbiter::Worm Arbiter::dequeue(ResourceIndex resource, std::int64_t now)
{
  UnitState& queue = queue_of(resource);
  const Worm worm = queue.head;
  Wait& wait = wait_of(worm);
  queue.head = wait.next;
  if (log_.wanted()) {
    log_.add(make_record(wait, now));
  } else {
    log_.count(kind_of(wait), Time{now - wait.since});
  }
  wait.resource = none;
  return worm;
}

MessageStep Arbiter::first_holder(ResourceIndex resource) const
{
  const Unit first = first_unit(resource);
  Unit earliest = first;
  for (Unit unit = first + 1; unit != first + units_in(resource); ++unit) {
    if (units_[unit].granted_at < units_[earliest].granted_at) {
      earliest = unit;
    }
  }
  return units_[earliest].holder;
}

Resource Arbiter::description(ResourceIndex resource) const
{
  if (!is_port(resource)) {
    const ChannelId channel{resource / classes_};
    return {.kind = Resource::Kind::external, .channel = channel, .node = topology_.channel_source(channel)};
  }
  const std::uint32_t port = resource - port_resources_begin_;
  if (half_duplex_ && !all_ports_) {
    return {.kind = Resource::Kind::injection, .channel = ChannelId{}, .node = NodeId{port / bound_}};
  }
  const auto kind = port % 2 == 0 ? Resource::Kind::injection : Resource::Kind::ejection;
  if (!all_ports_) {
    return {.kind = kind, .channel = ChannelId{}, .node = NodeId{port / 2 / bound_}};
  }
  const ChannelId channel{port / 2};
  const NodeId node =
      kind == Resource::Kind::injection ? topology_.channel_source(channel) : topology_.channel_target(channel);
  return {.kind = kind, .channel = channel, .node = node};
}

ContentionKind Arbiter::kind_of(const Wait& wait) const
{
  if (is_port(wait.resource)) {
    return ContentionKind::port;
  }
  return wait.waiting.step == wait.holder.step ? ContentionKind::step : ContentionKind::depth;
}

ContentionRecord Arbiter::make_record(const Wait& wait, std::int64_t to) const
{
  ContentionRecord record;
  record.resource = description(wait.resource);
  record.waiting = wait.waiting.message;
  record.holding = wait.holder.message;
  record.waiting_step = wait.waiting.step;
  record.holding_step = wait.holder.step;
  record.kind = kind_of(wait);
  record.from = Time{wait.since};
  record.to = Time{to};
  record.wait = record.to - record.from;
  return record;
}

void Arbiter::record_occupancy(Unit unit, std::int64_t to) const
{
  const UnitState& state = units_[unit];
  sinks_.occupancy({.resource = description(resource_of(unit)),
                    .message = state.holder.message,
                    .step = state.holder.step,
                    .from = Time{state.granted_at},
                    .to = Time{to}});
}

StoppedNetwork Arbiter::explain_deadlock(std::int64_t last_delivery)
{
  std::int64_t end = last_delivery;
  std::unordered_map<std::uint32_t, const Wait*> waiting; // by message
  const Wait* start = nullptr;
  for (const std::vector<Wait>* waits : {&waits_, &source_waits_}) {
    for (const Wait& wait : *waits) {
      if (wait.resource == none) {
        continue;
      }
      end = std::max(end, wait.since);
      waiting.emplace(index(wait.waiting.message), &wait);
      if (start == nullptr || wait.waiting.message < start->waiting.message) {
        start = &wait;
      }
    }
  }
  for (const auto& [message, wait] : waiting) {
    log_.add(make_record(*wait, end));
  }
  for (Unit unit = 0; unit < shared_.size(); ++unit) {
    end_sharing(unit);
  }
  flush_records();
  for (Unit unit = 0; records_occupancy_ && unit < units_.size(); ++unit) {
    if (units_[unit].free_at == unknown) {
      record_occupancy(unit, end);
    }
  }
  if (start == nullptr) {
    return {.since = end, .cycle = {}};
  }
  // Each waiting message points to the holder of the channel that it requests. No message moves, so every holder waits
  // as well, and the chain must return to a message seen before.
  std::vector<WaitingLink> chain;
  std::unordered_map<std::uint32_t, std::size_t> position;
  const Wait* wait = start;
  while (position.emplace(index(wait->waiting.message), chain.size()).second) {
    const MessageId holder = first_holder(wait->resource).message;
    chain.push_back({.waiting = wait->waiting.message, .resource = description(wait->resource), .holding = holder});
    const auto next = waiting.find(index(holder));
    if (next == waiting.end()) {
      throw std::logic_error("a message that does not wait keeps a channel for ever");
    }
    wait = next->second;
  }
  chain.erase(chain.begin(), chain.begin() + static_cast<std::ptrdiff_t>(position.at(index(wait->waiting.message))));
  return {.since = end, .cycle = std::move(chain)};
}

} // namespace wormcast
