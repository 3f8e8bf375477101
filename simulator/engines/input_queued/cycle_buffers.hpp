#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_layout.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_worms.hpp"
#include "wormcast/simulator/engines/input_queued/router_bands.hpp"
#include "wormcast/simulator/engines/stopped_messages.hpp"
#include "wormcast/simulator/model/contention.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// The state of the head of the front worm of an input buffer: at the front (routing, vc_allocation, and active when
/// its worm owns an output), or passed on, where the rest of the worm follows.
enum class HeadState : std::uint16_t { idle, routing, vc_allocation, active, passed };

/// A virtual channel of an input port, with its buffer: what each flit needs, in half a cache line. No member has a
/// byte type: a byte can alias everything, so that the compiler would read all members again after a write.
struct alignas(32) RouterInput {
  std::uint32_t present = 0;                     ///< flits in the buffer
  std::uint32_t left = 0;                        ///< flits of the front worm that have not left the buffer
  MessageStep message_step;                      ///< the message of the front worm
  std::uint32_t worm = CycleLayout::nothing;     ///< the front worm
  std::uint32_t upstream = CycleLayout::nothing; ///< the output upstream; `nothing`: the node's source
  std::uint16_t output = 0;                      ///< local number of the allocated output
  std::uint16_t range = 0;                       ///< bits of the permitted virtual channels of the output port
  std::uint16_t port : 8 = 0;                    ///< the output port
  bool other_band = false;                       ///< the output upstream is in another band
  HeadState state : 8 = HeadState::idle;
  WaitCause cause = WaitCause::channel; ///< of the front head's wait; channel: it does not wait
};
static_assert(sizeof(RouterInput) == 32);

/// The wait of the head at the front of an input buffer, if it waits.
struct HeadWait {
  MessageStep holder;     ///< the message for which it waits
  std::int64_t since = 0; ///< the first step
};

/// A virtual channel of an output port.
struct alignas(32) RouterOutput {
  static constexpr std::uint32_t draining = CycleLayout::nothing - 1;

  std::uint32_t free_slots = 0;
  std::uint32_t owner = CycleLayout::nothing;      ///< input; draining: released when all slots are free
  MessageStep last_owner;                          ///< the last owner's message
  std::int64_t granted = 0;                        ///< the step of the last grant
  std::uint32_t downstream = CycleLayout::nothing; ///< the input downstream; `nothing`: the node
  std::uint16_t bit = 0;                           ///< of its virtual channel, in RouterPort
  bool other_band = false;                         ///< the input downstream is in another band
};

/// Bits of the virtual channels of an output port.
struct RouterPort {
  std::uint16_t free = 0;      ///< free virtual channels
  std::uint16_t with_slot = 0; ///< virtual channels with a free slot downstream
};

/// The inputs, outputs and ports of one router; inputs and outputs by local number.
struct RouterParts {
  std::uint32_t number = 0;
  std::uint32_t in_band = 0; ///< its number among the routers of its band
  std::uint32_t first = 0;   ///< vc_index of its first input and output
  RouterInput* inputs = nullptr;
  RouterOutput* outputs = nullptr;
  RouterPort* ports = nullptr;
};

/// The buffers of all routers, and the owners of their outputs.
struct RouterBuffers {
  RouterBuffers(const CycleLayout& layout, const RouterBands& bands, CycleWorms& known_worms)
      : inputs(layout.vc_index_count()), waits(inputs.size()), queues(inputs.size()), outputs(inputs.size()),
        ports(layout.port_index(layout.routers, 0),
              {static_cast<std::uint16_t>(layout.all_vcs), static_cast<std::uint16_t>(layout.all_vcs)}),
        worms(known_worms)
  {
    const auto in_other_band = [&](std::uint32_t router, std::uint32_t vc_index) {
      return vc_index != CycleLayout::nothing && bands.of(layout.router_of(vc_index)) != bands.of(router);
    };
    for (std::uint32_t router = 0; router < layout.routers; ++router) {
      for (std::uint32_t local = 0; local < layout.width; ++local) {
        const std::uint32_t port = layout.port_index(router, layout.port_of[local]);
        const std::uint32_t vc = layout.vc_of[local];
        const std::uint32_t upstream = layout.upstream(port);
        const std::uint32_t downstream = layout.downstream(port);
        RouterInput& input = inputs[layout.vc_index(router, local)];
        input.upstream = upstream == CycleLayout::nothing ? upstream : upstream + vc;
        input.other_band = in_other_band(router, upstream);
        RouterOutput& output = outputs[layout.vc_index(router, local)];
        output.free_slots = layout.slots;
        output.downstream = downstream == CycleLayout::nothing ? downstream : downstream + vc;
        output.bit = static_cast<std::uint16_t>(1U << vc);
        output.other_band = in_other_band(router, downstream);
      }
    }
  }

  std::vector<RouterInput> inputs;   ///< by vc_index
  std::vector<HeadWait> waits;       ///< the same
  std::vector<WormQueue> queues;     ///< the same
  std::vector<RouterOutput> outputs; ///< by vc_index
  std::vector<RouterPort> ports;     ///< by port_index
  CycleWorms& worms;

  /// Adds the worm at the end of the buffer.
  void queue(std::uint32_t vc_index, std::uint32_t worm, std::int64_t since)
  {
    worms.queued(worm) = {inputs[vc_index].message_step, since};
    worms.push(queues[vc_index], worm);
  }

  /// Removes and returns the first worm behind the front worm; there must be one.
  std::uint32_t pop_next(std::uint32_t vc_index) { return worms.pop(queues[vc_index]); }

  /// Calls visit(worm) for each worm behind the front worm.
  template <typename Visit> void for_each_behind(std::uint32_t vc_index, Visit&& visit) const
  {
    for (std::uint32_t worm = queues[vc_index].first; worm != CycleLayout::nothing; worm = worms.head(worm).behind) {
      visit(worm);
    }
  }
};

} // namespace wormcast
