#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/engines/piece_allocator.hpp"
#include "wormcast/simulator/engines/wormhole/engines.hpp"
#include "wormcast/simulator/engines/wormhole/flit_channels.hpp"
#include "wormcast/simulator/engines/wormhole/route_choice.hpp"
#include "wormcast/simulator/engines/wormhole/time_step_engine.hpp"
#include "wormcast/simulator/events/event_queue.hpp"
#include "wormcast/simulator/model/channel_times.hpp"

#include <algorithm>

namespace wormcast {

namespace {

// A message between the request for its port and its delivery. Stage i is its passage over channel c_i: 0 the injection
// channel, 1 .. hops the external ones, hops + 1 the ejection channel.
struct FlitWorm : MessageInFlight {
  using MessageInFlight::MessageInFlight;

  std::int64_t granted = 0;   // time at which it was granted its port
  std::int64_t shortfall = 0; // time by which the last flit is shorter than tau
  std::uint32_t path = 0;     // offset of its stages in resources_
  std::uint32_t hops = 0;     // external channels of the path
};

// What every request of a header reads, apart from the rest so that it takes half a cache line.
struct alignas(32) FlitHead {
  std::uint64_t flits = 0;
  MessageId message{};
  std::uint32_t precedence = 0;
  std::uint32_t step = 0;
  Arbiter::Unit unit = Arbiter::none; // granted last
  std::uint32_t next = 0;             // the stage after it, at the end the last: offset in resources_
  Arbiter::ResourceIndex request = 0; // resources_[next]
};
static_assert(sizeof(FlitHead) == 32);

// The engine `flit` moves every flit as rule 4 of docs/network-model.md states. The next flit of a stage starts as soon
// as it has arrived, a slot of the downstream buffer is free, and the physical channel has finished the flit before.
// Where all channels are alike, all delays are constants (tau, T_f, T_s), so that nearly all events are in FIFO lanes.
//
// With several virtual channels, worms on the same physical channel take turns flit by flit: an idle channel serves the
// next virtual channel in cyclic order that has a flit ready; a header that is granted its virtual channel while the
// physical one is idle starts at once.
//
// Near saturation thousands of events are due at the same time, each of another worm somewhere in memory: what the next
// ones read is fetched while the first are executed.
class FlitEngine final : public TimeStepEngine<FlitEngine, FlitWorm> {
public:
  explicit FlitEngine(const EngineInput& input)
      : TimeStepEngine(input), topology_(input.topology), network_(input.network),
        tau_(input.network.flit_time().picoseconds), hop_(input.network.per_hop.picoseconds),
        startup_(input.network.startup.picoseconds), stores_(input.network.switching == Switching::store_and_forward),
        whole_message_buffers_(input.network.switching != Switching::wormhole),
        holds_path_(input.network.hold == Hold::path), has_short_flits_(input.network.last_flit == LastFlit::exact),
        times_(input.network, input.topology), choice_(input.topology, input.network),
        flits_(channels(), input.network.virtual_channels)
  {
    channels().prepare();
    if (!times_.equal()) {
      set_channel_times();
    }
  }

  std::uint64_t in_flight() const override { return worms().size(); }
  std::uint64_t header_hops() const override { return header_hops_; }
  std::uint64_t flit_hops() const override { return flit_hops_; }

private:
  friend TimeStepEngine;

  struct UnitEvent {
    std::int64_t time = 0;
    Arbiter::Unit unit = 0;
  };
  struct WormEvent {
    std::int64_t time = 0;
    Arbiter::Worm worm = 0;
  };

  // So many events ahead the first and the second read of an event are fetched.
  static constexpr std::size_t far_ahead = 12;
  static constexpr std::size_t near_ahead = 6;

  std::int64_t next_event() const
  {
    const std::int64_t of_units =
        std::min({rates_.next_time(), short_rates_.next_time(), arrivals_.next_time(), late_arrivals_.next_time()});
    const std::int64_t of_worms = std::min({starts_.next_time(), late_starts_.next_time(), stored_.next_time()});
    return std::min(of_units, of_worms);
  }

