#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_buffers.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_layout.hpp"
#include "wormcast/simulator/engines/input_queued/pipeline_log.hpp"
#include "wormcast/simulator/engines/input_queued/router_bands.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// The causes for which the front heads of buffers wait, and the cycles that flits behind them lose to others
/// (docs/routers.md, "Contention"), in a band of routers. There is no cost where no message waits.
///
/// Waits begin and end in steps, PipelineParameters::internal_speedup of them in each cycle. A wait counts by the
/// cycles by which the head is sent later for it: a step behind which the cycle of sending is the same costs none.
class CycleWaits {
public:
  using Cycle = std::int64_t;
  using Step = std::int64_t;

  CycleWaits(const CycleLayout& layout, const PipelineParameters& pipeline, const RouterBand& band,
             RouterBuffers& buffers, PipelineLog& log)
      : layout_(layout), pipeline_(pipeline), buffers_(buffers), log_(log), first_(layout.vc_index(band.first, 0)),
        inputs_(layout.vc_index(band.count, 0))
  {}

  /// Attributes the wait of an input's front head from `since` on to `holder`, unless an earlier cycle is known.
  /// Returns true if one is known: then nothing changes until the wait ends.
  bool attribute(std::uint32_t vc_index, WaitCause cause, Cycle since, MessageStep holder)
  {
    RouterInput& input = buffers_.inputs[vc_index];
    HeadWait& wait = buffers_.waits[vc_index];
    if (input.cause != WaitCause::channel && wait.since != since) {
      return true;
    }
    input.cause = cause;
    wait = {holder, since};
    return false;
  }

  /// The wait of the front head ends in this step.
  void end(std::uint32_t vc_index, Step now)
  {
    RouterInput& input = buffers_.inputs[vc_index];
    const HeadWait& wait = buffers_.waits[vc_index];
    if (wait.since < now) {
      record(vc_index, input.message_step, wait.holder, counted_from(wait.since, input.cause), input.cause,
             counted_from(now, input.cause));
    }
    input.cause = WaitCause::channel;
  }

  /// A worm that was behind the front worm reaches the front in `step`.
  void end_queue(std::uint32_t vc_index, std::uint32_t worm, Step step)
  {
    const QueuedWorm& queued = buffers_.worms.queued(worm);
    const Cycle to = counted_from(step, WaitCause::queue);
    if (queued.since == to) {
      return;
    }
    const bool from_router = buffers_.inputs[vc_index].upstream != CycleLayout::nothing;
    log_.add_wait(
        from_router ? Resource::Kind::external : Resource::Kind::injection,
        [&] { return layout_.resource_in(layout_.port_of_vc_index(vc_index)); }, buffers_.worms.message_step(worm),
        queued.front, queued.since, WaitCause::queue, to);
  }

  /// Records a wait for the channel that the front head requests, from one cycle to another, unless it is empty.
  void record(std::uint32_t vc_index, MessageStep waiting, MessageStep holder, Cycle from, WaitCause cause, Cycle to)
  {
    if (from == to) {
      return;
    }
    const RouterInput& input = buffers_.inputs[vc_index];
    const auto kind = input.port == layout_.node_port ? Resource::Kind::ejection : Resource::Kind::external;
    log_.add_wait(kind, [&] { return resource_requested(vc_index, input); }, waiting, holder, from, cause, to);
  }

  /// Returns the cycle from which on a wait for `cause` counts that begins in `step`; one that ends in it counts until
  /// then. `queue`: the head reaches the front in `step`.
  Cycle counted_from(Step step, WaitCause cause) const
  {
    if (pipeline_.internal_speedup == 1) {
      return step;
    }
    const std::int64_t speedup = pipeline_.internal_speedup;
    if (cause == WaitCause::queue && pipeline_.routing_delay > 1) {
      return step / speedup; // the rest is counted from a cycle's begin on
    }
    // Steps until the head enters the crossbar.
    const std::int64_t left = cause == WaitCause::queue ? pipeline_.steps_to_crossbar() + pipeline_.routing_delay
                              : cause == WaitCause::virtual_channel ? pipeline_.steps_to_crossbar()
                                                                    : 1;
    return (step + left) / speedup - left / speedup;
  }

  /// Returns the resource that the front head requests.
  Resource resource_requested(std::uint32_t vc_index, const RouterInput& input) const
  {
    return layout_.resource_out(layout_.port_index(layout_.router_of(vc_index), input.port));
  }

  /// Returns the message that was granted first among the owners of the virtual channels permitted to the front head.
  MessageStep first_owner(std::uint32_t vc_index, const RouterInput& input) const;

  /// Returns the message at the front of the buffer downstream of an output; for the node's port the last owner.
  MessageStep last_behind(std::uint32_t output) const
  {
    const std::uint32_t next = buffers_.outputs[output].downstream;
    if (next != CycleLayout::nothing) {
      const RouterInput& input = buffers_.inputs[next];
      if (input.worm != CycleLayout::nothing) {
        return input.message_step;
      }
    }
    return buffers_.outputs[output].last_owner;
  }

  /// Counts the loss of the crossbar in this cycle by a flit behind the head. Returns false, and counts nothing, if it
  /// is the first loss of flits of the worm: then count_first_loss() does.
  bool count_further_loss(std::uint32_t vc_index, Cycle now)
  {
    if (sharing_.empty() || sharing_[vc_index - first_].lost == 0) {
      return false;
    }
    Sharing& sharing = sharing_[vc_index - first_];
    sharing.last = now + 1;
    ++sharing.lost;
    return true;
  }

  /// The same for the first loss, to `other`.
  void count_first_loss(std::uint32_t vc_index, MessageStep other, Cycle now);

  /// Records the lost cycles when the tail has left.
  void end_sharing(std::uint32_t vc_index, const RouterInput& input)
  {
    if (!sharing_.empty() && sharing_[vc_index - first_].lost != 0) {
      log_sharing(vc_index, input);
    }
  }

  /// The same for all worms that are still in the network.
  void end_all_sharing();

private:
  struct Sharing {
    Cycle since = 0;
    Cycle last = 0;
    Cycle lost = 0;
    MessageStep other;
  };

  void log_sharing(std::uint32_t vc_index, const RouterInput& input);

  const CycleLayout& layout_;
  const PipelineParameters& pipeline_;
  RouterBuffers& buffers_;
  PipelineLog& log_;
  std::uint32_t first_;          // vc_index of the band's first input
  std::uint32_t inputs_;         // of the band
  std::vector<Sharing> sharing_; // by input of the band; empty: no flit has lost
};

} // namespace wormcast
