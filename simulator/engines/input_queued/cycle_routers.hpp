#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_buffers.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_sources.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_units.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_waits.hpp"
#include "wormcast/simulator/events/event_queue.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace wormcast {

/// A band of routers of engine `cycle`: flits arrive, heads make requests, and granted flits move on. The grants are
/// decided by an `Allocation` (mask_allocation.hpp, list_allocation.hpp), which numbers the routers of the band from 0
/// and has
///
/// - requests_of(router): what has, for one router,
///   - request_channel(local, input), withdraw_channel_request(local, input): the head requests a virtual channel;
///   - request_crossbar(local, port, condition), withdraw_crossbar_request(local, port, condition): a flit with a
///     virtual channel and a slot requests the crossbar, if the condition holds;
///   - latch_cause(local), unlatch_cause(local): the cause of the head's wait is final until the wait ends;
/// - step(router, routers): decides one step's requests, and executes the grants by allocate_channel() and
///   traverse(); returns true if the router must take the next step even if nothing arrives, as it must where
///   one of its heads or flits requests something;
/// - `general`: flits may have priorities, and heads may choose among output ports;
/// - `several_steps`: a cycle may have several steps.
///
/// With an internal speed-up a cycle has several steps, numbered through all cycles, and all grants of a step are
/// decided before the next one.
///
/// A router is stepped only if an event reached it or it had a request in the step before: otherwise its state does
/// not change. Several bands can be stepped at the same time, by a thread each: a router writes to no other, and what
/// leaves a band are events of later cycles.
template <typename Allocation> class CycleRouters {
public:
  using Cycle = std::int64_t;
  using Step = std::int64_t;
  /// One router, and its requests.
  struct Parts : RouterParts {
    typename Allocation::Requests requests;
  };

  /// Waits have records: CycleWaits.
  static constexpr bool records = true;
  /// What the bands share.
  using Buffers = RouterBuffers;

  CycleRouters(const CycleParts& parts, RouterBuffers& buffers)
      : parts_(parts), layout_(parts.layout), pipeline_(parts.pipeline), calendar_(parts.calendar()), buffers_(buffers),
        inputs_(buffers_.inputs.data()), outputs_(buffers_.outputs.data()), ports_(buffers_.ports.data()),
        speedup_(pipeline_.internal_speedup), passes_in_one_cycle_(CycleUnits::passes_in_one_cycle(pipeline_)),
        first_(parts.band.first), first_input_(layout_.vc_index(first_, 0)),
        waits_(parts.layout, parts.pipeline, parts.band, buffers_, parts.log),
        wants_occupancy_(parts.log.wants_occupancy()), allocation_(parts.layout, parts.band.count, parts.pipeline),
        units_(parts.layout, parts.pipeline, parts.band.count), router_awake_(parts.band.count),
        awake_(router_awake_.size() + 1), stepping_(awake_.size()),
        permitted_(is_adaptive(pipeline_.routing) ? layout_.vc_index(parts.band.count, 0) : 0),
        ages_(pipeline_.priority == FlitPriority::local_age ? layout_.vc_index(parts.band.count, 0) : 0)
  {}

  Step current_step() const { return step_; }
  CycleWaits& waits() { return waits_; }
  const CycleWaits& waits() const { return waits_; }
  bool any_awake() const { return awake_count_ != 0 || !routed_.empty(); }
  /// Returns the number of routers that were stepped in the first step of the last cycle.
  std::uint32_t stepped() const { return stepped_; }

  /// Executes the arrivals of cycle `now`. Then step() executes the routers' decisions.
  void execute(Cycle now)
  {
    now_ = now;
    step_ = now * speedup();
    credits_ = &calendar_.at(credit_cycle(now_)).credits;
    source_credits_ = &calendar_.at(now + 2).source_credits;
    arrivals_ = &calendar_.at(now + 2 + pipeline_.link_delay).arrivals;
    parts_.calendars.for_each_due(parts_.band.number, now, [this](const CycleEvents& events) {
      for (const std::uint32_t output : events.credits) {
        receive_credit(output);
      }
    });
    parts_.calendars.for_each_due(parts_.band.number, now, [this](const CycleEvents& events) {
      for (const FlitArrival& arrival : events.arrivals) {
        receive_flit(arrival);
      }
      for (const std::uint32_t vc_index : events.routed) {
        if (speedup() == 1) {
          leave_routing(vc_index);
        } else {
          routed_.push_back({.step = step_ + 1, .vc_index = vc_index}); // the unit releases them in the first step
        }
      }
    });
  }

  void step()
  {
    stepped_ = take_step();
    for (std::uint32_t next = 1; next < speedup(); ++next) {
      ++step_;
      take_step();
    }
  }

  /// Completes the records of the waits that began in this cycle, when all routers of all bands have decided. The
  /// holders of waits for slots are the messages at the fronts of the buffers.
  void complete_waits()
  {
    for (const std::uint32_t vc_index : wait_for_slot_) {
      const RouterInput& input = inputs_[vc_index];
      if (input.cause == WaitCause::slot) {
        buffers_.waits[vc_index].holder = waits_.last_behind(output_of(vc_index, input));
      }
    }
    wait_for_slot_.clear();
  }

  /// Adds the sums of waits without records, which are none.
  static void add_waits(ContentionTotals& /*totals*/) {}

  std::int64_t priority(std::uint32_t vc_index, const RouterInput& input) const
  {
    switch (pipeline_.priority) {
    case FlitPriority::none:
      return 0;
    case FlitPriority::local_age:
      return -ages_[vc_index - first_input_].next_time();
    case FlitPriority::age:
      return -parts_.worms[input.worm].ready;
    case FlitPriority::message:
      return parts_.worms[input.worm].priority;
    }
    return 0;
  }

  /// With adaptive routing the front head of an input chooses the output port for its request in this cycle
  /// (docs/routers.md, "Routing").
  void choose_output(std::uint32_t vc_index, RouterInput& input) const
  {
    const HeaderChoice permitted = permitted_[vc_index - first_input_];
    const std::uint32_t router = layout_.router_of(vc_index);
    const std::uint32_t first = permitted.ports == 0 ? 0 : layout_.ports.escape_channels();
    input.port = permitted.fallback;
    input.range = static_cast<std::uint16_t>(first > 0 ? 1U << permitted.escape : layout_.all_vcs);
    const std::uint32_t range = layout_.all_vcs >> first << first;
    std::int64_t most = -1;
    for (std::uint32_t ports = permitted.ports; ports != 0; ports &= ports - 1) {
      const auto port = static_cast<std::uint32_t>(std::countr_zero(ports));
      const std::uint32_t free = ports_[layout_.port_index(router, port)].free & range;
      const std::int64_t slots = free == 0 ? -1 : free_slots(layout_.vc_index(router, port * layout_.vcs), free);
      if (slots > most) {
        most = slots;
        input.port = port & 0xffU;
        input.range = static_cast<std::uint16_t>(range);
      }
    }
  }

  /// Returns the parts of a router, which are valid during the run.
  [[gnu::always_inline]] Parts router(std::uint32_t number)
  {
    const std::uint32_t first = layout_.vc_index(number, 0);
    return {{.number = number,
             .in_band = number - first_,
             .first = first,
             .inputs = inputs_ + first,
             .outputs = outputs_ + first,
             .ports = ports_ + layout_.port_index(number, 0)},
            allocation_.requests_of(number - first_)};
  }

  /// Allocates an output to the front head of an input. Only in step().
  [[gnu::always_inline]] void allocate_channel(const Parts& router, std::uint32_t local, std::uint32_t local_output)
  {
    RouterInput& input = router.inputs[local];
    RouterOutput& output = router.outputs[local_output];
    RouterPort& port = router.ports[input.port];
    router.requests.withdraw_channel_request(local, input);
    // Not output.bit and output.free_slots, which would have to be waited for.
    const std::uint32_t bit = 1U << layout_.vc_of[local_output];
    port.free = static_cast<std::uint16_t>(port.free & ~bit);
    input.state = HeadState::active;
    input.output = static_cast<std::uint16_t>(local_output);
    output.owner = router.first + local;
    output.last_owner = input.message_step;
    output.granted = step_;
    end_wait(router, local, input);
    if ((port.with_slot & bit) != 0) {
      router.requests.request_crossbar(local, input.port);
    } else {
      attribute_wait(router.first + local, WaitCause::slot, step_ + (pipeline_.speculative ? 0 : 1), MessageStep());
      wait_for_slot_.push_back(router.first + local);
    }
  }

  /// The front flit of an active input is granted the crossbar and traverses it. Only in step().
  [[gnu::always_inline]] void traverse(const Parts& router, std::uint32_t local)
  {
    RouterInput& input = router.inputs[local];
    RouterOutput& output = router.outputs[input.output];
    const std::uint32_t port = input.port;
    const bool head = input.state == HeadState::active;
    if (head) {
      end_wait(router, local, input);
      input.state = HeadState::passed;
      ++parts_.hops.headers;
    }
    ++parts_.hops.flits;
    if (by_age()) {
      ages_[router.first - first_input_ + local].pop();
    }
    const std::uint32_t present = --input.present;
    const std::uint32_t left = --input.left;
    const std::uint32_t free_slots = --output.free_slots;
    if (free_slots == 0) {
      std::uint16_t& with_slot = router.ports[port].with_slot;
      with_slot = static_cast<std::uint16_t>(with_slot & ~output.bit);
    }
    if (speedup() > 1) {
      return_credit(router, local, input);
    } else if (input.upstream == nothing) {
      source_credits_->push_back(router.in_band * layout_.vcs + layout_.vc_of[local]);
    } else if (!input.other_band) {
      credits_->push_back(input.upstream);
    } else {
      calendar_of(layout_.router_of(input.upstream)).at(credit_cycle(now_)).credits.push_back(input.upstream);
    }
    const Cycle sent = passes_in_one_cycle_ ? now_ + 1 : through_crossbar(router, local, head);
    if (output.downstream == nothing) {
      eject(sent + 2, router.first + input.output, input, head);
    } else {
      FlitArrival arrival{.input = output.downstream};
      if (head) {
        arrival.worm = input.worm;
        parts_.worms.leave(input.worm, port);
      }
      if (passes_in_one_cycle_ && !output.other_band) {
        arrivals_->push_back(arrival);
      } else {
        calendar_of(layout_.router_of(arrival.input)).at(sent + 1 + pipeline_.link_delay).arrivals.push_back(arrival);
      }
    }
    router.requests.withdraw_crossbar_request(local, port, left == 0 || present == 0 || free_slots == 0);
    if (left == 0) {
      finish_worm(router, local, output);
    }
  }

  /// A flit has lost the arbitration of the crossbar to the message that winner() returns, if that matters.
  template <typename Winner>
  [[gnu::always_inline]] void lose_arbitration(std::uint32_t vc_index, const RouterInput& input, Winner&& winner)
  {
    if (input.state != HeadState::passed) {
      attribute_wait(vc_index, WaitCause::crossbar, step_, winner());
    } else if (costs_a_cycle() && !waits_.count_further_loss(vc_index, now_)) {
      waits_.count_first_loss(vc_index, winner(), now_);
    }
  }

  void attribute_wait(std::uint32_t vc_index, WaitCause cause, Step since, MessageStep holder)
  {
    if (waits_.attribute(vc_index, cause, since, holder)) {
      allocation_.requests_of(layout_.router_of(vc_index) - first_).latch_cause(layout_.local_of(vc_index));
    }
  }

  std::uint32_t output_of(std::uint32_t vc_index, const RouterInput& input) const
  {
    return layout_.vc_index(layout_.router_of(vc_index), input.output);
  }

  /// After a run that stopped: releases all virtual channels.
  void release_all(Time end) const
  {
    const std::uint32_t end_of_band = layout_.vc_index(first_ + parts_.band.count, 0);
    for (std::uint32_t vc_index = first_input_; vc_index < end_of_band; ++vc_index) {
      if (outputs_[vc_index].owner != nothing) {
        record_occupancy(vc_index, end);
      }
    }
  }

private:
  static constexpr std::uint32_t nothing = CycleLayout::nothing;

  // A head that requests a virtual channel from the step on.
  struct Routed {
    Step step = 0;
    std::uint32_t vc_index = 0;
  };
  struct Age {
    std::int64_t time = 0;
  };

  // Steps in a cycle.
  std::uint32_t speedup() const { return Allocation::several_steps ? speedup_ : 1; }
  bool adaptive() const { return Allocation::general && !permitted_.empty(); }
  bool by_age() const { return Allocation::general && !ages_.empty(); }

  // Returns the free slots of the virtual channels `vcs` of an output port.
  std::int64_t free_slots(std::uint32_t first, std::uint32_t vcs) const
  {
    std::int64_t slots = 0;
    for (; vcs != 0; vcs &= vcs - 1) {
      slots += outputs_[first + static_cast<std::uint32_t>(std::countr_zero(vcs))].free_slots;
    }
    return slots;
  }

  // The cycle in which a credit arrives that a router sends to another one.
  Cycle credit_cycle(Cycle sent) const { return sent + 1 + pipeline_.link_delay + pipeline_.credit_delay; }

  // A flit that loses this step is sent a cycle later for it.
  bool costs_a_cycle() const
  {
    return speedup() == 1 ||
           waits_.counted_from(step_, WaitCause::crossbar) < waits_.counted_from(step_ + 1, WaitCause::crossbar);
  }

  // Returns the calendar of the events that this band makes for a router.
  CycleCalendar& calendar_of(std::uint32_t router)
  {
    return parts_.calendars.between(parts_.band.number, parts_.bands.of(router));
  }

  // Without a branch, which would be unpredictable.
  void wake(std::uint32_t in_band, bool condition = true)
  {
    const std::uint16_t before = router_awake_[in_band];
    const auto after = static_cast<std::uint16_t>(before | std::uint16_t{condition});
    awake_[awake_count_] = in_band;
    awake_count_ += std::uint32_t{after} - before;
    router_awake_[in_band] = after;
  }

  void leave_routing(std::uint32_t vc_index)
  {
    const Parts parts = router(layout_.router_of(vc_index));
    request_channel(parts, layout_.local_of(vc_index), step_);
    wake(parts.in_band);
  }

  // Returns the number of routers that were stepped.
  std::uint32_t take_step()
  {
    if (!routed_.empty()) {
      const auto later = std::ranges::find_if(routed_, [&](const Routed& head) { return head.step > step_; });
      std::for_each(routed_.begin(), later, [&](const Routed& head) { leave_routing(head.vc_index); });
      routed_.erase(routed_.begin(), later);
    }
    stepping_.swap(awake_);
    const std::uint32_t stepped = std::exchange(awake_count_, 0);
    for (std::uint32_t i = 0; i < stepped; ++i) {
      const std::uint32_t in_band = stepping_[i];
      router_awake_[in_band] = 0;
      if (allocation_.step(first_ + in_band, *this)) {
        router_awake_[in_band] = 1;
        awake_[awake_count_++] = in_band;
      }
    }
    for (const std::uint32_t vc_index : start_next_) {
      const RouterInput& input = inputs_[vc_index];
      if (no_channel_is_free(ports_[layout_.port_index(layout_.router_of(vc_index), input.port)], input)) {
        attribute_wait_for_channel(vc_index, step_ + 1);
      }
    }
    start_next_.clear();
    return stepped;
  }

  [[gnu::always_inline]] void receive_flit(const FlitArrival& arrival)
  {
    RouterInput& input = inputs_[arrival.input];
    if (by_age()) {
      ages_[arrival.input - first_input_].push({now_});
    }
    ++input.present;
    const std::uint32_t number = layout_.router_of(arrival.input);
    if (arrival.worm != nothing) {
      if (input.worm == nothing) {
        start(router(number), layout_.local_of(arrival.input), arrival.worm, step_);
        wake(number - first_);
      } else {
        buffers_.queue(arrival.input, arrival.worm, now_);
      }
    } else {
      // The same request may have been made before.
      const bool requests =
          input.state >= HeadState::active && outputs_[output_of(arrival.input, input)].free_slots > 0;
      allocation_.requests_of(number - first_).request_crossbar(layout_.local_of(arrival.input), input.port, requests);
      wake(number - first_, requests);
    }
  }

  // The worm reaches the front of the buffer; its head starts in `step`: this step or the next.
  [[gnu::always_inline]] void start(const Parts& router, std::uint32_t local, std::uint32_t number, Step step)
  {
    const HeadOfWorm& head = parts_.worms.head(number);
    RouterInput& input = router.inputs[local];
    input.worm = number;
    input.message_step = head.message_step;
    input.left = head.flits;
    if (!adaptive()) {
      const PlainHop hop = parts_.worms.hop(number);
      input.port = hop.port & 0xffU;
      input.range = hop.range;
    } else {
      const PipelineWorm& worm = parts_.worms[number];
      permitted_[router.first - first_input_ + local] =
          layout_.ports.choice(worm.source, NodeId{router.number}, worm.destination);
    }
    if (pipeline_.routing_delay == 0) {
      request_channel(router, local, step);
      return;
    }
    input.state = HeadState::routing;
    const Step requests = units_.route(router.in_band, step, speedup());
    if (speedup() > 1 && pipeline_.routing_delay == 1) {
      routed_.push_back({.step = requests, .vc_index = router.first + local});
    } else {
      calendar_.at(requests / speedup()).routed.push_back(router.first + local);
    }
  }

  // The front head requests a virtual channel from `since` on: this step or the next.
  [[gnu::always_inline]] void request_channel(const Parts& router, std::uint32_t local, Step since)
  {
    RouterInput& input = router.inputs[local];
    input.state = HeadState::vc_allocation;
    if (adaptive()) {
      choose_output(router.first + local, input);
    }
    router.requests.request_channel(local, input);
    if (since > step_ && pipeline_.piggyback) {
      start_next_.push_back(router.first + local); // others may yet be granted the channels in this step
    } else if (no_channel_is_free(router.ports[input.port], input)) {
      attribute_wait_for_channel(router.first + local, since);
    }
  }

  static bool no_channel_is_free(const RouterPort& port, const RouterInput& input)
  {
    return (port.free & input.range) == 0;
  }

  // All permitted virtual channels have owners: the first owner is recorded.
  void attribute_wait_for_channel(std::uint32_t vc_index, Step since)
  {
    attribute_wait(vc_index, WaitCause::virtual_channel, since, waits_.first_owner(vc_index, inputs_[vc_index]));
  }

  [[gnu::always_inline]] void end_wait(const Parts& router, std::uint32_t local, const RouterInput& input)
  {
    if (input.cause != WaitCause::channel) {
      router.requests.unlatch_cause(local);
      waits_.end(router.first + local, step_);
    }
  }

  void receive_credit(std::uint32_t vc_index)
  {
    RouterOutput& output = outputs_[vc_index];
    ++output.free_slots;
    if (output.owner == RouterOutput::draining) {
      note_slot(vc_index);
      if (output.free_slots == layout_.slots) {
        output.owner = nothing;
        release(ports_[layout_.port_of_vc_index(vc_index)], vc_index, step_);
        wake(layout_.router_of(vc_index) - first_);
      }
      return;
    }
    if (output.free_slots == 1) {
      note_slot(vc_index);
      const std::uint32_t router = layout_.router_of(vc_index) - first_;
      if (output.owner != nothing) {
        const RouterInput& input = inputs_[output.owner];
        if (input.present > 0) {
          allocation_.requests_of(router).request_crossbar(layout_.local_of(output.owner), input.port);
          wake(router);
        }
      } else if (pipeline_.speculative) {
        wake(router);
      }
    }
  }

  // A slot is free downstream of the output.
  void note_slot(std::uint32_t vc_index)
  {
    RouterPort& port = ports_[layout_.port_of_vc_index(vc_index)];
    port.with_slot = static_cast<std::uint16_t>(port.with_slot | outputs_[vc_index].bit);
  }

  void release(RouterPort& port, std::uint32_t vc_index, Step step)
  {
    port.free = static_cast<std::uint16_t>(port.free | outputs_[vc_index].bit);
    if (wants_occupancy_) {
      record_occupancy(vc_index, time_of(step));
    }
  }

  void record_occupancy(std::uint32_t vc_index, Time end) const
  {
    const RouterOutput& output = outputs_[vc_index];
    parts_.log.add_occupancy(layout_.resource_out(layout_.port_of_vc_index(vc_index)), output.last_owner,
                             time_of(output.granted), end);
  }

  Time time_of(Step step) const
  {
    const Time part{parts_.log.time_of(step % speedup()).picoseconds / speedup()};
    return parts_.log.time_of(step / speedup()) + part;
  }

  // Returns the cycle in which a flit that is granted the crossbar now is sent on.
  [[gnu::noinline]] Cycle through_crossbar(const Parts& router, std::uint32_t local, bool head)
  {
    const RouterInput& input = router.inputs[local];
    const CycleUnits::Passage passage = units_.pass(router.in_band, layout_.port_index(router.in_band, input.port),
                                                    input.message_step, step_, speedup());
    if (head) { // it could have been on the link in the cycle after it left
      waits_.record(router.first + local, input.message_step, passage.before, passage.leaves + 1,
                    WaitCause::output_queue, passage.sent + 1);
    }
    return passage.sent;
  }

  // With several steps in a cycle.
  void return_credit(const Parts& router, std::uint32_t local, const RouterInput& input)
  {
    const Cycle sent = units_.send_credit(layout_.port_index(router.in_band, layout_.port_of[local]), step_, speedup());
    if (input.upstream == nothing) {
      calendar_.at(sent + 2).source_credits.push_back(router.in_band * layout_.vcs + layout_.vc_of[local]);
    } else {
      calendar_of(layout_.router_of(input.upstream)).at(credit_cycle(sent)).credits.push_back(input.upstream);
    }
  }

  void eject(Cycle taken_off, std::uint32_t output_vc_index, const RouterInput& input, bool head)
  {
    calendar_.at(taken_off + 2 + pipeline_.credit_delay).credits.push_back(output_vc_index);
    if (head && parts_.wants_deliveries) {
      parts_.worms[input.worm].times.head_ejected = parts_.log.time_of(taken_off);
    }
    if (input.left == 0) {
      calendar_.at(taken_off).ended.push_back({.delivery = parts_.worms.delivery(input.worm), .worm = input.worm});
    }
  }

  // The tail has left the buffer.
  [[gnu::always_inline]] void finish_worm(const Parts& router, std::uint32_t local, RouterOutput& output)
  {
    RouterInput& input = router.inputs[local];
    const std::uint32_t vc_index = router.first + local;
    waits_.end_sharing(vc_index, input);
    if (pipeline_.releases_at_credit) {
      output.owner = RouterOutput::draining;
    } else {
      output.owner = nothing;
      release(router.ports[input.port], router.first + input.output, step_ + 1);
    }
    input.state = HeadState::idle;
    input.worm = nothing;
    if (input.present == 0) {
      return;
    }
    const std::uint32_t next = buffers_.pop_next(vc_index);
    waits_.end_queue(vc_index, next, step_ + 1);
    start(router, local, next, step_ + 1);
  }

  CycleParts parts_;
  const CycleLayout& layout_;
  const PipelineParameters& pipeline_;
  CycleCalendar& calendar_; // of what the band makes for itself
  Cycle now_ = -1;
  Step step_ = -1;
  EventList<std::uint32_t>* credits_ = nullptr; // the list for the credits of this cycle
  EventList<std::uint32_t>* source_credits_ = nullptr;
  EventList<FlitArrival>* arrivals_ = nullptr; // the list for the flits that leave in the next cycle
  RouterBuffers& buffers_;                     // of all bands
  RouterInput* inputs_;                        // the same
  RouterOutput* outputs_;                      // the same
  RouterPort* ports_;                          // the same
  std::uint32_t speedup_;                      // steps in a cycle
  bool passes_in_one_cycle_;                   // flits pass the crossbar, one step in each cycle
  std::uint32_t first_;                        // the band's first router
  std::uint32_t first_input_;                  // its first vc_index
  CycleWaits waits_;
  bool wants_occupancy_;
  Allocation allocation_;
  CycleUnits units_;
  // Of the band, where not said otherwise, whose routers, inputs and ports have indices from 0 here.
  std::vector<std::uint16_t> router_awake_; // 1: the router is in awake_
  std::vector<std::uint32_t> awake_;        // the first awake_count_ of it
  std::uint32_t awake_count_ = 0;
  std::uint32_t stepped_ = 0;
  std::vector<std::uint32_t> stepping_;
  std::vector<HeaderChoice> permitted_; // by input: the output ports permitted to its head; empty: not adaptive
  std::vector<EventLane<Age>> ages_;    // by input: arrivals of its flits, with priority local_age
  std::vector<Routed> routed_;          // with several steps in a cycle and routing_delay 1, in the order of the steps
  std::vector<std::uint32_t> wait_for_slot_; // vc_index of the inputs with waits for complete_waits()
  std::vector<std::uint32_t> start_next_;    // vc_index of the inputs with heads that start in the next step
};

} // namespace wormcast