  void execute()
  {
    while (arrivals_.next_time() == now()) {
      flits_.prefetch(arrivals_.ahead(far_ahead).unit);
      prefetch_head(flits_[arrivals_.ahead(near_ahead).unit].worm);
      arrive(arrivals_.pop().unit);
    }
    if (late_arrivals_.next_time() == now()) {
      late_arrivals_.pop_all(now(), [this](const UnitEvent& event) { arrive(event.unit); });
    }
    while (starts_.next_time() == now()) {
      start(starts_.pop().worm);
    }
    if (late_starts_.next_time() == now()) {
      late_starts_.pop_all(now(), [this](const WormEvent& event) { start(event.worm); });
    }
    // Releases and deliveries are executed first ...
    while (rates_.next_time() == now()) {
      flits_.prefetch(rates_.ahead(far_ahead).unit);
      prefetch_release(rates_.ahead(near_ahead).unit);
      finish_flit(rates_.pop().unit);
    }
    if (short_rates_.next_time() == now()) {
      short_rates_.pop_all(now(), [this](const UnitEvent& event) { finish_flit(event.unit); });
    }
    if (stored_.next_time() == now()) {
      stored_.pop_all(now(), [this](const WormEvent& event) { request(event.worm); });
    }
    grant_waiting();
    for (const NewMessage& message : pop_from_source()) {
      request(new_worm(message));
    }
    // ... then the headers that leave their source and the requests, in ascending order of the messages' ranks, then
    // all other flits. A header can still be served among these, and request a channel again.
    do {
      requests().serve([this](Arbiter::Worm worm) { serve_header(worm); },
                       [this](Arbiter::Worm far, Arbiter::Worm near) { prefetch_requests(far, near); });
      flits_.move(now(), [this](Arbiter::Unit unit) { move_flit(unit); });
    } while (!requests().empty());
  }

  void request(Arbiter::Worm worm) { requests().add(heads_[worm].precedence, heads_[worm].message, worm); }

  void prefetch_head(Arbiter::Worm worm) const
  {
    if (worm != Arbiter::none) {
      __builtin_prefetch(&heads_[worm]);
    }
  }
  // What is read when a worm's last flit has crossed the unit.
  void prefetch_release(Arbiter::Unit unit) const
  {
    const FlitPassage& passage = flits_[unit];
    if (passage.left == 0 && passage.before != Arbiter::none) {
      channels().prefetch_unit(passage.before);
    }
  }
  void prefetch_requests(Arbiter::Worm far, Arbiter::Worm near) const
  {
    prefetch_head(far);
    channels().prefetch(heads_[near].request);
    prefetch_grant(near);
  }
  void prefetch_grant(Arbiter::Worm worm) const { __builtin_prefetch(resources_.data() + heads_[worm].next + 1); }

  void start(Arbiter::Worm worm)
  {
    flits_.add_waiting(heads_[worm].unit, heads_[worm].flits);
    request(worm);
  }

  void grant_waiting()
  {
    for (const Arbiter::ResourceIndex resource : wakes_) {
      prefetch_head(channels().first_waiting(resource));
    }
    for (std::size_t i = 0; i < wakes_.size(); ++i) {
      const Arbiter::Worm soon = channels().first_waiting(wakes_[std::min(i + near_ahead, wakes_.size() - 1)]);
      if (soon != Arbiter::none) {
        prefetch_grant(soon);
      }
      channels().grant_waiting(wakes_[i], now(), [this](Arbiter::Worm worm, Arbiter::Unit unit) {
        if (granted(worm, unit)) {
          request(worm);
        }
      });
    }
    wakes_.clear();
  }

