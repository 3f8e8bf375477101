#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/engines/piece_allocator.hpp"
#include "wormcast/simulator/engines/wormhole/engines.hpp"
#include "wormcast/simulator/engines/wormhole/instant_engine.hpp"
#include "wormcast/simulator/engines/wormhole/route_table.hpp"
#include "wormcast/simulator/events/event_queue.hpp"

#include <algorithm>
#include <stdexcept>

namespace wormcast {

namespace {

// A message between the grant of its port and its delivery. Position i of its path is channel c_i: 0 the injection
// channel, 1 .. hops the external ones, hops + 1 the ejection channel.
struct Worm : MessageInFlight {
  using MessageInFlight::MessageInFlight;

  std::int64_t duration = 0;   // F * tau: from the header's start on a free channel to the end of the tail
  std::uint32_t position = 0;  // the channel that the header asks for or crosses
  std::uint32_t hops = 0;      // external channels of the path
  std::uint32_t path = 0;      // offset of the path in stages_
  std::uint32_t window = 0;    // K: flit F-1 on channel i can be held up by the header at i .. i+K
  std::uint32_t last_rise = 0; // last position at which the header waited so long that the flits behind it caught up
};

// Channel c_i of a path.
struct PathStage {
  std::int64_t start = 0; // h_i, once the header has crossed
  std::uint32_t slot = 0; // until it is granted the group to ask for, from then on the slot that was granted
};

// The engine `worm`: one event per header hop. A hop needs the header's time alone, because as long as no two worms
// share a physical channel and buffers cover the hop latency all other flits follow from the times h_j of the headers:
//     s_i(F-1) = max over j >= i with B*(j-i) <= F-1 of h_j + (F-1 - B*(j-i))*tau,
// and channel c_i is released at s_{i+1}(F-1) + tau, which is known as soon as the header has crossed channel
// min(i+1+K, hops+1), K = floor((F-1)/B), and always lies ahead of that moment.
class WormEngine final : public InstantEngine<WormEngine, Worm> {
public:
  explicit WormEngine(const EngineInput& input)
      : InstantEngine(input), topology_(input.topology), network_(input.network),
        tau_(input.network.flit_time().picoseconds), hop_(input.network.per_hop.picoseconds),
        startup_(input.network.startup.picoseconds), all_ports_(input.network.ports.count == PortModel::all),
        stores_(input.network.switching == Switching::store_and_forward),
        whole_message_buffers_(input.network.switching != Switching::wormhole),
        holds_path_(input.network.hold == Hold::path),
        runs_(hop_ == 0 && !stores_ && !holds_path_ && channels().is_plain()), routes_(input.topology, input.network)
  {
    if (!closed_form_holds(input.network)) {
      throw std::logic_error("the worm engine's closed form does not hold for this network");
    }
  }

  std::uint64_t under_way() const override { return worms().size() + outside_.size(); }
  std::uint64_t header_hops() const override { return header_hops_; }
  std::uint64_t flit_hops() const override { return 0; }

private:
  friend InstantEngine;

  struct HeaderEvent {
    std::int64_t time = 0;
    Arbiter::Worm worm = 0;
  };
  enum class EventKind : std::uint32_t { request, wake, port_release };
  struct Event {
    std::int64_t time = 0;
    EventKind kind = EventKind::request;
    std::uint32_t subject = 0; // worm (request), message (port_release) or group (wake)
  };

  std::int64_t next_event() const
  {
    return std::min(std::min(hops_.next_time(), starts_.next_time()),
                    std::min(arrivals_.next_time(), events_.next_time()));
  }

