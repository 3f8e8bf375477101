#pragma once

#include "wormcast/simulator/engines/input_queued/cycle_layout.hpp"
#include "wormcast/simulator/engines/input_queued/cycle_worms.hpp"
#include "wormcast/simulator/engines/stopped_messages.hpp"
#include "wormcast/simulator/model/contention.hpp"

#include <cstdint>
#include <vector>

namespace wormcast {

/// The state of the head at the front of an input buffer. After `routing` and `vc_allocation` its worm is active: it
/// owns an output.
enum class HeadState : std::uint8_t { idle, routing, vc_allocation, active };

/// A virtual channel of an input port, with its buffer, in one cache line. No member has a byte type: a byte can alias
/// everything, so that the compiler would read all members again after a write.
struct alignas(64) RouterInput {
  std::uint32_t present = 0;                     ///< flits in the buffer
  std::uint32_t left = 0;                        ///< flits of the front worm that have not left the buffer
  std::uint32_t worm = CycleLayout::nothing;     ///< the front worm
  std::uint32_t behind = CycleLayout::nothing;   ///< the first worm behind it
  std::uint32_t last_behind = 0;                 ///< the last worm behind it, if there is one
  MessageStep message_step;                      ///< the message of the front worm
  MessageStep holder;                            ///< the message for which the front head waits, if it waits
  std::int64_t since = 0;                        ///< the first cycle of that wait
  std::uint32_t upstream = CycleLayout::nothing; ///< the output upstream; `nothing`: the node's source
  HeadState state = HeadState::idle;
  std::uint16_t port = 0;  ///< the output port
  std::uint16_t range = 0; ///< bits of the permitted virtual channels of the output port
  std::uint16_t vc = 0;    ///< the allocated virtual channel of the output port
  bool head_gone = false;
  WaitCause cause = WaitCause::channel; ///< of the front head's wait; channel: it does not wait
};

/// A virtual channel of an output port.
struct RouterOutput {
  static constexpr std::uint32_t draining = CycleLayout::nothing - 1;

  std::uint32_t free_slots = 0;
  std::uint32_t owner = CycleLayout::nothing;      ///< input; draining: released when all slots are free
  MessageStep last_owner;                          ///< the last owner's message
  std::int64_t granted = 0;                        ///< the cycle of the last grant
  std::uint32_t downstream = CycleLayout::nothing; ///< the input downstream; `nothing`: the node
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
  RouterBuffers(const CycleLayout& layout, CycleWorms& known_worms)
      : inputs(layout.vc_index_count()), outputs(layout.vc_index_count()),
        ports(std::size_t{layout.routers} * layout.port_count,
              {static_cast<std::uint16_t>(layout.all_vcs), static_cast<std::uint16_t>(layout.all_vcs)}),
        worms(known_worms)
  {
    for (std::uint32_t router = 0; router < layout.routers; ++router) {
      for (std::uint32_t local = 0; local < layout.width; ++local) {
        const std::uint32_t port = layout.port_index(router, layout.port_of[local]);
        const std::uint32_t vc = layout.vc_of[local];
        const std::uint32_t upstream = layout.upstream(port);
        const std::uint32_t downstream = layout.downstream(port);
        inputs[layout.vc_index(router, local)].upstream = upstream == CycleLayout::nothing ? upstream : upstream + vc;
        RouterOutput& output = outputs[layout.vc_index(router, local)];
        output.free_slots = layout.slots;
        output.downstream = downstream == CycleLayout::nothing ? downstream : downstream + vc;
      }
    }
  }

  std::vector<RouterInput> inputs;   ///< by vc_index
  std::vector<RouterOutput> outputs; ///< by vc_index
  std::vector<RouterPort> ports;     ///< by output port
  CycleWorms& worms;

  /// Adds the worm at the end of the buffer.
  void queue(RouterInput& input, std::uint32_t worm, std::int64_t since)
  {
    HeadOfWorm& head = worms.head(worm);
    head.front = input.message_step;
    head.since = since;
    head.behind = CycleLayout::nothing;
    (input.behind == CycleLayout::nothing ? input.behind : worms.head(input.last_behind).behind) = worm;
    input.last_behind = worm;
  }

  /// Removes and returns the first worm behind the front worm; there must be one.
  std::uint32_t pop_next(RouterInput& input)
  {
    const std::uint32_t next = input.behind;
    input.behind = worms.head(next).behind;
    return next;
  }

  /// Calls visit(head) for each worm behind the front worm.
  template <typename Visit> void for_each_behind(const RouterInput& input, Visit&& visit) const
  {
    for (std::uint32_t worm = input.behind; worm != CycleLayout::nothing; worm = worms.head(worm).behind) {
      visit(worms.head(worm));
    }
  }
};

} // namespace wormcast