  Arbiter::Worm new_worm(const NewMessage& message)
  {
    transfer_time(network_, message.flits);
    const Arbiter::Worm worm = worms().add(FlitWorm(message));
    heads_.grow(worm + std::size_t{1});
    FlitHead& head = heads_[worm];
    head = {.flits = message.flits, .message = message.message, .precedence = message.precedence, .step = message.step};
    worms()[worm].shortfall = message.shortfall;
    route_.clear();
    topology_.append_drawn_route(message.source, message.destination, route_draw(network_, index(message.message)),
                                 route_);
    lay_out_path(worms()[worm], head, route_);
    return worm;
  }

  void lay_out_path(FlitWorm& worm, FlitHead& head, std::span<const ChannelId> route)
  {
    worm.hops = static_cast<std::uint32_t>(route.size());
    worm.path = pieces_.allocate(worm.hops + 2);
    resources_.grow(pieces_.capacity());
    classes_.resize(route.size());
    topology_.assign_virtual_channel_classes(route, network_.virtual_channels, classes_);
    Arbiter::ResourceIndex* resources = resources_.data() + worm.path;
    // A message to its own sender has no external channel, and then ports belong to the node.
    resources[0] = channels().injection(worm.source, route.empty() ? ChannelId{} : route.front(), worm.port);
    for (std::uint32_t i = 0; i < worm.hops; ++i) {
      resources[i + 1] = channels().external(route[i], classes_[i]);
    }
    resources[worm.hops + 1] =
        channels().ejection(worm.destination, route.empty() ? ChannelId{} : route.back(), worm.port);
    head.next = worm.path;
    head.request = resources[0];
  }

  // The header chooses its route at the channel at position 2, and has the channels before it.
  void choose_route(FlitWorm& worm, FlitHead& head)
  {
    const std::uint32_t old_path = worm.path;
    const std::uint32_t old_hops = worm.hops;
    lay_out_path(worm, head, choice_.choose(worm, channels(), now()));
    pieces_.release(old_path, old_hops + 2);
    head.next = worm.path + 2;
    head.request = resources_[head.next];
  }

  // Serves a header that starts from its source now, or requests a channel.
  void serve_header(Arbiter::Worm worm)
  {
    bool requests_next = true;
    const Arbiter::Unit port = heads_[worm].unit;
    if (port != Arbiter::none && !flits_[port].header_gone) {
      requests_next = start_header(port);
    }
    while (requests_next) {
      FlitHead& asking = heads_[worm];
      if (choice_.exists()) {
        FlitWorm& state = worms()[worm];
        if (asking.next == state.path + 2 && choice_.has(state)) {
          choose_route(state, asking);
        }
      }
      const Arbiter::ResourceIndex resource = asking.request;
      const Arbiter::Unit unit = channels().allocate(resource, {asking.message, asking.step}, now());
      if (unit == Arbiter::none) {
        channels().enqueue(resource, worm, {asking.message, asking.step}, now());
        return;
      }
      requests_next = granted(worm, unit);
    }
  }

  // The header is granted the channel that it requested. Returns true if it requests the next one now.
  bool granted(Arbiter::Worm worm, Arbiter::Unit unit)
  {
    FlitHead& head = heads_[worm];
    ++header_hops_;
    const Arbiter::Unit before = std::exchange(head.unit, unit);
    const bool is_first = before == Arbiter::none;
    const bool is_last = !is_first && channels().is_port(head.request);
    flits_.grant(unit, worm, before, head.flits, whole_message_buffers_ ? head.flits : network_.buffer_flits, is_last);
    if (!is_last) {
      head.request = resources_[++head.next];
      if (!times_.equal()) {
        set_latency(unit, head.request);
      }
    }
    if (is_first) {
      FlitWorm& state = worms()[worm];
      state.granted = now();
      if (startup_ + state.extra_startup != 0) {
        if (state.extra_startup == 0) {
          starts_.push({now() + startup_, worm});
        } else {
          late_starts_.push({now() + startup_ + state.extra_startup, worm});
        }
        return false;
      }
      flits_.add_waiting(unit, head.flits);
    }
    return start_header(unit);
  }

