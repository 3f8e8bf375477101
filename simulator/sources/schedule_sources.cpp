#include "wormcast/simulator/sources/schedule_sources.hpp"

#include "wormcast/algorithms/schedule/awaited_messages.hpp"
#include "wormcast/algorithms/verifier/possession.hpp"
#include "wormcast/simulator/events/event_queue.hpp"
#include "wormcast/simulator/model/flit_counts.hpp"
#include "wormcast/simulator/model/routers.hpp"
#include "wormcast/simulator/sources/awaited_deliveries.hpp"
#include "wormcast/simulator/sources/completions.hpp"
#include "wormcast/simulator/sources/program_source.hpp"
#include "wormcast/simulator/sources/start_delays.hpp"
#include "wormcast/values/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace wormcast {

namespace {

struct ReadyMessage {
  std::int64_t time = 0;
  MessageId message{};
};

// The common part of all schedules: the messages that are ready but not yet popped, and those that are delivered but
// not yet complete.
class ScheduleSource : public MessageSource {
public:
  std::int64_t next_time() const override { return std::min(ready_.next_time(), completions_.next_time()); }

  void pop(std::int64_t now, std::vector<NewMessage>& messages) override
  {
    if (completions_.next_time() == now) {
      completed_.clear();
      completions_.pop(now, completed_);
      completed(completed_, now);
    }
    if (ready_.next_time() == now) {
      ready_.pop_all(now, [&](const ReadyMessage& ready) { messages.push_back(new_message(now, ready.message)); });
    }
  }

  void delivered(std::span<const Delivery> deliveries, std::int64_t now) final
  {
    if (completions_.immediate()) {
      completed(deliveries, now);
      return;
    }
    completed_.clear();
    for (const Delivery& delivery : deliveries) {
      if (completions_.add(delivery.message, now)) {
        completed_.push_back(delivery);
      }
    }
    if (!completed_.empty()) {
      completed(completed_, now);
    }
  }

  std::span<const std::int64_t> completions() const final { return completions_.times(); }

  ComputedTotals computed() const final { return completions_.computed(); }

  std::int64_t end(std::int64_t last_delivery) const final
  {
    if (schedule_.messages.empty()) {
      return last_delivery; // nothing is called
    }
    std::int64_t last = last_delivery;
    for (const std::int64_t time : completions_.times()) {
      last = std::max(last, time);
    }
    return last + after_end_.picoseconds;
  }

  void port_released(MessageId, std::int64_t) override {}
  bool wants_port_releases() const override { return false; }
  bool has_one_step() const final
  {
    const std::vector<Message>& messages = schedule_.messages;
    return std::ranges::all_of(messages, [&](const Message& sent) { return sent.step == messages.front().step; });
  }
  std::optional<std::uint64_t> message_count() const override { return schedule_.messages.size(); }

protected:
  ScheduleSource(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                 const RunParameters& run)
      : schedule_(schedule), network_(network), run_(run), flits_(schedule, network),
        delays_(start_delays(topology, network, run)), completions_(topology, schedule, network, run),
        ports_of_node_(bound_ports(network)), before_start_(work_before_start(topology, schedule, network, run)),
        after_end_(work_after_end(topology, schedule, network, run))
  {
    for (std::int64_t& delay : delays_) {
      delay += before_start_.picoseconds;
    }
  }

  // Their receivers can use these messages, ascending by message. Called at `now` before the messages that request
  // their ports at that time are popped.
  virtual void completed(std::span<const Delivery> messages, std::int64_t now) = 0;

  const Schedule& schedule() const { return schedule_; }
  const Message& message(MessageId id) const { return schedule_.messages[index(id)]; }

  void make_ready(MessageId id, std::int64_t earliest)
  {
    ready_.push({std::max(earliest, delays_[index(message(id).source)]), id});
  }

  NewMessage new_message(std::int64_t now, MessageId id) const
  {
    const Message& sent = message(id);
    return {.time = now,
            .flits = flits_[id],
            .message = id,
            .precedence = tie_precedence(run_, first_packet(schedule_, id), sent.source),
            .source = sent.source,
            .destination = sent.destination,
            .step = sent.step,
            .extra_startup = extra_startup(schedule_, network_, run_, id),
            .shortfall = flits_.shortfall(id),
            .priority = schedule_.plain.empty() ? std::uint8_t{0} : schedule_.plain[index(id)].priority,
            .port = static_cast<std::uint8_t>(port_of_message(schedule_, id, ports_of_node_))};
  }

