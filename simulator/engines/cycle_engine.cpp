#include "wormcast/simulator/engines/allocator.hpp"
#include "wormcast/simulator/engines/contention_log.hpp"
#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/engines/grid_ports.hpp"
#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/engines/instant.hpp"
#include "wormcast/simulator/engines/instant_engine.hpp"
#include "wormcast/simulator/engines/piece_allocator.hpp"
#include "wormcast/simulator/engines/pipeline_engine.hpp"
#include "wormcast/simulator/event_queue.hpp"
#include "wormcast/topologies/input_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <stdexcept>
#include <utility>

namespace wormcast {

namespace {

// A message between the sending of its head and its delivery.
struct PipelineWorm : MessageUnderWay {
  using MessageUnderWay::MessageUnderWay;

  FlitTimes times;
  std::uint32_t path = 0; // offset of its hops
  std::uint32_t hops = 0; // routers on its way
};

// The engine `cycle`: router "input_queued" of docs/routers.md, cycle by cycle. All routers see the same state of a
// cycle, so their order does not matter. A router is looked at only if something came to it, or if there was a request
// in the cycle before: without either, its state stays as it is.
//
// Inputs (a virtual channel of an input port, with its buffer) and outputs (a virtual channel of an output port, with
// the count of the slots behind it) are numbered (router * ports + port) * V + virtual channel; within a router, in the
// allocators and in the masks, port * V + virtual channel.
class CycleEngine final : public PipelineEngine<CycleEngine> {
public:
  explicit CycleEngine(const EngineInput& input)
      : PipelineEngine(input), topology_(input.topology), pipeline_(input.network.pipeline),
        occupancy_(input.sinks.occupancy), grid_(grid_of(input.topology)),
        halves_(grid_.wraps() && input.network.virtual_channels > 1), ports_(grid_, input.network.virtual_channels),
        vcs_(input.network.virtual_channels),
        slots_(static_cast<std::uint32_t>(std::min<std::uint64_t>(input.network.buffer_flits, most_flits))),
        port_count_(ports_.count()), node_port_(ports_.node_port()), width_(port_count_ * vcs_),
        words_((width_ + 63) / 64), all_vcs_((1U << vcs_) - 1),
        channel_allocator_(pipeline_.virtual_channel_allocator, pipeline_.islip_iterations, width_, width_),
        switch_allocator_(pipeline_.switch_allocator, pipeline_.islip_iterations, port_count_, port_count_)
  {
    const std::size_t routers = topology_.node_count();
    inputs_.resize(routers * width_);
    outputs_.resize(routers * width_);
    owned_.resize(routers * width_);
    for (Output& output : outputs_) {
      output.free_slots = slots_;
    }
    free_vcs_.assign(routers * port_count_, static_cast<std::uint16_t>(all_vcs_));
    lay_links();
    by_masks_ = width_ <= 64 && !pipeline_.speculative && pipeline_.priority == FlitPriority::none &&
                pipeline_.virtual_channel_allocator == AllocatorKind::islip &&
                pipeline_.switch_allocator == AllocatorKind::islip;
    wanting_.resize(by_masks_ ? 2 * routers * port_count_ : routers * words_);
    wanting_ports_.resize(by_masks_ ? routers : 0);
    for (std::uint32_t local = 0; local < width_; ++local) {
      port_of_vc_.push_back(static_cast<std::uint8_t>(local / vcs_));
    }
    bidding_.resize(routers * words_);
    router_awake_.resize(routers);
    channel_of_outputs_.resize(routers * width_);
    channel_of_inputs_.resize(routers * width_);
    switch_of_outputs_.resize(routers * port_count_);
    switch_of_inputs_.resize(routers * port_count_);
    input_offsets_.resize(routers * port_count_);
    output_offsets_.assign(pipeline_.piggyback ? routers * port_count_ : 0, static_cast<std::uint8_t>(vcs_ - 1));
    batch_.assign(routers,
                  {.routing = -1 - Cycle{pipeline_.routing_delay}, .crossbar = -1 - Cycle{pipeline_.switch_delay}});
    last_sent_.assign(pipeline_.switch_delay > 1 ? routers * port_count_ : 0, -1);
    ages_.resize(pipeline_.priority == FlitPriority::local_age ? routers * width_ : 0);
    sources_.resize(routers);
    for (Source& source : sources_) {
      source.free_vcs = static_cast<std::uint16_t>(all_vcs_);
    }
    source_slots_.assign(routers * vcs_, slots_);
    source_granted_.resize(occupancy_ ? routers * vcs_ : 0);
    cells_.assign(std::size_t{port_count_} * port_count_, nothing);
    channel_winners_.assign(port_count_, nothing);
    const std::uint64_t furthest = 3 * std::uint64_t{pipeline_.switch_delay} + pipeline_.link_delay +
                                   pipeline_.credit_delay + 2 * std::uint64_t{pipeline_.routing_delay} + 8;
    calendar_.resize(std::bit_ceil(furthest));
    calendar_mask_ = calendar_.size() - 1;
  }

  std::uint64_t under_way() const override { return worms_.size() + outside_.size() + starting(); }
  std::uint64_t header_hops() const override { return header_hops_; }
  std::uint64_t flit_hops() const override { return flit_hops_; }

  StoppedNetwork explain_deadlock(std::int64_t last_delivery) override;

private:
  friend PipelineEngine;

  static constexpr std::uint32_t nothing = 0xffffffff;
  static constexpr std::uint64_t most_flits = std::uint64_t{1} << 30;

