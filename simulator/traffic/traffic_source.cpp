#include "wormcast/simulator/traffic/traffic_source.hpp"

#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace wormcast {

namespace {

__extension__ using Wide = unsigned __int128;

constexpr unsigned fine_bits = 32;

/// mean * (whole + fraction / 2^64), without overflow for means up to 2^94.
Wide stretched(Wide mean, RandomStream::Exponential drawn)
{
  const Wide low = static_cast<std::uint64_t>(mean);
  const Wide high = mean >> 64;
  return mean * drawn.whole + high * drawn.fraction + ((low * drawn.fraction) >> 64);
}

Wide fine(double picoseconds)
{
  if (picoseconds > static_cast<double>(largest_time)) {
    throw InputError(
        "load: so small, or on_off.burst so large, that no message is generated within the longest time that can be "
        "simulated");
  }
  return static_cast<Wide>(std::ldexp(picoseconds, fine_bits));
}

} // namespace

void check_traffic(const NetworkParameters& network, const TrafficParameters& traffic)
{
  if (traffic.include_self && !serves_self_messages(network)) {
    throw InputError("include_self: messages to their own sender need a port for all channels of a node, and one for "
                     "each direction; expected ports = 1 or a number, and duplex = \"full\"");
  }
  for (const TrafficClass& one : classes_of(traffic)) {
    if (one.lengths.largest() < std::uint64_t{1} << 62) {
      transfer_time(network, flit_count(network, one.lengths.largest()));
    }
  }
}

double largest_load(const NetworkParameters& network, const TrafficParameters& traffic)
{
  double largest = std::numeric_limits<double>::infinity();
  for (const TrafficClass& one : classes_of(traffic)) {
    if (one.arrival == Arrival::bernoulli) {
      largest = std::min(largest, one.lengths.mean_bytes() * network.per_byte.nearest() /
                                      static_cast<double>(network.flit_time().picoseconds) / one.weight);
    }
  }
  return largest;
}

TrafficSource::TrafficSource(const Topology& topology, const NetworkParameters& network,
                             const TrafficParameters& traffic, const TrafficClasses& classes, double load,
                             const RunParameters& run, Listener listener)
    : network_(network), run_(run), classes_(classes), listener_(std::move(listener)), nodes_(topology.host_count()),
      senders_(classes.all().size() * nodes_), arrivals_(static_cast<std::uint32_t>(senders_.size()))
{
  check_traffic(network, traffic);
  if (const double largest = largest_load(network, traffic); load > largest) {
    throw InputError(fmt::format("load: found {}, which is more than one message in a flit time: too much for arrival "
                                 "\"bernoulli\", expected at most {:.4g}",
                                 load, largest));
  }
  for (const TrafficClasses::Class& one : classes.all()) {
    const std::uint64_t first = gaps_.size() * nodes_;
    const std::uint64_t stream = std::uint64_t{gaps_.size()} << 32U; // the nodes of the first class are 0, 1, ...
    gaps_.push_back(gaps_of(one, load));
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      if (one.pattern.sends(NodeId{node})) {
        const auto sender = static_cast<std::uint32_t>(first + node);
        senders_[sender].random = RandomStream(run.seed, stream + node);
        arrivals_.set(sender, next_arrival(sender, true));
      }
    }
  }
}

TrafficSource::Gaps TrafficSource::gaps_of(const TrafficClasses::Class& one, double load) const
{
  const TrafficClass& generation = one.generation;
  const double mean = generation.lengths.mean_bytes() * network_.per_byte.nearest() / (load * generation.weight);
  Gaps gaps;
  gaps.mean = fine(mean);
  if (generation.arrival == Arrival::on_off) {
    gaps.in_burst = fine(mean * generation.duty);
    gaps.pause = fine(mean * generation.burst * (1 - generation.duty));
  }
  if (generation.arrival == Arrival::bernoulli) {
    const double each = static_cast<double>(network_.flit_time().picoseconds) / mean;
    gaps.empty_slots = FailuresBeforeSuccess(std::min(each, 1.0));
  }
  return gaps;
}