  std::uint32_t ports_of_node() const { return ports_of_node_; }

  std::int64_t delay(MessageId id) const { return delays_[index(message(id).source)]; }

private:
  const Schedule& schedule_;
  const NetworkParameters& network_;
  RunParameters run_;
  FlitCounts flits_;
  std::vector<std::int64_t> delays_; // by node: when it can send first
  Completions completions_;
  std::uint32_t ports_of_node_; // to which messages are bound, without all ports
  Time before_start_;           // spent by every node before it sends
  Time after_end_;              // and after it has received everything
  std::vector<Delivery> completed_;
  EventQueue<ReadyMessage> ready_;
};

class LockstepSource final : public ScheduleSource {
public:
  LockstepSource(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                 const RunParameters& run)
      : ScheduleSource(topology, schedule, network, run), steps_(order_by_step(schedule))
  {
    if (run.start_jitter == Time{}) { // all nodes can send from one time on
      for (std::size_t step = 0; step + 1 < steps_.offsets.size(); ++step) {
        const std::size_t size = steps_.offsets[step + 1] - steps_.offsets[step];
        if (size > 0) {
          batches_.push_back(step);
          largest_batch_ = std::max(largest_batch_, size);
        }
      }
    }
    start_next_step(0);
  }

  void pop(std::int64_t now, std::vector<NewMessage>& messages) override
  {
    messages.reserve(messages.size() + outstanding_); // without jitter all at once
    ScheduleSource::pop(now, messages);
  }

  bool waits_for_deliveries() const override { return next_time() == never; }

  std::size_t batch_count() const override { return batches_.size(); }
  std::size_t largest_batch() const override { return largest_batch_; }

  void append_batch(std::size_t batch, std::vector<NewMessage>& messages) const override
  {
    const std::size_t step = batches_[batch];
    for (std::size_t i = steps_.offsets[step]; i < steps_.offsets[step + 1]; ++i) {
      messages.push_back(new_message(0, steps_.order[i]));
    }
  }

  Rest rest() const override
  {
    const std::size_t started = steps_.offsets[next_step_];
    const std::size_t count = steps_.order.size();
    return {count - started, started < count ? std::optional(steps_.order[started]) : std::nullopt};
  }

private:
  void completed(std::span<const Delivery> messages, std::int64_t now) override
  {
    outstanding_ -= messages.size();
    start_next_step(now);
  }

  void start_next_step(std::int64_t now)
  {
    while (outstanding_ == 0 && next_step_ + 1 < steps_.offsets.size()) {
      const std::size_t begin = steps_.offsets[next_step_];
      const std::size_t end = steps_.offsets[++next_step_];
      for (std::size_t i = begin; i < end; ++i) {
        make_ready(steps_.order[i], now);
      }
      outstanding_ = end - begin;
    }
  }

  StepOrder steps_;
  std::vector<std::size_t> batches_; // the steps with messages; none: these can be ready at different times
  std::size_t largest_batch_ = 0;
  std::size_t next_step_ = 0;
  std::size_t outstanding_ = 0;
};

class SelfTimedSource final : public ScheduleSource {
public:
  SelfTimedSource(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
                  const RunParameters& run, std::uint64_t first)
      : ScheduleSource(topology, schedule, network, run), topology_(topology),
        all_ports_(network.ports.count == PortModel::all),
        channels_per_port_(all_ports_ ? 1 : network.ports.count / ports_of_node()),
        possession_(schedule, topology.host_count()),
        after_(schedule.after, static_cast<std::uint32_t>(schedule.messages.size()))
  {
    if (combines(schedule.operation)) {
      awaited_ = AwaitedDeliveries(awaited_messages(schedule, topology.host_count()),
                                   static_cast<std::uint32_t>(schedule.messages.size()));
    }
    const std::size_t count = schedule.messages.size();
    port_of_.reserve(count);
    std::vector<ChannelId> route;
    for (std::size_t id = 0; id < count; ++id) {
      const Message& message = schedule.messages[id];
      if (all_ports_) {
        route.clear();
        topology.append_drawn_route(message.source, message.destination, route_draw(network, first + id), route);
        port_of_.push_back(index(route.front()));
      } else {
        port_of_.push_back(index(message.source) * ports_of_node() +
                           port_of_message(schedule, MessageId{static_cast<std::uint32_t>(id)}, ports_of_node()));
      }
    }
    // A counting sort of the messages by port preserves schedule order within each port.
    const std::uint32_t ports_in_all = all_ports_ ? topology.channel_count() : topology.host_count() * ports_of_node();
    next_.assign(ports_in_all + 1, 0);
    for (const std::uint32_t port : port_of_) {
      ++next_[port + 1];
    }
    std::partial_sum(next_.begin(), next_.end(), next_.begin());
    queue_end_.assign(next_.begin() + 1, next_.end());
    queue_.resize(count);
    std::vector<std::size_t> next_slot(next_.begin(), next_.end() - 1);
    for (const MessageId message : order_by_step(schedule).order) {
      queue_[next_slot[port_of_[index(message)]]++] = message;
    }
    in_flight_.assign(ports_in_all, 0);
    for (std::uint32_t port = 0; port < ports_in_all; ++port) {
      issue(port, 0);
    }
  }