  void carry_out()
  {
    if (events_.next_time() == instant()) {
      take_events();
    }
    if (arrivals_.next_time() == instant()) {
      arrivals_.take(instant(), [this](const HeaderEvent& event) { end(event.worm); });
    }
    while (hops_.next_time() == instant()) {
      add_request(hops_.pop().worm);
    }
    while (starts_.next_time() == instant()) {
      add_request(starts_.pop().worm);
    }
    // All releases come first: those that somebody waits for, and deliveries with what becomes ready through them.
    for (const Arbiter::Group group : wakes_) {
      grant_waiting(group);
    }
    wakes_.clear();
    const std::span<const NewMessage> new_messages = take_from_source();
    for (std::uint32_t i = 0; i < new_messages.size(); ++i) {
      requests().add(new_messages[i].precedence, new_messages[i].message, i | Arbiter::outside);
    }
    // Then the requests in ascending order of the messages' ranks. A header that goes on without latency asks again at
    // once: its rank is the smallest that is left.
    requests().serve([&](Arbiter::Worm worm) {
      if ((worm & Arbiter::outside) != 0) {
        ask_for_port(new_messages[worm - Arbiter::outside]);
      } else {
        ask_for_channels(worm);
      }
    });
  }

  void take_events()
  {
    events_.take(instant(), [this](const Event& event) {
      switch (event.kind) {
      case EventKind::request:
        add_request(event.subject);
        break;
      case EventKind::wake:
        prefetch_waiting(event.subject);
        wakes_.push_back(event.subject);
        break;
      case EventKind::port_release:
        release_port(MessageId{event.subject});
        break;
      }
    });
  }

  // The message has got its port.
  Arbiter::Worm enter(const NewMessage& message)
  {
    const Arbiter::Worm worm = worms().add(Worm(message));
    Worm& state = worms()[worm];
    state.duration = transfer_time(network_, message.flits);
    const std::uint64_t window = whole_message_buffers_ ? 0 : (message.flits - 1) / network_.buffer_flits;
    state.window = static_cast<std::uint32_t>(std::min<std::uint64_t>(window, Arbiter::none));
    lay_out_path(state);
    return worm;
  }

  // Through which the message leaves its source.
  Arbiter::Group port_of(const NewMessage& message)
  {
    if (!all_ports_) {
      return channels().injection(message.source, ChannelId{});
    }
    return channels().injection(message.source,
                                routes_.route(message.source, message.destination, message.message).front());
  }

  void lay_out_path(Worm& worm)
  {
    const std::span<const ChannelId> route = routes_.route(worm.source, worm.destination, worm.message);
    worm.hops = static_cast<std::uint32_t>(route.size());
    worm.window = std::min(worm.window, worm.hops + 1);
    worm.path = pieces_.take(worm.hops + 2);
    stages_.grow(pieces_.capacity());
    PathStage* stages = stages_.data() + worm.path;
    if (network_.virtual_channels > 1) {
      classes_.resize(route.size());
      topology_.assign_virtual_channel_classes(route, network_.virtual_channels, classes_);
    }
    for (std::uint32_t i = 0; i < worm.hops; ++i) {
      const std::uint32_t virtual_channel_class = network_.virtual_channels > 1 ? classes_[i] : 0;
      stages[i + 1].slot = channels().external(route[i], virtual_channel_class);
    }
    stages[worm.hops + 1].slot =
        channels().ejection(worm.destination, route.empty() ? ChannelId{} : route.back()); // all ports: never empty
  }

  void ask_for_port(const NewMessage& message)
  {
    const Arbiter::Group port = port_of(message);
    const Arbiter::Slot slot = channels().take_free(port, {message.message, message.step}, instant());
    if (slot == Arbiter::none) {
      const std::uint32_t place = outside_.add(message);
      wait(port, place | Arbiter::outside, {message.message, message.step});
      return;
    }
    const Arbiter::Worm worm = enter(message);
    if (leave_source(worm, slot)) {
      ask_for_channels(worm);
    }
  }

  // The header of `worm` asks for channel after channel, as long as it gets there without latency.
  void ask_for_channels(Arbiter::Worm worm)
  {
    if (runs_ && worms()[worm].window == 0) {
      run(worm);
      return;
    }
    while (true) {
      const Worm& state = worms()[worm];
      const Arbiter::Group group = stages_[state.path + state.position].slot;
      const Arbiter::Slot slot = channels().take_free(group, {state.message, state.step}, instant());
      if (slot == Arbiter::none) {
        wait(group, worm, {state.message, state.step});
        return;
      }
      if (!cross(worm, slot)) {
        return;
      }
    }
  }