  bool start_header(Arbiter::Unit unit)
  {
    if (flits_.is_busy(unit)) {
      flits_.touch(unit);
      return false;
    }
    start_flit(unit);
    return requests_at_once(unit);
  }

  // Returns whether a header that has started over the unit requests the next one at the same time.
  bool requests_at_once(Arbiter::Unit unit) const
  {
    const FlitPassage& passage = flits_[unit];
    if (!times_.equal()) {
      return !passage.last && own_times_[unit].latency == 0 && !is_stored_after(passage);
    }
    return !passage.last && (passage.before == Arbiter::none || (hop_ == 0 && !is_stored_after(passage)));
  }
  // Returns whether the router after an external channel sends the header on only when it holds the whole message: with
  // store and forward all but the last do.
  bool is_stored_after(const FlitPassage& passage) const
  {
    return stores_ && passage.before != Arbiter::none && !channels().is_port(heads_[passage.worm].request);
  }

  // The times of a unit where channels are not all alike.
  struct UnitTimes {
    std::int64_t flit = 0;    // tau
    std::int64_t hop = 0;     // T_f
    std::int64_t latency = 0; // from the start of a flit of the holder to its arrival at the holder's next unit
  };

  void set_channel_times()
  {
    own_times_.resize(channels().unit_count(), {.flit = times_.port_flit()});
    for (Arbiter::Unit unit = 0; unit < channels().external_unit_count(); ++unit) {
      const ChannelId channel = channels().channel_of_unit(unit);
      own_times_[unit] = {.flit = times_.flit(channel), .hop = times_.hop(channel)};
    }
  }

  // The holder of the unit requests `next` after it.
  void set_latency(Arbiter::Unit unit, Arbiter::ResourceIndex next)
  {
    UnitTimes& times = own_times_[unit];
    const std::int64_t next_flit = own_times_[channels().first_unit(next)].flit;
    times.latency = times.hop + ChannelTimes::catch_up(times.flit, next_flit);
  }

  // A flit starts on a channel that was idle or has become so.
  void move_flit(Arbiter::Unit unit)
  {
    if (start_flit(unit) && requests_at_once(unit)) {
      request(flits_[unit].worm);
    }
  }

  // Returns true if the flit is the header.
  bool start_flit(Arbiter::Unit unit)
  {
    ++flit_hops_;
    if (!times_.equal()) {
      return start_flit_in_own_time(unit);
    }
    const FlitPassage& passage = flits_[unit];
    const bool is_last = passage.left == 1;
    const std::int64_t shortfall = has_short_flits_ && is_last ? worms()[passage.worm].shortfall : 0;
    const std::int64_t end = now() + tau_ - shortfall;
    const bool header = flits_.start(unit, now(), end);
    if (shortfall == 0) {
      rates_.push({end, unit});
    } else {
      short_rates_.push({end, unit});
    }
    if (!passage.last) {
      if (passage.before == Arbiter::none || hop_ == 0) {
        flits_.arrive(unit);
      } else {
        arrivals_.push({now() + hop_, unit});
      }
    }
    flits_.free_slot_before(unit);
    return header;
  }

  // The same where channels are not all alike.
  bool start_flit_in_own_time(Arbiter::Unit unit)
  {
    const UnitTimes& times = own_times_[unit];
    const std::int64_t end = now() + times.flit;
    const bool header = flits_.start(unit, now(), end);
    short_rates_.push({end, unit});
    if (!flits_[unit].last) {
      if (times.latency == 0) {
        flits_.arrive(unit);
      } else {
        late_arrivals_.push({now() + times.latency, unit});
      }
    }
    flits_.free_slot_before(unit);
    return header;
  }

