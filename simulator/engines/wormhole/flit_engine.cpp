#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/engines/piece_allocator.hpp"
#include "wormcast/simulator/engines/wormhole/engines.hpp"
#include "wormcast/simulator/engines/wormhole/time_step_engine.hpp"
#include "wormcast/simulator/events/event_queue.hpp"

#include <algorithm>

namespace wormcast {

namespace {

// A message between the request for its port and its delivery. Stage i is its passage over channel c_i: 0 the injection
// channel, 1 .. hops the external ones, hops + 1 the ejection channel.
struct FlitWorm : MessageInFlight {
  using MessageInFlight::MessageInFlight;

  std::int64_t granted = 0; // time at which it was granted its port
  std::uint64_t flits = 0;
  std::uint64_t buffer = 0;   // flits that fit in the buffer after each channel
  std::uint32_t position = 0; // the stage that the header requests next
  std::uint32_t hops = 0;     // external channels of the path
  std::uint32_t path = 0;     // offset of the stages in sent_, arrived_ and units_
};

// The engine `flit` moves every flit as rule 4 of docs/network-model.md states. The next flit of a stage starts as soon
// as it has arrived, a slot of the downstream buffer is free, and the physical channel has finished the flit before.
// All delays are constants (tau, T_f, T_s), so nearly all events are in FIFO lanes.
//
// With several virtual channels, worms on the same physical channel take turns flit by flit: an idle channel serves the
// next virtual channel in cyclic order that has a flit ready; a header that is granted its virtual channel while the
// physical one is idle starts at once.
class FlitEngine final : public TimeStepEngine<FlitEngine, FlitWorm> {
public:
  explicit FlitEngine(const EngineInput& input)
      : TimeStepEngine(input), topology_(input.topology), network_(input.network),
        virtual_channels_(input.network.virtual_channels), tau_(input.network.flit_time().picoseconds),
        hop_(input.network.per_hop.picoseconds), startup_(input.network.startup.picoseconds),
        stores_(input.network.switching == Switching::store_and_forward),
        whole_message_buffers_(input.network.switching != Switching::wormhole),
        holds_path_(input.network.hold == Hold::path), external_units_(channels().external_unit_count())
  {
    owners_.resize(channels().unit_count());
    physical_.resize(channels().unit_count() - external_units_ + topology_.channel_count());
    shared_.resize(virtual_channels_ > 1 ? external_units_ : 0);
  }

  std::uint64_t in_flight() const override { return worms().size(); }
  std::uint64_t header_hops() const override { return header_hops_; }
  std::uint64_t flit_hops() const override { return flit_hops_; }

private:
  friend TimeStepEngine;

  struct StageEvent {
    std::int64_t time = 0;
    Arbiter::Worm worm = 0;
    std::uint32_t stage = 0;
  };
  // The next router holds the whole message.
  struct StoredEvent {
    std::int64_t time = 0;
    Arbiter::Worm worm = 0;
  };
  struct Owner {
    Arbiter::Worm worm = Arbiter::none;
    std::uint32_t stage = 0;
  };
  static constexpr MessageStep nobody = {};
  // A virtual channel that shares its physical channel.
  struct SharedUnit {
    std::int64_t ready_since = -1; // a flit is ready, but others are on the physical channel; -1: none
    std::int64_t previous_end = 0; // end of the flit before it
    MessageStep other = nobody;    // the first message with a flit in its way
  };
  // A channel on which one flit at a time moves.
  struct Physical {
    bool busy = false;
    bool touched = false;         // is in touched_
    std::uint8_t last_served = 0; // virtual channel served last
  };

  std::int64_t next_event() const
  {
    std::int64_t next = std::min(stored_.next_time(), late_starts_.next_time());
    for (const auto* lane : {&rates_, &arrivals_, &starts_}) {
      next = std::min(next, lane->next_time());
    }
    return next;
  }

