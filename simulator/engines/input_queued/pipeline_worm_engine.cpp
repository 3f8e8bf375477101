#include "wormcast/simulator/engines/input_queued/engines.hpp"
#include "wormcast/simulator/engines/input_queued/grid_ports.hpp"
#include "wormcast/simulator/engines/input_queued/pipeline_engine.hpp"
#include "wormcast/simulator/engines/input_queued/pipelined_paths.hpp"
#include "wormcast/simulator/engines/input_queued/source_queue.hpp"
#include "wormcast/simulator/events/event_queue.hpp"

#include <algorithm>
#include <stdexcept>

namespace wormcast {

namespace {

// With one virtual channel only this one of the allocators has a choice.
AllocatorKind choosing_allocator(const PipelineParameters& pipeline)
{
  return pipeline.piggyback ? pipeline.switch_allocator : pipeline.virtual_channel_allocator;
}

// The engine `worm` for router "input_queued" with one virtual channel, release = "tail_credit" and buffers that cover
// the round trip of a credit: one event per header hop. A buffer then holds one message at a time, heads never wait for
// slots or for the crossbar, and all other flits follow from the cycles in which the head was granted its channels
// (PipelinedPaths), so that the release of channel i is known when the head has crossed channel min(i + 1 + K, H + 1).
class PipelineWormEngine final : public PipelineEngine<PipelineWormEngine> {
public:
  explicit PipelineWormEngine(const EngineInput& input)
      : PipelineEngine(input), pipeline_(input.network.pipeline), occupancy_(input.sinks.occupancy),
        grid_(dynamic_cast<const Grid&>(input.topology)), ports_(grid_, input.network),
        by_priority_(choosing_allocator(pipeline_) == AllocatorKind::islip ? FlitPriority::none : pipeline_.priority),
        channels_(std::size_t{grid_.node_count()} * ports_.count()), sources_(grid_.node_count()),
        paths_(grid_, ports_, input.network)
  {
    if (!pipeline_closed_form_holds(input.network)) {
      throw std::logic_error("the closed form of input-queued routers does not hold for this network");
    }
  }

  std::uint64_t in_flight() const override { return worms_.size() + waiting_.size() + starting(); }
  std::uint64_t header_hops() const override { return header_hops_; }
  std::uint64_t flit_hops() const override { return 0; }

  StoppedNetwork explain_deadlock(std::int64_t last_delivery) override;

private:
  friend PipelineEngine;

  static constexpr std::uint32_t nothing = 0xffffffff;

  struct Channel {
    Cycle free_at = 0; // never: unknown so far
    Cycle granted = 0; // time of the last grant
    MessageStep owner;
    std::uint32_t waiting = nothing; // list of waiting heads
    std::uint8_t pointer = 0;        // the input port that is served first
    bool wakes = false;              // an event at free_at is pending
    bool marked = false;             // is in marked_
  };
  struct Source {
    Cycle free_at = 0;
    Cycle granted = 0;
    MessageStep owner;
    SourceQueue queue;
    bool wakes = false;
  };
  struct HeldUp {
    MessageStep holder;
    WaitCause cause = WaitCause::virtual_channel;
  };
  struct ChannelRequest {
    std::int64_t time = 0;
    std::uint32_t worm = 0;
  };
  enum class EventKind : std::uint32_t { delivery, port_free, source_free, channel_free };
  struct Event {
    std::int64_t time = 0;
    EventKind kind = EventKind::delivery;
    std::uint32_t subject = 0; // worm, message, node or channel
  };

  Cycle next_cycle() const
  {
    return std::min(std::min(from_sources_.next_time(), from_routers_.next_time()), events_.next_time());
  }

  void execute()
  {
    if (events_.next_time() == cycle()) {
      events_.pop_all(cycle(), [this](const Event& event) {
        switch (event.kind) {
        case EventKind::delivery:
          end(worms_[event.subject].delivery(worms_[event.subject].times.head_injected.picoseconds), event.subject);
          break;
        case EventKind::port_free:
          release_port(MessageId{event.subject});
          break;
        case EventKind::source_free:
          sources_[event.subject].wakes = false;
          ready_sources_.push_back(event.subject);
          break;
        case EventKind::channel_free:
          channels_[event.subject].wakes = false;
          mark(event.subject);
          break;
        }
      });
    }
    pop_messages();
    send_late();
    for (EventLane<ChannelRequest>* lane : {&from_sources_, &from_routers_}) {
      while (lane->next_time() == cycle()) {
        request_channel(lane->pop().worm);
      }
    }
    // No other head requests the granted channels in this cycle.
    for (const std::uint32_t channel : marked_) {
      channels_[channel].marked = false;
      decide(channel);
    }
    marked_.clear();
  }

