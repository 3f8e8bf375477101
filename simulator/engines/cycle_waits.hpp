#pragma once

#include "wormcast/simulator/engines/cycle_buffers.hpp"
#include "wormcast/simulator/engines/cycle_layout.hpp"
#include "wormcast/simulator/engines/pipeline_log.hpp"

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
  bool blame(std::uint32_t place, RouterInput& input, WaitCause cause, Cycle since, MessageClaim holder)
  {
    if (input.cause != WaitCause::channel && heads_[place].since != since) {
      return true;
    }
    input.cause = cause;
    if (heads_.empty()) {
      heads_.resize(buffers_.inputs.size());
    }
    heads_[place] = {since, holder};
    return false;
  }

  /// The head in front goes on in this cycle; it waits.
  void end(std::uint32_t place, RouterInput& input, Cycle now)
  {
    const HeadWait& wait = heads_[place];
    if (wait.since < now) {
      log_.add_wait(resource_wanted(place, input), input.claim, wait.holder, wait.since, input.cause, now);
    }
    input.cause = WaitCause::channel;
  }

  /// Since when the head in front waits.
  Cycle since(std::uint32_t place) const { return heads_[place].since; }

  /// What the head in front asks for.
  Resource resource_wanted(std::uint32_t place, const RouterInput& input) const
  {
    return layout_.resource_out(layout_.port_place(layout_.router_of(place), input.port));
  }

  /// The message that came first of those that own what the head in front may take.
  MessageClaim first_owner(std::uint32_t place, const RouterInput& input) const;

  /// Whose flits are in front of the buffer behind an output; of the node's own the last owner's.
  MessageClaim last_behind(std::uint32_t output) const
  {
    const std::uint32_t next = layout_.downstream(layout_.port_of_place(output));
    if (next != CycleLayout::nothing) {
      const RouterInput& input = buffers_.inputs[next + layout_.vc_of[layout_.local_of(output)]];
      if (input.worm != CycleLayout::nothing) {
        return input.claim;
      }
    }
    return buffers_.outputs[output].claim;
  }

  /// A flit behind the head has lost the crossbar to `other` in this cycle.
  void lose(std::uint32_t place, MessageClaim other, Cycle now);

  /// The tail has left: records what was lost.
  void end_sharing(std::uint32_t place, const RouterInput& input)
  {
    if (!sharing_.empty() && sharing_[place].lost != 0) {
      log_sharing(place, input);
    }
  }

  /// The same for all that are still in the network.
  void end_all_sharing();

private:
  struct HeadWait {
    Cycle since = 0;
    MessageClaim holder;
  };
  struct Sharing {
    Cycle since = 0;
    Cycle last = 0;
    Cycle lost = 0;
    MessageClaim other;
  };

  void log_sharing(std::uint32_t place, const RouterInput& input);

  const CycleLayout& layout_;
  RouterBuffers& buffers_;
  PipelineLog& log_;
  std::vector<HeadWait> heads_;  // by input; empty: nobody has waited
  std::vector<Sharing> sharing_; // by input; empty: nobody has lost
};

} // namespace wormcast