  void execute()
  {
    while (arrivals_.next_time() == now()) {
      const StageEvent event = arrivals_.pop();
      arrive(event.worm, event.stage);
    }
    while (starts_.next_time() == now()) {
      start(starts_.pop().worm);
    }
    if (late_starts_.next_time() == now()) {
      late_starts_.pop_all(now(), [this](const StoredEvent& event) { start(event.worm); });
    }
    // Releases and deliveries are executed first ...
    while (rates_.next_time() == now()) {
      const StageEvent event = rates_.pop();
      finish_flit(event.worm, event.stage);
    }
    if (stored_.next_time() == now()) {
      stored_.pop_all(now(), [this](const StoredEvent& event) { add_request(event.worm); });
    }
    grant_waiting();
    for (const NewMessage& message : pop_from_source()) {
      add_request(new_worm(message));
    }
    // ... then the headers that leave their source and the requests, in ascending order of the messages' ranks, then
    // all other flits. A header can still be served among these, and request a channel again.
    do {
      requests().serve([this](Arbiter::Worm worm) { serve_header(worm); });
      move_flits();
    } while (!requests().empty());
  }

  void start(Arbiter::Worm worm)
  {
    arrived_[worms()[worm].path] = worms()[worm].flits;
    add_request(worm);
  }

  void grant_waiting()
  {
    for (const Arbiter::ResourceIndex resource : wakes_) {
      channels().grant_waiting(resource, now(), [this](Arbiter::Worm worm, Arbiter::Unit unit) {
        if (granted(worm, unit)) {
          add_request(worm);
        }
      });
    }
    wakes_.clear();
  }

  Arbiter::Worm new_worm(const NewMessage& message)
  {
    transfer_time(network_, message.flits);
    const Arbiter::Worm worm = worms().add(FlitWorm(message));
    FlitWorm& state = worms()[worm];
    state.flits = message.flits;
    state.buffer = whole_message_buffers_ ? message.flits : network_.buffer_flits;
    lay_out_path(state);
    return worm;
  }

  void lay_out_path(FlitWorm& worm)
  {
    route_.clear();
    topology_.append_drawn_route(worm.source, worm.destination, route_draw(network_, index(worm.message)), route_);
    worm.hops = static_cast<std::uint32_t>(route_.size());
    worm.path = pieces_.allocate(worm.hops + 2);
    sent_.grow(pieces_.capacity());
    arrived_.grow(pieces_.capacity());
    units_.grow(pieces_.capacity());
    std::fill_n(sent_.data() + worm.path, worm.hops + 2, 0);
    std::fill_n(arrived_.data() + worm.path, worm.hops + 2, 0);
    classes_.resize(route_.size());
    topology_.assign_virtual_channel_classes(route_, virtual_channels_, classes_);
    // Before its grant an entry is the requested resource, after it the granted unit.
    std::uint32_t* resources = units_.data() + worm.path;
    // A message to its own sender has no external channel, and then ports belong to the node.
    resources[0] = channels().injection(worm.source, route_.empty() ? ChannelId{} : route_.front());
    for (std::uint32_t i = 0; i < worm.hops; ++i) {
      resources[i + 1] = channels().external(route_[i], classes_[i]);
    }
    resources[worm.hops + 1] = channels().ejection(worm.destination, route_.empty() ? ChannelId{} : route_.back());
  }

