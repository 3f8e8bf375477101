#include "wormcast/experiments/compare/least_latency.hpp"

#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/model/channel_times.hpp"
#include "wormcast/simulator/model/flit_counts.hpp"
#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/sources/schedule_sources.hpp"

#include <algorithm>
#include <memory>
#include <queue>
#include <span>
#include <tuple>
#include <vector>

namespace wormcast {

namespace {

/// What happens to a message that nobody is in the way of.
struct LoneEvent {
  std::int64_t time = 0;
  bool delivered = false; ///< else its port is released
  MessageId message{};
  std::uint32_t handle = 0;

  bool operator>(const LoneEvent& other) const
  {
    return std::tuple(time, delivered, index(message)) > std::tuple(other.time, other.delivered, index(other.message));
  }
};

/// What the messages of a step load, by channel or port; cleared from step to step.
class StepLoads {
public:
  explicit StepLoads(std::size_t size) : sums_(size, 0) {}

  /// Throws InputError where a sum overflows.
  void add(std::size_t position, std::int64_t amount)
  {
    std::int64_t& sum = sums_[position];
    if (sum == 0) {
      loaded_.push_back(position);
    }
    if (__builtin_add_overflow(sum, amount, &sum)) {
      throw_time_overflow();
    }
    most_ = std::max(most_, sum);
  }

  std::int64_t most() const { return most_; }

  void clear()
  {
    for (const std::size_t position : loaded_) {
      sums_[position] = 0;
    }
    loaded_.clear();
    most_ = 0;
  }

private:
  std::vector<std::int64_t> sums_;
  std::vector<std::size_t> loaded_;
  std::int64_t most_ = 0;
};

/// In lockstep: what the messages of each step take at least, all of which are ready when it begins. None takes less
/// than alone; the first channel that carries a flit has waited for a startup and then carries a flit in tau; a port
/// sends one message after the other.
class StepBounds {
public:
  StepBounds(const Topology& topology, const Schedule& schedule, const NetworkParameters& network)
      : topology_(topology), schedule_(schedule), network_(network), flits_(schedule, network),
        all_ports_(network.ports.count == PortModel::all), channels_(topology.channel_count()),
        ports_(all_ports_ ? topology.channel_count() : topology.node_count())
  {}

  std::int64_t sum()
  {
    const StepOrder steps = order_by_step(schedule_);
    std::int64_t sum = 0;
    for (std::size_t step = 0; step + 1 < steps.offsets.size(); ++step) {
      const std::span<const MessageId> messages(steps.order);
      const std::int64_t least =
          of(messages.subspan(steps.offsets[step], steps.offsets[step + 1] - steps.offsets[step]));
      if (__builtin_add_overflow(sum, least, &sum)) {
        throw_time_overflow();
      }
    }
    return sum;
  }

private:
  std::int64_t of(std::span<const MessageId> messages)
  {
    channels_.clear();
    ports_.clear();
    std::int64_t alone = 0;
    for (const MessageId id : messages) {
      const Message& message = schedule_.messages[index(id)];
      const std::uint64_t flits = flits_[id];
      const std::int64_t tail = transfer_time(network_, flits) - flits_.shortfall(id);
      const std::uint64_t hops = topology_.distance(message.source, message.destination);
      const std::int64_t port = port_time_alone(network_, hops, flits) - flits_.shortfall(id);
      alone = std::max(alone, port + static_cast<std::int64_t>(hops) * network_.per_hop.picoseconds);
      if (topology_.draws_route(message.source, message.destination)) {
        continue;
      }
      route_.clear();
      topology_.append_route(message.source, message.destination, route_);
      for (const ChannelId channel : route_) {
        channels_.add(index(channel), tail);
      }
      if (!all_ports_ || !route_.empty()) {
        ports_.add(all_ports_ ? index(route_.front()) : index(message.source), port);
      }
    }
    const std::int64_t channel = channels_.most() == 0 ? 0 : network_.startup.picoseconds + channels_.most();
    return std::max({alone, channel, ports_.most() / (all_ports_ ? 1 : network_.ports.count)});
  }

  const Topology& topology_;
  const Schedule& schedule_;
  const NetworkParameters& network_;
  FlitCounts flits_;
  bool all_ports_;
  StepLoads channels_; ///< time of all flits over a channel
  StepLoads ports_;    ///< time for which messages hold their senders' ports
  std::vector<ChannelId> route_;
};

} // namespace

std::int64_t port_time_alone(const NetworkParameters& network, std::uint64_t hops, std::uint64_t flits)
{
  const std::int64_t tau = network.flit_time().picoseconds;
  std::int64_t time = network.startup.picoseconds + static_cast<std::int64_t>(flits) * tau;
  if (network.switching == Switching::wormhole && hops > 0 && flits > 0) {
    const std::int64_t buffer = static_cast<std::int64_t>(network.buffer_flits) * tau;
    const std::int64_t rest_of_hop = std::max<std::int64_t>(network.per_hop.picoseconds - buffer, 0);
    time += static_cast<std::int64_t>((flits - 1) / network.buffer_flits) * rest_of_hop;
  }
  return time;
}

std::optional<std::int64_t> least_latency(const Topology& topology, const Schedule& schedule,
                                          const NetworkParameters& given, const RunParameters& run)
{
  const NetworkParameters network = with_fastest_channels(given);
  if (network.router != &default_router() || schedule.operation == Operation::none || schedule.program != nullptr ||
      run.start_jitter != Time{} || run.noise.has_value() || run.fluid.has_value()) {
    return std::nullopt;
  }
  if (run.mode == Mode::lockstep) {
    return StepBounds(topology, schedule, network).sum();
  }
  const std::unique_ptr<MessageSource> source = make_schedule_source(topology, schedule, network, run);
  std::priority_queue<LoneEvent, std::vector<LoneEvent>, std::greater<>> events;
  std::vector<NewMessage> messages;
  std::vector<Delivery> deliveries;
  std::int64_t now = 0;
  while (true) {
    const std::int64_t next = std::min(source->next_time(), events.empty() ? never : events.top().time);
    if (next == never) {
      return now;
    }
    now = next;
    deliveries.clear();
    while (!events.empty() && events.top().time == now) {
      const LoneEvent event = events.top();
      events.pop();
      if (event.delivered) {
        deliveries.push_back({.message = event.message, .handle = event.handle, .granted = 0});
      } else if (source->wants_port_releases()) {
        source->port_released(event.message, now);
      }
    }
    if (!deliveries.empty()) {
      source->delivered(deliveries, now);
    }
    if (source->next_time() != now) {
      continue;
    }
    messages.clear();
    source->pop(now, messages);
    for (const NewMessage& message : messages) {
      const std::uint64_t hops = topology.distance(message.source, message.destination);
      const std::int64_t released =
          now + port_time_alone(network, hops, message.flits) - message.shortfall + message.extra_startup;
      const std::int64_t arrived = released + static_cast<std::int64_t>(hops) * network.per_hop.picoseconds;
      events.push({released, false, message.message, message.handle});
      events.push({arrived, true, message.message, message.handle});
    }
  }
}

} // namespace wormcast
