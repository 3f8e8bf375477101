#include "wormcast/simulator/engines/growing_array.hpp"
#include "wormcast/simulator/engines/piece_allocator.hpp"
#include "wormcast/simulator/engines/wormhole/engines.hpp"
#include "wormcast/simulator/engines/wormhole/lone_messages.hpp"
#include "wormcast/simulator/engines/wormhole/route_choice.hpp"
#include "wormcast/simulator/engines/wormhole/route_table.hpp"
#include "wormcast/simulator/engines/wormhole/time_step_engine.hpp"
#include "wormcast/simulator/events/event_queue.hpp"
#include "wormcast/simulator/model/channel_times.hpp"

#include <algorithm>
#include <stdexcept>

namespace wormcast {

namespace {

// A message between the grant of its port and its delivery. Position i of its path is channel c_i: 0 the injection
// channel, 1 .. hops the external ones, hops + 1 the ejection channel.
struct Worm : MessageInFlight {
  using MessageInFlight::MessageInFlight;

  std::int64_t duration = 0;   // from the header's start on a channel to the end of the tail, if it never waits again
  std::uint32_t position = 0;  // the channel that the header requests or crosses
  std::uint32_t hops = 0;      // external channels of the path
  std::uint32_t path = 0;      // offset of the path in stages_; Arbiter::none: the message never waits
  std::uint32_t window = 0;    // K: flit F-1 on channel i can be held up by the header at i .. i+K
  std::uint32_t last_rise = 0; // last position at which the header waited so long that the flits after it caught up
};

// Channel c_i of a path.
struct PathStage {
  std::int64_t start = 0; // h_i, once the header has crossed
  std::uint32_t unit = 0; // before its grant the requested resource, after it the granted unit
};

// The engine `worm`: one event per header hop. A hop needs the header's time alone, because as long as no two worms
// share a physical channel all other flits follow from the times h_j of the headers. Rule 4 of docs/network-model.md
// makes s_i(F-1) the longest of all ways from some (j, 0), which weighs h_j, to (i, F-1) by steps of one flit (tau), of
// one channel up (T_f), and of one channel down with B flits (0). A step up and one down are B flits in T_f.
// Where buffers cover the hop latency, B*tau >= T_f, these two are never longer than B steps of one flit:
//     s_i(F-1) = max over j >= i with B*(j-i) <= F-1 of h_j + (F-1 - B*(j-i))*tau.
// This holds for hops of different lengths as well, as long as buffers cover the longest of them.
// Where they do not, all ways with K = floor((F-1)/B) steps down are the longest, and as h_j >= h_{j-1} + T_f the last
// j that K steps down bring to i counts:
//     s_i(F-1) = h_j - T_f*(j-i) + (F-1)*tau + K*(T_f - B*tau), j = min(i+K, hops+1).
// Channel c_i is released at s_{i+1}(F-1) + tau. This is known as soon as the header has crossed channel min(i+1+K,
// hops+1), and always lies ahead of that time.
class WormEngine final : public TimeStepEngine<WormEngine, Worm> {
public:
  explicit WormEngine(const EngineInput& input)
      : TimeStepEngine(input), topology_(input.topology), network_(input.network),
        tau_(input.network.flit_time().picoseconds), hop_(input.network.per_hop.picoseconds),
        startup_(input.network.startup.picoseconds), all_ports_(input.network.ports.count == PortModel::all),
        stores_(input.network.switching == Switching::store_and_forward),
        whole_message_buffers_(input.network.switching != Switching::wormhole),
        holds_path_(input.network.hold == Hold::path), times_(input.network, input.topology),
        choice_(input.topology, input.network),
        runs_(times_.equal() && hop_ == 0 && !stores_ && !holds_path_ && !choice_.exists() && channels().is_plain()),
        slow_(!closed_form_holds(input.network)),
        finds_lone_messages_(!input.contention_free && !input.sinks.occupancy && !choice_.exists() &&
                             !wants_port_releases()),
        routes_(input.topology, input.network), lone_messages_(input.topology.channel_count())
  {}