  void enqueue(const NewMessage& message)
  {
    Source& source = sources_[index(message.source)];
    if (source.queue.empty()) {
      ready_sources_.push_back(index(message.source));
    }
    waiting_.push(source.queue, message);
  }

  void send_late()
  {
    for (const std::uint32_t node : ready_sources_) {
      send(node);
    }
    ready_sources_.clear();
  }

  void send(std::uint32_t node)
  {
    Source& source = sources_[node];
    if (source.queue.empty()) {
      return;
    }
    if (source.free_at > cycle()) {
      wake_source(node, source);
      return;
    }
    const NewMessage& message = waiting_.front(source.queue);
    const std::uint32_t worm = worms_.add(PipelinedHeader(message));
    PipelinedHeader& state = worms_[worm];
    state.flits = static_cast<std::int64_t>(message.flits);
    paths_.lay_out(state);
    ++header_hops_;
    const MessageStep message_step{message.message, message.step};
    const Cycle ready = message.time / tau();
    if (ready < cycle()) {
      log().add_wait(injection(node), message_step, source.owner, ready, WaitCause::virtual_channel, cycle());
    }
    source.owner = message_step;
    source.granted = cycle();
    source.free_at = never;
    waiting_.pop(source.queue);
    state.times.head_injected = time_of(cycle());
    paths_.stage(state, 0) = {.granted = cycle(), .channel = node};
    state.position = 1;
    state.router = node;
    state.in_port = static_cast<std::uint8_t>(ports_.node_port());
    if (state.window == 0) {
      note_tail_injected(state);
    }
    from_sources_.push({cycle() + 2 + pipeline_.routing_delay, worm});
  }

  void wake_source(std::uint32_t node, Source& source)
  {
    if (!source.wakes && source.free_at != never && !source.queue.empty()) {
      source.wakes = true;
      events_.push({source.free_at, EventKind::source_free, node});
    }
  }

  void mark(std::uint32_t channel)
  {
    if (!channels_[channel].marked) {
      channels_[channel].marked = true;
      marked_.push_back(channel);
    }
  }

  void request_channel(std::uint32_t worm)
  {
    PipelinedHeader& state = worms_[worm];
    const std::uint32_t channel_index = paths_.stage(state, state.position).channel;
    Channel& channel = channels_[channel_index];
    state.requested = cycle();
    state.next = channel.waiting;
    channel.waiting = worm;
    mark(channel_index);
  }

  // Returns whether head `a` is granted before head `b`.
  bool comes_first(const PipelinedHeader& a, const PipelinedHeader& b, std::uint32_t pointer) const
  {
    const std::int64_t earlier = by_priority_ == FlitPriority::local_age ? a.requested - b.requested
                                 : by_priority_ == FlitPriority::age     ? a.ready - b.ready
                                 : by_priority_ == FlitPriority::message ? b.priority - a.priority
                                                                         : 0;
    if (earlier != 0) {
      return earlier < 0;
    }
    const auto rank = [&](std::uint32_t port) {
      return port >= pointer ? port - pointer : port + ports_.count() - pointer;
    };
    return rank(a.in_port) < rank(b.in_port);
  }

  void decide(std::uint32_t channel_index)
  {
    Channel& channel = channels_[channel_index];
    if (channel.waiting == nothing) {
      return;
    }
    if (channel.free_at > cycle()) {
      attribute_wait(channel, WaitCause::virtual_channel);
      wake_channel(channel_index, channel);
      return;
    }
    std::uint32_t winner = channel.waiting;
    for (std::uint32_t worm = channel.waiting; worm != nothing; worm = worms_[worm].next) {
      winner = comes_first(worms_[worm], worms_[winner], channel.pointer) ? worm : winner;
    }
    std::uint32_t* link = &channel.waiting;
    while (*link != winner) {
      link = &worms_[*link].next;
    }
    *link = worms_[winner].next;
    grant(winner, channel_index, channel);
    attribute_wait(channel, pipeline_.speculative ? WaitCause::crossbar : WaitCause::virtual_channel);
  }

