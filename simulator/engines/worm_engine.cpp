#include "wormcast/simulator/engines/engine.hpp"
#include "wormcast/simulator/engines/event_queue.hpp"
#include "wormcast/simulator/engines/message_table.hpp"

#include <algorithm>
#include <stdexcept>

namespace wormcast {

namespace {

// A message between the request for its port and its delivery. Position i of its path is channel c_i: 0 the injection
// channel, 1 .. hops the external ones, hops + 1 the ejection channel.
struct Worm {
  MessageId message{};
  std::uint32_t position = 0;  // the channel that the header asks for or crosses
  std::uint32_t hops = 0;      // external channels of the path; 0 while the path is not yet laid out
  std::uint32_t path = 0;      // offset of the path in slots_ and header_times_
  std::int64_t duration = 0;   // F * tau: from the header's start on a free channel to the end of the tail
  std::uint32_t window = 0;    // K: flit F-1 on channel i can be held up by the header at i .. i+K
  std::uint32_t last_rise = 0; // last position at which the header waited so long that the flits behind it caught up
};

// The engine `worm`: one event per header hop. A hop needs the header's time alone, because as long as no two worms
// share a physical channel and buffers cover the hop latency all other flits follow from the times h_j of the headers:
//     s_i(F-1) = max over j >= i with B*(j-i) <= F-1 of h_j + (F-1 - B*(j-i))*tau,
// and channel c_i is released at s_{i+1}(F-1) + tau, which is known as soon as the header has crossed channel
// min(i+1+K, hops+1), K = floor((F-1)/B), and always lies ahead of that moment.
class WormEngine final : public Engine {
public:
  explicit WormEngine(const EngineInput& input)
      : topology_(input.topology), schedule_(input.schedule), network_(input.network), traffic_(input.traffic),
        ranks_(input.ranks), arbiter_(input.topology, input.schedule, input.network, input.sinks),
        flits_(input.schedule, input.network), tau_(input.network.flit_time().picoseconds),
        hop_(input.network.per_hop.picoseconds), startup_(input.network.startup.picoseconds),
        all_ports_(input.network.ports.count == PortModel::all),
        stores_(input.network.switching == Switching::store_and_forward),
        whole_message_buffers_(input.network.switching != Switching::wormhole),
        holds_path_(input.network.hold == Hold::path), wants_port_releases_(input.traffic.wants_port_releases()),
        delivered_(input.schedule.messages.size(), -1)
  {
    if (!closed_form_holds(input.network)) {
      throw std::logic_error("the worm engine's closed form does not hold for this network");
    }
    transfer_time(network_, flits_.largest());
    traffic_.start(ready_);
    queue_ready_messages();
  }

  std::optional<std::int64_t> next_instant() const override
  {
    std::int64_t next = Arbiter::unknown;
    if (!hops_.empty()) {
      next = hops_.front().time;
    }
    if (!starts_.empty()) {
      next = std::min(next, starts_.front().time);
    }
    if (!events_.empty()) {
      next = std::min(next, events_.top().time);
    }
    return next == Arbiter::unknown ? std::nullopt : std::optional(next);
  }

  std::span<const MessageId> advance() override
  {
    now_ = next_instant().value();
    if (now_ >= last_instant) {
      throw_time_overflow();
    }
    delivered_now_.clear();
    while (!hops_.empty() && hops_.front().time == now_) {
      add_request(hops_.pop().worm);
    }
    while (!starts_.empty() && starts_.front().time == now_) {
      add_request(starts_.pop().worm);
    }
    take_events();
    // All releases come first: those that somebody waits for, and deliveries with what becomes ready through them.
    for (const Arbiter::Group group : wakes_) {
      grant_waiting(group);
    }
    wakes_.clear();
    if (!delivered_now_.empty()) {
      std::ranges::sort(delivered_now_);
      traffic_.delivered(delivered_now_, now_, ready_);
      queue_ready_messages();
    }
    // Then the requests, in ascending order of the messages' ranks. A header that goes on without latency asks again at
    // once: its rank is the smallest that is left.
    if (!std::ranges::is_sorted(requests_)) {
      std::ranges::sort(requests_);
    }
    for (const std::uint64_t request : requests_) {
      ask_for_channels(static_cast<Arbiter::Worm>(request));
    }
    requests_.clear();
    arbiter_.flush_records();
    return delivered_now_;
  }

  std::span<const std::int64_t> delivery_times() const override { return delivered_; }
  Arbiter& arbiter() override { return arbiter_; }
  std::uint64_t header_hops() const override { return header_hops_; }
  std::uint64_t flit_hops() const override { return 0; }

private:
  struct HeaderEvent {
    std::int64_t time = 0;
    Arbiter::Worm worm = 0;
  };
  enum class EventKind : std::uint32_t { request, ready, wake, port_release, delivery };
  struct Event {
    std::int64_t time = 0;
    EventKind kind = EventKind::request;
    std::uint32_t subject = 0; // worm (request, delivery), message (ready, port_release) or group (wake)
  };

