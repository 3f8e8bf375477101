#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/engines/piece_allocator.hpp"
#include "wormcast/simulator/engines/wormhole/engines.hpp"
#include "wormcast/simulator/engines/wormhole/instant_engine.hpp"
#include "wormcast/simulator/events/event_queue.hpp"

#include <algorithm>

namespace wormcast {

namespace {

// A message between the request for its port and its delivery. Stage i is its passage over channel c_i: 0 the injection
// channel, 1 .. hops the external ones, hops + 1 the ejection channel.
struct FlitWorm : MessageInFlight {
  using MessageInFlight::MessageInFlight;

  std::int64_t granted = 0; // when it got its port
  std::uint64_t flits = 0;
  std::uint64_t buffer = 0;   // flits that fit behind each channel
  std::uint32_t position = 0; // the stage that the header asks for next
  std::uint32_t hops = 0;     // external channels of the path
  std::uint32_t path = 0;     // offset of the stages in sent_, arrived_ and slots_
};

// The engine `flit`: moves every flit (rule 4 of docs/network-model.md literally). The next flit of a stage starts as
// soon as it has arrived, a slot of the downstream buffer is free, and the physical channel has finished the flit
// before. All delays are constants (tau, T_f, T_s), so nearly all events live in FIFO lanes.
//
// With several virtual channels, worms on the same physical channel take turns flit by flit: an idle channel serves the
// next virtual channel in cyclic order that has a flit ready; a header that is granted its virtual channel while the
// physical one is idle starts at once.
class FlitEngine final : public InstantEngine<FlitEngine, FlitWorm> {
public:
  explicit FlitEngine(const EngineInput& input)
      : InstantEngine(input), topology_(input.topology), network_(input.network),
        virtual_channels_(input.network.virtual_channels), tau_(input.network.flit_time().picoseconds),
        hop_(input.network.per_hop.picoseconds), startup_(input.network.startup.picoseconds),
        stores_(input.network.switching == Switching::store_and_forward),
        whole_message_buffers_(input.network.switching != Switching::wormhole),
        holds_path_(input.network.hold == Hold::path), external_slots_(channels().external_slot_count())
  {
    owners_.resize(channels().slot_count());
    physical_.resize(channels().slot_count() - external_slots_ + topology_.channel_count());
    turns_.resize(virtual_channels_ > 1 ? external_slots_ : 0);
  }

  std::uint64_t under_way() const override { return worms().size(); }
  std::uint64_t header_hops() const override { return header_hops_; }
  std::uint64_t flit_hops() const override { return flit_hops_; }

private:
  friend InstantEngine;

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
  static constexpr Arbiter::Claim nobody = {.message = MessageId{Arbiter::none}, .step = 0};
  // A virtual channel that shares its physical one.
  struct Turn {
    std::int64_t ready_since = -1; // a flit is ready, but others are on the physical channel; -1: none
    std::int64_t own_end = 0;      // of the flit before it
    Arbiter::Claim other = nobody; // the first whose flit is in its way
  };
  // A channel on which one flit at a time moves.
  struct Physical {
    bool busy = false;
    bool touched = false;       // stands in touched_
    std::uint8_t last_turn = 0; // virtual channel served last
  };

  std::int64_t next_event() const
  {
    std::int64_t next = std::min(stored_.next_time(), late_starts_.next_time());
    for (const auto* lane : {&rates_, &arrivals_, &starts_}) {
      next = std::min(next, lane->next_time());
    }
    return next;
  }

