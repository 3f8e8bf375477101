#pragma once

#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/engines/input_queued/pipeline_log.hpp"
#include "wormcast/simulator/engines/message_in_flight.hpp"
#include "wormcast/simulator/engines/stopped_messages.hpp"
#include "wormcast/simulator/engines/time_step.hpp"
#include "wormcast/simulator/events/event_queue.hpp"
#include "wormcast/values/work_watch.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace wormcast {

/// The common part of the engines of router "input_queued": time in cycles, start-ups that end before a message enters
/// its source queue, messages that are generated between two cycles or in one that has been executed, and records. The
/// engine itself, `Moves`, has
///
/// - next_cycle(): the cycle of its own next event, or `never`;
/// - execute(): executes all events in cycle(), and calls pop_messages() once, after end() and release_port();
/// - enqueue(message): adds a message to its source queue in cycle(), which is its time as well;
/// - send_late(): called when cycle() has been executed and more messages have entered queues in it;
/// - retire(worm): calls record_delivery() and frees the data of a delivered worm.
template <typename Moves> class PipelineEngine : public Engine {
public:
  std::optional<std::int64_t> next_event_time() const final
  {
    const std::int64_t next = std::min(next_cycle_time(), source_.next_time());
    return next == never ? std::nullopt : std::optional(next);
  }

  std::span<const Delivery> advance(std::int64_t before) final
  {
    ended_.clear();
    source_time_ = source_.next_time(); // other code may have added messages
    while (true) {
      const std::int64_t cycle_time = next_cycle_time();
      const std::int64_t next = std::min(cycle_time, source_time_);
      if (next >= before) {
        break;
      }
      if (next >= largest_time) {
        throw_time_overflow();
      }
      const bool again = next == now_;
      now_ = next;
      if (again || (next != cycle_time && next % tau_ != 0)) {
        pop_late_messages();
        continue;
      }
      cycle_ = next / tau_;
      steps_.add();
      moves().execute();
      log_.flush();
      if (!ended_.empty()) {
        break;
      }
    }
    return ended_.deliveries();
  }

  std::int64_t now() const final { return now_; }
  const ContentionTotals& contention() const override { return log_.totals(); }

protected:
  /// A cycle, or a number of cycles.
  using Cycle = std::int64_t;

  explicit PipelineEngine(const EngineInput& input)
      : source_(input.source), delivery_(input.sinks.delivery),
        wants_port_releases_(input.source.wants_port_releases()), tau_(input.network.flit_time().picoseconds),
        log_(input.sinks, tau_), startup_(input.network.startup.picoseconds / tau_)
  {}

  Cycle cycle() const { return cycle_; }
  std::int64_t tau() const { return tau_; }
  Time time_of(Cycle cycle) const { return Time{cycle * tau_}; }
  PipelineLog& log() { return log_; }
  bool wants_port_releases() const { return wants_port_releases_; }
  bool wants_deliveries() const { return static_cast<bool>(delivery_); }

  /// Returns the number of messages that have been popped and are not yet enqueued.
  std::uint64_t starting() const { return starting_; }

  /// A message arrives in this cycle.
  void end(const Delivery& delivery, std::uint32_t worm) { ended_.add(delivery, worm); }
  void release_port(MessageId message)
  {
    source_.port_released(message, now_);
    port_was_released_ = true;
  }

  /// Reports the deliveries to the source, and enqueues the messages that are ready in this cycle.
  void pop_messages()
  {
    if (!ended_.empty()) {
      ended_.report(source_, now_, [this](std::uint32_t worm, const Delivery& delivery) {
        moves().retire(worm);
        return delivery.granted;
      });
    }
    if (!ended_.empty() || port_was_released_) {
      port_was_released_ = false;
      source_time_ = source_.next_time();
    }
    pop_from_source();
    enqueue_ready();
  }

  /// Records the waits that never end. They last until the returned cycle, the last one in which a message moved or
  /// stopped: a wait that begins in it has no length.
  Cycle log_stopped(const StoppedMessages& stopped, std::int64_t last_delivery)
  {
    const Cycle end = std::max(last_delivery / tau_, stopped.last());
    stopped.for_each([&](const StoppedMessage& wait) {
      log_.add_wait(wait.resource, wait.waiting, wait.holding, wait.since, wait.cause, end);
    });
    log_.flush();
    return end;
  }

  void record_delivery(const MessageInFlight& worm, const FlitTimes& times) const
  {
    if (delivery_) {
      DeliveryRecord record = worm.record(times.head_injected.picoseconds, now_);
      record.flits = times;
      delivery_(record);
    }
  }

private:
  Moves& moves() { return static_cast<Moves&>(*this); }
  const Moves& moves() const { return static_cast<const Moves&>(*this); }

  // A message between its start-up and its source queue.
  struct Starting {
    std::int64_t time = 0; // the cycle in which it is ready
    NewMessage message;
  };

  std::int64_t next_cycle_time() const
  {
    const Cycle next = std::min(std::min<Cycle>(moves().next_cycle(), pending_.next_time()), late_.next_time());
    return next >= largest_time / tau_ ? (next == never ? never : largest_time) : next * tau_;
  }

  void pop_from_source()
  {
    if (source_time_ != now_) {
      return;
    }
    popped_.clear();
    source_.pop(now_, popped_);
    source_time_ = source_.next_time();
    starting_ += popped_.size();
    const Cycle ready = (now_ + tau_ - 1) / tau_ + startup_;
    if (ready == cycle_ && pending_.empty() && late_.empty() && std::ranges::all_of(popped_, starts_at_once)) {
      ready_.swap(popped_);
      enqueue_all();
      return;
    }
    for (const NewMessage& message : popped_) {
      if (message.extra_startup == 0) {
        pending_.push({.time = ready, .message = message});
      } else {
        late_.push({.time = ready + message.extra_startup / tau_, .message = message});
      }
    }
  }

  static bool starts_at_once(const NewMessage& message) { return message.extra_startup == 0; }

  void enqueue_ready()
  {
    if (pending_.next_time() > cycle_ && late_.next_time() > cycle_) {
      return;
    }
    ready_.clear();
    while (pending_.next_time() <= cycle_) {
      ready_.push_back(pending_.pop().message);
    }
    while (late_.next_time() <= cycle_) {
      late_.pop_all(late_.next_time(), [this](const Starting& starting) { ready_.push_back(starting.message); });
    }
    enqueue_all();
  }

  void enqueue_all()
  {
    starting_ -= ready_.size();
    const auto rank = [](const NewMessage& message) { return std::pair(message.precedence, message.message); };
    if (!std::ranges::is_sorted(ready_, {}, rank)) {
      std::ranges::sort(ready_, {}, rank);
    }
    for (NewMessage& message : ready_) {
      message.time = now_;
      moves().enqueue(message);
    }
  }

  void pop_late_messages()
  {
    pop_from_source();
    if (now_ == cycle_ * tau_) {
      enqueue_ready();
      moves().send_late();
    }
  }

  MessageSource& source_;
  const std::function<void(const DeliveryRecord&)>& delivery_; // may be empty
  bool wants_port_releases_;
  std::int64_t tau_;
  PipelineLog log_;
  Cycle startup_;
  std::int64_t now_ = -1;            // before the first cycle
  Cycle cycle_ = -1;                 // the last executed cycle
  std::int64_t source_time_ = never; // of the source's next message
  bool port_was_released_ = false;   // in this cycle, reported to the source
  std::vector<NewMessage> popped_;
  std::vector<NewMessage> ready_;
  WorkSteps steps_;
  EventLane<Starting> pending_;
  EventQueue<Starting> late_; // messages with a start-up longer than T_s
  std::uint64_t starting_ = 0;
  EndedWorms ended_; // of this time step
};

} // namespace wormcast
