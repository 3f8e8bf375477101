#include "wormcast/simulator/engines/input_queued/cycle_routers.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_sources.hpp"
#include "wormcast/simulator/engines/input_queued/engines.hpp"
#include "wormcast/simulator/engines/input_queued/list_allocation.hpp"
#include "wormcast/simulator/engines/input_queued/mask_allocation.hpp"
#include "wormcast/simulator/engines/input_queued/pipeline_engine.hpp"

namespace wormcast {

namespace {

// The engine `cycle`: router "input_queued" of docs/routers.md, cycle by cycle. All routers see the same state of a
// cycle, so their order does not matter.
template <typename Allocation> class CycleEngine final : public PipelineEngine<CycleEngine<Allocation>> {
public:
  CycleEngine(const EngineInput& input, const CycleLayout& layout)
      : Base(input), pipeline_(input.network.pipeline), path_(input.sinks.path), layout_(layout),
        worms_(layout_.ports, is_adaptive(pipeline_.routing)), calendar_(furthest_event(pipeline_)),
        sources_(parts(), input.source.wants_port_releases()), routers_(parts())
  {}

  std::uint64_t in_flight() const override { return worms_.size() + sources_.waiting() + this->starting(); }
  std::uint64_t header_hops() const override { return hops_.headers; }
  std::uint64_t flit_hops() const override { return hops_.flits; }

  StoppedNetwork explain_deadlock(std::int64_t last_delivery) override
  {
    const StoppedMessages stopped = stopped_messages();
    routers_.waits().end_all_sharing();
    const typename Base::Cycle end = this->log_stopped(stopped, last_delivery);
    if (this->log().wants_occupancy()) {
      routers_.release_all(end);
      sources_.release_all(end);
      this->log().flush();
    }
    return {.since = end * this->tau(), .cycle = stopped.cyclic_wait()};
  }

private:
  using Base = PipelineEngine<CycleEngine<Allocation>>;
  friend Base;

  static std::uint64_t furthest_event(const PipelineParameters& pipeline)
  {
    return 3 * std::uint64_t{pipeline.switch_delay} + pipeline.link_delay + pipeline.credit_delay +
           2 * std::uint64_t{pipeline.routing_delay} + 7;
  }

  CycleParts parts() { return {layout_, pipeline_, worms_, calendar_, this->log(), hops_}; }

  typename Base::Cycle next_cycle() const
  {
    return routers_.any_awake() || sources_.any_awake() ? this->cycle() + 1 : calendar_.next_after(this->cycle());
  }

  // Section "Order inside a cycle" of docs/routers.md.
  void execute()
  {
    CycleEvents& now = calendar_.due(this->cycle());
    for (const std::uint32_t worm : now.ended) {
      this->end(worms_[worm].delivery(), worm);
    }
    for (const MessageId message : now.sent) {
      this->release_port(message);
    }
    for (const std::uint32_t vc_index : now.source_credits) {
      sources_.receive_credit(vc_index, this->cycle());
    }
    this->pop_messages();
    sources_.send(this->cycle());
    routers_.execute(this->cycle(), now);
    now.clear();
    routers_.step();
    routers_.name_holders();
  }

  void enqueue(const NewMessage& message) { sources_.enqueue(message); }

  // A source that has sent in this cycle remains awake for the next.
  void send_late() { sources_.send(this->cycle()); }

  std::int64_t retire(std::uint32_t worm)
  {
    if (path_ && pipeline_.routing != GridRouting::dimension_order) {
      passed_ports_.clear();
      worms_.append_path(worm, passed_ports_);
      path_(worms_[worm].message, passed_ports_);
    }
    const std::int64_t granted = worms_[worm].times.head_injected.picoseconds;
    this->record_delivery(worms_[worm], worms_[worm].times);
    worms_.remove(worm);
    return granted;
  }

  StoppedMessages stopped_messages() const
  {
    const RouterBuffers& buffers = routers_.buffers();
    StoppedMessages stopped;
    const auto in_router = [&](std::uint32_t node) {
      return buffers.inputs[layout_.vc_index(node, layout_.node_port * layout_.vcs)].worm;
    };
    sources_.for_each_waiting(
        in_router, [&](MessageStep waiting, std::int64_t ready, MessageStep front, std::uint32_t node) {
          stopped.add({waiting, CycleLayout::injection(node), front, ready / this->tau(), WaitCause::queue});
        });
    for (std::uint32_t vc_index = 0; vc_index < buffers.inputs.size(); ++vc_index) {
      const RouterInput& input = buffers.inputs[vc_index];
      if (input.worm == CycleLayout::nothing) {
        continue;
      }
      buffers.for_each_behind(input, [&](const HeadOfWorm& behind) {
        stopped.add({behind.message_step, layout_.resource_in(layout_.port_of_vc_index(vc_index)), input.message_step,
                     behind.since, WaitCause::queue});
      });
      if (!input.head_gone && input.cause != WaitCause::channel) {
        const MessageStep holder = input.state == HeadState::active
                                       ? routers_.waits().last_behind(routers_.output_of(vc_index, input))
                                       : routers_.waits().first_owner(vc_index, input);
        stopped.add({input.message_step, routers_.waits().resource_requested(vc_index, input), holder, input.since,
                     input.cause});
      }
    }
    return stopped;
  }

  PipelineParameters pipeline_;
  const std::function<void(MessageId, std::span<const ChannelId>)>& path_; // may be empty
  CycleLayout layout_;
  CycleWorms worms_;
  CycleCalendar calendar_;
  HopCounts hops_;
  CycleSources sources_;
  CycleRouters<Allocation> routers_;
  std::vector<ChannelId> passed_ports_;
};

} // namespace

std::unique_ptr<Engine> make_cycle_engine(const EngineInput& input)
{
  const CycleLayout layout(input.topology, input.network);
  if (MaskAllocation::suits(layout, input.network.pipeline)) {
    return std::make_unique<CycleEngine<MaskAllocation>>(input, layout);
  }
  return std::make_unique<CycleEngine<ListAllocation>>(input, layout);
}

} // namespace wormcast