  // The same in one go where each channel is given back as soon as the tail has followed over the next one, so that
  // all that the header crosses at this instant come free at the same time.
  void run(Arbiter::Worm worm)
  {
    Worm& state = worms()[worm];
    const Arbiter::Claim claim{state.message, state.step};
    PathStage* stages = stages_.data() + state.path;
    const std::int64_t end = instant() + state.duration;
    const std::uint32_t first = state.position;
    const std::uint32_t ejection = state.hops + 1;
    std::uint32_t position = first;
    while (position <= ejection && channels().pass(stages[position].slot, claim, instant(), end)) {
      ++position;
    }
    header_hops_ += position - first;
    if (position > first) {
      release(state, first - 1, end);
    }
    if (position > ejection) {
      arrivals_.push({end, worm});
      return;
    }
    if (position > first) {
      state.position = position;
      stages[position - 1].start = instant();
      channels().keep(stages[position - 1].slot);
    }
    wait(stages[position].slot, worm, claim);
  }

  void wait(Arbiter::Group group, Arbiter::Worm worm, Arbiter::Claim claim)
  {
    // Where others wait already, the group's next free slot is being watched.
    const bool watched = channels().has_waiting(group);
    channels().wait(group, worm, claim, instant());
    if (!watched) {
      schedule_wake(group);
    }
  }

  void grant_waiting(Arbiter::Group group)
  {
    channels().grant_waiting(group, instant(), [this](Arbiter::Worm worm, Arbiter::Slot slot) {
      if ((worm & Arbiter::outside) != 0) {
        const std::uint32_t place = worm - Arbiter::outside;
        worm = enter(outside_[place]);
        outside_.remove(place);
        if (leave_source(worm, slot)) {
          add_request(worm);
        }
      } else if (cross(worm, slot)) {
        add_request(worm);
      }
    });
    if (channels().has_waiting(group)) {
      schedule_wake(group);
    }
  }

  void schedule_wake(Arbiter::Group group)
  {
    const std::int64_t time = channels().next_free(group);
    if (time != Arbiter::unknown) {
      events_.push({time, EventKind::wake, group});
    }
  }

  // Brings near what grant_waiting() reads.
  void prefetch_waiting(Arbiter::Group group) const
  {
    channels().prefetch_waiting(group);
    const Arbiter::Worm first = channels().first_waiting(group);
    if (first != Arbiter::none && (first & Arbiter::outside) != 0) {
      __builtin_prefetch(&outside_[first - Arbiter::outside]);
    }
  }

  // The message got its port. True if its header asks for the next channel at this instant.
  bool leave_source(Arbiter::Worm worm, Arbiter::Slot slot)
  {
    Worm& state = worms()[worm];
    ++header_hops_;
    PathStage* stages = stages_.data() + state.path;
    stages[0] = {.start = instant() + startup_ + state.extra_startup, .slot = slot};
    state.position = 1;
    channels().prefetch(stages[1].slot);
    if (startup_ == 0) {
      return true;
    }
    if (state.extra_startup == 0) {
      starts_.push({stages[0].start, worm});
    } else {
      events_.push({stages[0].start, EventKind::request, worm});
    }
    return false;
  }

  // The header got the channel at its position, not the first one, and starts to cross it. True if it asks for the next
  // one at this instant.
  bool cross(Arbiter::Worm worm, Arbiter::Slot slot)
  {
    Worm& state = worms()[worm];
    ++header_hops_;
    const std::uint32_t position = state.position;
    const std::int64_t start = instant();
    PathStage* stages = stages_.data() + state.path;
    stages[position] = {.start = start, .slot = slot};
    if (start - stages[position - 1].start > caught_up_) {
      state.last_rise = position;
    }
    if (position == state.hops + 1) {
      finish(worm);
      return false;
    }
    if (!holds_path_ && position > state.window) {
      release_behind(state, position - 1 - state.window, position);
    }
    ++state.position;
    channels().prefetch(stages[position + 1].slot);
    if (stores_ && position < state.hops) {
      // The next router has stored the whole message before it sends the header on.
      events_.push({start + state.duration + hop_, EventKind::request, worm});
      return false;
    }
    if (hop_ == 0) {
      return true;
    }
    hops_.push({start + hop_, worm});
    return false;
  }