  using Claim = MessageClaim;
  // What routers ask of a worm whose head comes to them.
  struct HeadOfWorm {
    Claim claim;
    std::uint32_t flits = 0;
  };
  enum class State : std::uint8_t { idle, routing, wants, active };
  struct Input {
    std::uint32_t present = 0;      // flits in the buffer
    std::uint32_t left = 0;         // flits of the worm in front that have not left it
    std::uint32_t worm = nothing;   // the one in front
    std::uint32_t behind = nothing; // the last of those behind it, which leads to the first
    std::uint32_t hop = 0;          // its hop here, in hops_
    Claim claim;                    // of the worm in front
    State state = State::idle;
    std::uint8_t port = 0;  // of the output
    std::uint8_t first = 0; // virtual channels that it may take there
    std::uint8_t count = 0;
    std::uint8_t vc = 0; // that it owns there
    bool head_gone = false;
    WaitCause cause = WaitCause::channel; // of the head in front; channel: it does not wait
  };
  struct Output {
    std::uint32_t free_slots = 0;
    std::uint32_t owner = nothing; // input; draining: given back when all slots are free
  };
  static constexpr std::uint32_t draining = nothing - 1;
  // The last owner's message, and since when.
  struct Owned {
    Claim claim;
    Cycle granted = 0;
  };
  // Behind the worm in front of an input's buffer.
  struct Behind {
    std::uint32_t worm = nothing;
    std::uint32_t next = nothing; // of the last: the first
    HeadOfWorm head;
    std::uint32_t hop = 0; // in hops_
    Claim front;
    Cycle since = 0;
  };
  // Since when, and because of whom, a head at the front waits.
  struct HeadWait {
    Cycle since = 0;
    Claim holder;
  };
  // What flits behind a head lost to others at the crossbar.
  struct Sharing {
    Cycle since = 0;
    Cycle last = 0;
    Cycle lost = 0;
    Claim other;
  };
  struct Waiting {
    NewMessage message;
    std::uint32_t next = nothing;
  };
  struct Source {
    std::uint32_t queue_head = nothing; // in outside_
    std::uint32_t queue_tail = nothing;
    std::uint32_t worm = nothing; // whose flits it sends
    std::uint32_t left = 0;       // of them
    std::uint16_t free_vcs = 0;
    std::uint16_t draining_vcs = 0;
    std::uint8_t vc = 0;      // of the worm
    std::uint8_t next_vc = 0; // that the next head tries first
    bool awake = false;
    WaitCause cause = WaitCause::channel; // why the first of the queue waits
    Claim holder;
    Claim last;            // whose tail it sent last
    Cycle last_cycle = -1; // in which it sent a flit
  };
  struct Arrival {
    std::uint32_t input = 0;
    std::uint32_t worm = nothing; // a head's
    std::uint32_t hop = 0;        // a head's: in hops_
  };
  struct Happenings {
    std::vector<Arrival> arrivals;
    std::vector<std::uint32_t> credits;        // outputs
    std::vector<std::uint32_t> source_credits; // node * V + virtual channel
    std::vector<std::uint32_t> routed;         // inputs
    std::vector<std::uint32_t> ended;          // worms
    std::vector<MessageId> sent;               // whose port is free

    bool empty() const
    {
      return arrivals.empty() && credits.empty() && source_credits.empty() && routed.empty() && ended.empty() &&
             sent.empty();
    }
  };
  // When the last batch was taken into the unit, or will be.
  struct Batches {
    Cycle routing = 0;
    Cycle crossbar = 0;
  };
  struct Age {
    std::int64_t time = 0;
  };
  struct Grant {
    std::uint32_t place = 0; // the input
    std::uint32_t port = 0;
    std::uint32_t output_port = 0;
    Claim claim;
  };
  struct Bid {
    std::uint32_t input = 0; // within the router
    std::uint32_t port = 0;
    std::uint32_t vc = 0;
    std::uint32_t output_port = 0;
    std::int64_t priority = 0;
    bool speculative = false;
  };

  static const Grid& grid_of(const Topology& topology)
  {
    const auto* grid = dynamic_cast<const Grid*>(&topology);
    if (grid == nullptr) {
      throw std::logic_error("an input-queued router on a topology that is no grid");
    }
    return *grid;
  }

  void lay_links()
  {
    const std::uint32_t routers = topology_.node_count();
    downstream_.assign(std::size_t{routers} * port_count_, nothing);
    upstream_.assign(std::size_t{routers} * port_count_, nothing);
    for (std::uint32_t router = 0; router < routers; ++router) {
      for (std::uint32_t port = 0; port < node_port_; ++port) {
        const std::uint32_t channel = ports_.channel(router, port);
        if (channel != GridPorts::none) {
          const std::uint32_t next = index(topology_.channel_target(ChannelId{channel}));
          downstream_[router * port_count_ + port] = (next * port_count_ + (port ^ 1U)) * vcs_;
          upstream_[next * port_count_ + (port ^ 1U)] = (router * port_count_ + port) * vcs_;
        }
      }
    }
  }

  Cycle next_cycle() const
  {
    if (!awake_routers_.empty() || !awake_sources_.empty()) {
      return cycle() + 1;
    }
    for (std::size_t ahead = 1; happenings_ > 0 && ahead < calendar_.size(); ++ahead) {
      const Cycle next = cycle() + static_cast<Cycle>(ahead);
      if (!at(next).empty()) {
        return next;
      }
    }
    return never;
  }

  Happenings& at(Cycle cycle) { return calendar_[static_cast<std::size_t>(cycle) & calendar_mask_]; }
  const Happenings& at(Cycle cycle) const { return calendar_[static_cast<std::size_t>(cycle) & calendar_mask_]; }

  // Section "Order inside a cycle" of docs/routers.md.
  void carry_out()
  {
    Happenings& now = at(cycle());
    happenings_ -= now.ended.size() + now.sent.size() + now.source_credits.size() + now.arrivals.size() +
                   now.credits.size() + now.routed.size();
    for (const std::uint32_t worm : now.ended) {
      end(worms_[worm].delivery(), worm);
    }
    for (const MessageId message : now.sent) {
      release_port(message);
    }
    for (const std::uint32_t place : now.source_credits) {
      take_source_credit(place);
    }
    take_messages();
    send_from_sources();
    for (const std::uint32_t output : now.credits) {
      take_credit(output);
    }
    for (const Arrival& arrival : now.arrivals) {
      take_flit(arrival);
    }
    for (const std::uint32_t input : now.routed) {
      want(input, cycle());
    }
    now.ended.clear();
    now.sent.clear();
    now.source_credits.clear();
    now.arrivals.clear();
    now.credits.clear();
    now.routed.clear();
    routers_now_.swap(awake_routers_);
    awake_routers_.clear();
    for (const std::uint32_t router : routers_now_) {
      router_awake_[router] = 0;
      if (step_router(router)) {
        wake(router);
      }
    }
  }

  void wake(std::uint32_t router)
  {
    if (router_awake_[router] == 0) {
      router_awake_[router] = 1;
      awake_routers_.push_back(router);
    }
  }

  // Messages -----------------------------------------------------------------------------------------------------

  void enqueue(const NewMessage& message)
  {
    if (message.flits > most_flits) {
      throw InputError(fmt::format("a message of {} flits is longer than the {} that router \"input_queued\" can move "
                                   "one by one",
                                   message.flits, most_flits));
    }
    Source& source = sources_[index(message.source)];
    const std::uint32_t waiting = outside_.add({message, nothing});
    if (source.queue_head == nothing) {
      source.queue_head = waiting;
    } else {
      outside_[source.queue_tail].next = waiting;
    }
    source.queue_tail = waiting;
    if (!source.awake) {
      source.awake = true;
      awake_sources_.push_back(index(message.source));
    }
  }

