#pragma once

#include "wormcast/simulator/engines/cycle_buffers.hpp"
#include "wormcast/simulator/engines/cycle_sources.hpp"
#include "wormcast/simulator/engines/cycle_waits.hpp"
#include "wormcast/simulator/engines/number_set.hpp"
#include "wormcast/simulator/event_queue.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace wormcast {

/// The routers of the engine `cycle`: flits come in, heads ask, and what is granted moves on. Who is granted what is
/// decided by an `Allocation` (mask_allocation.hpp, list_allocation.hpp), which has
///
/// - want(router, local, input), want_no_more(router, local, input): the head in front asks for a virtual channel;
/// - bid(router, local, port), bid_no_more(router, local, port): a flit with a channel and a slot asks for the
/// crossbar;
/// - settle(router, local), unsettle(router, local): why the head waits is known for good, or no more;
/// - step(router, routers): one cycle's requests decided and carried out by own() and cross(); true if something may
///   happen in the next cycle without anything coming to the router.
///
/// A router is looked at only if something came to it, or if there was a request in the cycle before: without either
/// its state stays as it is.
template <typename Allocation> class CycleRouters {
public:
  using Cycle = std::int64_t;

  explicit CycleRouters(const CycleParts& parts)
      : parts_(parts), layout_(parts.layout), pipeline_(parts.pipeline), buffers_(parts.layout, parts.worms),
        waits_(parts.layout, buffers_, parts.log), allocation_(parts.layout, parts.pipeline),
        awake_(parts.layout.routers), permitted_(is_adaptive(pipeline_.routing) ? layout_.places() : 0),
        ages_(pipeline_.priority == FlitPriority::local_age ? layout_.places() : 0),
        batch_(layout_.routers,
               {.routing = -1 - Cycle{pipeline_.routing_delay}, .crossbar = -1 - Cycle{pipeline_.switch_delay}}),
        last_sent_(pipeline_.switch_delay > 1 ? std::size_t{layout_.routers} * layout_.port_count : 0, -1)
  {}

  Cycle now() const { return now_; }
  RouterBuffers& buffers() { return buffers_; }
  const RouterBuffers& buffers() const { return buffers_; }
  CycleWaits& waits() { return waits_; }
  const CycleWaits& waits() const { return waits_; }
  bool any_awake() const { return !awake_.empty(); }

  /// What comes in cycle `now`, then what routers do with it.
  void carry_out(Cycle now, const CycleEvents& events)
  {
    now_ = now;
    for (const std::uint32_t output : events.credits) {
      take_credit(output);
    }
    for (const FlitArrival& arrival : events.arrivals) {
      take_flit(arrival);
    }
    for (const std::uint32_t input : events.routed) {
      want(input, now);
    }
  }

  void step()
  {
    awake_.take_all([this](std::uint32_t router) {
      if (allocation_.step(router, *this)) {
        wake(router);
      }
    });
  }

  std::int64_t priority(std::uint32_t place, const RouterInput& input) const
  {
    switch (pipeline_.priority) {
    case FlitPriority::none:
      return 0;
    case FlitPriority::local_age:
      return -ages_[place].next_time();
    case FlitPriority::age:
      return -parts_.worms[input.worm].ready;
    }
    return 0;
  }

  /// An adaptive routing: the head in front of an input chooses the output port at which it asks in this cycle
  /// (docs/routers.md, "Routing").
  void choose_output(std::uint32_t place, RouterInput& input) const
  {
    const std::uint32_t permitted = permitted_[place];
    const std::uint32_t router = layout_.router_of(place);
    const bool escapes = pipeline_.routing == GridRouting::minimal_adaptive && permitted != 0;
    // The way of dimension order, where no other is free.
    input.port = static_cast<std::uint16_t>(permitted != 0 ? std::countr_zero(permitted) : layout_.node_port);
    input.first = 0;
    input.count = static_cast<std::uint16_t>(escapes ? 1 : layout_.vcs);
    const std::uint32_t first = escapes ? 1 : 0;
    const std::uint32_t range = layout_.all_vcs >> first << first;
    std::int64_t most = -1;
    for (std::uint32_t ports = permitted; ports != 0; ports &= ports - 1) {
      const auto port = static_cast<std::uint32_t>(std::countr_zero(ports));
      const std::uint32_t free = buffers_.free_vcs[layout_.port_place(router, port)] & range;
      const std::int64_t slots = free == 0 ? -1 : free_slots(layout_.place(router, port * layout_.vcs), free);
      if (slots > most) {
        most = slots;
        input.port = static_cast<std::uint16_t>(port);
        input.first = static_cast<std::uint16_t>(first);
        input.count = static_cast<std::uint16_t>(layout_.vcs - first);
      }
    }
  }

  /// The head in front of an input owns an output from now on.
  void own(std::uint32_t router, std::uint32_t local, std::uint32_t local_output)
  {
    const std::uint32_t place = layout_.place(router, local);
    const std::uint32_t output_place = layout_.place(router, local_output);
    RouterInput& input = buffers_.inputs[place];
    RouterOutput& output = buffers_.outputs[output_place];
    allocation_.want_no_more(router, local, input);
    const std::uint32_t vc = layout_.vc_of[local_output];
    std::uint16_t& free = buffers_.free_vcs[layout_.port_place(router, input.port)];
    free = static_cast<std::uint16_t>(free & ~(1U << vc));
    input.state = HeadState::active;
    input.vc = static_cast<std::uint16_t>(vc);
    output.owner = place;
    output.claim = input.claim;
    output.granted = now_;
    end_wait(router, local, place, input);
    if (output.free_slots > 0) {
      bid(router, local, input);
    } else {
      blame(place, input, WaitCause::slot, now_ + (pipeline_.speculative ? 0 : 1), waits_.last_behind(output_place));
    }
  }

  /// The flit in front of an active input is granted the crossbar.
  void cross(std::uint32_t router, std::uint32_t local)
  {
    const std::uint32_t place = layout_.place(router, local);
    RouterInput& input = buffers_.inputs[place];
    const std::uint32_t port = input.port;
    const std::uint32_t out_port = layout_.port_place(router, port);
    const std::uint32_t output_place = layout_.place(router, port * layout_.vcs + input.vc);
    RouterOutput& output = buffers_.outputs[output_place];
    const bool head = !input.head_gone;
    if (head) {
      end_wait(router, local, place, input);
      input.head_gone = true;
      ++parts_.hops.headers;
    }
    ++parts_.hops.flits;
    if (!ages_.empty()) {
      ages_[place].pop();
    }
    --input.present;
    --input.left;
    --output.free_slots;
    give_credit(router, local, input);
    const Cycle sent = through_crossbar(router, out_port);
    if (port == layout_.node_port) {
      eject(sent + 2, output_place, input, head);
    } else {
      FlitArrival arrival{.input = output.downstream};
      if (head) {
        arrival.worm = input.worm;
        parts_.worms.leave(input.worm, port);
      }
      parts_.calendar.at(sent + 1 + pipeline_.link_delay).arrivals.push_back(arrival);
    }
    if (input.left == 0) {
      allocation_.bid_no_more(router, local, port);
      finish_worm(place, input, out_port, output_place, output);
    } else if (input.present == 0 || output.free_slots == 0) {
      allocation_.bid_no_more(router, local, port);
    }
  }

  /// A flit has bid for the crossbar, which was granted to `other`.
  void lose(std::uint32_t place, RouterInput& input, MessageClaim other)
  {
    if (input.head_gone) {
      waits_.lose(place, other, now_);
    } else {
      blame(place, input, WaitCause::crossbar, now_, other);
    }
  }

  void blame(std::uint32_t place, RouterInput& input, WaitCause cause, Cycle since, MessageClaim holder)
  {
    if (CycleWaits::blame(input, cause, since, holder)) {
      allocation_.settle(layout_.router_of(place), layout_.local_of(place));
    }
  }

  std::uint32_t output_of(std::uint32_t place, const RouterInput& input) const
  {
    return layout_.place(layout_.router_of(place), input.port * layout_.vcs + input.vc);
  }

  /// After a run that stopped: all virtual channels are given back in cycle `end`.
  void release_all(Cycle end) const
  {
    for (std::uint32_t place = 0; place < buffers_.outputs.size(); ++place) {
      if (buffers_.outputs[place].owner != nothing) {
        record_occupancy(place, end);
      }
    }
  }

private:
  static constexpr std::uint32_t nothing = CycleLayout::nothing;

  // When the last batch was taken into the unit, or will be.
  struct Batches {
    Cycle routing = 0;
    Cycle crossbar = 0;
  };
  struct Age {
    std::int64_t time = 0;
  };

  // Of some virtual channels of an output port.
  std::int64_t free_slots(std::uint32_t first, std::uint32_t vcs) const
  {
    std::int64_t slots = 0;
    for (; vcs != 0; vcs &= vcs - 1) {
      slots += buffers_.outputs[first + static_cast<std::uint32_t>(std::countr_zero(vcs))].free_slots;
    }
    return slots;
  }

  void wake(std::uint32_t router) { awake_.add(router); }

  void bid(std::uint32_t router, std::uint32_t local, const RouterInput& input)
  {
    allocation_.bid(router, local, input.port);
    wake(router);
  }

  void take_flit(const FlitArrival& arrival)
  {
    RouterInput& input = buffers_.inputs[arrival.input];
    if (!ages_.empty()) {
      ages_[arrival.input].push({now_});
    }
    ++input.present;
    if (arrival.worm != nothing) {
      if (input.worm == nothing) {
        start(arrival.input, input, arrival.worm, now_);
      } else {
        buffers_.queue(input, arrival.worm, now_);
      }
    } else if (input.present == 1 && input.state == HeadState::active &&
               buffers_.outputs[output_of(arrival.input, input)].free_slots > 0) {
      bid(layout_.router_of(arrival.input), layout_.local_of(arrival.input), input);
    }
  }

  // The worm comes to the front of the buffer; its head starts in `cycle`: this one or the next.
  void start(std::uint32_t place, RouterInput& input, std::uint32_t number, Cycle cycle)
  {
    const HeadOfWorm& head = parts_.worms.head(number);
    input.worm = number;
    input.claim = head.claim;
    input.left = head.flits;
    input.head_gone = false;
    if (permitted_.empty()) {
      input.port = head.way.port;
      input.first = head.way.first;
      input.count = head.way.count;
    } else {
      const PipelineWorm& worm = parts_.worms[input.worm];
      permitted_[place] = layout_.ports.permitted(worm.source, layout_.router_of(place), worm.destination);
    }
    if (pipeline_.routing_delay == 0) {
      want(place, cycle);
      return;
    }
    // The unit takes in all that have come when it is empty.
    input.state = HeadState::routing;
    Cycle& batch = batch_[layout_.router_of(place)].routing;
    if (batch < cycle) {
      batch = std::max(cycle, batch + pipeline_.routing_delay);
    }
    parts_.calendar.at(batch + pipeline_.routing_delay).routed.push_back(place);
  }

  // The head in front asks for a virtual channel from `since` on: this cycle or the next.
  void want(std::uint32_t place, Cycle since)
  {
    RouterInput& input = buffers_.inputs[place];
    input.state = HeadState::wants;
    const std::uint32_t router = layout_.router_of(place);
    if (!permitted_.empty()) {
      choose_output(place, input);
    }
    allocation_.want(router, layout_.local_of(place), input);
    wake(router);
    if ((buffers_.free_vcs[layout_.port_place(router, input.port)] & range_of(input)) == 0) {
      // All have owners: the one that came first is named.
      blame(place, input, WaitCause::virtual_channel, since, waits_.first_owner(place, input));
    }
  }

  void end_wait(std::uint32_t router, std::uint32_t local, std::uint32_t place, RouterInput& input)
  {
    if (input.cause != WaitCause::channel) {
      waits_.end(place, input, now_);
      allocation_.unsettle(router, local);
    }
  }

  void take_credit(std::uint32_t place)
  {
    RouterOutput& output = buffers_.outputs[place];
    ++output.free_slots;
    if (output.owner == RouterOutput::draining) {
      if (output.free_slots == layout_.slots) {
        output.owner = nothing;
        release(layout_.port_of_place(place), place, now_);
        wake(layout_.router_of(place));
      }
      return;
    }
    if (output.free_slots == 1) {
      if (output.owner != nothing) {
        const RouterInput& input = buffers_.inputs[output.owner];
        if (input.present > 0) {
          bid(layout_.router_of(place), layout_.local_of(output.owner), input);
        }
      } else if (pipeline_.speculative) {
        wake(layout_.router_of(place));
      }
    }
  }

  void release(std::uint32_t port, std::uint32_t place, Cycle cycle)
  {
    std::uint16_t& free = buffers_.free_vcs[port];
    free = static_cast<std::uint16_t>(free | 1U << layout_.vc_of[layout_.local_of(place)]);
    if (parts_.occupancy) {
      record_occupancy(place, cycle);
    }
  }

  void record_occupancy(std::uint32_t place, Cycle cycle) const
  {
    const RouterOutput& output = buffers_.outputs[place];
    parts_.occupancy({.resource = layout_.resource_out(layout_.port_of_place(place)),
                      .message = output.claim.message,
                      .step = output.claim.step,
                      .from = parts_.log.time_of(output.granted),
                      .to = parts_.log.time_of(cycle)});
  }

  void give_credit(std::uint32_t router, std::uint32_t local, const RouterInput& input)
  {
    if (input.upstream != nothing) {
      parts_.calendar.at(now_ + 1 + pipeline_.link_delay + pipeline_.credit_delay).credits.push_back(input.upstream);
    } else {
      parts_.calendar.at(now_ + 2).source_credits.push_back(router * layout_.vcs + layout_.vc_of[local]);
    }
  }

  // When a flit that is granted the crossbar now is sent on. The crossbar takes in all that have been granted when it
  // is empty; they come out together, and each output sends one in a cycle.
  Cycle through_crossbar(std::uint32_t router, std::uint32_t out_port)
  {
    if (pipeline_.switch_delay == 1) {
      return now_ + 1;
    }
    Cycle& batch = batch_[router].crossbar;
    if (batch <= now_) {
      batch = std::max(now_ + 1, batch + pipeline_.switch_delay);
    }
    Cycle& last = last_sent_[out_port];
    last = std::max(batch + pipeline_.switch_delay - 1, last + 1);
    return last;
  }

  void eject(Cycle taken_off, std::uint32_t output_place, const RouterInput& input, bool head)
  {
    parts_.calendar.at(taken_off + 2 + pipeline_.credit_delay).credits.push_back(output_place);
    if (head) {
      parts_.worms[input.worm].times.head_ejected = parts_.log.time_of(taken_off);
    }
    if (input.left == 0) {
      parts_.calendar.at(taken_off).ended.push_back(input.worm);
    }
  }

  // The tail has left the buffer.
  void finish_worm(std::uint32_t place, RouterInput& input, std::uint32_t out_port, std::uint32_t output_place,
                   RouterOutput& output)
  {
    waits_.end_sharing(place, input);
    if (pipeline_.releases_at_credit) {
      output.owner = RouterOutput::draining;
    } else {
      output.owner = nothing;
      release(out_port, output_place, now_ + 1);
    }
    input.state = HeadState::idle;
    input.worm = nothing;
    if (input.behind == nothing) {
      return;
    }
    const std::uint32_t next = buffers_.take_next(input);
    const HeadOfWorm& head = parts_.worms.head(next);
    parts_.log.add_wait(
        input.upstream != nothing ? Resource::Kind::external : Resource::Kind::injection,
        [&] { return layout_.resource_in(layout_.port_of_place(place)); }, head.claim, head.front, head.since,
        WaitCause::queue, now_ + 1);
    start(place, input, next, now_ + 1);
  }

  CycleParts parts_;
  const CycleLayout& layout_;
  const PipelineParameters& pipeline_;
  Cycle now_ = -1;
  RouterBuffers buffers_;
  CycleWaits waits_;
  Allocation allocation_;
  NumberSet awake_; // routers
  std::vector<std::uint32_t> permitted_; // by input: bits of the ports that its head may take; empty: not adaptive
  std::vector<EventLane<Age>> ages_;     // by input, where the arrival of a flit matters: those of its flits
  std::vector<Batches> batch_;           // by router
  std::vector<Cycle> last_sent_;         // by output port, where the crossbar takes longer than a cycle
};

/// Who was granted the crossbar in a cycle, for those who were not.
class CrossbarGrants {
public:
  explicit CrossbarGrants(std::uint32_t ports) : of_input_(ports), of_output_(ports) {}

  void clear() { inputs_ = outputs_ = 0; }
  void add(std::uint32_t input_port, std::uint32_t output_port, MessageClaim claim)
  {
    inputs_ |= std::uint64_t{1} << input_port;
    outputs_ |= std::uint64_t{1} << output_port;
    of_input_[input_port] = claim;
    of_output_[output_port] = claim;
  }
  /// Who crossed to the same output port, else from the same input port, else `own`.
  MessageClaim winner(std::uint32_t input_port, std::uint32_t output_port, MessageClaim own) const
  {
    return (outputs_ >> output_port & 1U) != 0 ? of_output_[output_port]
           : (inputs_ >> input_port & 1U) != 0 ? of_input_[input_port]
                                               : own;
  }

private:
  std::uint64_t inputs_ = 0;
  std::uint64_t outputs_ = 0;
  std::vector<MessageClaim> of_input_;
  std::vector<MessageClaim> of_output_;
};

} // namespace wormcast
