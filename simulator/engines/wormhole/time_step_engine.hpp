#pragma once

#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/engines/message_in_flight.hpp"
#include "wormcast/simulator/engines/time_step.hpp"
#include "wormcast/simulator/engines/wormhole/arbiter.hpp"
#include "wormcast/values/work_watch.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace wormcast {

/// The common part of engines that advance from time step to time step: the source, the messages in flight, the
/// requests of a time step and its end. The engine itself, `Moves`, has
///
/// - next_event(): the time of its own next event, or `never`;
/// - execute(): executes all events at now(), and calls pop_from_source() once, after all releases;
/// - retire(worm): calls record_delivery(), frees the data of a delivered worm and removes it from worms(); returns the
///   time at which the worm was granted its port.
///
/// `Worm` is derived from MessageInFlight.
template <typename Moves, typename Worm> class TimeStepEngine : public Engine {
public:
  std::optional<std::int64_t> next_event_time() const final
  {
    const std::int64_t next = std::min(moves().next_event(), source_.next_time());
    return next == never ? std::nullopt : std::optional(next);
  }

  std::span<const Delivery> advance(std::int64_t before) final
  {
    ended_.clear();
    source_time_ = source_.next_time(); // other code may have added messages
    for (std::int64_t next = next_time(); next < before; next = next_time()) {
      if (next >= largest_time) {
        throw_time_overflow();
      }
      now_ = next;
      steps_.add();
      moves().execute();
      arbiter_.flush_records();
      if (!ended_.empty()) {
        break;
      }
    }
    return ended_.deliveries();
  }

  std::int64_t now() const final { return now_; }
  const ContentionTotals& contention() const final { return arbiter_.totals(); }
  StoppedNetwork explain_deadlock(std::int64_t last_delivery) final { return arbiter_.explain_deadlock(last_delivery); }
  std::optional<Time> first_shared() const final { return arbiter_.first_shared(); }

protected:
  explicit TimeStepEngine(const EngineInput& input)
      : source_(input.source), wants_port_releases_(input.source.wants_port_releases()),
        delivery_(input.sinks.delivery), path_(input.sinks.path),
        arbiter_(input.topology, input.network, input.sinks, input.contention_free)
  {}

  Arbiter& channels() { return arbiter_; }
  const Arbiter& channels() const { return arbiter_; }
  WormTable<Worm>& worms() { return worms_; }
  const WormTable<Worm>& worms() const { return worms_; }
  Requests& requests() { return requests_; }

  void add_request(std::uint32_t worm) { requests_.add(worms_[worm].precedence, worms_[worm].message, worm); }

  /// Reports to the source that the port of `message` is free.
  void release_port(MessageId message)
  {
    source_.port_released(message, now_);
    port_was_released_ = true;
  }
  bool wants_port_releases() const { return wants_port_releases_; }
  /// Returns MessageSource::waits_for_deliveries().
  bool waits_for_deliveries() const { return source_.waits_for_deliveries(); }

  /// `worm` arrives in this time step.
  void end(std::uint32_t worm) { ended_.add(worms_[worm].delivery(0), worm); }
  void record_delivery(const Worm& worm, std::int64_t granted) const
  {
    if (delivery_) {
      delivery_(worm.record(granted, now_));
    }
  }

  /// Whether record_path() reports the external channels of a message whose header chose them.
  bool wants_paths() const { return static_cast<bool>(path_); }
  void record_path(MessageId message, std::span<const ChannelId> path) const { path_(message, path); }

  /// Reports the deliveries to the source, and pops the messages that request their ports now; valid until the next
  /// time step.
  std::span<const NewMessage> pop_from_source()
  {
    if (!ended_.empty()) {
      ended_.report(source_, now_,
                    [this](std::uint32_t worm, const Delivery& /*not yet granted*/) { return moves().retire(worm); });
    }
    if (!ended_.empty() || port_was_released_) {
      port_was_released_ = false;
      source_time_ = source_.next_time();
    }
    new_messages_.clear();
    if (source_time_ == now_) {
      source_.pop(now_, new_messages_);
      source_time_ = source_.next_time();
    }
    return new_messages_;
  }

private:
  Moves& moves() { return static_cast<Moves&>(*this); }
  const Moves& moves() const { return static_cast<const Moves&>(*this); }
  std::int64_t next_time() const { return std::min(moves().next_event(), source_time_); }

  MessageSource& source_;
  bool wants_port_releases_;
  const std::function<void(const DeliveryRecord&)>& delivery_;             // may be empty
  const std::function<void(MessageId, std::span<const ChannelId>)>& path_; // the same
  Arbiter arbiter_;
  std::int64_t now_ = -1;            // before the first time step
  std::int64_t source_time_ = never; // of the source's next message
  bool port_was_released_ = false;   // in this time step, reported to the source
  Requests requests_;                // of this time step
  EndedWorms ended_;                 // of this time step
  std::vector<NewMessage> new_messages_;
  WormTable<Worm> worms_;
  WorkSteps steps_;
};

} // namespace wormcast