  void forget(std::uint32_t worm)
  {
    const PipelineWorm& state = worms_[worm];
    record_delivery(state, state.times);
    pieces_.give_back(state.path, state.hops);
    worms_.remove(worm);
  }

  // Sources ------------------------------------------------------------------------------------------------------

  void send_from_sources()
  {
    std::size_t kept = 0;
    for (const std::uint32_t node : awake_sources_) {
      if (step_source(node)) {
        awake_sources_[kept++] = node;
      }
    }
    awake_sources_.resize(kept);
  }

  // A source that has sent in this cycle stays awake for the next.
  void send_late() { send_from_sources(); }

  // True if it may send in the next cycle, too.
  bool step_source(std::uint32_t node)
  {
    Source& source = sources_[node];
    source.awake = true;
    if (source.last_cycle == cycle()) {
      return true;
    }
    std::uint32_t head = nothing;
    if (source.worm == nothing) {
      const std::uint32_t vc = free_source_vc(node, source);
      if (vc == nothing) {
        source.awake = false;
        return false;
      }
      enter(node, source, vc);
      head = source.worm;
    } else if (source_slots_[node * vcs_ + source.vc] == 0) {
      source.awake = false;
      return false;
    }
    source.last_cycle = cycle();
    --source_slots_[node * vcs_ + source.vc];
    ++flit_hops_;
    arrive_at(cycle() + 2, {.input = (node * port_count_ + node_port_) * vcs_ + source.vc,
                            .worm = head,
                            .hop = head == nothing ? 0 : worms_[head].path});
    if (--source.left == 0) {
      finish_sending(node, source);
      source.awake = source.queue_head != nothing;
    }
    return source.awake;
  }

  void arrive_at(Cycle cycle, const Arrival& arrival)
  {
    at(cycle).arrivals.push_back(arrival);
    ++happenings_;
  }

  std::uint32_t free_source_vc(std::uint32_t node, Source& source)
  {
    for (std::uint32_t k = 0; k < vcs_; ++k) {
      const std::uint32_t vc = source.next_vc + k < vcs_ ? source.next_vc + k : source.next_vc + k - vcs_;
      if ((source.free_vcs >> vc & 1U) != 0 && source_slots_[node * vcs_ + vc] > 0) {
        return vc;
      }
    }
    if (source.cause == WaitCause::channel) {
      source.cause = source.free_vcs == 0 ? WaitCause::virtual_channel : WaitCause::slot;
      source.holder = source.last;
    }
    return nothing;
  }

  void enter(std::uint32_t node, Source& source, std::uint32_t vc)
  {
    const std::uint32_t place = source.queue_head;
    const NewMessage& message = outside_[place].message;
    source.vc = static_cast<std::uint8_t>(vc);
    source.next_vc = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
    source.free_vcs = static_cast<std::uint16_t>(source.free_vcs & ~(1U << vc));
    source.left = static_cast<std::uint32_t>(message.flits);
    source.worm = worms_.add(PipelineWorm(message));
    PipelineWorm& worm = worms_[source.worm];
    heads_.grow(source.worm + 1);
    heads_[source.worm] = {.claim = claim_of(worm), .flits = source.left};
    worm.times.head_injected = time_of(cycle());
    lay_out_path(worm);
    ++header_hops_;
    if (cycle() * tau() > message.time) {
      const bool queued = source.cause == WaitCause::channel;
      const Claim holder = queued ? source.last : source.holder;
      log_wait({.kind = Resource::Kind::injection, .channel = ChannelId{}, .node = NodeId{node}}, claim_of(worm),
               holder, message.time / tau(), queued ? WaitCause::queue : source.cause, cycle());
    }
    source.cause = WaitCause::channel;
    if (occupancy_) {
      source_granted_[node * vcs_ + vc] = {cycle(), claim_of(worm)};
    }
    source.queue_head = outside_[place].next;
    outside_.remove(place);
  }

  void lay_out_path(PipelineWorm& worm)
  {
    route_.clear();
    ports_.append_hops(worm.source, worm.destination, route_);
    worm.hops = static_cast<std::uint32_t>(route_.size());
    worm.path = pieces_.take(worm.hops);
    hops_.grow(pieces_.capacity());
    std::ranges::copy(route_, hops_.data() + worm.path);
  }

  void finish_sending(std::uint32_t node, Source& source)
  {
    PipelineWorm& worm = worms_[source.worm];
    worm.times.tail_injected = time_of(cycle());
    source.last = claim_of(worm);
    if (pipeline_.releases_at_credit) {
      source.draining_vcs = static_cast<std::uint16_t>(source.draining_vcs | 1U << source.vc);
    } else {
      release_source_vc(node, source, source.vc, cycle() + 1);
    }
    if (wants_port_releases()) {
      at(cycle() + 1).sent.push_back(worm.message);
      ++happenings_;
    }
    source.worm = nothing;
  }

  void release_source_vc(std::uint32_t node, Source& source, std::uint32_t vc, Cycle cycle)
  {
    source.free_vcs = static_cast<std::uint16_t>(source.free_vcs | 1U << vc);
    if (occupancy_) {
      const auto& [from, claim] = source_granted_[node * vcs_ + vc];
      occupancy_({.resource = {.kind = Resource::Kind::injection, .channel = ChannelId{}, .node = NodeId{node}},
                  .message = claim.message,
                  .step = claim.step,
                  .from = time_of(from),
                  .to = time_of(cycle)});
    }
  }

  void take_source_credit(std::uint32_t place)
  {
    const std::uint32_t node = place / vcs_;
    const std::uint32_t vc = place % vcs_;
    Source& source = sources_[node];
    if (++source_slots_[place] == slots_ && (source.draining_vcs >> vc & 1U) != 0) {
      source.draining_vcs = static_cast<std::uint16_t>(source.draining_vcs & ~(1U << vc));
      release_source_vc(node, source, vc, cycle());
    }
    if (!source.awake && (source.worm != nothing || source.queue_head != nothing)) {
      source.awake = true;
      awake_sources_.push_back(node);
    }
  }

  // Buffers ------------------------------------------------------------------------------------------------------

  void take_flit(const Arrival& arrival)
  {
    Input& input = inputs_[arrival.input];
    if (!ages_.empty()) {
      ages_[arrival.input].push({cycle()});
    }
    ++input.present;
    if (arrival.worm != nothing) {
      if (input.worm == nothing) {
        input.worm = arrival.worm;
        start(arrival.input, input, heads_[arrival.worm], arrival.hop, cycle());
      } else {
        queue(input, arrival.worm, arrival.hop);
      }
    } else if (input.present == 1 && input.state == State::active &&
               outputs_[output_of(arrival.input, input)].free_slots > 0) {
      bid(arrival.input);
    }
  }

