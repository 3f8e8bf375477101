#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_buffers.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_layout.hpp"
#include "wormcast/simulator/engines/input_queued/pipeline_log.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// Why the heads in front of the buffers wait, and what flits behind them lose to others (docs/routers.md,
/// "Contention"). Costs nothing where nobody waits.
class CycleWaits {
public:
  using Cycle = std::int64_t;

  CycleWaits(const CycleLayout& layout, RouterBuffers& buffers, PipelineLog& log)
      : layout_(layout), buffers_(buffers), log_(log)
  {}

  /// The head in front of an input waits from `since` on because of `holder`, unless an earlier cycle is known. True if
  /// it is: until the wait ends, nothing more can be found out.
  static bool attribute(RouterInput& input, WaitCause cause, Cycle since, MessageStep holder)
  {
    if (input.cause != WaitCause::channel && input.since != since) {
      return true;
    }
    input.cause = cause;
    input.since = since;
    input.holder = holder;
    return false;
  }

  /// The head in front goes on in this cycle; it waits.
  void end(std::uint32_t vc_index, RouterInput& input, Cycle now)
  {
    if (input.since < now) {
      const auto kind = input.port == layout_.node_port ? Resource::Kind::ejection : Resource::Kind::external;
      log_.add_wait(
          kind, [&] { return resource_requested(vc_index, input); }, input.message_step, input.holder, input.since,
          input.cause, now);
    }
    input.cause = WaitCause::channel;
  }

  /// What the head in front asks for.
  Resource resource_requested(std::uint32_t vc_index, const RouterInput& input) const
  {
    return layout_.resource_out(layout_.port_index(layout_.router_of(vc_index), input.port));
  }

  /// The message that came first of those that own what the head in front may take.
  MessageStep first_owner(std::uint32_t vc_index, const RouterInput& input) const;

  /// Whose flits are in front of the buffer behind an output; of the node's own the last owner's.
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

  /// A flit behind the head has lost the crossbar to `other` in this cycle.
  void count_loss(std::uint32_t vc_index, MessageStep other, Cycle now);

  /// The tail has left: records what was lost.
  void end_sharing(std::uint32_t vc_index, const RouterInput& input)
  {
    if (!sharing_.empty() && sharing_[vc_index].lost != 0) {
      log_sharing(vc_index, input);
    }
  }

  /// The same for all that are still in the network.
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
  RouterBuffers& buffers_;
  PipelineLog& log_;
  std::vector<Sharing> sharing_; // by input; empty: nobody has lost
};

} // namespace wormcast
