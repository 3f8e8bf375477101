#include "wormcast/experiments/compare/least_latency.hpp"

#include "wormcast/simulator/model/message_source.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/sources/schedule_sources.hpp"

#include <algorithm>
#include <memory>
#include <queue>
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
                                          const NetworkParameters& network, const RunParameters& run)
{
  if (network.router != &default_router() || schedule.operation == Operation::none || schedule.program != nullptr ||
      run.start_jitter != Time{} || run.noise.has_value() || run.fluid.has_value()) {
    return std::nullopt;
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
      const std::int64_t released = now + port_time_alone(network, hops, message.flits) + message.extra_startup;
      const std::int64_t arrived = released + static_cast<std::int64_t>(hops) * network.per_hop.picoseconds;
      events.push({released, false, message.message, message.handle});
      events.push({arrived, true, message.message, message.handle});
    }
  }
}

} // namespace wormcast