  void add_request(Arbiter::Worm worm) { requests_.push_back(place_of_request(ranks_, worms_[worm].message, worm)); }

  void take_events()
  {
    while (!events_.empty() && events_.top().time == now_) {
      const Event event = events_.pop();
      switch (event.kind) {
      case EventKind::request:
        add_request(event.subject);
        break;
      case EventKind::ready:
        add_request(new_worm(MessageId{event.subject}));
        break;
      case EventKind::wake:
        wakes_.push_back(event.subject);
        break;
      case EventKind::port_release:
        traffic_.port_released(MessageId{event.subject}, now_, ready_);
        queue_ready_messages();
        break;
      case EventKind::delivery:
        deliver(event.subject);
        break;
      }
    }
  }

  void queue_ready_messages()
  {
    for (const ReadyMessage& ready : ready_) {
      if (ready.time == now_) {
        add_request(new_worm(ready.message));
      } else {
        events_.push({ready.time, EventKind::ready, index(ready.message)});
      }
    }
    ready_.clear();
  }

  Arbiter::Worm new_worm(MessageId message)
  {
    Arbiter::Worm worm = 0;
    if (free_worms_.empty()) {
      worm = static_cast<Arbiter::Worm>(worms_.size());
      worms_.emplace_back();
    } else {
      worm = free_worms_.back();
      free_worms_.pop_back();
    }
    Worm& state = worms_[worm];
    state = Worm{};
    state.message = message;
    if (all_ports_) {
      lay_out_path(state); // which port it is depends on the path
    }
    return worm;
  }

  void lay_out_path(Worm& worm)
  {
    const Message& message = schedule_.messages[index(worm.message)];
    route_.clear();
    topology_.append_route(message.source, message.destination, route_);
    worm.hops = static_cast<std::uint32_t>(route_.size());
    worm.path = pieces_.take(worm.hops + 2);
    if (header_times_.size() < pieces_.capacity()) {
      const std::size_t larger = std::max<std::size_t>(pieces_.capacity(), 2 * header_times_.size());
      header_times_.resize(larger);
      slots_.resize(larger);
    }
    // Until it is granted, an entry names the group to ask for; from then on the slot that was granted.
    std::uint32_t* groups = slots_.data() + worm.path;
    groups[0] = arbiter_.injection(message.source, route_.front());
    classes_.resize(route_.size());
    if (network_.virtual_channels > 1) {
      topology_.assign_virtual_channel_classes(route_, network_.virtual_channels, classes_);
    }
    for (std::uint32_t i = 0; i < worm.hops; ++i) {
      groups[i + 1] = arbiter_.external(route_[i], classes_[i]);
    }
    groups[worm.hops + 1] = arbiter_.ejection(message.destination, route_.back());
    const std::uint64_t flits = flits_[worm.message];
    worm.duration = transfer_time(network_, flits);
    const std::uint64_t window = whole_message_buffers_ ? 0 : (flits - 1) / network_.buffer_flits;
    worm.window = static_cast<std::uint32_t>(std::min<std::uint64_t>(window, worm.hops + 1));
  }

  // The header of `worm` asks for channel after channel, as long as it gets there without latency.
  void ask_for_channels(Arbiter::Worm worm)
  {
    while (true) {
      Worm& state = worms_[worm];
      Arbiter::Group group = 0;
      if (state.hops != 0) {
        group = slots_[state.path + state.position];
      } else {
        const Message& message = schedule_.messages[index(state.message)];
        group = arbiter_.injection(message.source, ChannelId{});
      }
      const Arbiter::Slot slot = arbiter_.request(group, worm, state.message, now_);
      if (slot == Arbiter::none) {
        schedule_wake(group);
        return;
      }
      if (!cross(worm, slot)) {
        return;
      }
    }
  }

  void grant_waiting(Arbiter::Group group)
  {
    arbiter_.grant_waiting(group, now_, [this](Arbiter::Worm worm, Arbiter::Slot slot) {
      if (cross(worm, slot)) {
        add_request(worm);
      }
    });
    if (arbiter_.has_waiting(group)) {
      schedule_wake(group);
    }
  }

  void schedule_wake(Arbiter::Group group)
  {
    const std::int64_t time = arbiter_.next_free(group);
    if (time != Arbiter::unknown) {
      events_.push({time, EventKind::wake, group});
    }
  }