  void port_released(MessageId message, std::int64_t now) override
  {
    const std::uint32_t port = port_of_[index(message)];
    --in_flight_[port];
    issue(port, now);
  }

  bool wants_port_releases() const override { return true; }

  Rest rest() const override
  {
    Rest rest;
    for (std::uint32_t port = 0; port < in_flight_.size(); ++port) {
      rest.messages += queue_end_[port] - next_[port];
      if (!rest.first && next_[port] < queue_end_[port]) {
        rest.first = queue_[next_[port]];
      }
    }
    return rest;
  }

private:
  void completed(std::span<const Delivery> messages, std::int64_t now) override
  {
    for (const Delivery& delivery : messages) {
      const Message& arrived = message(delivery.message);
      after_.deliver(delivery.message, [](MessageId) {});
      if (combines(schedule().operation)) {
        awaited_.deliver(delivery.message, [](MessageId) {});
      } else {
        possession_.add(arrived.destination, arrived.blocks);
      }
    }
    for (const Delivery& delivery : messages) {
      const NodeId node = message(delivery.message).destination;
      const std::uint32_t first = all_ports_ ? index(topology_.first_channel(node)) : index(node) * ports_of_node();
      const std::uint32_t count = all_ports_ ? topology_.out_degree(node) : ports_of_node();
      for (std::uint32_t port = first; port < first + count; ++port) {
        issue(port, now);
      }
    }
  }

  bool has_what_it_sends(MessageId id) const
  {
    if (!after_.has_all(id)) {
      return false;
    }
    return combines(schedule().operation) ? awaited_.has_all(id)
                                          : possession_.holds(message(id).source, message(id).blocks);
  }

  void issue(std::uint32_t port, std::int64_t now)
  {
    while (next_[port] < queue_end_[port] && in_flight_[port] < channels_per_port_) {
      const MessageId id = queue_[next_[port]];
      if (!has_what_it_sends(id)) {
        return;
      }
      make_ready(id, now);
      ++next_[port];
      ++in_flight_[port];
    }
  }

  const Topology& topology_;
  bool all_ports_;
  std::uint32_t channels_per_port_;
  Possession possession_;
  AwaitedDeliveries awaited_;            // where the operation combines
  AwaitedDeliveries after_;              // Schedule::after
  std::vector<std::uint32_t> port_of_;   // by message: port of its sender, or with all ports the first external channel
  std::vector<MessageId> queue_;         // messages by (port, step, id)
  std::vector<std::size_t> next_;        // by port: its first message in queue_ that is not ready yet
  std::vector<std::size_t> queue_end_;   // by port
  std::vector<std::uint32_t> in_flight_; // by port: ready messages that have not released the port yet
};

class PlainSource final : public ScheduleSource {
public:
  PlainSource(const Topology& topology, const Schedule& schedule, const NetworkParameters& network,
              const RunParameters& run)
      : ScheduleSource(topology, schedule, network, run),
        awaited_(schedule.after, static_cast<std::uint32_t>(schedule.messages.size()))
  {
    std::vector<ReadyMessage> independent;
    for (std::uint32_t i = 0; i < schedule.messages.size(); ++i) {
      if (schedule.after[i].empty()) {
        independent.push_back({start(MessageId{i}), MessageId{i}});
      }
    }
    const auto by_time = [](const ReadyMessage& a, const ReadyMessage& b) { return a.time < b.time; };
    if (!std::ranges::is_sorted(independent, by_time)) {
      std::ranges::sort(independent, by_time);
    }
    independent_.reserve(independent.size());
    for (const ReadyMessage& ready : independent) {
      independent_.push_back(new_message(ready.time, ready.message));
    }
  }