  // Heads that have requested the channel in this cycle and were not granted it wait for its owner.
  void attribute_wait(const Channel& channel, WaitCause cause)
  {
    for (std::uint32_t worm = channel.waiting; worm != nothing; worm = worms_[worm].next) {
      if (worms_[worm].requested == cycle()) {
        if (worm >= holders_.size()) {
          holders_.resize(std::max<std::size_t>(worm + 1, 2 * holders_.size()));
        }
        holders_[worm] = {channel.owner, cause};
      }
    }
  }

  void wake_channel(std::uint32_t channel_index, Channel& channel)
  {
    if (!channel.wakes && channel.free_at != never) {
      channel.wakes = true;
      events_.push({channel.free_at, EventKind::channel_free, channel_index});
    }
  }

  void grant(std::uint32_t worm, std::uint32_t channel_index, Channel& channel)
  {
    PipelinedHeader& state = worms_[worm];
    const MessageStep message_step{state.message, state.step};
    if (state.requested < cycle()) {
      log().add_wait(ports_.resource(channel_index), message_step, holders_[worm].holder, state.requested,
                     holders_[worm].cause, cycle());
    }
    ++header_hops_;
    channel.owner = message_step;
    channel.granted = cycle();
    channel.free_at = never;
    channel.pointer = static_cast<std::uint8_t>(state.in_port + 1U == ports_.count() ? 0 : state.in_port + 1U);
    const Cycle crosses = cycle() + (pipeline_.speculative ? 0 : 1);
    const std::uint32_t position = state.position;
    paths_.stage(state, position).granted = crosses;
    if (position == state.window) {
      note_tail_injected(state);
    }
    if (position == state.last) {
      finish(worm, state, crosses);
      return;
    }
    if (position > state.window) {
      release(state, position - 1 - state.window);
    }
    const std::uint32_t port = channel_index % ports_.count();
    state.router = index(grid_.channel_target(ChannelId{ports_.channel(channel_index / ports_.count(), port)}));
    state.in_port = static_cast<std::uint8_t>(port ^ 1U);
    ++state.position;
    from_routers_.push({crosses + paths_.crossing() + pipeline_.routing_delay, worm});
  }

  void note_tail_injected(PipelinedHeader& worm)
  {
    const Cycle injected = paths_.tail_granted(worm, 0);
    worm.times.tail_injected = time_of(injected);
    if (wants_port_releases()) {
      events_.push({injected + 1, EventKind::port_free, index(worm.message)});
    }
  }

  void finish(std::uint32_t worm, PipelinedHeader& state, Cycle crosses)
  {
    const Cycle taken_off = crosses + pipeline_.switch_delay + 2;
    state.times.head_ejected = time_of(taken_off);
    const std::uint32_t first = state.last - 1 - std::min(state.window, state.last - 1);
    for (std::uint32_t i = first; i <= state.last; ++i) {
      release(state, i);
    }
    events_.push({taken_off + state.flits - 1, EventKind::delivery, worm});
  }

  // Channel i of the path is released when the tail's credit has returned.
  void release(const PipelinedHeader& worm, std::uint32_t i)
  {
    const std::uint32_t channel_index = paths_.stage(worm, i).channel;
    if (i == 0) {
      Source& source = sources_[channel_index];
      source.free_at = paths_.tail_granted(worm, 1) + paths_.credit(0);
      record_occupancy(injection(channel_index), source.owner, source.granted, source.free_at);
      wake_source(channel_index, source);
      return;
    }
    Channel& channel = channels_[channel_index];
    channel.free_at = i < worm.last
                          ? paths_.tail_granted(worm, i + 1) + paths_.credit(i)
                          : paths_.tail_granted(worm, i) + pipeline_.switch_delay + 4 + pipeline_.credit_delay;
    record_occupancy(ports_.resource(channel_index), channel.owner, channel.granted, channel.free_at);
    if (channel.waiting != nothing) {
      wake_channel(channel_index, channel);
    }
  }

  void record_occupancy(const Resource& resource, MessageStep owner, Cycle from, Cycle to) const
  {
    if (occupancy_) {
      occupancy_({.resource = resource,
                  .message = owner.message,
                  .step = owner.step,
                  .from = time_of(from),
                  .to = time_of(to)});
    }
  }