  // The header got the channel at its position and starts to cross it. True if it asks for the next one at this
  // instant.
  bool cross(Arbiter::Worm worm, Arbiter::Slot slot)
  {
    Worm& state = worms_[worm];
    ++header_hops_;
    if (state.hops == 0) {
      lay_out_path(state);
    }
    const std::uint32_t position = state.position;
    const std::int64_t start = position == 0 ? now_ + startup_ : now_;
    std::int64_t* times = header_times_.data() + state.path;
    slots_[state.path + position] = slot;
    times[position] = start;
    if (position > 0) {
      if (start - times[position - 1] > caught_up_) {
        state.last_rise = position;
      }
      if (!holds_path_ && position <= state.hops && position > state.window) {
        release_behind(state, position - 1 - state.window, position);
      }
      if (position == state.hops + 1) {
        finish(worm);
        return false;
      }
    }
    ++state.position;
    if (position == 0) {
      if (startup_ == 0) {
        return true;
      }
      starts_.push({start, worm});
      return false;
    }
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
    const std::int64_t* times = header_times_.data() + worm.path;
    std::int64_t end = times[i + 1] + worm.duration;
    if (worm.last_rise > i + 1) {
      // Only a header that waited can push the end back further than the one before it did.
      std::int64_t earlier = worm.duration;
      for (std::uint32_t j = i + 2; j <= last; ++j) {
        earlier -= caught_up_;
        end = std::max(end, times[j] + earlier);
      }
    }
    release(worm, i, end);
  }

  void release(const Worm& worm, std::uint32_t i, std::int64_t time)
  {
    const Arbiter::Slot slot = slots_[worm.path + i];
    arbiter_.release(slot, time);
    const Arbiter::Group group = arbiter_.group_of(slot);
    if (arbiter_.has_waiting(group)) {
      events_.push({time, EventKind::wake, group});
    }
    if (i == 0 && wants_port_releases_) {
      events_.push({time, EventKind::port_release, index(worm.message)});
    }
  }

  // The header crosses the ejection channel: all that is left of the worm's times is known.
  void finish(Arbiter::Worm worm)
  {
    const Worm& state = worms_[worm];
    const std::int64_t delivery = now_ + state.duration;
    const std::uint32_t ejection = state.hops + 1;
    if (holds_path_) {
      for (std::uint32_t i = 0; i <= ejection; ++i) {
        release(state, i, delivery);
      }
    } else {
      const std::uint32_t first = state.hops > state.window ? state.hops - state.window : 0;
      const std::int64_t* times = header_times_.data() + state.path;
      std::int64_t end = delivery;
      for (std::uint32_t i = state.hops + 1; i-- > first;) {
        if (i < state.hops) {
          end = state.window == 0 ? times[i + 1] + state.duration
                                  : std::max(end - caught_up_, times[i + 1] + state.duration);
        }
        release(state, i, end);
      }
      release(state, ejection, delivery);
    }
    events_.push({delivery, EventKind::delivery, worm});
  }

  void deliver(Arbiter::Worm worm)
  {
    const Worm& state = worms_[worm];
    delivered_[index(state.message)] = now_;
    delivered_now_.push_back(state.message);
    pieces_.give_back(state.path, state.hops + 2);
    free_worms_.push_back(worm);
  }

  const Topology& topology_;
  const Schedule& schedule_;
  const NetworkParameters& network_;
  Traffic& traffic_;
  std::span<const std::uint32_t> ranks_;
  Arbiter arbiter_;
  FlitCounts flits_;
  std::int64_t tau_;
  std::int64_t hop_;
  std::int64_t startup_;
  bool all_ports_;
  bool stores_;
  bool whole_message_buffers_;
  bool holds_path_;
  bool wants_port_releases_;
  // B * tau, how far a buffer lets the flits of a worm drift apart between two channels; saturated, and only compared
  // or subtracted where it is smaller than a message's duration.
  std::int64_t caught_up_ = saturated_buffer_time();

  std::int64_t now_ = -1;         // before the first instant
  EventLane<HeaderEvent> hops_;   // requests T_f after a crossing began
  EventLane<HeaderEvent> starts_; // requests for the first external channel, T_s after the port was granted
  EventHeap<Event> events_;
  std::vector<std::uint64_t> requests_; // of this instant, see place_of_request
  std::vector<Arbiter::Group> wakes_;   // of this instant
  std::vector<ReadyMessage> ready_;
  std::vector<MessageId> delivered_now_;
  std::vector<std::int64_t> delivered_;
  std::vector<Worm> worms_;
  std::vector<Arbiter::Worm> free_worms_;
  PieceAllocator pieces_;
  std::vector<std::int64_t> header_times_; // h_i of the worms under way
  std::vector<std::uint32_t> slots_;
  std::vector<ChannelId> route_;
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