  std::int64_t next_time() const override { return std::min(next_independent_time(), ScheduleSource::next_time()); }

  void pop(std::int64_t now, std::vector<NewMessage>& messages) override
  {
    if (ScheduleSource::next_time() == now) {
      ScheduleSource::pop(now, messages);
    }
    while (next_independent_time() == now) {
      messages.push_back(independent_[taken_++]);
    }
  }

  Rest rest() const override
  {
    Rest rest;
    const std::span missing = awaited_.missing();
    for (std::uint32_t i = 0; i < missing.size(); ++i) {
      rest.messages += missing[i] > 0 ? 1 : 0;
      if (!rest.first && missing[i] > 0) {
        rest.first = MessageId{i};
      }
    }
    return rest;
  }

private:
  void completed(std::span<const Delivery> messages, std::int64_t now) override
  {
    if (awaited_.empty()) {
      return;
    }
    for (const Delivery& delivery : messages) {
      awaited_.deliver(delivery.message, [&](MessageId id) {
        make_ready(id, std::max(now, schedule().plain[index(id)].start.picoseconds));
      });
    }
  }

  std::int64_t start(MessageId id) const { return std::max(schedule().plain[index(id)].start.picoseconds, delay(id)); }

  std::int64_t next_independent_time() const
  {
    return taken_ < independent_.size() ? independent_[taken_].time : never;
  }

  // Messages that wait for no other, by time: their order in the list differs, and random access while the network's
  // state fills the caches costs a quarter of a run.
  std::vector<NewMessage> independent_;
  std::size_t taken_ = 0; // of independent_
  AwaitedDeliveries awaited_;
};

void expect_ports(const Topology& topology, const Schedule& schedule, const NetworkParameters& network)
{
  if (bound_ports(network) > 1 && schedule.ports_of_messages.empty() && !schedule.messages.empty()) {
    throw InputError("network.port_choice: found \"of_message\", but no message of this schedule is bound to a port, "
                     "expected an algorithm with several shares, or a list whose messages have the key \"port\"");
  }
  if (network.port_choice == PortChoice::of_message && network.router != &default_router()) {
    throw InputError(fmt::format("network.port_choice: router \"{}\" does not bind messages to ports, expected router "
                                 "\"{}\" or no such key",
                                 network.router->name, default_router().name));
  }
  if (schedule.packets.empty()) {
    return;
  }
  if (network.router != &default_router()) {
    throw InputError(
        fmt::format("run.packet_bytes: router \"{}\" does not send packets, expected router \"{}\" or no such key",
                    network.router->name, default_router().name));
  }
  if (network.ports.count != PortModel::all && network.ports.count > bound_ports(network)) {
    throw InputError(fmt::format("run.packet_bytes: the packets of a message leave one after the other by one port: "
                                 "found {} ports, expected one, all, or network.port_choice = \"of_message\"",
                                 network.ports.count));
  }
  if (network.ports.count == PortModel::all && topology.drawn_bits() > 0) {
    throw InputError("run.packet_bytes: with all ports and routes that are drawn (network.routing, network.tie) the "
                     "packets of a message leave by different ports, expected one port, or routes that are not drawn");
  }
}

} // namespace

std::unique_ptr<MessageSource> make_schedule_source(const Topology& topology, const Schedule& schedule,
                                                    const NetworkParameters& network, const RunParameters& run,
                                                    std::uint64_t first)
{
  expect_ports(topology, schedule, network);
  if (schedule.program) {
    return make_program_source(topology, schedule, network, run);
  }
  if (schedule.operation == Operation::none) {
    return std::make_unique<PlainSource>(topology, schedule, network, run);
  }
  if (run.mode == Mode::lockstep) {
    return std::make_unique<LockstepSource>(topology, schedule, network, run);
  }
  return std::make_unique<SelfTimedSource>(topology, schedule, network, run, first);
}

} // namespace wormcast
