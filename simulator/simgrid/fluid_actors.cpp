#include "wormcast/simulator/simgrid/fluid_actors.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <span>
#include <utility>

namespace wormcast {

namespace s4u = simgrid::s4u;

struct FluidActors::State {
  // The messages that have requested a port and are not yet sent.
  struct Port {
    std::deque<NewMessage> waiting;
    s4u::SemaphorePtr count = s4u::Semaphore::create(0);
  };

  State(SimGridPlatform& its_platform, const Schedule& its_schedule, const NetworkParameters& its_network,
        MessageSource& its_source)
      : platform(its_platform), schedule(its_schedule), network(its_network), source(its_source),
        delivered(schedule.messages.size())
  {
    if (schedule.operation != Operation::none) {
      set_bytes = block_set_bytes(schedule);
    }
  }

  std::int64_t clock() const
  {
    return static_cast<std::int64_t>(std::llround((s4u::Engine::get_clock() - start) / simgrid_seconds(1)));
  }

  std::uint64_t bytes_of(MessageId id) const
  {
    return set_bytes.empty() ? schedule.plain[index(id)].bytes
                             : set_bytes[static_cast<std::uint32_t>(schedule.messages[index(id)].blocks)];
  }

  std::uint32_t port_of(const NewMessage& message)
  {
    if (network.ports.count != PortModel::all) {
      return index(message.source) * bound_ports(network) + message.port;
    }
    route.clear();
    platform.topology().append_route(message.source, message.destination, route);
    return route.empty() ? platform.topology().channel_count() + index(message.source) : index(route.front());
  }

  void enqueue(const NewMessage& message)
  {
    const auto [entry, is_new] = ports.try_emplace(port_of(message));
    Port& port = entry->second;
    if (is_new) {
      const std::uint32_t channels =
          network.ports.count == PortModel::all ? 1 : network.ports.count / bound_ports(network);
      for (std::uint32_t channel = 0; channel < channels; ++channel) {
        s4u::Actor::create("port", &platform.host(message.source), [this, &port] { send_from(port); })->daemonize();
      }
    }
    port.waiting.push_back(message);
    port.count->release();
  }

  // The actor of a channel of a port.
  void send_from(Port& port)
  {
    while (true) {
      port.count->acquire();
      const NewMessage message = port.waiting.front();
      port.waiting.pop_front();
      const std::int64_t startup = network.startup.picoseconds + message.extra_startup;
      if (startup > 0) {
        s4u::this_actor::sleep_for(simgrid_seconds(startup));
      }
      s4u::Comm::sendto(&platform.host(message.source), &platform.host(message.destination), bytes_of(message.message));
      guarded([&] { deliver(message); });
    }
  }

  void deliver(const NewMessage& message)
  {
    now = std::max(now, clock());
    delivered[index(message.message)] = Time{now};
    --in_flight;
    if (source.wants_port_releases()) {
      source.port_released(message.message, now);
    }
    const Delivery delivery{.message = message.message, .handle = message.handle};
    source.delivered(std::span(&delivery, 1), now);
    follow();
    if (source.next_time() < wake_time || finished()) {
      wake->release();
    }
  }

  // Takes the messages that are due.
  void follow()
  {
    while (source.next_time() <= now) {
      std::vector<NewMessage> popped; // not shared: other actors run while this one calls SimGrid
      source.pop(source.next_time(), popped);
      in_flight += popped.size();
      std::ranges::sort(popped, {},
                        [](const NewMessage& message) { return std::pair(message.precedence, message.message); });
      for (const NewMessage& message : popped) {
        enqueue(message);
      }
    }
  }

  bool finished() const { return failure != nullptr || (in_flight == 0 && source.next_time() == never); }

  // The actor that waits for the source's next message.
  void follow_source()
  {
    guarded([&] { follow(); });
    while (!finished()) {
      wake_time = source.next_time();
      if (wake_time == never) {
        wake->acquire();
      } else {
        const std::int64_t wait = std::max<std::int64_t>(wake_time - clock(), 0);
        if (wake->acquire_timeout(simgrid_seconds(wait))) {
          now = std::max(now, wake_time);
        }
      }
      wake_time = never;
      guarded([&] { follow(); });
    }
  }

  // Nothing may leave an actor: SimGrid would end the process.
  void guarded(const std::function<void()>& action)
  {
    try {
      action();
    } catch (const simgrid::ForcefulKillException&) {
      throw;
    } catch (...) {
      failure = failure == nullptr ? std::current_exception() : failure;
      wake->release();
    }
  }

  SimGridPlatform& platform;
  const Schedule& schedule;
  const NetworkParameters& network;
  MessageSource& source;
  std::vector<std::uint64_t> set_bytes; // by block set
  std::vector<std::optional<Time>> delivered;
  std::map<std::uint32_t, Port> ports; // by node, or with all ports by first channel; nodes of self-messages behind it
  std::vector<ChannelId> route;
  std::uint64_t in_flight = 0; // popped and not yet delivered
  std::int64_t now = 0;
  std::int64_t wake_time = never; // for which the actor of the source waits
  s4u::SemaphorePtr wake = s4u::Semaphore::create(0);
  double start = s4u::Engine::get_clock();
  std::exception_ptr failure;
};

FluidActors::FluidActors(SimGridPlatform& platform, const Schedule& schedule, const NetworkParameters& network,
                         MessageSource& source)
    : state_(std::make_unique<State>(platform, schedule, network, source))
{
  // One memory map an actor instead of two.
  s4u::Engine::set_config("contexts/guard-size", 0);
  s4u::Engine::set_config("contexts/stack-size", 64);
  s4u::Actor::create("source", &platform.host(NodeId{0}), [state = state_.get()] { state->follow_source(); });
}

FluidActors::~FluidActors() = default;

std::vector<std::optional<Time>> FluidActors::take_delivered()
{
  if (state_->failure != nullptr) {
    std::rethrow_exception(state_->failure);
  }
  return std::move(state_->delivered);
}

} // namespace wormcast