  std::uint64_t in_flight() const override { return worms().size() + queued_.size(); }
  std::uint64_t header_hops() const override { return header_hops_; }
  std::uint64_t flit_hops() const override { return 0; }

private:
  friend TimeStepEngine;

  struct HeaderEvent {
    std::int64_t time = 0;
    Arbiter::Worm worm = 0;
  };
  enum class EventKind : std::uint32_t { request, wake, port_release };
  struct Event {
    std::int64_t time = 0;
    EventKind kind = EventKind::request;
    std::uint32_t subject = 0; // worm (request), message (port_release) or resource (wake)
  };

  std::int64_t next_event() const
  {
    return std::min(std::min(hops_.next_time(), starts_.next_time()),
                    std::min(arrivals_.next_time(), events_.next_time()));
  }

  void execute()
  {
    if (events_.next_time() == now()) {
      pop_events();
    }
    if (arrivals_.next_time() == now()) {
      arrivals_.pop_all(now(), [this](const HeaderEvent& event) { end(event.worm); });
    }
    while (hops_.next_time() == now()) {
      add_request(hops_.pop().worm);
    }
    while (starts_.next_time() == now()) {
      add_request(starts_.pop().worm);
    }
    // All releases are executed first: those of requested channels, and deliveries with the messages that become ready
    // through them.
    for (const Arbiter::ResourceIndex resource : wakes_) {
      grant_waiting(resource);
    }
    wakes_.clear();
    const std::span<const NewMessage> new_messages = pop_from_source();
    const std::span<const LoneMessages::Way> ways = ways_alone(new_messages);
    for (std::uint32_t i = 0; i < new_messages.size(); ++i) {
      if (!ways.empty() && ways[i].alone) {
        send_alone(new_messages[i], ways[i]);
      } else {
        channels().prepare();
        requests().add(new_messages[i].precedence, new_messages[i].message, i | Arbiter::at_source);
      }
    }
    // Then the requests in ascending order of the messages' ranks. A header that goes on without latency makes its next
    // request immediately: its rank is the smallest that is left.
    requests().serve([&](Arbiter::Worm worm) {
      if ((worm & Arbiter::at_source) != 0) {
        request_port(new_messages[worm - Arbiter::at_source]);
      } else {
        request_channels(worm);
      }
    });
  }