  // A flit has crossed the channel.
  void arrive(Arbiter::Unit unit)
  {
    if (flits_.arrive(unit) && !is_stored_after(flits_[unit])) {
      request(flits_[unit].worm);
    }
  }

  // The channel has carried a flit for tau.
  void finish_flit(Arbiter::Unit unit)
  {
    flits_.finish(unit);
    const FlitPassage& passage = flits_[unit];
    if (passage.left != 0) {
      return;
    }
    if (passage.before != Arbiter::none && !holds_path_) {
      release(passage.before);
    }
    if (passage.last) {
      deliver(unit);
    } else if (passage.before != Arbiter::none && is_stored_after(passage)) {
      const std::int64_t hop = times_.equal() ? hop_ : own_times_[unit].hop;
      if (hop == 0) {
        request(passage.worm);
      } else {
        stored_.push({now() + hop, passage.worm});
      }
    }
  }

  void release(Arbiter::Unit unit)
  {
    channels().release(unit, now());
    const Arbiter::ResourceIndex resource = channels().resource_of(unit);
    if (channels().has_waiting(resource)) {
      channels().prefetch_waiting(resource);
      wakes_.push_back(resource);
    }
    if (wants_port_releases() && flits_[unit].before == Arbiter::none) {
      release_port(heads_[flits_[unit].worm].message);
    }
  }

  void deliver(Arbiter::Unit last)
  {
    if (holds_path_) {
      Arbiter::Unit unit = last;
      while (flits_[unit].before != Arbiter::none) {
        unit = flits_[unit].before;
      }
      for (; unit != last; unit = flits_[unit].after) {
        release(unit);
      }
    }
    release(last);
    end(flits_[last].worm);
  }

  std::int64_t retire(Arbiter::Worm worm)
  {
    const FlitWorm& state = worms()[worm];
    const std::int64_t granted = state.granted;
    if (choice_.exists() && wants_paths()) {
      route_.clear();
      for (std::uint32_t i = 1; i <= state.hops; ++i) {
        route_.push_back(channels().channel_of(resources_[state.path + i]));
      }
      record_path(state.message, route_);
    }
    record_delivery(state, granted);
    pieces_.release(state.path, state.hops + 2);
    worms().remove(worm);
    return granted;
  }

  const Topology& topology_;
  const NetworkParameters& network_;
  std::int64_t tau_;
  std::int64_t hop_;
  std::int64_t startup_;
  bool stores_;
  bool whole_message_buffers_;
  bool holds_path_;
  bool has_short_flits_; // the last flit of a message takes the time of its bytes
  ChannelTimes times_;
  RouteChoice choice_;
  std::vector<UnitTimes> own_times_; // by unit; empty where all channels are alike

  EventLane<UnitEvent> rates_;                // a channel has carried a flit, tau after its start
  EventQueue<UnitEvent> short_rates_;         // the same, of last flits that are shorter, and at rates of their own
  EventLane<UnitEvent> arrivals_;             // a flit has crossed an external channel, T_f after its start
  EventQueue<UnitEvent> late_arrivals_;       // the same where channels are not all alike
  EventLane<WormEvent> starts_;               // a message leaves its source, T_s after its port was granted
  EventQueue<WormEvent> late_starts_;         // the same, with longer start-ups
  EventQueue<WormEvent> stored_;              // the next router holds the whole message
  std::vector<Arbiter::ResourceIndex> wakes_; // of this time step
  FlitChannels flits_;
  GrowingArray<FlitHead> heads_; // by worm
  PieceAllocator pieces_;
  GrowingArray<Arbiter::ResourceIndex> resources_; // by stage of the worms in flight
  std::vector<ChannelId> route_;
  std::vector<std::uint8_t> classes_;
  std::uint64_t header_hops_ = 0;
  std::uint64_t flit_hops_ = 0;
};

} // namespace

std::unique_ptr<Engine> make_flit_engine(const EngineInput& input)
{
  return std::make_unique<FlitEngine>(input);
}

} // namespace wormcast