  void carry_out()
  {
    while (arrivals_.next_time() == instant()) {
      const StageEvent event = arrivals_.pop();
      arrive(event.worm, event.stage);
    }
    while (starts_.next_time() == instant()) {
      start(starts_.pop().worm);
    }
    if (late_starts_.next_time() == instant()) {
      late_starts_.take(instant(), [this](const StoredEvent& event) { start(event.worm); });
    }
    // Releases and deliveries first ...
    while (rates_.next_time() == instant()) {
      const StageEvent event = rates_.pop();
      finish_flit(event.worm, event.stage);
    }
    if (stored_.next_time() == instant()) {
      stored_.take(instant(), [this](const StoredEvent& event) { add_request(event.worm); });
    }
    grant_waiting();
    for (const NewMessage& message : take_from_source()) {
      add_request(new_worm(message));
    }
    // ... then the headers that leave their source and the requests, in ascending order of the messages' ranks, then
    // all other flits. A header can still get a turn among these, and ask again.
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
    for (const Arbiter::Group group : wakes_) {
      channels().grant_waiting(group, instant(), [this](Arbiter::Worm worm, Arbiter::Slot slot) {
        if (granted(worm, slot)) {
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
    worm.path = pieces_.take(worm.hops + 2);
    sent_.grow(pieces_.capacity());
    arrived_.grow(pieces_.capacity());
    slots_.grow(pieces_.capacity());
    std::fill_n(sent_.data() + worm.path, worm.hops + 2, 0);
    std::fill_n(arrived_.data() + worm.path, worm.hops + 2, 0);
    classes_.resize(route_.size());
    topology_.assign_virtual_channel_classes(route_, virtual_channels_, classes_);
    // Until it is granted, an entry names the group to ask for; from then on the slot that was granted.
    std::uint32_t* groups = slots_.data() + worm.path;
    // A message to its own sender has no external channel, and then ports are the node's.
    groups[0] = channels().injection(worm.source, route_.empty() ? ChannelId{} : route_.front());
    for (std::uint32_t i = 0; i < worm.hops; ++i) {
      groups[i + 1] = channels().external(route_[i], classes_[i]);
    }
    groups[worm.hops + 1] = channels().ejection(worm.destination, route_.empty() ? ChannelId{} : route_.back());
  }

  // A header that starts from its source at this instant, or asks for a channel.
  void serve_header(Arbiter::Worm worm)
  {
    bool asks = true;
    const FlitWorm& state = worms()[worm];
    if (state.position == 0 && arrived_[state.path] != 0) {
      asks = start_header(worm);
    }
    while (asks) {
      const FlitWorm& asking = worms()[worm];
      const Arbiter::Group group = slots_[asking.path + asking.position];
      const Arbiter::Slot slot = channels().take_free(group, {asking.message, asking.step}, instant());
      if (slot == Arbiter::none) {
        channels().wait(group, worm, {asking.message, asking.step}, instant());
        return;
      }
      asks = granted(worm, slot);
    }
  }

  // The header got the channel that it asked for. True if it asks for the next one at this instant.
  bool granted(Arbiter::Worm worm, Arbiter::Slot slot)
  {
    FlitWorm& state = worms()[worm];
    ++header_hops_;
    slots_[state.path + state.position] = slot;
    owners_[slot] = {worm, state.position};
    if (state.position == 0) {
      state.granted = instant();
      if (startup_ != 0) {
        if (state.extra_startup == 0) {
          starts_.push({instant() + startup_, worm, 0});
        } else {
          late_starts_.push({instant() + startup_ + state.extra_startup, worm});
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
    const Arbiter::Slot slot = slots_[state.path + stage];
    if (physical_[physical_of(slot)].busy) {
      touch(slot);
      return false;
    }
    start_flit(worm, stage, slot);
    return asks_at_once(state, stage);
  }

  // Whether a header that starts over channel `stage` is at the next one at the same instant.
  bool asks_at_once(const FlitWorm& worm, std::uint32_t stage) const
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
    for (const Arbiter::Slot slot : touched_slots_) {
      note_ready_flit(slot);
    }
    touched_slots_.clear();
  }

  // A flit may have become ready while another one is on the physical channel: since when, and whose that is.
  void note_ready_flit(Arbiter::Slot slot)
  {
    const std::uint32_t channel = physical_of(slot);
    if (!physical_[channel].busy || !flit_is_ready(owners_[slot])) {
      return;
    }
    Turn& turn = turns_[slot];
    if (turn.ready_since < 0) {
      turn.ready_since = instant();
    }
    const Arbiter::Slot served = channel * virtual_channels_ + physical_[channel].last_turn;
    if (turn.other.message == nobody.message && slot != served) {
      turn.other = channels().holder(served);
    }
  }

  // A flit starts: what it has waited for others is theirs.
  void end_turn(Arbiter::Slot slot)
  {
    Turn& turn = turns_[slot];
    if (turn.ready_since >= 0) {
      const std::int64_t from = std::max(turn.ready_since, turn.own_end);
      if (from < instant()) {
        channels().note_shared_time(slot, turn.other, from, instant());
      }
    }
    turn = {.ready_since = -1, .own_end = instant() + tau_, .other = nobody};
  }

  void serve_channel(std::uint32_t channel)
  {
    if (channel >= topology_.channel_count()) {
      serve_slot(external_slots_ + channel - topology_.channel_count());
      return;
    }
    std::uint32_t turn = physical_[channel].last_turn;
    for (std::uint32_t tried = 0; tried < virtual_channels_; ++tried) {
      turn = turn + 1 == virtual_channels_ ? 0 : turn + 1;
      if (serve_slot(channel * virtual_channels_ + turn)) {
        return;
      }
    }
  }

  // The worm's next flit has come to its channel, and the buffer behind has room.
  bool flit_is_ready(const Owner& owner) const
  {
    if (owner.worm == Arbiter::none) {
      return false;
    }
    const FlitWorm& worm = worms()[owner.worm];
    const std::uint64_t* sent = sent_.data() + worm.path + owner.stage;
    return arrived_[worm.path + owner.stage] > sent[0] && (owner.stage > worm.hops || sent[0] - sent[1] < worm.buffer);
  }

  bool serve_slot(Arbiter::Slot slot)
  {
    const Owner owner = owners_[slot];
    if (!flit_is_ready(owner)) {
      return false;
    }
    const FlitWorm& worm = worms()[owner.worm];
    const bool header = sent_[worm.path + owner.stage] == 0;
    start_flit(owner.worm, owner.stage, slot);
    if (header && asks_at_once(worm, owner.stage)) {
      add_request(owner.worm);
    }
    return true;
  }

  void start_flit(Arbiter::Worm worm, std::uint32_t stage, Arbiter::Slot slot)
  {
    FlitWorm& state = worms()[worm];
    const std::uint32_t place = state.path + stage;
    ++flit_hops_;
    const bool header = sent_[place]++ == 0;
    if (header) {
      ++state.position;
    }
    const std::uint32_t channel = physical_of(slot);
    physical_[channel].busy = true;
    if (slot < external_slots_) {
      if (virtual_channels_ > 1) {
        end_turn(slot);
      }
      physical_[channel].last_turn = static_cast<std::uint8_t>(slot % virtual_channels_);
    }
    rates_.push({instant() + tau_, worm, stage});
    if (stage <= state.hops) {
      if (stage == 0 || hop_ == 0) {
        ++arrived_[place + 1];
        if (!header && stage + 1 < state.position) {
          touch(slots_[place + 1]);
        }
      } else {
        arrivals_.push({instant() + hop_, worm, stage + 1});
      }
    }
    if (stage > 0 && sent_[place - 1] < state.flits) {
      touch(slots_[place - 1]);
    }
  }

  // A flit is behind the external channel before `stage`.
  void arrive(Arbiter::Worm worm, std::uint32_t stage)
  {
    const FlitWorm& state = worms()[worm];
    const std::uint64_t arrived = ++arrived_[state.path + stage];
    if (arrived == 1) {
      if (!stores_ || stage > state.hops) {
        add_request(worm);
      }
    } else if (stage < state.position) {
      touch(slots_[state.path + stage]);
    }
  }

  // The channel has carried a flit of the worm for tau.
  void finish_flit(Arbiter::Worm worm, std::uint32_t stage)
  {
    const FlitWorm& state = worms()[worm];
    const Arbiter::Slot slot = slots_[state.path + stage];
    physical_[physical_of(slot)].busy = false;
    touch(slot);
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
        stored_.push({instant() + hop_, worm});
      }
    }
  }

  void release(const FlitWorm& worm, std::uint32_t stage)
  {
    const Arbiter::Slot slot = slots_[worm.path + stage];
    owners_[slot].worm = Arbiter::none;
    channels().release(slot, instant());
    const Arbiter::Group group = channels().group_of(slot);
    if (channels().has_waiting(group)) {
      wakes_.push_back(group);
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

  std::int64_t forget(Arbiter::Worm worm)
  {
    const FlitWorm& state = worms()[worm];
    const std::int64_t granted = state.granted;
    record_delivery(state, granted);
    pieces_.give_back(state.path, state.hops + 2);
    worms().remove(worm);
    return granted;
  }

  std::uint32_t physical_of(Arbiter::Slot slot) const
  {
    return slot < external_slots_ ? slot / virtual_channels_ : slot - external_slots_ + topology_.channel_count();
  }

  void touch(Arbiter::Slot slot)
  {
    const std::uint32_t channel = physical_of(slot);
    if (!physical_[channel].touched) {
      physical_[channel].touched = true;
      touched_.push_back(channel);
    }
    if (virtual_channels_ > 1 && slot < external_slots_) {
      touched_slots_.push_back(slot);
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
  std::uint32_t external_slots_;

  EventLane<StageEvent> rates_;         // a channel is through with a flit, tau after its start
  EventLane<StageEvent> arrivals_;      // a flit is behind an external channel, T_f after its start
  EventLane<StageEvent> starts_;        // a message leaves its source, T_s after its port was granted
  EventQueue<StoredEvent> late_starts_; // the same of those whose start-up takes longer
  EventQueue<StoredEvent> stored_;
  std::vector<std::uint32_t> touched_;       // physical channels that may be able to start a flit
  std::vector<Arbiter::Slot> touched_slots_; // of shared channels: whose next flit may have become ready
  std::vector<Arbiter::Group> wakes_;        // of this instant
  std::vector<Owner> owners_;                // by slot
  std::vector<Turn> turns_;                  // by external slot; empty with one virtual channel
  std::vector<Physical> physical_;           // external channels, then one for each port slot
  PieceAllocator pieces_;
  GrowingArray<std::uint64_t> sent_;    // by stage of the worms under way: flits that have started over its channel
  GrowingArray<std::uint64_t> arrived_; // flits that have come to the channel
  GrowingArray<std::uint32_t> slots_;
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