TrafficSource::FineTime TrafficSource::gap(Sender& sender, std::uint32_t of_class, bool first) const
{
  const MessageGeneration& generation = classes_.all()[of_class].generation;
  const Gaps& gaps = gaps_[of_class];
  switch (generation.arrival) {
  case Arrival::poisson:
    return stretched(gaps.mean, sender.random.exponential());
  case Arrival::bernoulli: {
    const std::uint64_t slots = gaps.empty_slots.draw(sender.random) + (first ? 0 : 1);
    return static_cast<FineTime>(slots) * static_cast<std::uint64_t>(network_.flit_time().picoseconds) << fine_bits;
  }
  case Arrival::periodic:
    return first ? stretched(gaps.mean, {.whole = 0, .fraction = sender.random.next()}) : gaps.mean;
  case Arrival::on_off:
    break;
  }
  FineTime all = stretched(gaps.in_burst, sender.random.exponential());
  if (sender.random.chance(first ? 1 - generation.duty : 1 / generation.burst)) {
    all += stretched(gaps.pause, sender.random.exponential());
  }
  return all;
}

std::int64_t TrafficSource::next_arrival(std::uint32_t sender, bool first)
{
  Sender& state = senders_[sender];
  state.next += gap(state, sender / nodes_, first);
  const Wide picoseconds = state.next >> fine_bits;
  if (picoseconds >= static_cast<Wide>(largest_time)) {
    return never;
  }
  return next_whole_cycle(network_, Time{static_cast<std::int64_t>(picoseconds)}).picoseconds;
}

void TrafficSource::stop()
{
  stopped_ = true;
}

void TrafficSource::draw(std::uint32_t sender, std::int64_t now, TrafficMessage& message)
{
  RandomStream& random = senders_[sender].random;
  message.created = now;
  message.source = NodeId{sender % nodes_};
  message.traffic_class = sender / nodes_;
  message.tag = 0;
  const TrafficClasses::Class& one = classes_.all()[message.traffic_class];
  message.destination = one.pattern.destination(message.source, random);
  message.bytes = one.generation.lengths.draw(random);
  message.flits = flit_count(network_, message.bytes);
}

void TrafficSource::pop(std::int64_t now, std::vector<NewMessage>& messages)
{
  while (arrivals_.next_time() == now) {
    const std::uint32_t sender = arrivals_.winner();
    create(sender, now, messages.emplace_back());
    arrivals_.set(sender, next_arrival(sender, false));
  }
}

// Both messages are written where they stay: a copy of what was just written would wait for it.
void TrafficSource::create(std::uint32_t sender, std::int64_t now, NewMessage& message)
{
  if (created_ == std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than 4294967295 messages in one run");
  }
  const std::uint32_t handle = free_handle();
  TrafficMessage& drawn = in_flight_[handle];
  draw(sender, now, drawn);
  const MessageId id{static_cast<std::uint32_t>(created_++)};
  if (listener_.created) {
    listener_.created(drawn, id);
  }
  message.time = now;
  message.flits = drawn.flits;
  message.message = id;
  message.precedence = tie_precedence(run_, id, drawn.source);
  message.source = drawn.source;
  message.destination = drawn.destination;
  message.handle = handle;
  message.extra_startup = extra_startup(network_, run_, id);
  message.shortfall = last_flit_shortfall(network_, drawn.bytes);
  message.priority = classes_.all()[drawn.traffic_class].generation.priority;
}

std::uint32_t TrafficSource::free_handle()
{
  if (free_handles_.empty()) {
    in_flight_.emplace_back();
    return static_cast<std::uint32_t>(in_flight_.size() - 1);
  }
  const std::uint32_t handle = free_handles_.back();
  free_handles_.pop_back();
  return handle;
}

void TrafficSource::delivered(std::span<const Delivery> deliveries, std::int64_t)
{
  for (const Delivery& delivery : deliveries) {
    __builtin_prefetch(&in_flight_[delivery.handle]);
  }
  for (const Delivery& delivery : deliveries) {
    if (listener_.delivered) {
      listener_.delivered(in_flight_[delivery.handle], delivery);
    }
    free_handles_.push_back(delivery.handle);
  }
}

} // namespace wormcast