  // Serves a header that starts from its source now, or requests a channel.
  void serve_header(Arbiter::Worm worm)
  {
    bool requests_next = true;
    const FlitWorm& state = worms()[worm];
    if (state.position == 0 && arrived_[state.path] != 0) {
      requests_next = start_header(worm);
    }
    while (requests_next) {
      const FlitWorm& asking = worms()[worm];
      const Arbiter::ResourceIndex resource = units_[asking.path + asking.position];
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
    FlitWorm& state = worms()[worm];
    ++header_hops_;
    units_[state.path + state.position] = unit;
    owners_[unit] = {worm, state.position};
    if (state.position == 0) {
      state.granted = now();
      if (startup_ != 0) {
        if (state.extra_startup == 0) {
          starts_.push({now() + startup_, worm, 0});
        } else {
          late_starts_.push({now() + startup_ + state.extra_startup, worm});
        }
        return false;
      }
      arrived_[state.path] = state.flits;
    }
    return start_header(worm);
  }

  bool start_header(Arbiter::Worm worm)
  {
    const FlitWorm& state = worms()[worm];
    const std::uint32_t stage = state.position;
    const Arbiter::Unit unit = units_[state.path + stage];
    if (physical_[physical_of(unit)].busy) {
      touch(unit);
      return false;
    }
    start_flit(worm, stage, unit);
    return requests_at_once(state, stage);
  }

  // Returns whether a header that starts over channel `stage` reaches the next one at the same time.
  bool requests_at_once(const FlitWorm& worm, std::uint32_t stage) const
  {
    const bool last = stage == worm.hops + 1;
    const bool stored = stores_ && stage >= 1 && stage < worm.hops;
    return !last && !stored && (stage == 0 || hop_ == 0);
  }

  void move_flits()
  {
    for (std::size_t i = 0; i < touched_.size(); ++i) {
      const std::uint32_t channel = touched_[i];
      physical_[channel].touched = false;
      if (!physical_[channel].busy) {
        serve_channel(channel);
      }
    }
    touched_.clear();
    for (const Arbiter::Unit unit : touched_units_) {
      note_ready_flit(unit);
    }
    touched_units_.clear();
  }

  // A flit may have become ready while another one is on the physical channel: stores the time and the message of the
  // other.
  void note_ready_flit(Arbiter::Unit unit)
  {
    const std::uint32_t channel = physical_of(unit);
    if (!physical_[channel].busy || !flit_is_ready(owners_[unit])) {
      return;
    }
    SharedUnit& shared = shared_[unit];
    if (shared.ready_since < 0) {
      shared.ready_since = now();
    }
    const Arbiter::Unit served = channel * virtual_channels_ + physical_[channel].last_served;
    if (shared.other.message == nobody.message && unit != served) {
      shared.other = channels().holder(served);
    }
  }

  // A flit starts: its wait is attributed to the others.
  void end_sharing(Arbiter::Unit unit)
  {
    SharedUnit& shared = shared_[unit];
    if (shared.ready_since >= 0) {
      const std::int64_t from = std::max(shared.ready_since, shared.previous_end);
      if (from < now()) {
        channels().note_shared_time(unit, shared.other, from, now());
      }
    }
    shared = {.ready_since = -1, .previous_end = now() + tau_, .other = nobody};
  }

  void serve_channel(std::uint32_t channel)
  {
    if (channel >= topology_.channel_count()) {
      serve_unit(external_units_ + channel - topology_.channel_count());
      return;
    }
    std::uint32_t vc = physical_[channel].last_served;
    for (std::uint32_t tried = 0; tried < virtual_channels_; ++tried) {
      vc = vc + 1 == virtual_channels_ ? 0 : vc + 1;
      if (serve_unit(channel * virtual_channels_ + vc)) {
        return;
      }
    }
  }

  // Returns whether the worm's next flit has reached its channel, and the buffer after it has room.
  bool flit_is_ready(const Owner& owner) const
  {
    if (owner.worm == Arbiter::none) {
      return false;
    }
    const FlitWorm& worm = worms()[owner.worm];
    const std::uint64_t* sent = sent_.data() + worm.path + owner.stage;
    return arrived_[worm.path + owner.stage] > sent[0] && (owner.stage > worm.hops || sent[0] - sent[1] < worm.buffer);
  }

  bool serve_unit(Arbiter::Unit unit)
  {
    const Owner owner = owners_[unit];
    if (!flit_is_ready(owner)) {
      return false;
    }
    const FlitWorm& worm = worms()[owner.worm];
    const bool header = sent_[worm.path + owner.stage] == 0;
    start_flit(owner.worm, owner.stage, unit);
    if (header && requests_at_once(worm, owner.stage)) {
      add_request(owner.worm);
    }
    return true;
  }

  void start_flit(Arbiter::Worm worm, std::uint32_t stage, Arbiter::Unit unit)
  {
    FlitWorm& state = worms()[worm];
    const std::uint32_t entry = state.path + stage;
    ++flit_hops_;
    const bool header = sent_[entry]++ == 0;
    if (header) {
      ++state.position;
    }
    const std::uint32_t channel = physical_of(unit);
    physical_[channel].busy = true;
    if (unit < external_units_) {
      if (virtual_channels_ > 1) {
        end_sharing(unit);
      }
      physical_[channel].last_served = static_cast<std::uint8_t>(unit % virtual_channels_);
    }
    rates_.push({now() + tau_, worm, stage});
    if (stage <= state.hops) {
      if (stage == 0 || hop_ == 0) {
        ++arrived_[entry + 1];
        if (!header && stage + 1 < state.position) {
          touch(units_[entry + 1]);
        }
      } else {
        arrivals_.push({now() + hop_, worm, stage + 1});
      }
    }
    if (stage > 0 && sent_[entry - 1] < state.flits) {
      touch(units_[entry - 1]);
    }
  }

  // A flit has crossed the external channel before `stage`.
  void arrive(Arbiter::Worm worm, std::uint32_t stage)
  {
    const FlitWorm& state = worms()[worm];
    const std::uint64_t arrived = ++arrived_[state.path + stage];
    if (arrived == 1) {
      if (!stores_ || stage > state.hops) {
        add_request(worm);
      }
    } else if (stage < state.position) {
      touch(units_[state.path + stage]);
    }
  }

  // The channel has carried a flit of the worm for tau.
  void finish_flit(Arbiter::Worm worm, std::uint32_t stage)
  {
    const FlitWorm& state = worms()[worm];
    const Arbiter::Unit unit = units_[state.path + stage];
    physical_[physical_of(unit)].busy = false;
    touch(unit);
    if (sent_[state.path + stage] != state.flits) {
      return;
    }
    if (stage > 0 && !holds_path_) {
      release(state, stage - 1);
    }
    if (stage == state.hops + 1) {
      deliver(worm);
    } else if (stores_ && stage >= 1 && stage < state.hops) {
      if (hop_ == 0) {
        add_request(worm);
      } else {
        stored_.push({now() + hop_, worm});
      }
    }
  }

  void release(const FlitWorm& worm, std::uint32_t stage)
  {
    const Arbiter::Unit unit = units_[worm.path + stage];
    owners_[unit].worm = Arbiter::none;
    channels().release(unit, now());
    const Arbiter::ResourceIndex resource = channels().resource_of(unit);
    if (channels().has_waiting(resource)) {
      wakes_.push_back(resource);
    }
    if (stage == 0 && wants_port_releases()) {
      release_port(worm.message);
    }
  }

  void deliver(Arbiter::Worm worm)
  {
    const FlitWorm& state = worms()[worm];
    if (holds_path_) {
      for (std::uint32_t stage = 0; stage <= state.hops; ++stage) {
        release(state, stage);
      }
    }
    release(state, state.hops + 1);
    end(worm);
  }

  std::int64_t retire(Arbiter::Worm worm)
  {
    const FlitWorm& state = worms()[worm];
    const std::int64_t granted = state.granted;
    record_delivery(state, granted);
    pieces_.release(state.path, state.hops + 2);
    worms().remove(worm);
    return granted;
  }

  std::uint32_t physical_of(Arbiter::Unit unit) const
  {
    return unit < external_units_ ? unit / virtual_channels_ : unit - external_units_ + topology_.channel_count();
  }

  void touch(Arbiter::Unit unit)
  {
    const std::uint32_t channel = physical_of(unit);
    if (!physical_[channel].touched) {
      physical_[channel].touched = true;
      touched_.push_back(channel);
    }
    if (virtual_channels_ > 1 && unit < external_units_) {
      touched_units_.push_back(unit);
    }
  }

  const Topology& topology_;
  const NetworkParameters& network_;
  std::uint32_t virtual_channels_;
  std::int64_t tau_;
  std::int64_t hop_;
  std::int64_t startup_;
  bool stores_;
  bool whole_message_buffers_;
  bool holds_path_;
  std::uint32_t external_units_;

  EventLane<StageEvent> rates_;         // a channel has carried a flit, tau after its start
  EventLane<StageEvent> arrivals_;      // a flit has crossed an external channel, T_f after its start
  EventLane<StageEvent> starts_;        // a message leaves its source, T_s after its port was granted
  EventQueue<StoredEvent> late_starts_; // the same, with longer start-ups
  EventQueue<StoredEvent> stored_;
  std::vector<std::uint32_t> touched_;        // physical channels that may be able to start a flit
  std::vector<Arbiter::Unit> touched_units_;  // units of shared channels with a next flit that may have become ready
  std::vector<Arbiter::ResourceIndex> wakes_; // of this time step
  std::vector<Owner> owners_;                 // by unit
  std::vector<SharedUnit> shared_;            // by external unit; empty with one virtual channel
  std::vector<Physical> physical_;            // external channels, then one for each port unit
  PieceAllocator pieces_;
  GrowingArray<std::uint64_t> sent_;    // by stage of the worms in flight: flits that have started over its channel
  GrowingArray<std::uint64_t> arrived_; // the same: flits that have reached its channel
  GrowingArray<std::uint32_t> units_;
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