  // Channel i's release follows from the header times at i+1 .. last.
  void release_behind(const Worm& worm, std::uint32_t i, std::uint32_t last)
  {
    const PathStage* stages = stages_.data() + worm.path;
    std::int64_t end = stages[i + 1].start + worm.duration;
    if (worm.last_rise > i + 1) {
      // Only a header that waited can push the end back further than the one before it did.
      std::int64_t earlier = worm.duration;
      for (std::uint32_t j = i + 2; j <= last; ++j) {
        earlier -= caught_up_;
        end = std::max(end, stages[j].start + earlier);
      }
    }
    release(worm, i, end);
  }

  void release(const Worm& worm, std::uint32_t i, std::int64_t time)
  {
    const Arbiter::Slot slot = stages_[worm.path + i].slot;
    channels().release(slot, time);
    const Arbiter::Group group = channels().group_of(slot);
    if (channels().has_waiting(group)) {
      events_.push({time, EventKind::wake, group});
    }
    if (i == 0 && wants_port_releases()) {
      events_.push({time, EventKind::port_release, index(worm.message)});
    }
  }

  // The header crosses the ejection channel: all that is left of the worm's times is known.
  void finish(Arbiter::Worm worm)
  {
    const Worm& state = worms()[worm];
    const std::int64_t delivery = instant() + state.duration;
    const std::uint32_t ejection = state.hops + 1;
    if (holds_path_) {
      for (std::uint32_t i = 0; i <= ejection; ++i) {
        release(state, i, delivery);
      }
    } else {
      const std::uint32_t first = state.hops > state.window ? state.hops - state.window : 0;
      const PathStage* stages = stages_.data() + state.path;
      std::int64_t end = delivery;
      for (std::uint32_t i = state.hops + 1; i-- > first;) {
        if (i < state.hops) {
          end = state.window == 0 ? stages[i + 1].start + state.duration
                                  : std::max(end - caught_up_, stages[i + 1].start + state.duration);
        }
        release(state, i, end);
      }
      release(state, ejection, delivery);
    }
    arrivals_.push({delivery, worm});
  }

  std::int64_t forget(Arbiter::Worm worm)
  {
    const Worm& state = worms()[worm];
    const std::int64_t granted = stages_[state.path].start - startup_ - state.extra_startup;
    record_delivery(state, granted);
    pieces_.give_back(state.path, state.hops + 2);
    worms().remove(worm);
    return granted;
  }

  const Topology& topology_;
  const NetworkParameters& network_;
  std::int64_t tau_;
  std::int64_t hop_;
  std::int64_t startup_;
  bool all_ports_;
  bool stores_;
  bool whole_message_buffers_;
  bool holds_path_;
  bool runs_; // headers go from channel to channel without latency, and run() may take them there
  // B * tau, how far a buffer lets the flits of a worm drift apart between two channels; saturated, and only compared
  // or subtracted where it is smaller than a message's duration.
  std::int64_t caught_up_ = saturated_buffer_time();

  EventLane<HeaderEvent> hops_;              // requests T_f after a crossing began
  EventLane<HeaderEvent> starts_;            // requests for the first external channel, T_s after the port was granted
  MostlyOrderedQueue<HeaderEvent> arrivals_; // of tails
  EventQueue<Event> events_;
  std::vector<Arbiter::Group> wakes_; // of this instant
  WormTable<NewMessage> outside_;     // those that wait for their port
  PieceAllocator pieces_;
  GrowingArray<PathStage> stages_; // of the worms under way
  RouteTable routes_;
  std::vector<std::uint8_t> classes_; // zero with one virtual channel
  std::uint64_t header_hops_ = 0;

  std::int64_t saturated_buffer_time() const
  {
    std::int64_t time = 0;
    if (whole_message_buffers_ || __builtin_mul_overflow(network_.buffer_flits, tau_, &time)) {
      return Arbiter::unknown;
    }
    return time;
  }
};

} // namespace

std::unique_ptr<Engine> make_worm_engine(const EngineInput& input)
{
  return std::make_unique<WormEngine>(input);
}

} // namespace wormcast