  void pop_events()
  {
    events_.pop_all(now(), [this](const Event& event) {
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

  // Returns the ways of new messages if some of them may meet no other; empty: they are not known.
  std::span<const LoneMessages::Way> ways_alone(std::span<const NewMessage> new_messages)
  {
    const bool closed = finds_lone_messages_ && !new_messages.empty() && in_flight() == 0 && waits_for_deliveries();
    return closed && lone_messages_.is_worthwhile() ? lone_messages_.find(new_messages, routes_, channels(), times_)
                                                    : std::span<const LoneMessages::Way>();
  }

  // The message meets no other one: it is delivered after what its header and its flits need.
  void send_alone(const NewMessage& message, const LoneMessages::Way& way)
  {
    const Arbiter::Worm worm = worms().add(Worm(message));
    worms()[worm].path = Arbiter::none;
    header_hops_ += way.hops + 2;
    const std::int64_t duration = duration_over(way.hops, message);
    const std::int64_t stored = stores_ && way.hops > 1 ? way.hops - 1 : 0; // times on the way
    std::int64_t sending = 0;
    std::int64_t delivery = now() + startup_ + message.extra_startup;
    if (__builtin_mul_overflow(stored + 1, duration, &sending) ||
        __builtin_add_overflow(delivery, way.crossing, &delivery) ||
        __builtin_add_overflow(delivery, sending, &delivery)) {
      delivery = largest_time;
    }
    arrivals_.push({delivery, worm});
  }

  // From a header's start on the last channel to the end of the tail, if the message waits nowhere.
  std::int64_t duration_over(std::uint32_t hops, const NewMessage& message) const
  {
    const std::int64_t flits = transfer_time(network_, message.flits) - message.shortfall;
    return slow_ && hops > 0 ? slow_duration(flits, filled_buffers(message.flits)) : flits;
  }

  // How often the flits before the last one fill a buffer.
  std::uint64_t filled_buffers(std::uint64_t flits) const
  {
    return whole_message_buffers_ ? 0 : (flits - 1) / network_.buffer_flits;
  }

  // The message is granted its port.
  Arbiter::Worm enter(const NewMessage& message)
  {
    const Arbiter::Worm worm = worms().add(Worm(message));
    Worm& state = worms()[worm];
    const std::uint64_t window = filled_buffers(message.flits);
    state.window = static_cast<std::uint32_t>(std::min<std::uint64_t>(window, Arbiter::none));
    lay_out_path(state, routes_.route(state.source, state.destination, state.message));
    if (choice_.has(state)) { // the other route can be longer
      state.window = static_cast<std::uint32_t>(std::min<std::uint64_t>(window, topology_.longest_route()));
    }
    state.duration = duration_over(state.hops, message);
    return worm;
  }

  std::int64_t slow_duration(std::int64_t flits, std::uint64_t filled) const
  {
    std::int64_t duration = 0;
    if (__builtin_mul_overflow(filled, hop_ - caught_up_, &duration) ||
        __builtin_add_overflow(duration, flits, &duration) || duration >= largest_time) {
      throw_time_overflow();
    }
    return duration;
  }

  // Returns the port through which the message leaves its source.
  Arbiter::ResourceIndex port_of(const NewMessage& message)
  {
    if (!all_ports_) {
      return channels().injection(message.source, ChannelId{}, message.port);
    }
    return channels().injection(message.source,
                                routes_.route(message.source, message.destination, message.message).front());
  }

  void lay_out_path(Worm& worm, std::span<const ChannelId> route)
  {
    worm.hops = static_cast<std::uint32_t>(route.size());
    worm.window = std::min(worm.window, worm.hops + 1);
    worm.path = pieces_.allocate(worm.hops + 2);
    stages_.grow(pieces_.capacity());
    PathStage* stages = stages_.data() + worm.path;
    if (network_.virtual_channels > 1) {
      classes_.resize(route.size());
      topology_.assign_virtual_channel_classes(route, network_.virtual_channels, classes_);
    }
    for (std::uint32_t i = 0; i < worm.hops; ++i) {
      const std::uint32_t virtual_channel_class = network_.virtual_channels > 1 ? classes_[i] : 0;
      stages[i + 1].unit = channels().external(route[i], virtual_channel_class);
    }
    stages[worm.hops + 1].unit =
        channels().ejection(worm.destination, route.empty() ? ChannelId{} : route.back(), // all ports: never empty
                            worm.port);
  }

  // The header chooses its route at the channel at position 2, and has the channels before it.
  void choose_route(Worm& worm)
  {
    const std::uint32_t old_path = worm.path;
    const std::uint32_t old_hops = worm.hops;
    const PathStage injection = stages_[old_path];
    const PathStage first = stages_[old_path + 1];
    lay_out_path(worm, choice_.choose(worm, channels(), now()));
    pieces_.release(old_path, old_hops + 2);
    stages_[worm.path] = injection;
    stages_[worm.path + 1] = first;
  }

  void request_port(const NewMessage& message)
  {
    const Arbiter::ResourceIndex port = port_of(message);
    const Arbiter::Unit unit = channels().allocate(port, {message.message, message.step}, now());
    if (unit == Arbiter::none) {
      const std::uint32_t entry = queued_.add(message);
      wait(port, entry | Arbiter::at_source, {message.message, message.step});
      return;
    }
    const Arbiter::Worm worm = enter(message);
    if (leave_source(worm, unit)) {
      request_channels(worm);
    }
  }

  // The header of `worm` requests channel after channel, as long as it reaches them without latency.
  void request_channels(Arbiter::Worm worm)
  {
    if (runs_ && worms()[worm].window == 0) {
      run(worm);
      return;
    }
    while (true) {
      Worm& state = worms()[worm];
      if (state.position == 2 && choice_.has(state)) {
        choose_route(state);
      }
      const Arbiter::ResourceIndex resource = stages_[state.path + state.position].unit;
      const Arbiter::Unit unit = channels().allocate(resource, {state.message, state.step}, now());
      if (unit == Arbiter::none) {
        wait(resource, worm, {state.message, state.step});
        return;
      }
      if (!cross(worm, unit)) {
        return;
      }
    }
  }

  // The same in one step where each channel is released as soon as the tail has crossed the next one, so that all
  // channels that the header crosses now are released at the same time.
  void run(Arbiter::Worm worm)
  {
    Worm& state = worms()[worm];
    const MessageStep requester{state.message, state.step};
    PathStage* stages = stages_.data() + state.path;
    const std::int64_t end = now() + state.duration;
    const std::uint32_t first = state.position;
    const std::uint32_t ejection = state.hops + 1;
    std::uint32_t position = first;
    while (position <= ejection && channels().pass(stages[position].unit, requester, now(), end)) {
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
      stages[position - 1].start = now();
      channels().hold(stages[position - 1].unit);
    }
    wait(stages[position].unit, worm, requester);
  }

  void wait(Arbiter::ResourceIndex resource, Arbiter::Worm worm, MessageStep requester)
  {
    // If others wait already, an event for the resource's next free unit exists.
    const bool watched = channels().has_waiting(resource);
    channels().enqueue(resource, worm, requester, now());
    if (!watched) {
      schedule_wake(resource);
    }
  }

  void grant_waiting(Arbiter::ResourceIndex resource)
  {
    channels().grant_waiting(resource, now(), [this](Arbiter::Worm worm, Arbiter::Unit unit) {
      if ((worm & Arbiter::at_source) != 0) {
        const std::uint32_t entry = worm - Arbiter::at_source;
        worm = enter(queued_[entry]);
        queued_.remove(entry);
        if (leave_source(worm, unit)) {
          add_request(worm);
        }
      } else if (cross(worm, unit)) {
        add_request(worm);
      }
    });
    if (channels().has_waiting(resource)) {
      schedule_wake(resource);
    }
  }

  void schedule_wake(Arbiter::ResourceIndex resource)
  {
    const std::int64_t time = channels().next_free(resource);
    if (time != Arbiter::unknown) {
      events_.push({time, EventKind::wake, resource});
    }
  }

  // Prefetches the data of grant_waiting().
  void prefetch_waiting(Arbiter::ResourceIndex resource) const
  {
    channels().prefetch_waiting(resource);
    const Arbiter::Worm first = channels().first_waiting(resource);
    if (first != Arbiter::none && (first & Arbiter::at_source) != 0) {
      __builtin_prefetch(&queued_[first - Arbiter::at_source]);
    }
  }

  // The message is granted its port. Returns true if its header requests the next channel now.
  bool leave_source(Arbiter::Worm worm, Arbiter::Unit unit)
  {
    Worm& state = worms()[worm];
    ++header_hops_;
    PathStage* stages = stages_.data() + state.path;
    stages[0] = {.start = now() + startup_ + state.extra_startup, .unit = unit};
    state.position = 1;
    channels().prefetch(stages[1].unit);
    if (startup_ + state.extra_startup == 0) {
      return true;
    }
    if (state.extra_startup == 0) {
      starts_.push({stages[0].start, worm});
    } else {
      events_.push({stages[0].start, EventKind::request, worm});
    }
    return false;
  }

  // The header is granted the channel at its position, not the first one, and starts to cross it. Returns true if it
  // requests the next one now.
  bool cross(Arbiter::Worm worm, Arbiter::Unit unit)
  {
    Worm& state = worms()[worm];
    ++header_hops_;
    const std::uint32_t position = state.position;
    const std::int64_t start = now();
    PathStage* stages = stages_.data() + state.path;
    stages[position] = {.start = start, .unit = unit};
    if (!slow_ && start - stages[position - 1].start > caught_up_) {
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
    channels().prefetch(stages[position + 1].unit);
    const std::int64_t hop = times_.equal() ? hop_ : times_.hop(channels().channel_of_unit(unit));
    if (stores_ && position < state.hops) {
      // The next router has stored the whole message before it sends the header on.
      events_.push({start + state.duration + hop, EventKind::request, worm});
      return false;
    }
    if (hop == 0) {
      return true;
    }
    if (times_.equal()) {
      hops_.push({start + hop, worm});
    } else {
      events_.push({start + hop, EventKind::request, worm});
    }
    return false;
  }

  // Channel i's release follows from the header times at i+1 .. last.
  void release_behind(const Worm& worm, std::uint32_t i, std::uint32_t last)
  {
    const PathStage* stages = stages_.data() + worm.path;
    if (slow_) {
      release(worm, i, stages[last].start + worm.duration - (last - i - 1) * hop_);
      return;
    }
    std::int64_t end = stages[i + 1].start + worm.duration;
    if (worm.last_rise > i + 1) {
      // Only a header that waited can delay the end further than the position before it.
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
    const Arbiter::Unit unit = stages_[worm.path + i].unit;
    channels().release(unit, time);
    const Arbiter::ResourceIndex resource = channels().resource_of(unit);
    if (channels().has_waiting(resource)) {
      events_.push({time, EventKind::wake, resource});
    }
    if (i == 0 && wants_port_releases()) {
      events_.push({time, EventKind::port_release, index(worm.message)});
    }
  }

  // The header crosses the ejection channel: all other times of the worm are known.
  void finish(Arbiter::Worm worm)
  {
    const Worm& state = worms()[worm];
    const std::int64_t delivery = now() + state.duration;
    const std::uint32_t ejection = state.hops + 1;
    if (holds_path_) {
      for (std::uint32_t i = 0; i <= ejection; ++i) {
        release(state, i, delivery);
      }
    } else {
      const std::uint32_t first = state.hops > state.window ? state.hops - state.window : 0;
      std::int64_t end = delivery;
      for (std::uint32_t i = state.hops + 1; i-- > first;) {
        if (i < state.hops) {
          end = end_before(state, i, end);
        }
        release(state, i, end);
      }
      release(state, ejection, delivery);
    }
    arrivals_.push({delivery, worm});
  }

  // Channel i's release from that of the channel behind it.
  std::int64_t end_before(const Worm& worm, std::uint32_t i, std::int64_t end) const
  {
    const std::int64_t alone = stages_[worm.path + i + 1].start + worm.duration;
    if (worm.window == 0) {
      return alone;
    }
    return slow_ ? end - hop_ : std::max(end - caught_up_, alone);
  }

  std::int64_t retire(Arbiter::Worm worm)
  {
    const Worm& state = worms()[worm];
    if (state.path == Arbiter::none) {
      const std::int64_t granted = state.ready;
      record_delivery(state, granted);
      worms().remove(worm);
      return granted;
    }
    const std::int64_t granted = stages_[state.path].start - startup_ - state.extra_startup;
    if (choice_.exists() && wants_paths()) {
      passed_.clear();
      for (std::uint32_t i = 1; i <= state.hops; ++i) {
        passed_.push_back(channels().channel_of_unit(stages_[state.path + i].unit));
      }
      record_path(state.message, passed_);
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
  bool all_ports_;
  bool stores_;
  bool whole_message_buffers_;
  bool holds_path_;
  ChannelTimes times_;
  RouteChoice choice_;
  bool runs_; // headers go from channel to channel without latency, so that run() can be used
  bool slow_; // buffers do not cover the hop latency
  bool finds_lone_messages_;
  // B * tau, the time by which a buffer lets the flits of a worm drift apart between two channels; saturated, and only
  // compared or subtracted where it is smaller than a message's duration.
  std::int64_t caught_up_ = saturated_buffer_time();

  EventLane<HeaderEvent> hops_;              // requests T_f after a crossing began
  EventLane<HeaderEvent> starts_;            // requests the first external channel, T_s after the port was granted
  MostlyOrderedQueue<HeaderEvent> arrivals_; // arrivals of tails
  EventQueue<Event> events_;
  std::vector<Arbiter::ResourceIndex> wakes_; // of this time step
  WormTable<NewMessage> queued_;              // messages that wait for their port
  PieceAllocator pieces_;
  GrowingArray<PathStage> stages_; // of the worms in flight
  RouteTable routes_;
  LoneMessages lone_messages_;
  std::vector<std::uint8_t> classes_; // zero with one virtual channel
  std::vector<ChannelId> passed_;     // by one worm
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
