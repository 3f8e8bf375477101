#include "wormcast/simulator/engines/input_queued/cycle_routers.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_sources.hpp"
#include "wormcast/simulator/engines/input_queued/engines.hpp"
#include "wormcast/simulator/engines/input_queued/list_allocation.hpp"
#include "wormcast/simulator/engines/input_queued/mask_allocation.hpp"
#include "wormcast/simulator/engines/input_queued/pipeline_engine.hpp"
#include "wormcast/simulator/engines/input_queued/plain_routers.hpp"
#include "wormcast/simulator/engines/thread_team.hpp"

#include <deque>
#include <optional>

namespace wormcast {

namespace {

// The engine `cycle`: router "input_queued" of docs/routers.md, cycle by cycle. All routers see the same state of a
// cycle, so their order does not matter, and bands of them can be stepped at the same time, each by a thread of its
// own. Between two cycles one thread delivers messages, takes new ones, and passes records on.
template <typename Routers> class CycleEngine final : public PipelineEngine<CycleEngine<Routers>> {
public:
  CycleEngine(const EngineInput& input, const CycleLayout& layout)
      : Base(input), pipeline_(input.network.pipeline), path_(input.sinks.path), layout_(layout),
        cuts_(layout_.routers, row_of(input.topology), input.threads, input.router_work),
        worms_(layout_.ports, is_adaptive(pipeline_.routing)), buffers_(layout_, cuts_, worms_),
        calendars_(cuts_.size(), furthest_event(input.network))
  {
    for (const RouterBand& band : cuts_) {
      bands_.emplace_back(*this, band, input);
    }
    if (cuts_.size() > 1) {
      team_.emplace(cuts_.size());
    }
  }

  std::uint64_t in_flight() const override
  {
    std::uint64_t messages = worms_.count() + this->starting();
    for (const Band& band : bands_) {
      messages += band.sources.waiting();
      messages -= band.numbers.free.size();
    }
    return messages;
  }
  const ContentionTotals& contention() const override
  {
    totals_ = Base::contention();
    for (const Band& band : bands_) {
      band.routers.add_waits(totals_);
    }
    return totals_;
  }
  std::uint64_t header_hops() const override { return sum(&HopCounts::headers); }
  std::uint64_t flit_hops() const override { return sum(&HopCounts::flits); }

  StoppedNetwork explain_deadlock(std::int64_t last_delivery) override
  {
    if constexpr (Routers::records) {
      return explain_stop(last_delivery);
    } else {
      throw std::logic_error("messages stopped in a network without deadlocks");
    }
  }

private:
  using Base = PipelineEngine<CycleEngine<Routers>>;
  using Cycle = typename Base::Cycle;
  friend Base;

  StoppedNetwork explain_stop(std::int64_t last_delivery)
  {
    const StoppedMessages stopped = stopped_messages();
    for (Band& band : bands_) {
      band.routers.waits().end_all_sharing();
    }
    take_records();
    const Cycle end = this->log_stopped(stopped, last_delivery);
    if (this->log().wants_occupancy()) {
      for (Band& band : bands_) {
        band.routers.release_all(this->time_of(end));
        band.sources.release_all(end);
      }
      take_records();
      this->log().flush();
    }
    return {.since = end * this->tau(), .cycle = stopped.cyclic_wait()};
  }

  // What one thread moves. The first band's records go to the engine's log, those of the others by way of their own.
  struct alignas(64) Band {
    Band(CycleEngine& engine, const RouterBand& band, const EngineInput& input)
        : log(input.sinks, engine.tau()), sources(engine.parts(*this, band), input.source.wants_port_releases()),
          routers(engine.parts(*this, band), engine.buffers_)
    {}

    WormNumbers numbers;
    HopCounts hops;
    PipelineLog log;
    CycleSources sources;
    Routers routers;
    std::vector<NewMessage> ready; // several bands: messages that its own thread enqueues
  };

  // With fewer routers stepped, or fewer flits granted, in a cycle, a thread does all faster than several can agree.
  static constexpr std::uint32_t few_routers = 32;

  static std::uint64_t furthest_event(const NetworkParameters& network)
  {
    const PipelineParameters& pipeline = network.pipeline;
    const std::uint64_t queued = pipeline.internal_speedup == 1 ? 0 : network.virtual_channels * network.buffer_flits;
    return queued + 3 * std::uint64_t{pipeline.switch_delay} + pipeline.link_delay + pipeline.credit_delay +
           2 * std::uint64_t{pipeline.routing_delay} + 7;
  }

  static std::uint32_t row_of(const Topology& topology)
  {
    return topology.node_count() / static_cast<std::uint32_t>(dynamic_cast<const Grid&>(topology).sizes().back());
  }

  CycleParts parts(Band& band, const RouterBand& routers)
  {
    return {.layout = layout_,
            .pipeline = pipeline_,
            .bands = cuts_,
            .worms = worms_,
            .calendars = calendars_,
            .wants_deliveries = this->wants_deliveries(),
            .band = routers,
            .numbers = band.numbers,
            .log = routers.number == 0 ? this->log() : band.log,
            .hops = band.hops};
  }

  std::uint64_t sum(std::uint64_t HopCounts::* hops) const
  {
    std::uint64_t all = 0;
    for (const Band& band : bands_) {
      all += band.hops.*hops;
    }
    return all;
  }

  Cycle next_cycle() const
  {
    for (const Band& band : bands_) {
      if (band.routers.any_awake() || band.sources.any_awake()) {
        return this->cycle() + 1;
      }
    }
    return calendars_.next_after(this->cycle());
  }

  // Section "Order inside a cycle" of docs/routers.md.
  void execute()
  {
    std::uint32_t stepped = 0;
    for (std::uint32_t band = 0; band < bands_.size(); ++band) {
      const CycleEvents& now = calendars_.between(band, band).due(this->cycle());
      for (const EndedWorm& ended : now.ended) {
        this->end(ended.delivery, ended.worm);
      }
      for (const MessageId message : now.sent) {
        this->release_port(message);
      }
      stepped += bands_[band].routers.stepped();
    }
    this->pop_messages();
    provide_numbers();
    if (team_ && stepped >= few_routers) {
      team_->run(step_band_);
    } else {
      for (std::uint32_t band = 0; band < bands_.size(); ++band) {
        step_band(band);
      }
    }
    for (Band& band : bands_) {
      band.routers.complete_waits();
    }
    take_records();
  }

  // What the threads of bands need so that they use no memory of each other while they send.
  void provide_numbers()
  {
    for (std::uint32_t band = 0; band < bands_.size(); ++band) {
      worms_.provide(bands_[band].numbers, bands_[band].sources.most_heads(bands_[band].ready.size()));
      band_of_worm_.resize(worms_.count(), band);
    }
  }

  void step_band(std::uint32_t number)
  {
    const Cycle now = this->cycle();
    Band& band = bands_[number];
    take_ready(band);
    for (const std::uint32_t vc_index : calendars_.between(number, number).due(now).source_credits) {
      band.sources.receive_credit(vc_index, now);
    }
    band.sources.send(now);
    band.routers.execute(now);
    calendars_.for_each_due(number, now, [](CycleEvents& events) { events.clear(); });
    band.routers.step();
  }

  void take_records()
  {
    for (std::uint32_t band = 1; band < bands_.size(); ++band) {
      this->log().take(bands_[band].log);
    }
  }

  void enqueue(const NewMessage& message)
  {
    if (bands_.size() == 1) {
      bands_.front().sources.enqueue(message);
    } else {
      bands_[cuts_.of(index(message.source))].ready.push_back(message);
    }
  }
  static void take_ready(Band& band)
  {
    for (const NewMessage& message : band.ready) {
      band.sources.enqueue(message);
    }
    band.ready.clear();
  }

  // A source that has sent in this cycle remains awake for the next.
  void send_late()
  {
    provide_numbers();
    for (Band& band : bands_) {
      take_ready(band);
      band.sources.send(this->cycle());
    }
    take_records();
  }

  void retire(std::uint32_t number)
  {
    const PipelineWorm& worm = worms_[number];
    if (path_ && pipeline_.routing != GridRouting::dimension_order) {
      passed_ports_.clear();
      worms_.append_path(number, passed_ports_);
      path_(worm.message, passed_ports_);
    }
    this->record_delivery(worm, worm.times);
    bands_[band_of_worm_[number]].numbers.free.push_back(number);
  }

  StoppedMessages stopped_messages() const
  {
    StoppedMessages stopped;
    const auto in_router = [&](std::uint32_t node) {
      return buffers_.inputs[layout_.vc_index(node, layout_.node_port * layout_.vcs)].worm;
    };
    for (const Band& band : bands_) {
      band.sources.for_each_waiting(
          in_router, [&](MessageStep waiting, std::int64_t ready, MessageStep front, std::uint32_t node) {
            stopped.add({waiting, CycleLayout::injection(node), front, ready / this->tau(), WaitCause::queue});
          });
    }
    for (std::uint32_t vc_index = 0; vc_index < buffers_.inputs.size(); ++vc_index) {
      const RouterInput& input = buffers_.inputs[vc_index];
      if (input.worm == CycleLayout::nothing) {
        continue;
      }
      buffers_.for_each_behind(vc_index, [&](std::uint32_t behind) {
        stopped.add({worms_.message_step(behind), layout_.resource_in(layout_.port_of_vc_index(vc_index)),
                     input.message_step, worms_.queued(behind).since, WaitCause::queue});
      });
      if (input.cause != WaitCause::channel) {
        const Routers& routers = bands_[cuts_.of(layout_.router_of(vc_index))].routers;
        const MessageStep holder = input.state == HeadState::active
                                       ? routers.waits().last_behind(routers.output_of(vc_index, input))
                                       : routers.waits().first_owner(vc_index, input);
        stopped.add({input.message_step, routers.waits().resource_requested(vc_index, input), holder,
                     routers.waits().counted_from(buffers_.waits[vc_index].since, input.cause), input.cause});
      }
    }
    return stopped;
  }

  PipelineParameters pipeline_;
  const std::function<void(MessageId, std::span<const ChannelId>)>& path_; // may be empty
  CycleLayout layout_;
  RouterBands cuts_;
  CycleWorms worms_;
  typename Routers::Buffers buffers_;
  BandCalendars calendars_;
  std::vector<std::uint32_t> band_of_worm_; // by its number: the band that gives the number
  std::deque<Band> bands_;
  std::vector<ChannelId> passed_ports_;
  mutable ContentionTotals totals_; // as they were when somebody asked last
  std::function<void(std::uint32_t)> step_band_ = [this](std::uint32_t band) { step_band(band); };
  std::optional<ThreadTeam> team_; // several bands: its threads end before the bands do
};

// Nobody asks for records of waits, their kinds are known without the messages for which others wait, and no message
// can stop for ever.
bool sums_suffice(const EngineInput& input, const CycleLayout& layout)
{
  const bool wraps = dynamic_cast<const Grid&>(input.topology).wraps();
  return !input.sinks.contention && !input.sinks.occupancy && input.source.has_one_step() &&
         (!wraps || layout.vcs % 2 == 0);
}

template <std::uint32_t... vcs>
std::unique_ptr<Engine> make_plain_engine(const EngineInput& input, const CycleLayout& layout)
{
  std::unique_ptr<Engine> engine;
  const auto make = [&]<std::uint32_t fixed>() {
    if (!engine && PlainRouters<fixed>::suits(layout, input.network.pipeline)) {
      engine = std::make_unique<CycleEngine<PlainRouters<fixed>>>(input, layout);
    }
  };
  (make.template operator()<vcs>(), ...);
  return engine;
}

} // namespace

std::unique_ptr<Engine> make_cycle_engine(const EngineInput& input)
{
  const CycleLayout layout(input.topology, input.network);
  const PipelineParameters& pipeline = input.network.pipeline;
  if (!MaskAllocation::suits(layout, pipeline)) {
    return std::make_unique<CycleEngine<CycleRouters<ListAllocation>>>(input, layout);
  }
  if (pipeline.internal_speedup > 1) {
    return std::make_unique<CycleEngine<CycleRouters<SteppedMaskAllocation>>>(input, layout);
  }
  if (sums_suffice(input, layout)) {
    if (auto engine = make_plain_engine<1, 2, 4, 8, 0>(input, layout)) {
      return engine;
    }
  }
  return std::make_unique<CycleEngine<CycleRouters<MaskAllocation>>>(input, layout);
}

} // namespace wormcast