  void queue(Input& input, std::uint32_t worm, std::uint32_t hop)
  {
    const std::uint32_t place = behind_.add(
        {.worm = worm, .next = nothing, .head = heads_[worm], .hop = hop, .front = input.claim, .since = cycle()});
    if (input.behind == nothing) {
      behind_[place].next = place;
    } else {
      behind_[place].next = std::exchange(behind_[input.behind].next, place);
    }
    input.behind = place;
  }

  // Calls visit(behind) for each worm behind the one in front.
  template <typename Visit> void for_each_behind(const Input& input, Visit&& visit)
  {
    std::uint32_t place = input.behind;
    while (place != nothing) {
      place = behind_[place].next;
      visit(behind_[place]);
      if (place == input.behind) {
        return;
      }
    }
  }

  std::uint32_t output_of(std::uint32_t place, const Input& input) const
  {
    return (place / width_ * port_count_ + input.port) * vcs_ + input.vc;
  }

  // The head in front of the buffer starts in `cycle`: this one or the next.
  void start(std::uint32_t place, Input& input, const HeadOfWorm& head, std::uint32_t place_of_hop, Cycle cycle)
  {
    const RouterHop& hop = hops_[place_of_hop];
    input.hop = place_of_hop;
    input.claim = head.claim;
    input.left = head.flits;
    input.port = hop.port;
    input.first = hop.first;
    input.count = hop.count;
    input.head_gone = false;
    if (pipeline_.routing_delay == 0) {
      want(place, cycle);
      return;
    }
    // The unit takes in all that have come when it is empty.
    input.state = State::routing;
    Cycle& batch = batch_[place / width_].routing;
    if (batch < cycle) {
      batch = std::max(cycle, batch + pipeline_.routing_delay);
    }
    at(batch + pipeline_.routing_delay).routed.push_back(place);
    ++happenings_;
  }

  // The head in front asks for a virtual channel from `since` on: this cycle or the next.
  void want(std::uint32_t place, Cycle since)
  {
    Input& input = inputs_[place];
    input.state = State::wants;
    const std::uint32_t router = place / width_;
    const std::uint32_t local = place - router * width_;
    if (by_masks_) {
      wanting_ports_[router] |= 1U << input.port;
    }
    wanting_[wanting_word(router, local, input)] |= std::uint64_t{1} << local % 64;
    wake(router);
    if ((free_vcs_[router * port_count_ + input.port] & range_of(input)) == 0) {
      // All have owners: the one that came first is named.
      blame(place, input, WaitCause::virtual_channel, since, owned_[first_owned(place, input)].claim);
    }
  }

  std::size_t wanting_word(std::uint32_t router, std::uint32_t local, const Input& input) const
  {
    return by_masks_ ? (router * port_count_ + input.port) * 2 + (input.first == 0 ? 0 : 1)
                     : router * words_ + local / 64;
  }

  void bid(std::uint32_t place)
  {
    const std::uint32_t router = place / width_;
    const std::uint32_t local = place - router * width_;
    bidding_[router * words_ + local / 64] |= std::uint64_t{1} << local % 64;
    wake(router);
  }

  void take_credit(std::uint32_t place)
  {
    Output& output = outputs_[place];
    ++output.free_slots;
    if (output.owner == draining) {
      if (output.free_slots == slots_) {
        output.owner = nothing;
        release(place, cycle());
        wake(place / width_);
      }
      return;
    }
    if (output.free_slots == 1) {
      if (output.owner != nothing) {
        if (inputs_[output.owner].present > 0) {
          bid(output.owner);
        }
      } else if (pipeline_.speculative) {
        wake(place / width_);
      }
    }
  }

  void release(std::uint32_t place, Cycle cycle)
  {
    const std::uint32_t port = place / vcs_;
    free_vcs_[port] = static_cast<std::uint16_t>(free_vcs_[port] | 1U << place % vcs_);
    if (occupancy_) {
      record_occupancy(place, cycle);
    }
  }

  void record_occupancy(std::uint32_t place, Cycle cycle) const
  {
    const Owned& owned = owned_[place];
    occupancy_({.resource = resource_out(place / vcs_),
                .message = owned.claim.message,
                .step = owned.claim.step,
                .from = time_of(owned.granted),
                .to = time_of(cycle)});
  }

  // Routers ------------------------------------------------------------------------------------------------------

