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

/// What engines that go from instant to instant have in common: the source, the messages under way, the requests of an
/// instant and its end. `Moves` is the engine itself, which has
///
/// - next_event(): the time of its own next event, or `never`;
/// - execute(): everything that happens at now(). Within it, after all releases, pop_from_source() comes once;
/// - retire(worm): gives up what a delivered worm took, removes it from worms(), and calls record_delivery() before;
///   returns when the worm got its port.
///
/// `Worm` is a MessageInFlight with what the engine adds to it.
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
    source_time_ = source_.next_time(); // others may have given it messages
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
        delivery_(input.sinks.delivery), arbiter_(input.topology, input.network, input.sinks, input.contention_free)
  {}

  Arbiter& channels() { return arbiter_; }
  const Arbiter& channels() const { return arbiter_; }
  WormTable<Worm>& worms() { return worms_; }
  const WormTable<Worm>& worms() const { return worms_; }
  Requests& requests() { return requests_; }

  void add_request(std::uint32_t worm) { requests_.add(worms_[worm].precedence, worms_[worm].message, worm); }

  /// The source is told at this instant that the port of `message` is free.
  void release_port(MessageId message)
  {
    source_.port_released(message, now_);
    port_was_released_ = true;
  }
  bool wants_port_releases() const { return wants_port_releases_; }

  /// `worm` arrives at this instant.
  void end(std::uint32_t worm) { ended_.add(worms_[worm].delivery(), worm); }
  void record_delivery(const Worm& worm, std::int64_t granted) const
  {
    if (delivery_) {
      delivery_(worm.record(granted, now_));
    }
  }

  /// Tells the source what has ended, and takes the messages that ask at this instant; valid until the next instant.
  std::span<const NewMessage> pop_from_source()
  {
    if (!ended_.empty()) {
      ended_.report(source_, now_, [this](std::uint32_t worm) { return moves().retire(worm); });
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
  const std::function<void(const DeliveryRecord&)>& delivery_; // may be empty
  Arbiter arbiter_;
  std::int64_t now_ = -1;            // before the first instant
  std::int64_t source_time_ = never; // of the source's next message
  bool port_was_released_ = false;   // at this instant, and the source has been told
  Requests requests_;                // of this instant
  EndedWorms ended_;                 // of this instant
  std::vector<NewMessage> new_messages_;
  WormTable<Worm> worms_;
  WorkSteps steps_;
};

} // namespace wormcast