  void retire(std::uint32_t worm)
  {
    const PipelinedHeader& state = worms_[worm];
    record_delivery(state, state.times);
    paths_.release(state);
    worms_.remove(worm);
  }

  static Resource injection(std::uint32_t node)
  {
    return {.kind = Resource::Kind::injection, .channel = ChannelId{}, .node = NodeId{node}};
  }

  PipelineParameters pipeline_;
  const std::function<void(const OccupancyRecord&)>& occupancy_; // may be empty
  const Grid& grid_;
  GridPorts ports_;
  FlitPriority by_priority_;                                             // the priority that the allocator uses
  std::vector<Channel> channels_;                                        // by router and output port
  std::vector<Source> sources_;                                          // by node
  std::vector<HeldUp> holders_;                                          // by waiting worm
  WaitingMessages waiting_{pipeline_.priority == FlitPriority::message}; // in the sources' queues
  WormTable<PipelinedHeader> worms_;
  PipelinedPaths paths_; // of the worms in flight
  EventLane<ChannelRequest> from_sources_;
  EventLane<ChannelRequest> from_routers_;
  EventQueue<Event> events_;
  std::vector<std::uint32_t> marked_; // channels to be decided in this cycle
  std::vector<std::uint32_t> ready_sources_;
  std::uint64_t header_hops_ = 0;
};

StoppedNetwork PipelineWormEngine::explain_deadlock(std::int64_t last_delivery)
{
  StoppedMessages stopped;
  for (std::uint32_t node = 0; node < sources_.size(); ++node) {
    MessageStep front = sources_[node].owner;
    waiting_.for_each(sources_[node].queue, [&](const NewMessage& message) {
      const MessageStep waiting{message.message, message.step};
      stopped.add({waiting, injection(node), front, message.time / tau(), WaitCause::queue});
      front = waiting;
    });
  }
  for (std::uint32_t channel_index = 0; channel_index < channels_.size(); ++channel_index) {
    for (std::uint32_t worm = channels_[channel_index].waiting; worm != nothing; worm = worms_[worm].next) {
      const PipelinedHeader& state = worms_[worm];
      stopped.add({{state.message, state.step},
                   ports_.resource(channel_index),
                   channels_[channel_index].owner,
                   state.requested,
                   holders_[worm].cause});
    }
  }
  const Cycle end = log_stopped(stopped, last_delivery);
  for (std::uint32_t node = 0; node < sources_.size(); ++node) {
    if (sources_[node].free_at == never) {
      record_occupancy(injection(node), sources_[node].owner, sources_[node].granted, end);
    }
  }
  for (std::uint32_t channel_index = 0; channel_index < channels_.size(); ++channel_index) {
    if (channels_[channel_index].free_at == never) {
      record_occupancy(ports_.resource(channel_index), channels_[channel_index].owner, channels_[channel_index].granted,
                       end);
    }
  }
  return {.since = end * tau(), .cycle = stopped.cyclic_wait()};
}

} // namespace

bool pipeline_closed_form_holds(const NetworkParameters& network)
{
  const PipelineParameters& pipeline = network.pipeline;
  const std::uint64_t round_trip = 2 * (std::uint64_t{1} + pipeline.link_delay) + 1 + pipeline.credit_delay;
  const std::uint64_t at_node = std::uint64_t{5} + pipeline.credit_delay;
  // A wavefront's diagonal moves while heads wait.
  const AllocatorKind choosing = choosing_allocator(pipeline);
  const bool is_wavefront = choosing == AllocatorKind::wavefront || choosing == AllocatorKind::rr_wavefront;
  return pipeline.routing == GridRouting::dimension_order && network.virtual_channels == 1 &&
         pipeline.releases_at_credit && pipeline.switch_delay == 1 && pipeline.internal_speedup == 1 &&
         pipeline.routing_delay <= 1 && !is_wavefront && (!pipeline.speculative || pipeline.piggyback) &&
         network.buffer_flits >= std::max(round_trip, at_node);
}

std::unique_ptr<Engine> make_pipeline_worm_engine(const EngineInput& input)
{
  return std::make_unique<PipelineWormEngine>(input);
}

} // namespace wormcast
