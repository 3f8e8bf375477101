#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_layout.hpp"
#include "wormcast/simulator/model/network.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wormcast {

/// The units of a band's routers that heads, flits and credits pass in turn: the routing unit, the crossbar with the
/// outputs behind it, and the input ports' way of credits (docs/routers.md, "Longer delays" and "Internal speed-up").
/// Routers and ports have numbers from 0 in the band. `speedup` is PipelineParameters::internal_speedup in all calls: a
/// constant 1 of a caller takes the rest out.
class CycleUnits {
public:
  using Cycle = std::int64_t;
  /// internal_speedup of them in each cycle, numbered through all cycles.
  using Step = std::int64_t;

  CycleUnits(const CycleLayout& layout, const PipelineParameters& pipeline, std::uint32_t routers)
      : pipeline_(pipeline),
        batches_(routers, {.routing = (-1 - Step{pipeline.routing_delay}) * pipeline.internal_speedup,
                           .crossbar = (-1 - Step{pipeline.switch_delay}) * pipeline.internal_speedup}),
        last_flits_(passes_in_one_cycle(pipeline) ? 0 : layout.port_index(routers, 0)),
        last_credits_(pipeline.internal_speedup == 1 ? 0 : layout.port_index(routers, 0))
  {}

  /// Returns whether each flit is sent in the cycle after its grant: then it need not pass().
  static bool passes_in_one_cycle(const PipelineParameters& pipeline)
  {
    return pipeline.switch_delay == 1 && pipeline.internal_speedup == 1;
  }

  /// Returns the step from which on a head that starts in `step` requests a virtual channel, if there is a routing
  /// delay. The unit accepts all waiting heads when it is empty.
  Step route(std::uint32_t router, Step step, std::uint32_t speedup)
  {
    Step& batch = batches_[router].routing;
    if (batch < step) {
      batch = std::max(step, free_after(batch, pipeline_.routing_delay, speedup));
    }
    return free_after(batch, pipeline_.routing_delay, speedup);
  }

  /// The way of a flit through the crossbar.
  struct Passage {
    Cycle leaves = 0;
    Cycle sent = 0;
    MessageStep before; ///< the message whose flit its output sends before it
  };
  /// Returns that of a flit that is granted the crossbar in `step`. The crossbar accepts all granted flits when it is
  /// empty; they leave it together, and each output sends one flit in a cycle.
  Passage pass(std::uint32_t router, std::uint32_t port, MessageStep message, Step step, std::uint32_t speedup)
  {
    Step& batch = batches_[router].crossbar;
    if (batch <= step) {
      batch = std::max(step + 1, free_after(batch, pipeline_.switch_delay, speedup));
    }
    SentFlit& last = last_flits_[port];
    const Cycle leaves = (free_after(batch, pipeline_.switch_delay, speedup) - 1) / speedup;
    const Passage passage{.leaves = leaves, .sent = std::max(leaves, last.cycle + 1), .before = last.message};
    last = {.cycle = passage.sent, .message = message};
    return passage;
  }

  /// With several steps in a cycle: returns the cycle in which the credit for a slot freed in `step` is sent. An input
  /// port sends one in each cycle, for all slots that it frees in a step.
  Cycle send_credit(std::uint32_t port, Step step, std::uint32_t speedup)
  {
    SentCredit& last = last_credits_[port];
    if (last.step != step) {
      last = {.step = step, .cycle = std::max(step / speedup, last.cycle + 1)};
    }
    return last.cycle;
  }

private:
  // The step in which the last batch entered the unit, or will enter it.
  struct Batches {
    Step routing = 0;
    Step crossbar = 0;
  };
  // The last flit sent by an output port, or that it will send.
  struct SentFlit {
    Cycle cycle = -1;
    MessageStep message;
  };
  struct SentCredit {
    Step step = -1; // of the slots
    Cycle cycle = -1;
  };

  // The first step after what has entered a unit in step `entered` has left it. Where a delay is more than one cycle,
  // the unit releases in the first step of the last of them.
  static Step free_after(Step entered, std::uint32_t delay, std::uint32_t speedup)
  {
    return speedup == 1 ? entered + delay : delay == 1 ? entered + 1 : (entered / speedup + delay - 1) * speedup + 1;
  }

  const PipelineParameters& pipeline_;
  std::vector<Batches> batches_;         // by router
  std::vector<SentFlit> last_flits_;     // by output port, unless passes_in_one_cycle()
  std::vector<SentCredit> last_credits_; // by input port, with several steps in a cycle
};

} // namespace wormcast
