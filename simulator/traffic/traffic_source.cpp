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
  if (traffic.lengths.largest() < std::uint64_t{1} << 62) {
    transfer_time(network, flit_count(network, traffic.lengths.largest()));
  }
}

double largest_load(const NetworkParameters& network, const TrafficParameters& traffic)
{
  return traffic.arrival == Arrival::bernoulli ? traffic.lengths.mean_bytes() * network.per_byte.nearest() /
                                                     static_cast<double>(network.flit_time().picoseconds)
                                               : std::numeric_limits<double>::infinity();
}

TrafficSource::TrafficSource(const Topology& topology, const NetworkParameters& network,
                             const TrafficParameters& traffic, const Pattern& pattern, double load,
                             const RunParameters& run, Listener listener)
    : network_(network), traffic_(traffic), run_(run), pattern_(pattern), listener_(std::move(listener)),
      nodes_(topology.host_count()), arrivals_(topology.host_count())
{
  check_traffic(network, traffic);
  const double mean = traffic.lengths.mean_bytes() * network.per_byte.nearest() / load;
  mean_gap_ = fine(mean);
  if (traffic.arrival == Arrival::on_off) {
    burst_gap_ = fine(mean * traffic.duty);
    pause_ = fine(mean * traffic.burst * (1 - traffic.duty));
  }
  if (traffic.arrival == Arrival::bernoulli) {
    const double each = static_cast<double>(network.flit_time().picoseconds) / mean;
    if (load > largest_load(network, traffic)) {
      throw InputError(fmt::format("load: found {}, which is more than one message in a flit time with messages of {} "
                                   "bytes: too much for arrival \"bernoulli\"",
                                   load, traffic.lengths.mean_bytes()));
    }
    empty_slots_ = FailuresBeforeSuccess(std::min(each, 1.0));
  }
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    if (pattern.sends(NodeId{node})) {
      nodes_[node].random = RandomStream(run.seed, node);
      arrivals_.set(node, next_arrival(node, true));
    }
  }
}

TrafficSource::FineTime TrafficSource::gap(Node& node, bool first) const
{
  switch (traffic_.arrival) {
  case Arrival::poisson:
    return stretched(mean_gap_, node.random.exponential());
  case Arrival::bernoulli: {
    const std::uint64_t slots = empty_slots_.draw(node.random) + (first ? 0 : 1);
    return static_cast<FineTime>(slots) * static_cast<std::uint64_t>(network_.flit_time().picoseconds) << fine_bits;
  }
  case Arrival::periodic:
    return first ? stretched(mean_gap_, {.whole = 0, .fraction = node.random.next()}) : mean_gap_;
  case Arrival::on_off:
    break;
  }
  FineTime all = stretched(burst_gap_, node.random.exponential());
  if (node.random.chance(first ? 1 - traffic_.duty : 1 / traffic_.burst)) {
    all += stretched(pause_, node.random.exponential());
  }
  return all;
}

std::int64_t TrafficSource::next_arrival(std::uint32_t node, bool first)
{
  Node& state = nodes_[node];
  state.next += gap(state, first);
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

TrafficMessage TrafficSource::draw(std::uint32_t node, std::int64_t now)
{
  RandomStream& random = nodes_[node].random;
  TrafficMessage message{.created = now, .source = NodeId{node}};
  message.destination = pattern_.destination(message.source, random);
  message.bytes = traffic_.lengths.draw(random);
  message.flits = flit_count(network_, message.bytes);
  return message;
}

void TrafficSource::pop(std::int64_t now, std::vector<NewMessage>& messages)
{
  while (arrivals_.next_time() == now) {
    const std::uint32_t node = arrivals_.winner();
    messages.push_back(create(draw(node, now)));
    arrivals_.set(node, next_arrival(node, false));
  }
}

NewMessage TrafficSource::create(const TrafficMessage& drawn)
{
  if (created_ == std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("more than 4294967295 messages in one run");
  }
  auto handle = static_cast<std::uint32_t>(in_flight_.size());
  if (free_handles_.empty()) {
    in_flight_.push_back(drawn);
  } else {
    handle = free_handles_.back();
    free_handles_.pop_back();
    in_flight_[handle] = drawn;
  }
  const MessageId message{static_cast<std::uint32_t>(created_++)};
  if (listener_.created) {
    listener_.created(in_flight_[handle], message);
  }
  return {.time = drawn.created,
          .flits = drawn.flits,
          .message = message,
          .precedence = tie_precedence(run_, message, drawn.source),
          .source = drawn.source,
          .destination = drawn.destination,
          .handle = handle,
          .extra_startup = extra_startup(network_, run_, message),
          .shortfall = last_flit_shortfall(network_, drawn.bytes)};
}

void TrafficSource::delivered(std::span<const Delivery> deliveries, std::int64_t)
{
  for (const Delivery& delivery : deliveries) {
    if (listener_.delivered) {
      listener_.delivered(in_flight_[delivery.handle], delivery);
    }
    free_handles_.push_back(delivery.handle);
  }
}

} // namespace wormcast
