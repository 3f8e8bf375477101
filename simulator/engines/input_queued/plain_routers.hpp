#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_buffers.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_sources.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_units.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_wait_sums.hpp"
#include "wormcast/simulator/engines/input_queued/mask_allocation.hpp"
#include "wormcast/simulator/engines/input_queued/mask_bits.hpp"
#include "wormcast/simulator/engines/input_queued/number_set.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace wormcast {

/// A band of routers of engine `cycle`, as CycleRouters with MaskAllocation, where nobody asks for records of waits:
/// one iteration of islip, no speculation, flits that pass the crossbar in one cycle.
///
/// A cycle is a sweep over all output ports with bids for the crossbar, one over those with heads that request a
/// virtual channel, and one over all input ports with offers. All routers see the same state of a cycle, so that it
/// does not matter that all have done the one when the first does the next. What a processor does in a sweep for one
/// port depends on no other port, and loops are long: it does several ports at once, and seldom guesses a branch wrong.
///
/// `fixed_vcs` is the number of virtual channels; 0: any.
template <std::uint32_t fixed_vcs> class PlainRouters {
public:
  using Cycle = std::int64_t;
  /// Waits are added up: CycleWaitSums.
  static constexpr bool records = false;
  /// What the bands share: nothing.
  struct Buffers {
    Buffers(const CycleLayout&, const RouterBands&, const CycleWorms&) {}
  };

  PlainRouters(const CycleParts& parts, const Buffers& /*of all bands*/)
      : parts_(parts), layout_(parts.layout), pipeline_(parts.pipeline), calendar_(parts.calendar()),
        first_(parts.band.first), first_input_(layout_.vc_index(first_, 0)), slots_(layout_.slots),
        node_port_(layout_.node_port), sums_(parts.layout, parts.log),
        units_(parts.layout, parts.pipeline, parts.band.count), ports_(layout_.port_index(parts.band.count, 0)),
        inputs_(layout_.vc_index(parts.band.count, 0)), outputs_(inputs_.size()), queues_(inputs_.size()),
        upper_heads_(layout_.halves ? ports_.size() : 0), with_heads_(ports_.size()), with_bids_(ports_.size()),
        offers_(ports_.size()), with_offers_(ports_.size()), new_bids_(inputs_.size()), with_one_head_(ports_.size()),
        with_several_heads_(ports_.size()), ending_(ports_.size()), with_next_(ports_.size()),
        credit_ways_(parts.bands.size() + 1), arrival_ways_(credit_ways_.size())
  {
    for (std::uint32_t router = 0; router < parts.band.count; ++router) {
      for (std::uint32_t port = 0; port < layout_.port_count; ++port) {
        connect(router, port);
      }
    }
  }

  static bool suits(const CycleLayout& layout, const PipelineParameters& pipeline)
  {
    const bool fits = fixed_vcs == 0 || (layout.vcs == fixed_vcs && layout.port_shift == fixed_port_shift &&
                                         layout.shift == fixed_port_shift + std::countr_zero(fixed_vcs));
    return fits && layout.slots <= most_slots && MaskAllocation::suits(layout, pipeline) && !pipeline.speculative &&
           pipeline.islip_iterations == 1 && CycleUnits::passes_in_one_cycle(pipeline);
  }

  bool any_awake() const { return any_awake_; }
  /// Returns the number of flits that passed crossbars in the last cycle.
  std::uint32_t stepped() const { return flits_; }

  /// Executes the arrivals of cycle `now`. Then step() executes the routers' decisions.
  void execute(Cycle now)
  {
    now_ = now;
    const std::uint32_t here = parts_.band.number;
    const Cycle credits = now + 1 + pipeline_.link_delay + pipeline_.credit_delay;
    const Cycle arrivals = now + 2 + pipeline_.link_delay;
    credit_ways_[to_node] = &calendar_.at(now + 2).source_credits;
    for (std::uint32_t band = 0; band < parts_.bands.size(); ++band) {
      CycleCalendar& calendar = parts_.calendars.between(here, band);
      credit_ways_[band + 1] = &calendar.at(credits).credits;
      arrival_ways_[band + 1] = &calendar.at(arrivals).arrivals;
    }
    arrival_ways_[to_node] = &ejected_;
    node_credits_ = &calendar_.at(now + 5 + pipeline_.credit_delay).credits;
    ended_ = &calendar_.at(now + 3).ended;
    parts_.calendars.for_each_due(here, now, [this](const CycleEvents& events) {
      for (const std::uint32_t output : events.credits) {
        receive_credit(output - first_input_);
      }
    });
    parts_.calendars.for_each_due(here, now, [this](const CycleEvents& events) {
      receive_flits(events.arrivals);
      for (const std::uint32_t vc_index : events.routed) {
        request_channel(vc_index - first_input_, now_);
      }
    });
  }

  void step()
  {
    offer_crossbars();
    const std::uint32_t new_bids = allocate_channels();
    accept_offers();
    for (std::uint32_t i = 0; i < new_bids; ++i) {
      bid(new_bids_[i].place, new_bids_[i].local);
    }
    any_awake_ = flits_ != 0 || !with_bids_.empty() || !with_heads_.empty();
    parts_.hops.flits += flits_;
  }

  static void complete_waits() {} // there are no records

  /// Adds the sums of all waits.
  void add_waits(ContentionTotals& totals) const { sums_.add_to(totals); }

private:
  static constexpr std::uint32_t nothing = CycleLayout::nothing;
  static constexpr std::uint32_t to_node = 0; // in credit_ways_ and arrival_ways_; band b has b + 1 there
  static constexpr std::uint16_t nobody = 0xff;
  static constexpr std::uint16_t draining = 0xfe;
  static constexpr std::uint32_t fixed_port_shift = 3;
  static constexpr std::uint32_t most_slots = 0xffff;
  // Beyond so many flits in a cycle their data are fetched in advance, as they may not be in the nearest cache: on
  // arrival that of the flit so far ahead.
  static constexpr std::uint32_t many = 64;
  static constexpr std::ptrdiff_t ahead = 8;

  // Ports have places, CycleLayout::port_index from 0 in the band; inputs and outputs have indices, vc_index from 0 in
  // the band. In both, those of one router follow each other.

  // A port, as output and as input.
  struct alignas(32) Port {
    std::uint64_t heads = 0;         // inputs with a head that requests a virtual channel
    std::uint64_t bids = 0;          // inputs that request the crossbar
    std::uint16_t free = 0;          // virtual channels without owner
    std::uint32_t of_output : 8 = 0; // as output: the first virtual channel of the input port that is next
    std::uint32_t of_input : 8 = 0;  // as input: the output port that is next
    std::uint32_t offset : 16 = 0;   // as input: its virtual channel that is next
    std::uint32_t neighbour = 0; // vc_index of the first virtual channel of the same link in the router at its other
                                 // end: the input of flits that leave, the output of flits that come; before the
                                 // node: of its first virtual channel, of all nodes of the band
    std::uint16_t way = to_node; // to the neighbour
  };
  static_assert(sizeof(Port) == 32);

  // A virtual channel of an input port, with its buffer.
  struct Input {
    Cycle since = 0;              // of the front head: the cycle from which on it could be granted what it requests; of
                                  // the rest of its worm: the cycles lost to others at the crossbar, less the cycle in
                                  // which a bid began that lasts
    std::uint32_t left = 0;       // flits of the front worm that have not left the buffer
    std::uint32_t worm = nothing; // the front worm
    std::uint16_t present = 0;    // flits in the buffer
    std::uint16_t range = 0;      // bits of the permitted virtual channels of the output port
    std::uint16_t port : 8 = 0;   // the output port
    std::uint16_t output : 8 = 0; // local number of the allocated output
    HeadState state : 8 = HeadState::idle;
    std::uint16_t pointer : 8 = 0; // its round robin over the outputs
  };
  static_assert(sizeof(Input) == 24);

  // A virtual channel of an output port.
  struct Output {
    std::uint16_t free_slots = 0;
    std::uint16_t owner : 8 = nobody; // local number of an input; draining: released when all slots are free
    std::uint16_t pointer : 8 = 0;    // its round robin over the inputs
  };
  static_assert(sizeof(Output) == 4);

  // What passes the crossbars in a cycle.
  struct Passed {
    std::uint32_t heads = 0;
    std::uint32_t ending = 0;    // of ending_
    std::uint32_t with_next = 0; // of with_next_
  };

  // A bid for the crossbar.
  struct Bid {
    std::uint32_t place = 0; // of the output port
    std::uint32_t local = 0; // input
  };

  static std::uint64_t bit(std::uint32_t local) { return std::uint64_t{1} << local; }
  std::uint32_t vcs() const { return fixed_vcs != 0 ? fixed_vcs : layout_.vcs; }
  std::uint32_t all_vcs() const { return fixed_vcs != 0 ? (1U << fixed_vcs) - 1 : layout_.all_vcs; }
  std::uint32_t port_shift() const { return fixed_vcs != 0 ? fixed_port_shift : layout_.port_shift; }
  std::uint32_t shift() const
  {
    return fixed_vcs != 0 ? fixed_port_shift + static_cast<std::uint32_t>(std::countr_zero(fixed_vcs)) : layout_.shift;
  }
  // Of the numbers in a router.
  std::uint32_t port_of(std::uint32_t local) const
  {
    return fixed_vcs != 0 ? local / fixed_vcs : layout_.port_of[local];
  }
  std::uint32_t local_of(std::uint32_t index) const { return index & ((1U << shift()) - 1U); }
  std::uint32_t port_in(std::uint32_t place) const { return place & ((1U << port_shift()) - 1U); }
  // Of a virtual channel before a node, of all nodes.
  std::uint32_t output_to_node(std::uint32_t channel) const
  {
    const std::uint32_t router = channel / vcs();
    return (router << shift()) + node_port_ * vcs() + (channel - router * vcs());
  }
  // The router's first number.
  std::uint32_t first_place(std::uint32_t index) const { return index >> shift() << port_shift(); }
  std::uint32_t first_index(std::uint32_t place) const { return place >> port_shift() << shift(); }

  void connect(std::uint32_t router, std::uint32_t port)
  {
    const std::uint32_t place = layout_.port_index(first_ + router, port);
    Port& made = ports_[layout_.port_index(router, port)];
    made.free = static_cast<std::uint16_t>(all_vcs());
    const std::uint32_t neighbour = layout_.downstream(place);
    if (neighbour != nothing) {
      made.neighbour = neighbour;
      made.way = static_cast<std::uint16_t>(parts_.bands.of(layout_.router_of(neighbour)) + 1);
    } else {
      made.neighbour = router * vcs();
    }
    for (std::uint32_t vc = 0; vc < vcs(); ++vc) {
      outputs_[layout_.vc_index(router, port * vcs() + vc)].free_slots = static_cast<std::uint16_t>(slots_);
    }
  }

  [[gnu::always_inline]] void bid(std::uint32_t place, std::uint32_t local)
  {
    ports_[place].bids |= bit(local);
    with_bids_.add(place);
  }

  // A flit or a slot for it arrives at the front of a buffer, whose input may bid already.
  [[gnu::always_inline]] void bid_again(std::uint32_t place, std::uint32_t local)
  {
    Input& input = inputs_[first_index(place) + local];
    const std::uint64_t begins = std::uint64_t{input.state == HeadState::passed} & ~(ports_[place].bids >> local);
    input.since -= now_ & -static_cast<Cycle>(begins & 1U); // a branch would be unpredictable
    bid(place, local);
  }

  // If `condition` is 1, not 0. Without a branch, which would be unpredictable.
  [[gnu::always_inline]] void withdraw_bid(std::uint32_t place, std::uint32_t local, std::uint64_t condition)
  {
    const std::uint64_t rest = ports_[place].bids &= ~(condition << local);
    with_bids_.remove(place, rest == 0);
  }

  // A virtual channel of an output port has no owner any more.
  [[gnu::always_inline]] void release(std::uint32_t place, std::uint32_t vc)
  {
    Port& port = ports_[place];
    port.free = static_cast<std::uint16_t>(port.free | 1U << vc);
    with_heads_.add(place, port.heads != 0);
  }

  void receive_credit(std::uint32_t index)
  {
    Output& output = outputs_[index];
    const std::uint32_t slots = output.free_slots + 1U;
    output.free_slots = static_cast<std::uint16_t>(slots);
    if (slots == 1) {
      receive_first_slot(index);
    }
    if (output.owner == draining && slots == slots_) {
      const std::uint32_t port = port_of(local_of(index));
      output.owner = nobody;
      release(first_place(index) + port, local_of(index) - port * vcs());
    }
  }

  [[gnu::noinline]] void receive_first_slot(std::uint32_t index)
  {
    const std::uint32_t owner = outputs_[index].owner;
    if (owner < draining && inputs_[index - local_of(index) + owner].present > 0) {
      bid_again(first_place(index) + port_of(local_of(index)), owner);
    }
  }

  void receive_flits(const EventList<FlitArrival>& arrivals)
  {
    const FlitArrival* arrival = arrivals.begin();
    if (arrivals.end() - arrival > many) {
      for (; arrival != arrivals.end() - ahead; ++arrival) {
        __builtin_prefetch(&inputs_[arrival[ahead].input - first_input_], 1);
        parts_.worms.prefetch_head(arrival[ahead].worm);
        receive_flit(arrival->input - first_input_, arrival->worm);
      }
    }
    for (; arrival != arrivals.end(); ++arrival) {
      receive_flit(arrival->input - first_input_, arrival->worm);
    }
  }

  [[gnu::always_inline]] void receive_flit(std::uint32_t index, std::uint32_t worm)
  {
    Input& input = inputs_[index];
    input.present = static_cast<std::uint16_t>(input.present + 1U);
    if (worm != nothing) {
      if (input.worm == nothing) {
        start(index, worm, now_);
      } else {
        queue(index, worm);
      }
    } else if (input.state >= HeadState::active && outputs_[index - local_of(index) + input.output].free_slots > 0) {
      bid_again(first_place(index) + input.port, local_of(index));
    }
  }

  // The worm reaches the front of the buffer; its head starts in cycle `cycle`: this one or the next.
  [[gnu::always_inline]] void start(std::uint32_t index, std::uint32_t worm, Cycle cycle)
  {
    Input& input = inputs_[index];
    const PlainHop hop = parts_.worms.take_hop(worm);
    input.worm = worm;
    input.left = hop.flits;
    input.port = hop.port & 0xffU;
    input.range = hop.range;
    if (pipeline_.routing_delay == 0) {
      request_channel(index, cycle);
    } else {
      input.state = HeadState::routing;
      calendar_.at(units_.route(index >> shift(), cycle, 1)).routed.push_back(first_input_ + index);
    }
  }

  // The front head requests a virtual channel from `since` on.
  [[gnu::always_inline]] void request_channel(std::uint32_t index, Cycle since)
  {
    Input& input = inputs_[index];
    const std::uint32_t place = first_place(index) + input.port;
    input.state = HeadState::vc_allocation;
    input.since = since;
    ports_[place].heads |= bit(local_of(index));
    if (layout_.halves && (input.range & 1U) == 0) {
      upper_heads_[place] |= bit(local_of(index));
    }
    with_heads_.add(place);
  }

  void queue(std::uint32_t index, std::uint32_t worm)
  {
    parts_.worms.queued(worm).since = now_;
    parts_.worms.push(queues_[index], worm);
  }

  [[gnu::noinline]] void start_next(std::uint32_t index)
  {
    const std::uint32_t worm = parts_.worms.pop(queues_[index]);
    sums_.add_queued(port_of(local_of(index)) == node_port_, now_ + 1 - parts_.worms.queued(worm).since);
    start(index, worm, now_ + 1);
  }

  void offer_crossbars()
  {
    sparse_ = with_bids_.is_sparse(flits_);
    std::uint32_t flits = 0;
    with_bids_.for_each(sparse_, [&](std::uint32_t place) { flits += offer_crossbar(place, flits); });
    flits_ = flits;
  }

  // An output port is offered to the input port of the first bid from its pointer on. Returns 1 if that is the first
  // offer to it: then it is number `flits` of with_offers_. Else 0.
  [[gnu::always_inline]] std::uint32_t offer_crossbar(std::uint32_t place, std::uint32_t flits)
  {
    const std::uint32_t number = port_in(place);
    const Port& port = ports_[place];
    const std::uint32_t input_place = place - number + port_of(first_bit(port.bids, port.of_output));
    const std::uint32_t before = offers_[input_place];
    offers_[input_place] = before | 1U << number;
    with_offers_[flits] = input_place;
    return before == 0 ? 1 : 0;
  }

  void accept_offers()
  {
    for (EventList<std::uint32_t>* list : credit_ways_) {
      list->reserve(flits_);
    }
    for (EventList<FlitArrival>* list : arrival_ways_) {
      list->reserve(flits_);
    }
    // Some at a time: what many flits need is fetched in advance, and is not displaced before it is used.
    std::array<Bid, many> accepted;
    Passed passed;
    for (std::uint32_t begin = 0; begin < flits_; begin += many) {
      const std::uint32_t count = std::min(flits_ - begin, many);
      for (std::uint32_t i = 0; i < count; ++i) {
        accepted[i] = accept(with_offers_[begin + i]);
      }
      if (flits_ > many) {
        for (std::uint32_t i = 0; i < count; ++i) {
          __builtin_prefetch(&inputs_[first_index(accepted[i].place) + accepted[i].local], 1);
        }
      }
      for (std::uint32_t i = 0; i < count; ++i) {
        traverse(accepted[i].place, accepted[i].local, passed);
      }
    }
    parts_.hops.headers += passed.heads;
    for (const FlitArrival& ejected : ejected_) {
      node_credits_->push_back(first_input_ + output_to_node(ejected.input));
      if (parts_.wants_deliveries && ejected.worm != nothing) {
        parts_.worms[ejected.worm].times.head_ejected = parts_.log.time_of(now_ + 3);
      }
    }
    ejected_.clear();
    for (std::uint32_t i = 0; i < passed.ending; ++i) {
      ended_->push_back({.delivery = parts_.worms.delivery(ending_[i]), .worm = ending_[i]});
    }
    for (std::uint32_t i = 0; i < passed.with_next; ++i) {
      start_next(with_next_[i]);
    }
  }

  // An input port accepts the first offer from its pointer on, for its virtual channel that is next.
  [[gnu::always_inline]] Bid accept(std::uint32_t place)
  {
    Port& accepting = ports_[place];
    const std::uint32_t number = first_bit(offers_[place], accepting.of_input);
    offers_[place] = 0;
    const std::uint32_t output_place = place - port_in(place) + number;
    Port& port = ports_[output_place];
    const std::uint32_t first = port_in(place) * vcs();
    const std::uint32_t vc = first_bit(port.bids >> first & all_vcs(), accepting.offset);
    accepting.offset = (vc + 1) & 0xffU;
    accepting.of_input = (number + 1) & 0xffU;
    port.of_output = (first + vcs()) & 0xffU;
    credit_ways_[accepting.way]->push_reserved(accepting.neighbour + vc);
    return {.place = output_place, .local = first + vc};
  }

  [[gnu::always_inline]] void traverse(std::uint32_t place, std::uint32_t local, Passed& passed)
  {
    const std::uint32_t first = first_index(place);
    const std::uint32_t number = port_in(place);
    Port& port = ports_[place];
    Input& input = inputs_[first + local];
    Output& output = outputs_[first + input.output];
    const std::uint32_t vc = input.output - number * vcs();
    const std::uint32_t worm = input.worm;
    const std::uint32_t present = input.present - 1U;
    const std::uint32_t left = input.left - 1U;
    const std::uint32_t slots = output.free_slots - 1U;
    input.present = static_cast<std::uint16_t>(present);
    output.free_slots = static_cast<std::uint16_t>(slots);
    const bool is_head = input.state == HeadState::active;
    if (is_head) {
      ++passed.heads;
      sums_.add(number, now_ - input.since);
    }
    arrival_ways_[port.way]->push_reserved({.input = port.neighbour + vc, .worm = is_head ? worm : nothing});
    if (left != 0) {
      input.left = left;
      const std::uint32_t withdraws = std::uint32_t{present == 0} | std::uint32_t{slots == 0};
      withdraw_bid(place, local, withdraws);
      // A flit that is sent has lost nothing in this cycle, in which its bid ends or not.
      const Cycle lost = is_head ? -now_ : input.since;
      input.since = lost + ((now_ + 1) & -Cycle{withdraws}) - 1;
      input.state = HeadState::passed;
      return;
    }
    if (!is_head) {
      sums_.add_lost(input.since + now_);
    }
    withdraw_bid(place, local, 1);
    ending_[passed.ending] = worm;
    passed.ending += number == node_port_ ? 1 : 0;
    if (pipeline_.releases_at_credit) {
      output.owner = draining & 0xffU;
    } else {
      output.owner = nobody & 0xffU;
      release(place, vc);
    }
    input.state = HeadState::idle;
    input.worm = nothing;
    with_next_[passed.with_next] = first + local;
    passed.with_next += present != 0 ? 1 : 0;
  }

  // The virtual channels of output ports are given to heads. Returns the number of new bids.
  [[gnu::always_inline]] std::uint32_t allocate_channels()
  {
    std::uint32_t ones = 0;
    std::uint32_t several = 0;
    with_heads_.for_each(sparse_, [&](std::uint32_t place) {
      const std::uint64_t heads = ports_[place].heads;
      const std::uint32_t more = (heads & (heads - 1)) != 0 ? 1 : 0;
      with_one_head_[ones] = place;
      ones += 1 - more;
      with_several_heads_[several] = place;
      several += more;
    });
    std::uint32_t bids = 0;
    for (std::uint32_t i = 0; i < ones; ++i) {
      allocate_to_one(with_one_head_[i], bids);
    }
    for (std::uint32_t i = 0; i < several; ++i) {
      allocate_to_several(with_several_heads_[i], bids);
    }
    return bids;
  }

  // The only head at an output port is allocated the first channel of its range from its pointer on.
  [[gnu::always_inline]] void allocate_to_one(std::uint32_t place, std::uint32_t& bids)
  {
    Port& port = ports_[place];
    with_heads_.remove(place);
    const std::uint32_t local = lowest_bit(port.heads);
    Input& input = inputs_[first_index(place) + local];
    const std::uint32_t permitted = port.free & input.range;
    if (permitted != 0) {
      take_heads(place, port.heads);
      allocate_channel(place, local, first_bit(std::uint64_t{permitted} << port_in(place) * vcs(), input.pointer),
                       bids);
    }
  }

  [[gnu::always_inline]] void take_heads(std::uint32_t place, std::uint64_t heads)
  {
    ports_[place].heads &= ~heads;
    if (layout_.halves) {
      upper_heads_[place] &= ~heads;
    }
  }

  [[gnu::always_inline]] void allocate_channel(std::uint32_t place, std::uint32_t local, std::uint32_t local_output,
                                               std::uint32_t& bids)
  {
    const std::uint32_t first = first_index(place);
    Input& input = inputs_[first + local];
    Output& output = outputs_[first + local_output];
    Port& port = ports_[place];
    const std::uint32_t vc = local_output - port_in(place) * vcs();
    port.free = static_cast<std::uint16_t>(port.free & ~(1U << vc));
    output.owner = local & 0xffU;
    output.pointer = (local + 1) & 0xffU;
    sums_.add(port_in(place), now_ - input.since);
    input.output = local_output & 0xffU;
    input.state = HeadState::active;
    input.pointer = (local_output + 1) & 0xffU;
    input.since = now_ + 1;
    new_bids_[bids] = {.place = place, .local = local};
    bids += output.free_slots != 0 ? 1 : 0;
  }

  [[gnu::always_inline]] void allocate_to_several(std::uint32_t place, std::uint32_t& bids)
  {
    Port& port = ports_[place];
    const std::uint32_t first_router_index = first_index(place);
    const std::uint32_t first = port_in(place) * vcs();
    const std::uint32_t half = vcs() / 2;
    const std::uint32_t lower = layout_.halves && port_in(place) != node_port_ ? all_vcs() >> half : all_vcs();
    const std::uint32_t upper = all_vcs() >> half << half;
    const std::uint64_t upper_heads = layout_.halves ? upper_heads_[place] : 0;
    std::uint64_t offered = 0;
    for (std::uint32_t bits = port.free; bits != 0; bits &= bits - 1) {
      const std::uint32_t vc = lowest_bit(bits);
      const std::uint64_t requesting = (port.heads & ~upper_heads & -std::uint64_t{lower >> vc & 1U}) |
                                       (upper_heads & -std::uint64_t{upper >> vc & 1U});
      if (requesting != 0) {
        const std::uint32_t local = first_bit(requesting, outputs_[first_router_index + first + vc].pointer);
        channel_offers_[local] |= 1U << vc;
        offered |= bit(local);
      }
    }
    for (std::uint64_t bits = offered; bits != 0; bits &= bits - 1) {
      const std::uint32_t local = lowest_bit(bits);
      const std::uint64_t offers = std::uint64_t{channel_offers_[local]} << first;
      channel_offers_[local] = 0;
      allocate_channel(place, local, first_bit(offers, inputs_[first_router_index + local].pointer), bids);
    }
    take_heads(place, offered);
    // Where none was allocated one, none will be before one is released.
    with_heads_.remove(place, offered == 0 || port.heads == 0);
  }

  CycleParts parts_;
  const CycleLayout& layout_;
  const PipelineParameters& pipeline_;
  CycleCalendar& calendar_; // of what the band makes for itself
  Cycle now_ = -1;
  std::uint32_t first_;       // the band's first router
  std::uint32_t first_input_; // its first vc_index
  std::uint32_t slots_;
  std::uint32_t node_port_;
  CycleWaitSums sums_;
  CycleUnits units_;
  std::vector<Port> ports_;                // by place
  std::vector<Input> inputs_;              // by index
  std::vector<Output> outputs_;            // the same
  std::vector<WormQueue> queues_;          // by input
  std::vector<std::uint64_t> upper_heads_; // by place: those of Port::heads that request the upper half; empty: none do
  NumberSet with_heads_;                   // places of output ports with heads that may be allocated a virtual channel
  NumberSet with_bids_;                    // places of output ports
  std::vector<std::uint32_t> offers_;      // to an input port: bits of output ports; empty between two cycles
  // Of one cycle:
  std::vector<std::uint32_t> with_offers_;        // places of input ports, the first flits_ of it
  bool sparse_ = true;                            // few flits passed crossbars in the last one
  std::vector<Bid> new_bids_;                     // that count from the next cycle on
  std::vector<std::uint32_t> with_one_head_;      // of with_heads_
  std::vector<std::uint32_t> with_several_heads_; // the others
  EventList<FlitArrival> ejected_;                // flits to nodes: channels of all nodes, worms of heads
  std::vector<std::uint32_t> ending_;             // worms with a tail that goes to its node
  std::vector<std::uint32_t> with_next_;          // inputs with another worm behind one that has left
  std::uint32_t flits_ = 0;                       // that pass crossbars
  bool any_awake_ = false;
  // The lists of this cycle's credits, and of the flits that leave in the next cycle.
  std::vector<EventList<std::uint32_t>*> credit_ways_;
  std::vector<EventList<FlitArrival>*> arrival_ways_;
  EventList<std::uint32_t>* node_credits_ = nullptr; // of flits that go to the node
  EventList<EndedWorm>* ended_ = nullptr;
  std::array<std::uint32_t, 64> channel_offers_{}; // of one port, to an input: bits of virtual channels; empty between
                                                   // two uses
};

} // namespace wormcast