  template <typename Visit>
  void for_each_bit(const std::vector<std::uint64_t>& masks, std::uint32_t router, Visit visit)
  {
    for (std::uint32_t word = 0; word < words_; ++word) {
      for (std::uint64_t bits = masks[router * words_ + word]; bits != 0; bits &= bits - 1) {
        visit(word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
      }
    }
  }

  std::int64_t priority(std::uint32_t place, const Input& input) const
  {
    switch (pipeline_.priority) {
    case FlitPriority::none:
      return 0;
    case FlitPriority::local_age:
      return -ages_[place].next_time();
    case FlitPriority::age:
      return -worms_[input.worm].ready;
    }
    return 0;
  }

  std::uint32_t range_of(const Input& input) const { return ((1U << input.count) - 1U) << input.first; }

  // True if something may happen in the next cycle without anything coming to the router.
  bool step_router(std::uint32_t router)
  {
    grants_.clear();
    return by_masks_ ? step_by_masks(router) : step_by_lists(router);
  }

  bool step_by_lists(std::uint32_t router)
  {
    const std::uint32_t base = router * width_;
    bids_.clear();
    for_each_bit(bidding_, router, [&](std::uint32_t local) { add_bid(base, local, false); });
    channel_requests_.clear();
    for_each_bit(wanting_, router, [&](std::uint32_t local) { ask_for_channels(router, base, local); });
    if (bids_.empty() && channel_requests_.empty()) {
      return false;
    }
    std::span<const std::uint32_t> crossbar;
    if (!bids_.empty()) {
      crossbar = match_crossbar(router);
    }
    if (!channel_requests_.empty()) {
      grant_channels(router, base);
    }
    for (const std::uint32_t place : crossbar) {
      const AllocatorRequest& request = switch_requests_[place];
      grant_crossbar(router, base, bids_[cells_[request.input * port_count_ + request.output]]);
    }
    if (bids_.size() > crossbar.size()) {
      for (const Bid& made : bids_) {
        note_bid(base + made.input, made.port, made.output_port, made.speculative);
      }
    }
    for (const AllocatorRequest& request : switch_requests_) {
      cells_[request.input * port_count_ + request.output] = nothing;
    }
    switch_requests_.clear();
    for (std::uint32_t word = 0; word < words_; ++word) {
      if ((bidding_[router * words_ + word] | wanting_[router * words_ + word]) != 0) {
        return true;
      }
    }
    return false;
  }

  // The same where both allocators are islip without priorities or speculation, and 64 bits hold a router's virtual
  // channels: the cost does not depend on how many heads wait.
  bool step_by_masks(std::uint32_t router)
  {
    const std::uint32_t base = router * width_;
    const std::uint64_t bids = bidding_[router];
    std::uint32_t outputs = 0;
    for (std::uint64_t bits = bids; bits != 0; bits &= bits - 1) {
      const auto local = static_cast<std::uint32_t>(std::countr_zero(bits));
      const std::uint32_t port = port_of_vc_[local];
      const std::uint32_t out = inputs_[base + local].port;
      std::uint32_t& cell = cells_[port * port_count_ + out];
      if ((crossing_[out] >> port & 1U) == 0) {
        crossing_[out] |= std::uint64_t{1} << port;
        cell = local;
      } else {
        const std::uint32_t offset = input_offsets_[router * port_count_ + port] + port * vcs_;
        const auto rank = [&](std::uint32_t vc) { return vc >= offset ? vc - offset : vc + vcs_ - offset; };
        cell = rank(local) < rank(cell) ? local : cell;
      }
      outputs |= 1U << out;
    }
    std::span<const Allocator::Match> crossbar;
    if (outputs != 0) {
      for (std::uint32_t bits = outputs; bits != 0; bits &= bits - 1) {
        const auto out = static_cast<std::uint32_t>(std::countr_zero(bits));
        switch_allocator_.add_output(out, std::exchange(crossing_[out], 0));
      }
      crossbar = switch_allocator_.match_outputs(switch_pointers(router));
    }
    const bool asked = wanting_ports_[router] != 0 && grant_channels_by_masks(router, base);
    if (outputs == 0 && !asked) {
      return false;
    }
    std::uint64_t crossed = 0;
    for (const Allocator::Match& match : crossbar) {
      const std::uint32_t local = cells_[match.input * port_count_ + match.output];
      crossed |= std::uint64_t{1} << local;
      const std::uint32_t vc = local - match.input * vcs_;
      input_offsets_[router * port_count_ + match.input] = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
      cross(router, base + local, match.input, match.output);
    }
    for (std::uint64_t bits = bids & ~crossed; bits != 0; bits &= bits - 1) {
      const auto local = static_cast<std::uint32_t>(std::countr_zero(bits));
      note_bid(base + local, port_of_vc_[local], inputs_[base + local].port, false);
    }
    return bidding_[router] != 0 || wanting_ports_[router] != 0;
  }

  // False if no head could ask for anything.
  bool grant_channels_by_masks(std::uint32_t router, std::uint32_t base)
  {
    bool asked = false;
    std::uint32_t left = 0;
    for (std::uint32_t ports = wanting_ports_[router]; ports != 0; ports &= ports - 1) {
      const auto port = static_cast<std::uint32_t>(std::countr_zero(ports));
      const std::uint32_t out = router * port_count_ + port;
      // Those of the lower half, or of all, and those of the upper half.
      const std::uint64_t lower = wanting_[std::size_t{2} * out];
      const std::uint64_t upper = wanting_[std::size_t{2} * out + 1];
      left |= (lower | upper) != 0 ? 1U << port : 0;
      const std::uint32_t end_of_lower = halves_ && port != node_port_ ? vcs_ - vcs_ / 2 : vcs_;
      for (std::uint32_t free = free_vcs_[out]; free != 0; free &= free - 1) {
        const auto vc = static_cast<std::uint32_t>(std::countr_zero(free));
        const std::uint64_t asking = (vc < end_of_lower ? lower : 0) | (vc >= vcs_ / 2 ? upper : 0);
        if (asking != 0) {
          channel_allocator_.add_output(port * vcs_ + vc, asking);
          asked = true;
        }
      }
    }
    wanting_ports_[router] = left;
    if (!asked) {
      return false;
    }
    std::uint64_t winners = 0;
    for (const Allocator::Match& match : channel_allocator_.match_outputs(channel_pointers(base))) {
      own(router, base + match.input, base + match.output, true);
      winners |= std::uint64_t{1} << match.input;
      channel_winners_[match.output / vcs_] = base + match.input;
    }
    for (std::uint64_t bits = channel_allocator_.asking() & ~winners; bits != 0; bits &= bits - 1) {
      const auto local = static_cast<std::uint32_t>(std::countr_zero(bits));
      Input& input = inputs_[base + local];
      blame(base + local, input, WaitCause::virtual_channel, cycle(), inputs_[channel_winners_[input.port]].claim);
    }
    return true;
  }

  AllocatorPointers switch_pointers(std::uint32_t router)
  {
    const std::size_t first = std::size_t{router} * port_count_;
    return {.of_outputs = std::span(switch_of_outputs_).subspan(first, port_count_),
            .of_inputs = std::span(switch_of_inputs_).subspan(first, port_count_)};
  }
  AllocatorPointers channel_pointers(std::uint32_t base)
  {
    return {.of_outputs = std::span(channel_of_outputs_).subspan(base, width_),
            .of_inputs = std::span(channel_of_inputs_).subspan(base, width_)};
  }

  void ask_for_channels(std::uint32_t router, std::uint32_t base, std::uint32_t local)
  {
    Input& input = inputs_[base + local];
    const std::uint32_t out = router * port_count_ + input.port;
    const std::uint32_t free = free_vcs_[out] & range_of(input);
    if (free == 0) {
      return;
    }
    if (!pipeline_.piggyback) {
      const std::int64_t urgency = priority(base + local, input);
      for (std::uint32_t bits = free; bits != 0; bits &= bits - 1) {
        channel_requests_.push_back({.input = local,
                                     .output = input.port * vcs_ + static_cast<std::uint32_t>(std::countr_zero(bits)),
                                     .input_priority = 0,
                                     .output_priority = urgency});
      }
    }
    if (!pipeline_.speculative) {
      return;
    }
    for (std::uint32_t bits = free; bits != 0; bits &= bits - 1) {
      if (outputs_[out * vcs_ + static_cast<std::uint32_t>(std::countr_zero(bits))].free_slots > 0) {
        add_bid(base, local, true);
        return;
      }
    }
    if (pipeline_.piggyback) {
      const std::uint32_t full = out * vcs_ + static_cast<std::uint32_t>(std::countr_zero(free));
      blame(base + local, input, WaitCause::slot, cycle(), owned_[full].claim);
    }
  }

  // Of several virtual channels of an input port that bid for the same output port one does.
  void add_bid(std::uint32_t base, std::uint32_t local, bool speculative)
  {
    constexpr std::int64_t lower = std::int64_t{1} << 62;
    const Input& input = inputs_[base + local];
    const std::uint32_t port = local / vcs_;
    const Bid made{.input = local,
                   .port = port,
                   .vc = local - port * vcs_,
                   .output_port = input.port,
                   .priority = priority(base + local, input) - (speculative ? lower : 0),
                   .speculative = speculative};
    const auto place = static_cast<std::uint32_t>(bids_.size());
    bids_.push_back(made);
    std::uint32_t& cell = cells_[port * port_count_ + input.port];
    if (cell == nothing) {
      cell = place;
      switch_requests_.push_back(
          {.input = port, .output = input.port, .input_priority = made.priority, .output_priority = made.priority});
      return;
    }
    const Bid& other = bids_[cell];
    const std::uint32_t offset = input_offsets_[base / vcs_ + port];
    const auto rank = [&](std::uint32_t vc) { return vc >= offset ? vc - offset : vc + vcs_ - offset; };
    if (made.priority > other.priority || (made.priority == other.priority && rank(made.vc) < rank(other.vc))) {
      cell = place;
      for (AllocatorRequest& request : switch_requests_) {
        if (request.input == port && request.output == input.port) {
          request.input_priority = made.priority;
          request.output_priority = made.priority;
        }
      }
    }
  }

  std::span<const std::uint32_t> match_crossbar(std::uint32_t router)
  {
    return switch_allocator_.match(switch_requests_, switch_pointers(router));
  }

  void grant_channels(std::uint32_t router, std::uint32_t base)
  {
    const std::span<const std::uint32_t> granted = channel_allocator_.match(channel_requests_, channel_pointers(base));
    for (const std::uint32_t place : granted) {
      const AllocatorRequest& request = channel_requests_[place];
      own(router, base + request.input, base + request.output, true);
      channel_winners_[request.output / vcs_] = base + request.input;
    }
    for (const AllocatorRequest& request : channel_requests_) {
      Input& input = inputs_[base + request.input];
      if (input.state == State::wants) {
        blame(base + request.input, input, WaitCause::virtual_channel, cycle(),
              inputs_[channel_winners_[input.port]].claim);
      }
    }
  }

  // The head in front of an input owns an output from now on.
  void own(std::uint32_t router, std::uint32_t place, std::uint32_t output_place, bool bids_next)
  {
    Input& input = inputs_[place];
    Output& output = outputs_[output_place];
    const std::uint32_t local = place - router * width_;
    wanting_[wanting_word(router, local, input)] &= ~(std::uint64_t{1} << local % 64);
    const std::uint32_t port = output_place / vcs_;
    free_vcs_[port] = static_cast<std::uint16_t>(free_vcs_[port] & ~(1U << output_place % vcs_));
    input.state = State::active;
    input.vc = static_cast<std::uint8_t>(output_place % vcs_);
    output.owner = place;
    owned_[output_place] = {input.claim, cycle()};
    end_wait(place, input);
    if (bids_next) {
      if (output.free_slots > 0) {
        bid(place);
      } else {
        blame(place, input, WaitCause::slot, cycle() + (pipeline_.speculative ? 0 : 1), last_behind(output_place));
      }
    }
  }

  void grant_crossbar(std::uint32_t router, std::uint32_t base, const Bid& granted)
  {
    const std::uint32_t in_port = router * port_count_ + granted.port;
    const std::uint32_t out_port = router * port_count_ + granted.output_port;
    input_offsets_[in_port] = static_cast<std::uint8_t>(granted.vc + 1 == vcs_ ? 0 : granted.vc + 1);
    const std::uint32_t place = base + granted.input;
    Input& input = inputs_[place];
    if (granted.speculative) {
      if (pipeline_.piggyback) {
        own(router, place, first_free_output(out_port, input), false);
      } else if (input.state != State::active || outputs_[output_of(place, input)].free_slots == 0) {
        return; // lost
      }
    }
    cross(router, place, granted.port, granted.output_port);
  }

  void cross(std::uint32_t router, std::uint32_t place, std::uint32_t port, std::uint32_t output_port)
  {
    Input& input = inputs_[place];
    grants_.push_back({.place = place, .port = port, .output_port = output_port, .claim = input.claim});
    move_flit(router, place, input, output_port);
  }

  // Speculation with piggyback: from the output port's offset on.
  std::uint32_t first_free_output(std::uint32_t out_port, const Input& input)
  {
    const std::uint32_t free = free_vcs_[out_port] & range_of(input);
    const std::uint32_t offset = output_offsets_[out_port];
    for (std::uint32_t k = 0; k < vcs_; ++k) {
      const std::uint32_t vc = offset + k < vcs_ ? offset + k : offset + k - vcs_;
      if ((free >> vc & 1U) != 0 && outputs_[out_port * vcs_ + vc].free_slots > 0) {
        output_offsets_[out_port] = static_cast<std::uint8_t>(vc + 1 == vcs_ ? 0 : vc + 1);
        return out_port * vcs_ + vc;
      }
    }
    throw std::logic_error("a speculative head was granted the crossbar without a virtual channel");
  }

  void move_flit(std::uint32_t router, std::uint32_t place, Input& input, std::uint32_t port)
  {
    const std::uint32_t local = place - router * width_;
    const std::uint32_t in_port = place / vcs_;
    const std::uint32_t out_port = router * port_count_ + port;
    const std::uint32_t output_place = out_port * vcs_ + input.vc;
    Output& output = outputs_[output_place];
    const bool head = !input.head_gone;
    if (head) {
      end_wait(place, input);
      input.head_gone = true;
      ++header_hops_;
    }
    ++flit_hops_;
    if (!ages_.empty()) {
      ages_[place].pop();
    }
    --input.present;
    --input.left;
    --output.free_slots;
    give_credit(in_port, place);
    const Cycle sent = through_crossbar(router, out_port);
    if (port == node_port_) {
      eject(sent + 2, output_place, input, head);
    } else {
      Arrival arrival{.input = downstream_[out_port] + input.vc, .worm = nothing, .hop = 0};
      if (head) {
        arrival.worm = input.worm;
        arrival.hop = input.hop + 1;
        __builtin_prefetch(&hops_[arrival.hop]);
        __builtin_prefetch(&heads_[input.worm]);
      }
      arrive_at(sent + 1 + pipeline_.link_delay, arrival);
    }
    if (input.left == 0) {
      finish_worm(place, input, output_place, output);
    }
    std::uint64_t& bids = bidding_[router * words_ + local / 64];
    const bool goes_on = input.state == State::active && input.present > 0 && output.free_slots > 0;
    bids = goes_on ? bids | std::uint64_t{1} << local % 64 : bids & ~(std::uint64_t{1} << local % 64);
  }

  void give_credit(std::uint32_t in_port, std::uint32_t place)
  {
    ++happenings_;
    if (upstream_[in_port] != nothing) {
      at(cycle() + 1 + pipeline_.link_delay + pipeline_.credit_delay)
          .credits.push_back(upstream_[in_port] + place % vcs_);
    } else {
      at(cycle() + 2).source_credits.push_back(in_port / port_count_ * vcs_ + place % vcs_);
    }
  }

  // When a flit that is granted the crossbar now is sent on. The crossbar takes in all that have been granted when it
  // is empty; they come out together, and each output sends one in a cycle.
  Cycle through_crossbar(std::uint32_t router, std::uint32_t out_port)
  {
    if (pipeline_.switch_delay == 1) {
      return cycle() + 1;
    }
    Cycle& batch = batch_[router].crossbar;
    if (batch <= cycle()) {
      batch = std::max(cycle() + 1, batch + pipeline_.switch_delay);
    }
    Cycle& last = last_sent_[out_port];
    last = std::max(batch + pipeline_.switch_delay - 1, last + 1);
    return last;
  }

  void eject(Cycle taken_off, std::uint32_t output_place, const Input& input, bool head)
  {
    at(taken_off + 2 + pipeline_.credit_delay).credits.push_back(output_place);
    ++happenings_;
    if (head) {
      worms_[input.worm].times.head_ejected = time_of(taken_off);
    }
    if (input.left == 0) {
      at(taken_off).ended.push_back(input.worm);
      ++happenings_;
    }
  }

  // The tail has left the buffer.
  void finish_worm(std::uint32_t place, Input& input, std::uint32_t output_place, Output& output)
  {
    if (!sharing_.empty()) {
      end_sharing(place, input);
    }
    if (pipeline_.releases_at_credit) {
      output.owner = draining;
    } else {
      output.owner = nothing;
      release(output_place, cycle() + 1);
    }
    input.state = State::idle;
    input.worm = nothing;
    if (input.behind == nothing) {
      return;
    }
    const std::uint32_t next = behind_[input.behind].next;
    const Behind behind = behind_[next];
    if (next == input.behind) {
      input.behind = nothing;
    } else {
      behind_[input.behind].next = behind.next;
    }
    behind_.remove(next);
    input.worm = behind.worm;
    log_wait(resource_in(place / vcs_), behind.head.claim, behind.front, behind.since, WaitCause::queue, cycle() + 1);
    start(place, input, behind.head, behind.hop, cycle() + 1);
  }

  // Contention ---------------------------------------------------------------------------------------------------

  Claim claim_of(const PipelineWorm& worm) const { return {worm.message, worm.step}; }
  Claim claim(std::uint32_t worm) const { return claim_of(worms_[worm]); }

  Resource resource_out(std::uint32_t out_port) const { return ports_.resource(out_port); }

  Resource resource_in(std::uint32_t in_port) const
  {
    if (upstream_[in_port] != nothing) {
      return resource_out(upstream_[in_port] / vcs_);
    }
    return {.kind = Resource::Kind::injection, .channel = ChannelId{}, .node = NodeId{in_port / port_count_}};
  }

  // The head in front of an input waits from `since` on, unless that is known.
  void blame(std::uint32_t place, Input& input, WaitCause cause, Cycle since, Claim holder)
  {
    if (input.cause != WaitCause::channel && head_waits_[place].since != since) {
      return;
    }
    input.cause = cause;
    if (head_waits_.empty()) {
      head_waits_.resize(inputs_.size());
    }
    head_waits_[place] = {since, holder};
  }

  std::uint32_t first_owned(std::uint32_t place, const Input& input) const
  {
    const std::uint32_t first = (place / width_ * port_count_ + input.port) * vcs_ + input.first;
    std::uint32_t found = first;
    for (std::uint32_t other = first + 1; other < first + input.count; ++other) {
      if (owned_[other].granted < owned_[found].granted) {
        found = other;
      }
    }
    return found;
  }

  // Whose flits are in front of the buffer behind an output; of the node's own the last owner's.
  Claim last_behind(std::uint32_t output) const
  {
    const std::uint32_t next = downstream_[output / vcs_];
    if (next != nothing && inputs_[next + output % vcs_].worm != nothing) {
      return inputs_[next + output % vcs_].claim;
    }
    return owned_[output].claim;
  }

  void end_wait(std::uint32_t place, Input& input)
  {
    if (input.cause == WaitCause::channel) {
      return;
    }
    const HeadWait& wait = head_waits_[place];
    if (wait.since < cycle()) {
      log_wait(resource_out(place / width_ * port_count_ + input.port), input.claim, wait.holder, wait.since,
               input.cause, cycle());
    }
    input.cause = WaitCause::channel;
  }

  // After the grants: a flit that has bid and was not granted the crossbar waits for who crossed to the same output
  // port, else from the same input port.
  void note_bid(std::uint32_t place, std::uint32_t port, std::uint32_t output_port, bool speculative)
  {
    const Grant* winner = nullptr;
    for (const Grant& grant : grants_) {
      if (grant.place == place) {
        return;
      }
      if (grant.output_port == output_port || (grant.port == port && winner == nullptr)) {
        winner = &grant;
      }
    }
    Input& input = inputs_[place];
    const Claim other = winner != nullptr ? winner->claim : input.claim;
    if (!input.head_gone) {
      // A speculative bid without a virtual channel waits for that.
      if (!speculative || pipeline_.piggyback || input.state == State::active) {
        blame(place, input, WaitCause::crossbar, cycle(), other);
      }
      return;
    }
    if (sharing_.empty()) {
      sharing_.resize(inputs_.size());
    }
    Sharing& sharing = sharing_[place];
    if (sharing.lost == 0) {
      sharing.since = cycle();
      sharing.other = other;
    }
    sharing.last = cycle() + 1;
    ++sharing.lost;
  }

  void end_sharing(std::uint32_t place, const Input& input)
  {
    if (sharing_[place].lost == 0) {
      return;
    }
    const Sharing sharing = std::exchange(sharing_[place], Sharing{});
    const Claim waiting = input.claim;
    const Time wait{sharing.lost * tau()};
    if (!log().wanted()) {
      log().count(ContentionKind::sharing, wait);
      return;
    }
    log().add({.resource = resource_out(place / width_ * port_count_ + input.port),
               .waiting = waiting.message,
               .holding = sharing.other.message,
               .waiting_step = waiting.step,
               .holding_step = sharing.other.step,
               .kind = ContentionKind::sharing,
               .from = time_of(sharing.since),
               .to = time_of(sharing.last),
               .wait = wait,
               .cause = WaitCause::crossbar});
  }

  const Topology& topology_;
  PipelineParameters pipeline_;
  const std::function<void(const OccupancyRecord&)>& occupancy_; // may be empty
  const Grid& grid_;
  bool halves_; // of the virtual channels, on the rings of a torus
  GridPorts ports_;
  std::uint32_t vcs_;
  std::uint32_t slots_; // of a buffer
  std::uint32_t port_count_;
  std::uint32_t node_port_;
  std::uint32_t width_; // virtual channels of all ports of a router
  std::uint32_t words_; // of 64 bits for them
  std::uint32_t all_vcs_;

  std::vector<Source> sources_;                         // by node
  std::vector<std::uint32_t> source_slots_;             // by node and virtual channel: free ones behind it
  std::vector<std::pair<Cycle, Claim>> source_granted_; // the same, where occupancy is recorded
  std::vector<std::uint32_t> awake_sources_;            // that may send
  WormTable<Waiting> outside_;                          // in the sources' queues
  WormTable<PipelineWorm> worms_;
  PieceAllocator pieces_;
  GrowingArray<RouterHop> hops_;   // of the worms under way
  GrowingArray<HeadOfWorm> heads_; // by worm
  std::vector<RouterHop> route_;

  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  std::vector<Owned> owned_;              // by output
  std::vector<std::uint32_t> downstream_; // by output port: the first input behind it
  std::vector<std::uint32_t> upstream_;   // by input port: the first output before it
  std::vector<std::uint16_t> free_vcs_;   // by output port: bits of the outputs without owner
  bool by_masks_ = false;                 // step_by_masks
  std::vector<std::uint8_t> port_of_vc_;  // of a router
  std::vector<std::uint64_t> wanting_;    // by router: inputs that want an output; by_masks_: by output port and half
  std::vector<std::uint32_t> wanting_ports_; // by router, by_masks_: output ports that may be wanted
  std::vector<std::uint64_t> bidding_;       // by router: inputs that own one, with a flit and a slot for it
  std::vector<std::uint8_t> router_awake_;   // stands in awake_routers_
  std::vector<std::uint32_t> awake_routers_;
  std::vector<std::uint32_t> routers_now_;
  WormTable<Behind> behind_;
  std::vector<EventLane<Age>> ages_;              // by input, where the arrival of a flit matters: those of its flits
  std::vector<std::uint16_t> channel_of_outputs_; // the allocators' pointers
  std::vector<std::uint16_t> channel_of_inputs_;
  std::vector<std::uint16_t> switch_of_outputs_;
  std::vector<std::uint16_t> switch_of_inputs_;
  std::vector<std::uint8_t> input_offsets_;  // by input port
  std::vector<std::uint8_t> output_offsets_; // by output port, with piggyback
  std::vector<Batches> batch_;               // by router
  std::vector<Cycle> last_sent_;             // by output port, where the crossbar takes longer than a cycle

  std::vector<Happenings> calendar_; // by cycle, modulo its size
  std::size_t calendar_mask_ = 0;
  std::uint64_t happenings_ = 0; // in the calendar

  // Of one router in one cycle:
  Allocator channel_allocator_;
  Allocator switch_allocator_;
  std::vector<Bid> bids_;
  std::vector<std::uint32_t> cells_; // by input and output port: the bid that counts
  std::vector<AllocatorRequest> switch_requests_;
  std::vector<AllocatorRequest> channel_requests_;
  std::vector<Grant> grants_;
  std::array<std::uint64_t, 2 * max_grid_dimensions + 1> crossing_{}; // by output port: bits of the input ports
  std::vector<std::uint32_t> channel_winners_; // by output port: an input that got a virtual channel of it

  std::vector<HeadWait> head_waits_; // by input; empty: nobody has waited
  std::vector<Sharing> sharing_;     // by input; empty: nobody has lost
  std::uint64_t header_hops_ = 0;
  std::uint64_t flit_hops_ = 0;
};

StoppedNetwork CycleEngine::explain_deadlock(std::int64_t last_delivery)
{
  StoppedMessages stopped;
  for (std::uint32_t node = 0; node < sources_.size(); ++node) {
    const Source& source = sources_[node];
    const Resource port{.kind = Resource::Kind::injection, .channel = ChannelId{}, .node = NodeId{node}};
    const std::size_t own_port = std::size_t{node} * port_count_ + node_port_;
    const std::uint32_t behind = inputs_[own_port * vcs_].worm;
    Claim front = source.worm != nothing ? claim(source.worm) : behind != nothing ? claim(behind) : source.last;
    for (std::uint32_t place = source.queue_head; place != nothing; place = outside_[place].next) {
      const NewMessage& message = outside_[place].message;
      const Claim waiting{message.message, message.step};
      stopped.add({waiting, port, front, message.time / tau(), WaitCause::queue});
      front = waiting;
    }
  }
  for (std::uint32_t place = 0; place < inputs_.size(); ++place) {
    const Input& input = inputs_[place];
    if (input.worm == nothing) {
      continue;
    }
    for_each_behind(input, [&](const Behind& behind) {
      stopped.add({behind.head.claim, resource_in(place / vcs_), input.claim, behind.since, WaitCause::queue});
    });
    if (input.head_gone || input.cause == WaitCause::channel) {
      continue;
    }
    const Claim holder =
        input.state == State::active ? last_behind(output_of(place, input)) : owned_[first_owned(place, input)].claim;
    stopped.add({input.claim, resource_out(place / width_ * port_count_ + input.port), holder, head_waits_[place].since,
                 input.cause});
  }
  for (std::uint32_t place = 0; place < sharing_.size(); ++place) {
    if (inputs_[place].worm != nothing) {
      end_sharing(place, inputs_[place]);
    }
  }
  const Cycle end = log_stopped(stopped, last_delivery);
  if (occupancy_) {
    for (std::uint32_t place = 0; place < outputs_.size(); ++place) {
      if (outputs_[place].owner != nothing) {
        record_occupancy(place, end);
      }
    }
    for (std::uint32_t node = 0; node < sources_.size(); ++node) {
      for (std::uint32_t vc = 0; vc < vcs_; ++vc) {
        if ((sources_[node].free_vcs >> vc & 1U) == 0) {
          release_source_vc(node, sources_[node], vc, end);
        }
      }
    }
  }
  return {.since = end * tau(), .cycle = stopped.circle()};
}

} // namespace

std::unique_ptr<Engine> make_cycle_engine(const EngineInput& input)
{
  return std::make_unique<CycleEngine>(input);
}

} // namespace wormcast
